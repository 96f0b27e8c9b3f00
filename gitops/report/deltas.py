"""The differences that a comparison found, metric by metric, in words: one table, wherever it is shown.

`deltas` makes the values; `table` shows them on a terminal, `markdown` in Markdown, `templates/deltas.html.j2` in HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.text import Text

from gitops.comparing.measured import Comparison
from gitops.report import markdown as md
from gitops.report import text
from gitops.report.figures import Figures, figures, p_value
from gitops.report.visible import inline
from gitops.stats.comparison import Compared, Reading
from gitops.stats.paired import Paired
from gitops.stats.series import Differing, Side

COLUMNS = ("metric", "reference", "compared", "difference", "95 %", "p", "p (Holm)", "pairs", "detectable")
"""The columns of a delta's cells; its reading stands in one more."""
READING = "reading"
_SPARED = ("pairs", "detectable", "p", "95 %")
"""What a narrow terminal does without, the first first; `--json` has everything."""
_SHORT: dict[Reading, str] = {"no_difference_shown": "none shown"}
"""How the narrowest says it."""
_ROOMY = 1_000
_SPREAD = " ± "
Tone = Literal["good", "bad", "none"]
_TONES: dict[Reading, Tone] = {"better": "good", "worse": "bad"}
_STYLES: dict[Reading, str] = {"better": "green", "worse": "bold red", "not_tested": "dim"}
_SHOWN = 10
"""So many samples that flipped are named; `--json` has all."""
_NAMED = 3
_WIDE = 100


@dataclass(frozen=True, slots=True)
class Delta:
    """One metric: a cell for each column, and what it comes to."""

    cells: tuple[str, ...]
    reading: Reading

    @property
    def told(self) -> str:
        """The reading in words."""
        return self.reading.replace("_", " ")

    @property
    def tone(self) -> Tone:
        """How it is coloured."""
        return _TONES.get(self.reading, "none")


@dataclass(frozen=True, slots=True)
class Deltas:
    """One side beside the reference: a row for each metric that was compared, and what has to be said besides.

    Every text is foreign but on one line: it is escaped where it is shown.
    """

    reference: str
    compared: str
    rows: tuple[Delta, ...]
    remarks: tuple[str, ...]
    subjects: str
    """What differs in what was measured, '' where nothing is known to."""
    not_compared: tuple[str, ...]
    columns: tuple[str, ...] = (*COLUMNS, READING)


def deltas(comparison: Comparison) -> list[Deltas]:
    """What was found of each further side, in their order."""
    reference, *others = dict.fromkeys(side.name for side in comparison.sides)
    return [_beside(comparison, reference, name) for name in others or [reference]]


def legend(comparison: Comparison) -> tuple[str, ...]:
    """What the words of the table mean; nothing where nothing was tested."""
    if not any(one.paired for one in comparison.compared):
        return ()
    return (
        f"better, worse: p ≤ {comparison.alpha:g} after Holm's correction for all tests that could come to it",
        "detectable: the smallest difference that so many samples would show four times of five, tested alone",
    )


def table(shown: Deltas, spared: Sequence[str] = _SPARED) -> RenderableType:
    """The table for a terminal: where it is narrow, in short words, and without the columns that can best be spared.

    `spared` are these, the first first.
    """
    return _Fitting(shown, tuple(spared))


@dataclass(frozen=True, slots=True)
class _Fitting:
    shown: Deltas
    spared: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        roomy = options.update(width=_ROOMY)
        fewer = [self.spared[:number] for number in range(len(self.spared) + 1)]
        tables = [_table(self.shown, spared, words) for spared in fewer for words in ({}, _SHORT)]
        tables.append(_table(_without_spreads(self.shown), self.spared, _SHORT))
        fitting = (one for one in tables if Measurement.get(console, roomy, one).maximum <= options.max_width)
        yield next(fitting, tables[-1])


def _without_spreads(shown: Deltas) -> Deltas:
    """The scores of repeats as their means alone."""
    rows = (replace(one, cells=tuple(cell.split(_SPREAD)[0] for cell in one.cells)) for one in shown.rows)
    return replace(shown, rows=tuple(rows))


def _table(shown: Deltas, spared: Sequence[str], words: Mapping[Reading, str]) -> RenderableType:
    kept = [at for at, column in enumerate(COLUMNS) if column not in spared]
    rows = [
        [
            *(Text(one.cells[at]) for at in kept),
            Text(words.get(one.reading, one.told), style=_STYLES.get(one.reading, "")),
        ]
        for one in shown.rows
    ]
    return text.table((*(COLUMNS[at] for at in kept), ""), rows)


def markdown(shown: Deltas) -> str:
    """The table as Markdown."""
    rows = [[*map(md.escaped, one.cells), f"**{one.told}**" if one.tone != "none" else one.told] for one in shown.rows]
    return md.table(shown.columns, rows, numbers=COLUMNS[1:])


def _beside(comparison: Comparison, reference: str, name: str) -> Deltas:
    mine = [one for one in comparison.compared if one.other.name == name]
    seen = [one for one in mine if one.reading != "not_compared"]
    numbers = figures([(one, _unit(comparison, one)) for one in seen])
    apart = (each for one in mine for each in one.subject if each.name != "commit" and _is_told(each))
    subjects = dict.fromkeys(map(_differs, apart))
    return Deltas(
        inline(reference),
        inline(name),
        tuple(_delta(one, numbers[one.metric]) for one in seen),
        tuple(_merged((one.metric, told) for one in seen for told in _remarks(comparison, one, numbers[one.metric]))),
        "; ".join(subjects),
        tuple(_not_compared(mine)),
    )


def _delta(one: Compared, number: Figures) -> Delta:
    found, ends = one.paired, one.interval
    cells = (
        inline(one.metric),
        _score(one.reference, number),
        _score(one.other, number),
        number.signed(one.difference),
        " … ".join(map(number.signed, ends)) if ends else "-",
        p_value(one.p),
        p_value(one.adjusted_p),
        "-" if found is None else _pairs(found),
        number.plain(one.detectable),
    )
    return Delta(cells, one.reading)


def _score(side: Side, number: Figures) -> str:
    value = number.plain(side.value)
    return value if side.spread is None else f"{value}{_SPREAD}{number.plain(side.spread)} ({side.repeats})"


def _pairs(found: Paired) -> str:
    return f"{found.pairs:,}" if found.units == found.pairs else f"{found.pairs:,} in {found.units:,}"


def _remarks(comparison: Comparison, one: Compared, number: Figures) -> Iterator[str]:
    yield from _tested(one, number)
    flips = {"passed and fails now": one.lost, "new, and fails": one.new_and_failing, "failed and passes now": one.won}
    for said, ids in flips.items():
        samples = comparison.samples(one, ids[:_SHOWN])
        for each in samples:
            yield f"{said}: {_short(each)}"
        if left := len(ids) - len(samples):
            yield f"{said}: {left:,} more (--json has them)"
    for outcome in one.rules:
        kept = {True: "kept", False: "not kept", None: "cannot be told"}[outcome.is_kept]
        yield f"{outcome.rule}: {kept} ({inline(outcome.told)})"


def _tested(one: Compared, number: Figures) -> Iterator[str]:
    """Why it was not tested, or, where a side has samples of its own, what those say that both have, and those."""
    found = one.paired
    if found is None:
        yield f"not tested: {inline(one.why)}"
        return
    if one.only_reference.samples or one.only_other.samples:
        moved = f"{number.plain(found.first)} → {number.plain(found.second)} (p {p_value(found.p)}, not adjusted)"
        yield f"{_counted(found.pairs)} on both sides, {_score_of(found.pairs)} {moved}"
    for side, alone in ((one.reference, one.only_reference), (one.other, one.only_other)):
        if alone.samples and alone.value is not None:
            score = f"{_score_of(alone.samples)} {number.plain(alone.value)}"
            yield f"{_counted(alone.samples)} on the side of {inline(side.name)} alone, {score}"


def _merged(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What is said of several metrics in the same words is said once: samples of a suite flip in all of them."""
    by_words: dict[str, list[str]] = {}
    for metric, words in told:
        by_words.setdefault(words, []).append(inline(metric))
    for words, metrics in by_words.items():
        named = ", ".join(metrics) if len(metrics) <= _NAMED else f"{metrics[0]} and {len(metrics) - 1} more"
        yield f"{named}: {words}"


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
            reasons.setdefault(_cut(inline(why), 2 * _WIDE), []).append(inline(one.metric))
    for why, metrics in reasons.items():
        yield f"not compared: {', '.join(metrics)}: {why}"


def _is_told(one: Differing) -> bool:
    """Whether either side says anything: nothing and '' are the same to whoever reads it."""
    return any(value not in (None, "") for value in (one.reference, one.other))


def _differs(one: Differing) -> str:
    return inline(f"{one.name} {_value(one.reference)} → {_value(one.other)}")


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "+".join(map(str, value)) or "none"
    told = "none" if value in (None, "") else str(value)
    return told[:12] if len(told) >= 40 and told.isalnum() else told


def _unit(comparison: Comparison, one: Compared) -> str:
    found = comparison.newest(one.other.name, one.metric) or comparison.newest(one.reference.name, one.metric)
    return found[1].unit if found else ""
