"""Writes cases as files in the worktree, for a person to read and commit: one that is there stays as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from gitops.errors import CannotRun, UsageError
from gitops.suites.model import NAME, BenchmarkCase


def spelt(case: BenchmarkCase) -> str:
    """A case as people read it: indented, its fields in the specification's order, what is not said left out."""
    value = case.model_dump(mode="json", exclude_none=True)
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def checked_id(name: str) -> str:
    """The name of a case that somebody chose, '' where nobody did. UsageError for one that no case may have."""
    if name and re.fullmatch(NAME, name) is None:
        told = f"--case-id {name!r}: a name is of a-z, 0-9, '.', '_' and '-', begins with a letter or digit, 63 at most"
        raise UsageError(told, "--case-id quote-of-another-year")
    return name


def write_new(path: Path, case: BenchmarkCase) -> None:
    """Write a case to a new file. UsageError where something stands there, CannotRun where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(spelt(case))
    except FileExistsError as error:
        told = f"{path} is there already, and nothing is written over it"
        raise UsageError(told, "--case-id NAME gives it another name") from error
    except OSError as error:
        raise CannotRun(f"{path} cannot be written: {error.strerror}", "check who owns the folder") from error
