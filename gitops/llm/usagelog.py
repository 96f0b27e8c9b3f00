"""The usage log: one line of canonical JSON for each call, a file a day, that many processes append to at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gitops import canonical
from gitops.errors import CannotRun


def append(folder: Path, at: datetime, record: Mapping[str, Any]) -> None:
    """Add a line to `llm-usage-YYYY-MM-DD.jsonl`. CannotRun where it cannot be written.

    The kernel appends one write as a whole, so lines of several processes never mix.
    """
    path = folder / f"llm-usage-{at:%Y-%m-%d}.jsonl"
    line = (canonical.dumps({"at": at.isoformat(timespec="seconds"), **record}) + "\n").encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _append(path, line)
    except OSError as error:
        raise CannotRun(f"the usage log {path} cannot be written: {error.strerror}", "make room for it") from error


def _append(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        written = os.write(descriptor, line)
    finally:
        os.close(descriptor)
    if written != len(line):
        raise OSError(None, f"only {written} of {len(line)} bytes fitted")
