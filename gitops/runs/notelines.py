"""The lines of a note, read: what parses and bears its own id counts; what does not is named and skipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from gitops.canonical import strict_json
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
