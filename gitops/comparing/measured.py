"""Compares measurements: brings them into the shape that the comparison takes, and what it says into plain JSON."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gitops.comparing.changed_cases import told_apart
from gitops.comparing.instruments import instrument, subject
from gitops.comparing.recalling import Recalled, name_of
from gitops.comparing.sample_rows import Taken, alike, clusters, statuses
from gitops.errors import UsageError
from gitops.runs.measurements import ABLATION, BENCHMARK, EXTRACTION, RETRIEVAL, Measurement, Metric, Sample
from gitops.stats.comparison import Compared, compare
from gitops.stats.rules import Bar, Rule
from gitops.stats.series import Series, Variant

SCHEMA = "assay/eval-compare/1"
_MANY = frozenset((RETRIEVAL, BENCHMARK, ABLATION, EXTRACTION))
_BY_NUMBER = re.compile("M[0-9]+")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Sides, the first of which is the reference, and what each metric of each further one came to beside it."""

    sides: tuple[Recalled, ...]
    alpha: float
    compared: tuple[Compared, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing could be compared."""
        return all(one.reading == "not_compared" for one in self.compared)

    def newest(self, name: str, metric: str) -> tuple[Measurement, Metric] | None:
        """The last repeat of a metric on the side of that name, with its number; None where the side has none."""
        found = next((side.metrics.get(metric, ()) for side in self.sides if side.name == name), ())
        return (found[-1], found[-1].metrics[name_of(found[-1], metric)]) if found else None

    def record(self) -> dict[str, Any]:
        """The comparison as `--json` prints it."""
        return {
            "schema": SCHEMA,
            "alpha": self.alpha,
            "sides": [_side(side) for side in self.sides],
            "compared": [self._told(one) for one in self.compared],
        }

    def samples(self, one: Compared, ids: Iterable[str]) -> list[dict[str, Any]]:
        """Some samples: their ids, with what is known of them on either side."""
        wanted = dict.fromkeys(ids)
        sides = [self.newest(side.name, one.metric) for side in (one.reference, one.other)] if wanted else []
        known = {each.id: each for side in sides if side for each in side[0].samples if each.id in wanted}
        return [{"id": name, "told": told(known.get(name))} for name in wanted]

    def _told(self, one: Compared) -> dict[str, Any]:
        made = asdict(one)
        for name in ("reference", "other"):
            side = self.newest(made[name]["name"], one.metric)
            made[name]["status"] = side[1].status if side else None
            made[name]["interval"] = side[1].interval if side else None
        flips = {"lost": one.lost, "won": one.won, "new_and_failing": one.new_and_failing}
        return made | {name: self.samples(one, ids) for name, ids in flips.items()}


def compared(sides: Sequence[Recalled], wanted: str | None = "all", alpha: float = 0.05) -> Comparison:
    """Compare each further side with the first, by the metrics that some names with commas between say, or by all.

    None leaves those of retrieval, benchmarks and extractions out where there are others: they are many, and correcting
    for all of them would hide what the others show.
    A metric that records a bar is held to it. UsageError for one side alone, and for a metric that no side has;
    CannotRun where scores have to be tested and SciPy is not installed.
    """
    if len(sides) < 2:
        raise UsageError(f"{sides[0].name} alone is no comparison", "name two or more: git assay eval compare A B")
    sides = told_apart(sides)
    metrics = _chosen(wanted, dict.fromkeys(metric for side in sides for metric in side.metrics))
    series = {metric: _series(sides, metric) for metric in metrics}
    variants = [
        Variant(side.name, {metric: series[metric][at] for metric in metrics if series[metric][at]})
        for at, side in enumerate(sides)
    ]
    bars = {metric: _bars(sides, metric) for metric in metrics}
    return Comparison(tuple(sides), alpha, tuple(compare(variants, bars, alpha)))


def told(sample: Sample | None) -> str:
    """Where a sample stands and what it says, as far as its record tells (`wiki/a.md:3 Built in 1994.`)."""
    if sample is None:
        return ""
    details = sample.details
    page, line = details.get("page") or details.get("path"), details.get("line")
    place = (
        f"{page}:{line}" if page and line else page or " and ".join(str(details[at]) for at in "ab" if at in details)
    )
    terms = details.get("terms")
    named = ", ".join(map(str, terms)) if isinstance(terms, list | tuple) else ""
    said = details.get("claim") or details.get("query") or named or _case(sample)
    return " ".join(str(part) for part in (place, said) if part)


def _case(sample: Sample) -> str:
    """A case of a benchmark, and why it came out so."""
    reason = sample.details.get("reason") if "case" in sample.details else None
    return f"{sample.id}: {reason}" if reason else ""


def _chosen(wanted: str | None, there: Iterable[str]) -> list[str]:
    known = sorted(there, key=_place)
    if wanted is None:
        return [metric for metric in known if metric.partition(".")[0] not in _MANY] or known
    if wanted.strip().lower() == "all":
        return known
    chosen: dict[str, None] = {}
    for given in wanted.split(","):
        name = given.strip()
        found = [metric for metric in known if name.lower() in _called(metric)]
        if not found:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}, all"
            raise UsageError(f"none of what is compared has a metric '{name}'", hint)
        chosen |= dict.fromkeys(found)
    return list(chosen)


def _called(metric: str) -> tuple[str, ...]:
    """What a metric may be asked for by: its name, and of `retrieval.mrr` the kind alone and the name alone; of
    `benchmark.shell.pass_rate` the kind with the suite, and the suite with the name, too.
    """
    whole = metric.lower()
    (kind, _, rest), (above, _, name) = whole.partition("."), whole.rpartition(".")
    return tuple(filter(None, (whole, kind, rest, above, name)))


def _place(metric: str) -> tuple[int, list[str | int]]:
    """M1 to M10, then what a caller named and ordered, then those of other kinds: `hit@3` before `hit@10`."""
    counted = [int(part) if part.isdecimal() else part for part in re.split("([0-9]+)", metric)]
    if _BY_NUMBER.fullmatch(metric):
        return 0, counted
    return (2, counted) if "." in metric else (1, [])


def _series(sides: Sequence[Recalled], metric: str) -> list[list[Series]]:
    """For each side the repeats of a metric, their samples taken the same way on all sides."""
    every = [one for side in sides for one in side.metrics.get(metric, ())]
    [name] = {name_of(one, metric) for one in every}
    taken = iter(alike(every, name))
    return [[_one(one, name, next(taken)) for one in side.metrics.get(metric, ())] for side in sides]


def _one(measurement: Measurement, name: str, taken: Taken) -> Series:
    metric = measurement.metrics[name]
    return Series(
        value=metric.value,
        direction=metric.direction,
        rows=taken.rows,
        statuses=statuses(measurement, name),
        instrument=instrument(measurement, name),
        subject=subject(measurement),
        clusters=clusters(measurement, name),
        why=measurement.reason,
        statistic=taken.statistic,
    )


def _bars(sides: Sequence[Recalled], metric: str) -> list[Rule]:
    bars: dict[tuple[str, float], Rule] = {}
    for side in sides:
        for one in side.metrics.get(metric, ()):
            bar = one.metrics[name_of(one, metric)].bar
            if bar is not None:
                bars[bar.op, bar.value] = Bar(bar.op, bar.value)
    return list(bars.values())


def _side(side: Recalled) -> dict[str, Any]:
    measured: Mapping[str, list[str]] = {
        metric: [one.id for one in repeats] for metric, repeats in side.metrics.items()
    }
    return {"name": side.name, "commit": side.commit or None, "measurements": measured}
