"""Recorded answers: a readable file for each request, named by the request's digest. It holds no key and no header."""

from __future__ import annotations

import difflib
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gitops import canonical
from gitops.errors import CannotRun
from gitops.llm import forcing
from gitops.llm.client import Send, Source

_SHOWN = 6
_WIDE = 120
_PIECES = re.compile(r"\n|(?<=[.!?;:,。！？；])\s*")


class Recording:
    """A source whose answers are kept."""

    def __init__(self, source: Source, folder: Path, clock: Callable[[], datetime]) -> None:
        self._source = source
        self._folder = folder
        self._clock = clock

    @property
    def replays(self) -> bool:
        """As the source that is recorded."""
        return self._source.replays

    def prepared(self, request: Mapping[str, Any], digest: str) -> Send:
        """As the source that is recorded."""
        return self._source.prepared(request, digest)

    def keep(self, request: Mapping[str, Any], digest: str, answer: Mapping[str, Any]) -> None:
        """Write the recording. CannotRun where it cannot be written."""
        at = self._clock().isoformat(timespec="seconds")
        record = {"request": request, "answer": answer, "model": request["model"], "recorded_at": at}
        text = json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _replace(self._folder / f"{digest}.json", text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            told = f"the recording cannot be written to {self._folder}: {error.strerror}"
            raise CannotRun(told, "make room for it, or set ASSAY_LLM_RECORDINGS to another folder") from error


class Replay:
    """Answers from recordings alone."""

    replays = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def prepared(self, request: Mapping[str, Any], digest: str) -> Send:
        """CannotRun where nothing was recorded for the request; it shows how the nearest recording differs.

        Unforceable where the model could not be forced when it was recorded: a refusal leaves no recording.
        """
        path = self._folder / f"{digest}.json"
        if not path.exists() and forcing.is_forcing(request) and self._holds(forcing.unforced(request)):
            raise forcing.Unforceable(f"{request['model']} was not forced when it was recorded", "record it again")
        if not path.exists():
            raise self._missed(request, digest)
        data = json.dumps(_read(path)["answer"], ensure_ascii=False).encode("utf-8", "backslashreplace")
        return lambda body: data

    def keep(self, request: Mapping[str, Any], digest: str, answer: Mapping[str, Any]) -> None:
        """Nothing: it is kept already."""

    def _holds(self, request: Mapping[str, Any]) -> bool:
        return (self._folder / f"{canonical.digest(request)}.json").exists()

    def _missed(self, request: Mapping[str, Any], digest: str) -> CannotRun:
        told = f"no recording answers request {digest[:12]} of {request['model']}"
        hint = "record it: ASSAY_LLM=record and the same command"
        wanted = list(_lines(request))
        others = {path.stem: list(_lines(_read(path)["request"])) for path in sorted(self._folder.glob("*.json"))}
        if not others:
            return CannotRun(f"{told}; there is none in {self._folder}", hint)
        nearest = max(others, key=lambda stem: _likeness(wanted, others[stem]))
        differences = "".join(f"\n  {line}" for line in _differences(others[nearest], wanted))
        return CannotRun(f"{told}; the nearest, {nearest[:12]}, differs:{differences}", hint)


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CannotRun(f"the recording {path} cannot be read: {error}", "record it again: ASSAY_LLM=record") from error
    if not isinstance(record, dict) or not {"request", "answer"} <= record.keys():
        raise CannotRun(f"{path} is not a recording", "remove it, or record it again: ASSAY_LLM=record")
    return record


def _replace(path: Path, data: bytes) -> None:
    """Whole or not at all, whoever else records the same request."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _lines(value: Any, path: str = "") -> Iterator[str]:
    """A value as lines of `path: value`, keys sorted, a text in its clauses: what a difference is readable in."""
    if isinstance(value, Mapping):
        for key in sorted(value):
            yield from _lines(value[key], f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _lines(item, f"{path}[{index}]")
    elif isinstance(value, str):
        yield from (f"{path}: {piece}" for piece in _PIECES.split(value))
    else:
        yield f"{path}: {json.dumps(value)}"


def _likeness(one: list[str], other: list[str]) -> float:
    """The share of both that they have in common (Dice)."""
    return 2 * (Counter(one) & Counter(other)).total() / (len(one) + len(other))


def _differences(recorded: list[str], wanted: list[str]) -> list[str]:
    changed = list(difflib.unified_diff(recorded, wanted, n=0, lineterm=""))[2:]
    lines = [line if len(line) <= _WIDE else line[: _WIDE - 1] + "…" for line in changed if not line.startswith("@@")]
    return lines if len(lines) <= _SHOWN else [*lines[:_SHOWN], f"and {len(lines) - _SHOWN} lines more"]
