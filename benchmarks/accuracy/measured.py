"""Findings held against what people said of the same wikis: precision, recall, and false alarms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy import labelled
from benchmarks.accuracy.draw import FORMS
from benchmarks.accuracy.labelled import Reference, Verdict
from benchmarks.accuracy.taking import Found

_ALIKE = {"locator": "quote_anchor"}
"""Words that stand elsewhere and a place that does not hold them are one defect, whoever reports it."""
_LABEL = re.compile(r"\[\^([^\]\s]+)\]")


@dataclass(frozen=True, slots=True)
class Precision:
    """The error findings, by what a reader decided of them; `unread` are those that nobody has read yet."""

    true: tuple[Found, ...]
    false: tuple[Found, ...]
    unread: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The known defects: with the finding that tells of each, or without."""

    found: tuple[tuple[Reference, Found], ...]
    missed: tuple[Reference, ...]


def precision(found: Iterable[Found], verdicts: Sequence[Verdict], half: str) -> Precision:
    """What readers decided of the error findings. One that nobody read counts for neither side."""
    known: dict[tuple[str, str, int, str, str], list[Verdict]] = defaultdict(list)
    for each in verdicts:
        known[each.wiki, each.path, each.line, each.check, each.result].append(each)
    sides: dict[bool | None, list[Found]] = {True: [], False: [], None: []}
    for one in found:
        if one.level == "error":
            verdict = _verdict(one, known[one.wiki, one.path, one.line, one.check, one.result])
            if verdict is None or half in ("both", verdict.half):
                sides[verdict.is_true if verdict else None].append(one)
    return Precision(tuple(sides[True]), tuple(sides[False]), tuple(sides[None]))


def _verdict(one: Found, candidates: Sequence[Verdict]) -> Verdict | None:
    """The verdict on this very finding, or on the only one of its kind on the line, should its words be put anew."""
    exact = [verdict for verdict in candidates if verdict.fingerprint == one.fingerprint]
    if not exact and len({verdict.is_true for verdict in candidates}) == 1:
        return candidates[0]
    return exact[0] if exact else None


def recall(found: Iterable[Found], defects: Iterable[Reference], wikis: Path) -> Recall:
    """Which defects are reported, at whatever level; each finding answers for one."""
    left = sorted(found, key=lambda one: (one.path, one.line, one.column))
    told: list[tuple[Reference, Found]] = []
    missed: list[Reference] = []
    for defect in sorted(defects, key=lambda one: (one.wiki, one.path, one.line, one.column)):
        lines = _lines(defect, wikis)
        fits = [one for one in left if _fits(one, defect, lines)]
        if defect.check == "links":
            fits = [one for one in fits if labelled.covers(wikis, defect, one.column)]
        if not fits:
            missed.append(defect)
            continue
        left.remove(fits[0])
        told.append((defect, fits[0]))
    return Recall(tuple(told), tuple(missed))


def alarms(
    found: Iterable[Found], references: Iterable[Reference], known: Recall, wikis: Path
) -> list[tuple[Reference, Found]]:
    """Errors and warnings on exactly those references of which nothing is wrong, and that tell of no known defect."""
    by_page: dict[tuple[str, str], list[Found]] = defaultdict(list)
    right = {one for _, one in known.found}
    for one in found:
        if one.gates and one not in right and one.check not in ("orphan", "schema"):
            by_page[one.wiki, one.path].append(one)
    return [
        (reference, one)
        for reference in references
        if not reference.is_defect
        for one in by_page[reference.wiki, reference.path]
        if _is_about(one, reference, wikis)
    ]


def _fits(one: Found, defect: Reference, lines: frozenset[int]) -> bool:
    same = _ALIKE.get(one.check, one.check) == _ALIKE.get(defect.check, defect.check)
    return same and (one.wiki, one.path) == (defect.wiki, defect.path) and one.line in lines


def _lines(reference: Reference, wikis: Path) -> frozenset[int]:
    """Where a finding about it may stand: its line, and for a footnote's reference the definition's."""
    if reference.form != "footnote_reference":
        return frozenset((reference.line,))
    lines = labelled.lines(wikis, reference)
    label = _LABEL.match(lines[reference.line - 1], reference.column - 1)
    head = f"{label[0]}:" if label else None
    defined = {number for number, line in enumerate(lines, 1) if head and line.lstrip("> \t").startswith(head)}
    return frozenset({reference.line, *defined})


def _is_about(one: Found, reference: Reference, wikis: Path) -> bool:
    """A quotation's finding is about the reference that follows it, any other about what it stands on."""
    if one.line not in _lines(reference, wikis):
        return False
    if one.line != reference.line:
        return one.check != "quote_anchor"
    if labelled.covers(wikis, reference, one.column):
        return True
    return one.check == "quote_anchor" and _follows(one, reference, wikis)


def _follows(one: Found, reference: Reference, wikis: Path) -> bool:
    if reference.form not in FORMS or one.column > reference.column:
        return False
    line = labelled.lines(wikis, reference)[reference.line - 1]
    after = [found.start() + 1 for found in FORMS[reference.form].finditer(line)]
    return min((at for at in after if at > one.column), default=0) == reference.column
