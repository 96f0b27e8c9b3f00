"""The usage log, read back: the calls of all days, and which lines could not be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops.errors import CannotRun
from gitops.usage import Usage

_FILES = "llm-usage-*.jsonl"
_COUNTS = {"input": "tokens_in", "output": "tokens_out", "cache_read": "cache_read", "cache_write": "cache_write"}


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a model, as its line tells it. `run_id` is the run's, or the name of the question it was made for."""

    at: datetime
    workspace: str
    run_type: str
    role: str
    run_id: str
    used: Usage
    is_replayed: bool = False


@dataclass(frozen=True, slots=True)
class UsageLog:
    """The calls of a usage log in the order of its lines. `skipped` says which lines are none, and why."""

    files: int
    calls: tuple[Call, ...]
    skipped: tuple[str, ...]


def read(folder: Path) -> UsageLog:
    """All files of the log in a folder; none where nothing was ever asked. CannotRun where one cannot be read."""
    every = [read_file(path) for path in files(folder)]
    calls = tuple(call for one in every for call in one.calls)
    return UsageLog(len(every), calls, tuple(told for one in every for told in one.skipped))


def files(folder: Path) -> list[Path]:
    """The files of the log, a day each, oldest first."""
    return sorted(folder.glob(_FILES))


def read_file(path: Path) -> UsageLog:
    """One file of the log. CannotRun where it cannot be read."""
    calls: list[Call] = []
    skipped: list[str] = []
    for number, line in _lines(path):
        try:
            calls.append(_call(line))
        except (ValueError, KeyError, OverflowError, RecursionError) as error:
            skipped.append(f"{path.name}, line {number}: {_why(error)}")
    return UsageLog(1, tuple(calls), tuple(skipped))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CannotRun(f"the usage log {path} cannot be read: {error.strerror}", f"chmod u+r {path}") from error
    return ((number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip())


def _call(line: bytes) -> Call:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    at = datetime.fromisoformat(_text(value, "at"))
    if at.tzinfo is None:
        raise ValueError("'at' has no time zone")
    names = {name: _text(value, name) for name in ("workspace", "run_type", "role", "run_id")}
    tokens = {name: _count(value, field) for name, field in _COUNTS.items()}
    usd = value["usd"]
    if not isinstance(usd, int | float) or isinstance(usd, bool) or not 0 <= usd < float("inf"):
        raise ValueError("'usd' is no amount")
    return Call(
        at.astimezone(UTC),
        **names,
        used=Usage(**tokens, usd=float(usd), calls=1),
        is_replayed=value.get("replayed") is True,
    )


def _text(value: Mapping[str, Any], name: str) -> str:
    if not isinstance(value[name], str):
        raise ValueError(f"'{name}' is no text")
    return str(value[name])


def _count(value: Mapping[str, Any], name: str) -> int:
    count = value[name]
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ValueError(f"'{name}' is no count")
    return count


def _why(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return "not whole JSON"
        case UnicodeDecodeError():
            return "not UTF-8"
        case KeyError():
            return f"it lacks {error}"
        case _:
            return str(error).split("\n")[0]
