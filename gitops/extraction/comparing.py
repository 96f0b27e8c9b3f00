"""Two scored extractions beside each other: metric by metric, and case by case what is newly and no longer wrong.

Whether a difference is more than chance is the engine's to say (`comparing/measured.py`), as of all that is measured.
It pairs the cases: a pooled number is a ratio of sums over them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from gitops.comparing import newest
from gitops.comparing.measured import Comparison, compared
from gitops.comparing.newest import Wanted
from gitops.comparing.recalling import Recalled
from gitops.extraction import metrics
from gitops.extraction.moves import Moves, counted, is_whole, moves
from gitops.runs.context import Context
from gitops.runs.measurements import EXTRACTION, Measurement
from gitops.stats.holm import least_p

SCHEMA = "assay/extract-compare/1"
_ALL, _JUDGE = "all", "judge"
_WANTED = Wanted(
    kind="extraction",
    is_one=lambda one: one.kind == EXTRACTION,
    command="git assay extract eval",
    listing="git assay extract list",
)


@dataclass(frozen=True, slots=True)
class CompareReport:
    """What two runs came to beside each other, of which the first is the reference.

    `comparison` has the engine's rows, `moves` the cases in which anything moved, `remarks` what has to be told aloud.
    """

    names: tuple[str, str]
    a: Measurement
    b: Measurement
    comparison: Comparison
    moves: tuple[Moves, ...]
    remarks: tuple[str, ...] = ()

    @property
    def new(self) -> dict[str, int]:
        """How much is newly wrong, by kind."""
        return counted(each for one in self.moves for each in one.new)

    @property
    def gone(self) -> dict[str, int]:
        """How much is wrong no longer, by kind."""
        return counted(each for one in self.moves for each in one.gone)

    def record(self) -> dict[str, Any]:
        """The report as `--json` prints it."""
        told = self.comparison.record()
        return {
            "schema": SCHEMA,
            "sides": [
                {"name": name, "run_id": one.run_id, "commit": one.commit or None, "measurement": one.id}
                for name, one in zip(self.names, (self.a, self.b), strict=True)
            ],
            "alpha": told["alpha"],
            "compared": told["compared"],
            "new": self.new,
            "gone": self.gone,
            "cases": [one.record() for one in self.moves],
            "remarks": list(self.remarks),
        }


def recall(
    context: Context | None, folder: Path, word: str, workspace_at: Callable[[str], str], only: str | None = None
) -> Measurement:
    """The newest measurement of extraction that a word of the command line means; see `comparing.newest`."""
    return newest.recall(context, folder, word, workspace_at, _WANTED, only)


def compare_runs(
    names: tuple[str, str], a: Measurement, b: Measurement, *, wanted: str | None = None, alpha: float = 0.05
) -> CompareReport:
    """Compare two runs, b with a, by the metrics that `wanted` names with commas between, by `all`, or by those of a
    bare name, which are what bars are held to: the others would have to be corrected for too.

    Case by case runs of the same gold and formulas alone are compared, and what judges say where they are the same.
    UsageError for an unknown metric; CannotRun where scores have to be tested without SciPy.
    """
    apart = _apart(a, b)
    moved = moves(a, b, with_judged=_JUDGE not in apart) if apart <= {_JUDGE} else []
    told = _remarks(names, a, b, apart, alpha)
    return CompareReport(names, a, b, _compared(names, (a, b), wanted, alpha), tuple(moved), tuple(told))


def _compared(
    names: tuple[str, str], measured: tuple[Measurement, Measurement], wanted: str | None, alpha: float
) -> Comparison:
    """The engine's comparison, its rows in the order of the metrics. Which cases passed or failed is told once, case by
    case, and not again with each metric.
    """
    known = _known(measured, is_all=wanted is not None)
    sides = [Recalled(name, _by_metric(one, known), one.commit) for name, one in zip(names, measured, strict=True)]
    made = compared(sides, wanted or _ALL, alpha)
    rows = sorted(made.compared, key=lambda one: known.index(one.metric))
    return replace(made, compared=tuple(replace(one, lost=(), won=(), new_and_failing=()) for one in rows))


def _known(measured: Sequence[Measurement], *, is_all: bool) -> list[str]:
    """The metrics that either has, in their order; those of another version last."""
    there = dict.fromkeys(name for one in measured for name in one.metrics)
    ordered = [
        *(name for name in metrics.NAMES if name in there),
        *(name for name in there if name not in metrics.BY_NAME),
    ]
    if is_all:
        return ordered
    has_value = {name for one in measured for name, metric in one.metrics.items() if metric.value is not None}
    bare = [name for name in ordered if name in metrics.BY_NAME and metrics.BY_NAME[name].base == name]
    return [name for name in bare if name in has_value] or bare or ordered


def _by_metric(one: Measurement, known: Sequence[str]) -> dict[str, tuple[Measurement, ...]]:
    return {name: (one,) for name in known if name in one.metrics}


def _apart(a: Measurement, b: Measurement) -> frozenset[str]:
    """What of the instruments differs."""
    names = {*a.instrument, *b.instrument}
    return frozenset(name for name in names if a.instrument.get(name) != b.instrument.get(name))


def _remarks(
    names: tuple[str, str], a: Measurement, b: Measurement, apart: frozenset[str], alpha: float
) -> Iterator[str]:
    if a.id == b.id:
        yield "both are the same run"
    if apart - {_JUDGE}:
        yield "the runs were measured otherwise: nothing is compared case by case"
        return
    if apart:
        yield "the runs had different judges: what these say is not compared, all the rest is"
    both = len({one.id for one in a.samples} & {one.id for one in b.samples})
    if both and least_p(both) > alpha:
        needed = next(number for number in count(both) if least_p(number) <= alpha)
        cases = f"{both:,} {'case' if both == 1 else 'cases'}"
        yield f"{cases} can show no difference at p ≤ {alpha:g}, whatever moves: {needed} could"
    for name, one in zip(names, (a, b), strict=True):
        if not is_whole(one):
            yield f"{name}: so much was wrong that the first of each kind alone was kept, and what moved may be more"
