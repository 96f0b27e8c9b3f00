"""What this clone has spent on models, by its usage log: each file is read once for each time that it grows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from gitops.canonical import dumps
from gitops.llm import usage_reading
from gitops.llm.usage_reading import Call
from gitops.runs.context import Context
from gitops.usage import NOTHING, Usage

Key = tuple[str, str, str]
"""Workspace, operation (the type of run), role."""
_KIND, _VERSION = "spent", "1"


def spent(context: Context) -> dict[Key, Usage]:
    """The sums of all calls that cost real money. Lines that are none are told; CannotRun for a file that is not to be
    read.
    """
    found: dict[Key, Usage] = {}
    with context.caching() as cache:
        for path in usage_reading.files(context.folder):
            told = path.stat()
            key = f"{path.name} {told.st_size} {told.st_mtime_ns}"
            kept = cache.get(_KIND, _VERSION, key)
            if kept is None:
                kept = _packed(_summed(_read(context, path)))
                cache.put(_KIND, _VERSION, key, kept)
            for each, used in _unpacked(kept).items():
                found[each] = found.get(each, NOTHING) + used
    return found


def _read(context: Context, path: Path) -> Iterable[Call]:
    log = usage_reading.read_file(path)
    if log.skipped:
        more = f" (and {len(log.skipped) - 1} more)" if len(log.skipped) > 1 else ""
        context.warn_once(f"the usage log: {log.skipped[0]}{more}; skipped")
    return log.calls


def _summed(calls: Iterable[Call]) -> dict[Key, Usage]:
    found: dict[Key, Usage] = {}
    for call in calls:
        if not call.is_replayed:
            key = call.workspace, call.run_type, call.role
            found[key] = found.get(key, NOTHING) + call.used
    return found


def _packed(found: dict[Key, Usage]) -> bytes:
    return dumps([[*key, asdict(used)] for key, used in sorted(found.items())]).encode()


def _unpacked(kept: bytes) -> dict[Key, Usage]:
    return {(str(name), str(operation), str(role)): Usage(**used) for name, operation, role, used in json.loads(kept)}
