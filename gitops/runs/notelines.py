"""The lines of a note, read: what parses and bears its own id counts; what does not is named and skipped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from gitops.runs.records import LandedRecord, PlanRecord, Record, RunRecord, StateRecord, id_of

_KINDS: dict[str, type[Record]] = {
    "run": RunRecord,
    "state": StateRecord,
    "plan": PlanRecord,
    "landed": LandedRecord,
}


@dataclass(slots=True)
class Read:
    """What a note's lines hold; `skipped` says which lines could not be read, and why."""

    records: list[Record] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def parse(lines: Iterable[str], where: str) -> Read:
    """Read the lines of a note. A line that does not parse is named and skipped, never guessed at."""
    read = Read()
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            read.records.append(_record(strict_json(text)))
        except (ValueError, ValidationError) as error:
            reason = str(error).split("\n")[0]
            read.skipped.append(f"{where}, line {number}: {reason}")
    return read


def _record(value: dict[str, Any]) -> Record:
    kind = _KINDS.get(str(value.get("kind")))
    if kind is None:
        raise ValueError(f"unknown kind of record {value.get('kind')!r}")
    if value.get("id") != id_of(value):
        raise ValueError("its id is not the digest of its content")
    return kind.model_validate(value)


def is_record(line: str) -> bool:
    """Is this line a record of any kind: one JSON object that bears the digest of its content as its id?"""
    try:
        value = strict_json(line)
    except ValueError:
        return False
    return value.get("id") == id_of(value)


def strict_json(line: str) -> dict[str, Any]:
    """One JSON object; a name that occurs twice is refused, since readers would disagree on it."""
    try:
        value = _DECODER.decode(line)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name occurs twice in one object")
    return value


# Made once: json.loads would make one for every line.
_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant)
