"""Ablations as they were kept: the measurements of one run, put together by suite and by variant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gitops.comparing.measured import Comparison, compared
from gitops.comparing.recalling import Recalled, key
from gitops.errors import CannotRun, UsageError
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import ABLATION, Measurement
from gitops.stats.comparison import Compared
from gitops.suites.arms import Arm, arm
from gitops.suites.digests import suite_of
from gitops.suites.grading import TRIED
from gitops.suites.remembered import run_of

_LATENCY = "mean_latency_ms"
METRICS = ("pass_rate", "mean_quality_score", _LATENCY, "mean_token_cost")
"""What variants are compared by; beside these a measurement has numbers that are no means of its cases."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant in one suite: its repeats, in their order."""

    arm: Arm
    repeats: tuple[Measurement, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.repeats[0].variant

    @property
    def commit(self) -> str:
        """What was measured."""
        return self.repeats[0].commit

    @property
    def is_tried(self) -> bool:
        """Whether any of its cases passed or failed: what was only skipped is neither fast nor cheap."""
        return any(each.status in TRIED for one in self.repeats for each in one.samples)

    @property
    def is_whole(self) -> bool:
        """Whether all repeats are there that were made: those that count against it might be the ones that are not."""
        return sorted(one.repeat for one in self.repeats) == list(range(self.arm.repeats))


@dataclass(frozen=True, slots=True)
class Study:
    """One suite of an ablation: the control first, then the treatments, in the order in which they were named."""

    suite: str
    version: str
    variants: tuple[Variant, ...]

    @property
    def is_whole(self) -> bool:
        """Whether everything is there that was measured."""
        first = self.variants[0].arm
        places = [variant.arm.place for variant in self.variants]
        return places == list(range(len(first.variants))) and all(variant.is_whole for variant in self.variants)


@dataclass(frozen=True, slots=True)
class Ablation:
    """All suites that were run by one command."""

    id: str
    studies: tuple[Study, ...]

    @property
    def measurements(self) -> list[Measurement]:
        """All of it."""
        return [one for study in self.studies for variant in study.variants for one in variant.repeats]


def put_together(found: Iterable[Measurement]) -> list[Ablation]:
    """The ablations that some measurements are of, by their ids; what says nothing of its variant is left out."""
    runs: dict[str, dict[str, dict[int, dict[int, tuple[Arm, Measurement]]]]] = {}
    for one in found:
        if (known := arm(one)) is not None:
            suites = runs.setdefault(one.run_id, {}).setdefault(one.suite, {})
            suites.setdefault(known.place, {})[one.repeat] = known, one
    return [Ablation(run, tuple(_study(suite, each) for suite, each in suites.items())) for run, suites in runs.items()]


def _study(suite: str, places: dict[int, dict[int, tuple[Arm, Measurement]]]) -> Study:
    variants = []
    for _, repeats in sorted(places.items()):
        every = [repeats[number] for number in sorted(repeats)]
        variants.append(Variant(every[0][0], tuple(one for _, one in every)))
    return Study(suite, variants[0].repeats[0].suite_version, tuple(variants))


def of_id(context: Context, word: str) -> Ablation:
    """The ablation of an id, or of the only beginning of one. UsageError where there is none, or several."""
    begun = [one for one in measurements.everything(context) if one.kind == ABLATION and one.run_id.startswith(word)]
    found = put_together(begun) if word else []
    exact = [one for one in found if one.id == word] or found
    if len(exact) != 1:
        ids = ", ".join(one.id for one in exact[:5])
        told = f"'{word}' may be any of {ids}" if exact else f"no ablation is called '{word}'"
        raise UsageError(told, "give more of the id" if exact else "data/ablation/ names those that were reported")
    return exact[0]


def sides(studies: Sequence[Study]) -> list[Recalled]:
    """Each variant as one side of a comparison, its metrics by suite: `ablation.planner.pass_rate`."""
    by_place: dict[int, list[Variant]] = {}
    scored: dict[str, None] = {}
    for study in studies:
        for variant in study.variants:
            by_place.setdefault(variant.arm.place, []).append(variant)
            scored |= dict.fromkeys(_scored(variant))
    return [_side(found, scored) for _, found in sorted(by_place.items())]


def _scored(variant: Variant) -> Iterator[str]:
    """The metrics of which some repeat has a score."""
    for one in variant.repeats if variant.is_tried else ():
        yield from (key(one, name) for name in METRICS if name in one.metrics and one.metrics[name].value is not None)


def _side(variants: Sequence[Variant], scored: Collection[str]) -> Recalled:
    metrics = {
        called: variant.repeats
        for variant in variants
        if variant.is_tried
        for name in METRICS
        if (called := key(variant.repeats[0], name)) in scored and all(name in one.metrics for one in variant.repeats)
    }
    return Recalled(variants[0].name, metrics, variants[0].commit)


def comparison(studies: Sequence[Study], alpha: float = 0.05) -> Comparison:
    """Each treatment beside the control, over all suites and metrics, whose p values are adjusted together (Holm).

    CannotRun where something is missing, and where scores have to be tested and SciPy is not there.
    """
    for study in studies:
        if not study.is_whole:
            told = f"of the ablation of {study.suite} a part is missing"
            raise CannotRun(told, "git assay sync brings what others measured")
    found = compared(sides(studies), "all", alpha)
    floors = {key(first, _LATENCY): _floor(first) for first in (study.variants[0].repeats[0] for study in studies)}
    return replace(found, compared=tuple(_above(one, floors.get(one.metric, 0.0)) for one in found.compared))


def _above(one: Compared, floor: float) -> Compared:
    """A difference in latency below the suite's floor is none, however sure: no two processes are alike fast."""
    if one.reading not in ("better", "worse") or one.difference is None or abs(one.difference) >= floor:
        return one
    why = f"a difference of less than {floor:g} ms, the suite's latency_floor_ms, is none"
    return replace(one, reading="no_difference_shown", why=why)


def _floor(measurement: Measurement) -> float:
    suite = suite_of(run_of(measurement))
    return suite.latency_floor_ms if suite is not None else 0.0
