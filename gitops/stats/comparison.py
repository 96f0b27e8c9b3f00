"""Compares k variants × r repeats of any metrics with the first of them (`PROTOCOL.md` 5): values in, values out.

A variant is whatever was measured: a commit, a model, a prompt, a configuration. What it was measured *with* has to be
the same, else the scores are not compared, and it is said what differs. Samples are paired by their ids; those that one
side alone has count besides, and all p values of one comparison are adjusted together (Holm 1979), but for those that
could not have come to alpha, because too few samples moved: they add nothing to the chance of an error (Tarone,
Biometrics 46 (1990), 515-522).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gitops.stats.bootstrap import Interval
from gitops.stats.holm import holm, least_p
from gitops.stats.paired import Paired, Test, detectable, paired
from gitops.stats.randomized import randomized
from gitops.stats.rules import Direction, Outcome, Rule, failing, flipped
from gitops.stats.series import Averaged, Differing, Side, Variant, averaged, differing

Reading = Literal["better", "worse", "no_difference_shown", "not_tested", "not_compared"]


@dataclass(frozen=True, slots=True)
class Unpaired:
    """How many samples only one side has, and what the score of these alone is."""

    samples: int
    value: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric of one variant beside the reference.

    `difference` is the second value less the first; None where they are not compared. `interval`, `p` and `detectable`
    are of it: by the samples that both have where these are all (`paired`), else by all of them, those that one side
    alone has as samples of their own. So a claim that was added to a wiki counts as one that was there before.
    """

    metric: str
    direction: Direction
    reference: Side
    other: Side
    reading: Reading
    why: str = ""
    """Why it was not compared or not tested."""
    difference: float | None = None
    interval: Interval | None = None
    test: Test | None = None
    p: float | None = None
    adjusted_p: float | None = None
    """What alpha is held against: p, adjusted for all tests of the comparison that could have come to it."""
    moved: int | None = None
    """How many units differ, of those that were tested; None where nothing was."""
    detectable: float | None = None
    """The smallest difference that would have been shown with 80 % power, by p before it is adjusted; None where none
    would, or it is unknown.
    """
    paired: Paired | None = None
    """What the samples that both have say."""
    only_reference: Unpaired = Unpaired(0, None)
    only_other: Unpaired = Unpaired(0, None)
    lost: tuple[str, ...] = ()
    """The samples that passed in the reference and fail here."""
    won: tuple[str, ...] = ()
    new_and_failing: tuple[str, ...] = ()
    """The samples that fail here and that the reference has not."""
    differing: tuple[Differing, ...] = ()
    """What of the instrument is not the same: then the two are not compared."""
    subject: tuple[Differing, ...] = ()
    """What of the subject is not the same: what the comparison is about."""
    rules: tuple[Outcome, ...] = ()


def compare(
    variants: Sequence[Variant],
    rules: Mapping[str, Sequence[Rule]] | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> list[Compared]:
    """Each further variant beside the first, metric by metric in the order in which the variants name them.

    ValueError for fewer than two variants; CannotRun where scores have to be tested and SciPy is not there.
    """
    if len(variants) < 2:
        raise ValueError("one variant is no comparison")
    made = []
    for metric in dict.fromkeys(name for variant in variants for name in variant.metrics):
        reference, *others = (averaged(variant, metric) for variant in variants)
        held_to = (rules or {}).get(metric, ())
        made += [_beside(metric, reference, other, held_to, alpha, seed) for other in others]
    return list(_read(made, alpha))


def _beside(
    metric: str, reference: Averaged, other: Averaged, rules: Sequence[Rule], alpha: float, seed: int
) -> Compared:
    direction = (other if other.repeats else reference).direction
    told = Compared(metric, direction, reference.side, other.side, "not_compared")
    if reference.value is None or other.value is None:
        return replace(told, why=_unmeasured(metric, reference if reference.value is None else other))
    if unlike := _unlike(reference, other):
        return replace(told, why="measured with another instrument", differing=unlike)
    told = replace(
        told,
        difference=other.value - reference.value,
        lost=flipped(reference.statuses, other.statuses),
        won=flipped(other.statuses, reference.statuses),
        new_and_failing=failing(other.statuses, without=reference.statuses),
        subject=tuple(differing(reference.repeats[0].subject, other.repeats[0].subject)),
        rules=tuple(rule.judged(reference.seen, other.seen) for rule in rules),
    )
    return _tested(told, reference, other, alpha, seed)


def _unmeasured(metric: str, missing: Averaged) -> str:
    told = f"{metric} has no score at {missing.name}"
    return f"{told}: {missing.why}" if missing.why else told


def _unlike(reference: Averaged, other: Averaged) -> tuple[Differing, ...]:
    """What of the instruments differs: between the two, or within the repeats of one."""
    between = differing(reference.repeats[0].instrument, other.repeats[0].instrument)
    return tuple({one.name: one for one in (*reference.differing, *other.differing, *between)}.values())


def _tested(told: Compared, reference: Averaged, other: Averaged, alpha: float, seed: int) -> Compared:
    both = sorted(reference.rows.keys() & other.rows.keys())
    first, second = (sorted(side.rows.keys() - set(both)) for side in (reference, other))
    told = replace(
        told,
        reading="not_tested",
        only_reference=Unpaired(len(first), reference.score(first)),
        only_other=Unpaired(len(second), other.score(second)),
    )
    if not reference.rows or not other.rows:
        return replace(told, why="the score is not one of samples that could be paired")
    if not both:
        return replace(told, why="no sample is in both")
    before, after = ([side.rows[name] for name in both] for side in (reference, other))
    statistic = reference.statistic
    if other.statistic is not statistic or len(before[0]) != len(after[0]):
        return replace(told, why="their samples are not scored alike")
    if not statistic.is_defined(before) or not statistic.is_defined(after):
        return replace(told, why="the samples that both have say nothing of it")
    units = {**other.clusters, **reference.clusters}
    found = paired(before, after, alpha, seed, [units.get(name, name) for name in both], statistic)
    told = replace(told, paired=found)
    if first or second:
        return _overall(told, reference, other, units, alpha, seed)
    told = replace(told, interval=found.interval, test=found.test, p=found.p, moved=found.moved)
    return replace(told, detectable=found.detectable)


def _overall(
    told: Compared, reference: Averaged, other: Averaged, units: Mapping[str, str], alpha: float, seed: int
) -> Compared:
    """The test of all samples, of which some are on one side alone."""
    every = sorted(reference.rows.keys() | other.rows.keys())
    first, second = ([side.rows.get(name) for name in every] for side in (reference, other))
    found = randomized(first, second, [units.get(name, name) for name in every], seed, reference.statistic)
    told = replace(told, interval=found.interval, test="permutation", p=found.p, moved=found.moved)
    return replace(told, detectable=detectable(found, alpha))


def _read(told: Sequence[Compared], alpha: float) -> Iterator[Compared]:
    """Adjust the p values together, and say what each comparison comes to."""
    adjusted = iter(holm([one.p for one in told if one.p is not None and _could_show(one, alpha)]))
    for one in told:
        if one.p is None or one.difference is None:
            yield one
            continue
        p = next(adjusted) if _could_show(one, alpha) else one.p
        is_better = (one.difference > 0) == (one.direction == "higher")
        # Scores that were rounded alike differ by nothing that could be called better or worse.
        is_shown = p <= alpha and one.difference != 0
        reading: Reading = "no_difference_shown" if not is_shown else "better" if is_better else "worse"
        yield replace(one, adjusted_p=p, reading=reading)


def _could_show(one: Compared, alpha: float) -> bool:
    """Whether so many units moved that p could have come to alpha."""
    return one.moved is not None and least_p(one.moved) <= alpha
