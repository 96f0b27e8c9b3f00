"""Atoms and edges out of tables: one row a process with its owner and systems, or who answers for what (RACI)."""

from __future__ import annotations

import re

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Row
from gitops.agents.extractors.kinds import ENDS, LABELS, kind_of, kind_of_column, named, parts
from gitops.agents.extractors.outline import fits
from gitops.agents.writers.document import Sentence
from gitops.okf.model import AtomType, EdgeType

_RACI = re.compile(r"(?:[RACI](?:\s*[/,]\s*[RACI])*)?")
_SAYS = ("description", "purpose", "what it is", "what it does", "summary", "definition", "meaning")


def rows(reading: Reading, finds: Finds) -> None:
    """Find what the tables of a source list."""
    for row in reading.rows:
        if _is_raci(reading, row.head):
            _responsible(reading.given, row, finds)
        elif (kind := kind_of_column(row.head[0] if row.head else "")) is not None:
            _listed(reading.given, row, kind, finds)


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


def _listed(given: Given, row: Row, kind: AtomType, finds: Finds) -> None:
    """The atom of a row, and what its other cells link it to."""
    first = _cell(row, 0)
    if first is None:
        return
    told = next((cell for cell in row.cells if cell.ordinal and _head(row, cell) in _SAYS), first)
    own = finds.add(kind, first.text, reading_of.said(given, told))
    for cell in row.cells:
        rel = LABELS.get(_head(row, cell)) if cell.ordinal else None
        if own is not None and rel is not None:
            _link(given, own, rel, cell, finds)


def _link(given: Given, own: Sketch, rel: EdgeType, cell: Sentence, finds: Finds) -> None:
    for name in parts(cell.text):
        kind = kind_of(named(name)) or ENDS[rel]
        target = finds.get(name) or finds.add(kind, name, reading_of.said(given, cell))
        if target is not None and fits(rel, target):
            own.link(rel, target)


def _cell(row: Row, column: int) -> Sentence | None:
    return next((cell for cell in row.cells if cell.ordinal == column), None)


def _head(row: Row, cell: Sentence) -> str:
    return " ".join(row.head[cell.ordinal].casefold().split()) if cell.ordinal < len(row.head) else ""
