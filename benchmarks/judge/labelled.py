"""Labelled claims and pairs as they are read from a folder of JSON Lines, with the groups that must not be parted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitops.errors import CannotRun
from gitops.verify.judging.claiming import parse

SETS = ("wice-dev", "begin-wow-dev", "faithdial-audit")
PAIRS = "contradictions-chatprotect"
_WIDESPREAD = 12
"""Pairs from which on a name is no sign of one topic."""


@dataclass(frozen=True)
class Claim:
    """A claim with its source's text and label; claims of one `group` share a source."""

    set: str
    id: str
    claim: str
    source: str
    label: str
    group: int
    cited: str = ""
    """The sentences of the source that readers found to support it, where they said which; else the whole source."""


@dataclass(frozen=True)
class Pair:
    """Two claims and whether a reader found that they contradict; pairs of one `group` share names or wording."""

    id: str
    a: str
    b: str
    is_contradiction: bool
    group: int
    set: str = PAIRS


def claims(folder: Path, sets: Iterable[str] = SETS) -> list[Claim]:
    """The claims of all sets. CannotRun names a set that is not there."""
    groups: dict[str, int] = {}
    found = []
    for name in sets:
        for row in _rows(folder / f"{name}.jsonl"):
            said = row["source_sentences"]
            source = "\n".join(said)
            group = groups.setdefault(source, len(groups))
            cited = "\n".join(said[at] for at in next(iter(row.get("supporting_sentences") or ()), ()))
            found.append(Claim(name, row["id"], row["claim"], source, row["label"], group, cited or source))
    return found


def pairs(folder: Path) -> list[Pair]:
    """The pairs, grouped by chains of names and of equal sentences that few of them share."""
    rows = list(_rows(folder / f"{PAIRS}.jsonl"))
    sharing: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for text in (row["a"], row["b"]):
            claim = parse(text)
            for key in {text, *(claim.words[at].stem for at in claim.names)}:
                sharing.setdefault(key, []).append(number)
    groups = list(range(len(rows)))
    for key, numbers in sharing.items():
        if " " in key or len(numbers) <= _WIDESPREAD:
            for number in numbers[1:]:
                groups[_root(groups, number)] = _root(groups, numbers[0])
    return [
        Pair(row["id"], row["a"], row["b"], row["label"] == "contradiction", _root(groups, number))
        for number, row in enumerate(rows)
    ]


def _root(groups: list[int], number: int) -> int:
    while groups[number] != number:
        number = groups[number]
    return number


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    if not file.is_file():
        raise CannotRun(f"{file}: no such file", "name the folder that holds the labelled claims")
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
