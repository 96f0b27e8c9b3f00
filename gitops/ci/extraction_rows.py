"""The rows of an extraction's answer: its bars beside what the base comes to, and what is wrong, the newest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gitops.ci.findings import clipped
from gitops.ci.result import BarRow, BarVerdict, WrongKind, WrongLine
from gitops.config import Bars
from gitops.extraction import bars, metrics
from gitops.extraction.aggregate import Aggregate
from gitops.extraction.bars import Held, Status
from gitops.extraction.problems import KINDS, Wrong

_VERDICTS: Mapping[Status, BarVerdict] = {"pass": "met", "fail": "below", "not_measured": "not measured"}
_LEFT = "the change leaves what was extracted as it is, and does not fail by it"


def rows(
    limits: Bars, before: Aggregate | None, after: Aggregate | None, own: Aggregate | None, why: Mapping[str, str]
) -> tuple[BarRow, ...]:
    """Each metric with a bar: at the base, as it would land, and that by the change's own gold, where there is one.

    `why` says by metric why there is no number.
    """
    earlier, later = held(before, limits), held(after, limits)
    return tuple(
        _row(earlier[name], one, own, why.get(name, "") if one.value is None else "") for name, one in later.items()
    )


def shown(limits: Bars, own: Aggregate, why: Mapping[str, str]) -> tuple[BarRow, ...]:
    """The same of gold that only the change has: it gates nothing."""
    gates_nothing = {"verdict": "shown", "gated": False}
    return tuple(row.model_copy(update=gates_nothing) for row in rows(limits, None, own, None, why))


def unchanged(made: Iterable[BarRow]) -> tuple[BarRow, ...]:
    """The rows of an extraction that the change leaves as it is: what was below its bar is so still, and fails no
    change of the gold.
    """
    return tuple(row.model_copy(update={"gated": False, "why": _LEFT}) if row.gated else row for row in made)


def held(numbers: Aggregate | None, limits: Bars) -> dict[str, Held]:
    """The metrics that have a bar, held to it; without numbers none is measured."""
    return {one.name: one for one in bars.held(lambda name: numbers.value(name) if numbers else None, limits)}


def _row(earlier: Held, later: Held, own: Aggregate | None, why: str) -> BarRow:
    return BarRow(
        metric=later.name,
        unit=metrics.unit(later.name),
        direction=metrics.direction(later.name),
        op=later.bar.op,
        bar=later.bar.value,
        before=earlier.value,
        after=later.value,
        by_own_gold=own.value(later.name) if own is not None else None,
        verdict=_VERDICTS[later.status],
        gated=later.status == "fail",
        was_below=earlier.status == "fail",
        why=clipped(why),
    )


def wrong(before: Iterable[Wrong], after: Iterable[Wrong]) -> list[WrongLine]:
    """What is wrong with what would land: what the base gets right first, then some of each kind before more of one.

    What is the same is told by case, kind and words, wherever it stands: a file that moved makes nothing new.
    """
    known = Counter(map(_key, before))
    lines = []
    for each in after:
        is_new = not known[_key(each)]
        known[_key(each)] -= not is_new
        lines.append(_line(each, is_new))
    return mixed(lines)


def mixed(lines: Iterable[WrongLine]) -> list[WrongLine]:
    """The new ones first, errors before warnings, and of these the first of each kind, then the second of each."""
    nth: Counter[tuple[bool, str, WrongKind]] = Counter()
    ranked = []
    for each in lines:
        group = (each.is_new, each.level, each.kind)
        ranked.append(((not each.is_new, each.level != "error", nth[group], KINDS.index(each.kind)), each))
        nth[group] += 1
    return [each for _, each in sorted(ranked, key=lambda one: one[0])]


def counted(lines: Sequence[WrongLine]) -> dict[WrongKind, int]:
    """How many there are of each kind, in the order in which kinds are told; those of which there is none left out."""
    count = Counter(each.kind for each in lines)
    return {kind: count[kind] for kind in KINDS if count[kind]}


def _key(each: Wrong) -> tuple[str, str, str, str]:
    return each.kind, each.case, each.what, each.level


def _line(each: Wrong, is_new: bool) -> WrongLine:
    return WrongLine(
        kind=each.kind,
        case=clipped(each.case),
        what=clipped(each.told),
        level="warning" if each.level == "warning" else "error",
        path=clipped(each.path),
        line=each.line,
        source=clipped(each.source),
        source_line=each.source_line,
        gold=clipped(each.gold),
        gold_line=each.gold_line,
        is_new=is_new,
    )
