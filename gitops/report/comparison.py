"""A comparison of measurements in words: a table of differences, what they rest on, and what could not be compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.evals.comparing import Comparison
from gitops.report import text
from gitops.report.visible import inline
from gitops.stats.comparison import Compared, Reading
from gitops.stats.paired import Paired
from gitops.stats.series import Differing, Side

COLUMNS = ("metric", "reference", "compared", "difference", "95 %", "p", "p (Holm)", "pairs", "detectable", "")
STYLES: dict[Reading, str] = {"better": "green", "worse": "bold red", "not_tested": "dim", "not_compared": "dim"}
_SHARES = ("share", "product")
_SHOWN = 10
"""So many samples that flipped are named; `--json` has all."""
_WIDE = 100


def words(comparison: Comparison) -> RenderableType:
    """A table for each side beside the reference; below it what was left out, what flipped, what is not compared."""
    reference, *others = dict.fromkeys(side.name for side in comparison.sides)
    parts: list[RenderableType] = [Text.assemble("reference  ", (inline(reference), "bold"))]
    for name in others or [reference]:
        mine = [one for one in comparison.compared if one.other.name == name]
        parts += [Text.assemble("compared   ", (inline(name), "bold")), Text(), *_side(comparison, mine)]
    if any(one.paired for one in comparison.compared):
        parts += [Text(line, style="dim") for line in _legend(comparison.alpha)]
    return Group(*parts)


def _side(comparison: Comparison, mine: Sequence[Compared]) -> Iterator[RenderableType]:
    rows = [_row(comparison, one) for one in mine if one.reading != "not_compared"]
    if rows:
        yield text.table(COLUMNS, rows)
        yield Text()
    for one in mine:
        if one.reading != "not_compared":
            yield from map(Text, _remarks(comparison, one))
    subjects = dict.fromkeys(_differs(each) for one in mine for each in one.subject if each.name != "commit")
    if subjects:
        yield Text(f"what was measured differs in {'; '.join(subjects)}", style="dim")
    yield from (Text(line, style="yellow") for line in _not_compared(mine))
    yield Text()


def _row(comparison: Comparison, one: Compared) -> list[RenderableType]:
    unit = _unit(comparison, one)
    difference = "-" if one.difference is None else _number(one.difference, unit, "+")
    cells = [one.metric, _score(one.reference, unit), _score(one.other, unit), difference, *_tested(one, unit)]
    return [*map(Text, cells), Text(one.reading.replace("_", " "), style=STYLES.get(one.reading, ""))]


def _tested(one: Compared, unit: str) -> Iterator[str]:
    found = one.paired
    yield " … ".join(_number(end, unit, "+") for end in one.interval) if one.interval else "-"
    yield "-" if one.p is None else _p(one.p)
    yield "-" if one.adjusted_p is None else _p(one.adjusted_p)
    yield "-" if found is None else _pairs(found)
    yield "-" if one.detectable is None else _number(one.detectable, unit)


def _pairs(found: Paired) -> str:
    return f"{found.pairs:,}" if found.units == found.pairs else f"{found.pairs:,} in {found.units:,}"


def _remarks(comparison: Comparison, one: Compared) -> Iterator[str]:
    unit, found = _unit(comparison, one), one.paired
    if found is None:
        yield f"{one.metric}: not tested: {one.why}"
    elif one.only_reference.samples or one.only_other.samples:
        moved = f"{_number(found.first, unit)} → {_number(found.second, unit)} (p {_p(found.p)}, not adjusted)"
        yield f"{one.metric}: {_counted(found.pairs)} on both sides, {_score_of(found.pairs)} {moved}"
    for side, alone in ((one.reference, one.only_reference), (one.other, one.only_other)):
        if found is not None and alone.samples and alone.value is not None:
            score = f"{_score_of(alone.samples)} {_number(alone.value, unit)}"
            yield f"{one.metric}: {_counted(alone.samples)} on the side of {inline(side.name)} alone, {score}"
    flips = {"passed and fails now": one.lost, "new, and fails": one.new_and_failing, "failed and passes now": one.won}
    for said, ids in flips.items():
        samples = comparison.samples(one, ids[:_SHOWN])
        for each in samples:
            yield f"{one.metric}: {said}: {_short(each)}"
        if left := len(ids) - len(samples):
            yield f"{one.metric}: {said}: {left:,} more (--json has them)"
    for outcome in one.rules:
        kept = {True: "kept", False: "not kept", None: "cannot be told"}[outcome.is_kept]
        yield f"{one.metric}: {outcome.rule}: {kept} ({outcome.told})"


def _counted(samples: int) -> str:
    return "1 sample is" if samples == 1 else f"{samples:,} samples are"


def _score_of(samples: int) -> str:
    return "its score" if samples == 1 else "their score"


def _short(sample: dict[str, Any]) -> str:
    return _cut(inline(sample["told"]) or inline(sample["id"]), _WIDE)


def _cut(told: str, most: int) -> str:
    return told if len(told) <= most else f"{told[:most]}…"


def _not_compared(mine: Sequence[Compared]) -> Iterator[str]:
    """The metrics that are not compared, those for the same reason together."""
    reasons: dict[str, list[str]] = {}
    for one in mine:
        if one.reading == "not_compared":
            differing = "; ".join(map(_differs, one.differing))
            why = f"another instrument: {differing}" if differing else one.why.removeprefix(f"{one.metric} ")
            reasons.setdefault(_cut(inline(why), 2 * _WIDE), []).append(one.metric)
    for why, metrics in reasons.items():
        yield f"not compared: {', '.join(metrics)}: {why}"


def _differs(one: Differing) -> str:
    return inline(f"{one.name} {_value(one.reference)} → {_value(one.other)}")


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "+".join(map(str, value)) or "none"
    told = "none" if value is None else str(value)
    return told[:12] if len(told) >= 40 and told.isalnum() else told


def _legend(alpha: float) -> Iterator[str]:
    yield f"better, worse: p ≤ {alpha:g} after Holm's correction for all tests of this comparison"
    yield "detectable: the smallest difference that so many samples would show four times of five, tested alone"


def _unit(comparison: Comparison, one: Compared) -> str:
    found = comparison.newest(one.other.name, one.metric) or comparison.newest(one.reference.name, one.metric)
    return found[1].unit if found else ""


def _score(side: Side, unit: str) -> str:
    if side.value is None:
        return "-"
    value = _number(side.value, unit)
    return value if side.spread is None else f"{value} ± {_number(side.spread, unit)} ({side.repeats})"


def _number(value: float, unit: str, sign: str = "") -> str:
    if unit in _SHARES:
        return f"{value:{sign}.3f}"
    return f"{value:{sign},.0f}" if float(value).is_integer() else f"{value:{sign}.4g}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
