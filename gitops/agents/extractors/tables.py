"""Atoms and edges out of tables: one row a process with its owner and systems, or who answers for what (RACI)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Row
from gitops.agents.extractors.kinds import kind_of_column, kind_of_group
from gitops.agents.extractors.outline import Label, link_label
from gitops.agents.extractors.words import LABELS, TURNED, WHY_LABELS
from gitops.agents.writers.document import Sentence

_RACI = re.compile(r"(?:[RACI](?:\s*[/,]\s*[RACI])*)?")
_SAYS = ("description", "purpose", "what it is", "what it does", "summary", "definition", "meaning")
_NAMELESS = ("name", "title", "what", "")
"""Heads of a first column that leave it to the heading of the section what its cells name."""
_COUNTS = ("no", "no.", "nr", "nr.", "#", "id", "ref", "ref.", "date", "number")
"""Heads of columns that only count rows, or date them."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row that is about an atom."""

    row: Row
    own: Sketch


def rows(reading: Reading, finds: Finds) -> list[Listed]:
    """Find what the tables of a source list."""
    found = []
    for row in reading.rows:
        if _is_raci(reading, row.head):
            _responsible(reading.given, row, finds)
        elif (own := _listed(reading.given, row, finds)) is not None:
            found.append(Listed(row, own))
    return found


def link(given: Given, listed: Listed, finds: Finds) -> None:
    """Follow the other cells of a row: what its atom is linked to, and why it is so."""
    for cell in listed.row.cells:
        head = _head(listed.row, cell) if cell.ordinal else ""
        if head in LABELS or head in TURNED:
            link_label(given, Label(head, cell.text, cell), listed.own, finds)
        elif head in WHY_LABELS:
            listed.own.reason(reading_of.said(given, cell))


def _is_raci(reading: Reading, head: tuple[str, ...]) -> bool:
    """Do the columns name roles, and does every cell of every row under this head hold letters of RACI alone?"""
    marks = [cell.text.strip() for row in reading.rows if row.head == head for cell in row.cells if cell.ordinal]
    return len(head) > 2 and "A" in "".join(marks) and all(_RACI.fullmatch(mark) for mark in marks)


def _responsible(given: Given, row: Row, finds: Finds) -> None:
    """The role that is accountable owns the process; where none is, the one that alone is responsible."""
    first, marked = _cell(row, 0), [cell for cell in row.cells if cell.ordinal]
    if first is None:
        return
    process = finds.add("process", first.text, reading_of.said(given, first))
    accountable = [cell.ordinal for cell in marked if "A" in cell.text]
    owners = accountable or [cell.ordinal for cell in marked if "R" in cell.text]
    for column in range(1, len(row.head)):
        role = finds.add("role", row.head[column], None)
        if role is not None and process is not None and owners == [column]:
            process.link("owner", role)


def _listed(given: Given, row: Row, finds: Finds) -> Sketch | None:
    """The atom of a row: its type is said by the head of the first column, or by the heading above the table."""
    at = next((at for at, head in enumerate(row.head) if _plain(head) not in _COUNTS), 0)
    first = _cell(row, at)
    head = row.head[at] if row.head else ""
    kind = kind_of_column(head) or (kind_of_group(row.section) if _plain(head) in _NAMELESS else None)
    if first is None or kind is None:
        return None
    told = next((cell for cell in row.cells if cell.ordinal and _head(row, cell) in _SAYS), first)
    return finds.add(kind, first.text, reading_of.said(given, told))


def _cell(row: Row, column: int) -> Sentence | None:
    return next((cell for cell in row.cells if cell.ordinal == column), None)


def _head(row: Row, cell: Sentence) -> str:
    return _plain(row.head[cell.ordinal]) if cell.ordinal < len(row.head) else ""


def _plain(head: str) -> str:
    return " ".join(head.casefold().split())
