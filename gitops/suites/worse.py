"""Which cases pass less often than at the baseline, are judged worse, or take longer, and what chance may do there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log
from statistics import fmean, median

from gitops.stats.worsened import (
    Numbers,
    Spread,
    fewer_passes,
    fewer_passes_together,
    least_fewer,
    lower_mean,
    lower_means_together,
    spreads,
)
from gitops.suites.beside import Beside
from gitops.suites.flaky import FlakyRate
from gitops.suites.regressed import DROP, RISE, Regression, Tested

_NEAR = 1e-9
"""What two scores that were written alike may differ by."""


def passing(both: Beside, alpha: float) -> Iterator[Tested]:
    """The cases that were tried on both sides, but for those that pass as before.

    A case that always passed and never does now regressed, whatever chance may do. Where repeats differ, the pass rate
    is tested; and so are those of all such cases together, since many that pass somewhat less often show what none of
    them shows alone. That is told of the one that came out worst.
    """
    differing: list[tuple[Tested, FlakyRate, FlakyRate]] = []
    for name, before in both.before.items():
        after = both.after.get(name)
        if after is None or (before.rate, after.rate) in ((1, 1), (0, 0)):
            continue
        told = f"passed {before.told}, passes {after.told}"
        if not after.passed and before.passed == before.tried:
            yield Tested(Regression(name, "pass_to_fail", 1.0, 0.0, f"{told}: {_why(both, name)}"), True)
            continue
        found = Regression(name, "pass_rate", before.rate, after.rate, told)
        could_show = least_fewer(before.counted, after.counted) <= alpha
        p = fewer_passes(before.counted, after.counted)
        differing.append((Tested(found, after.rate < before.rate, p, could_show), before, after))
    yield from (tested for tested, _, _ in differing)
    if len(differing) > 1:
        yield _together(differing)


def _together(differing: Sequence[tuple[Tested, FlakyRate, FlakyRate]]) -> Tested:
    """What the cases of which repeats differ say of their suite as a whole."""
    p = fewer_passes_together([(before.counted, after.counted) for _, before, after in differing])
    passed, passes = (
        FlakyRate(sum(each.passed for each in side), sum(each.tried for each in side))
        for side in ([before for _, before, _ in differing], [after for _, _, after in differing])
    )
    worst = min((tested for tested, _, _ in differing), key=lambda tested: tested.p or 0.0).found
    told = f"{worst.told}; the {len(differing):,} cases that differ passed {passed.told}, pass {passes.told}"
    return Tested(replace(worst, told=told), passes.rate < passed.rate, p)


def judged(both: Beside) -> Iterator[Tested]:
    """The cases that a judge gave a score on both sides, and all of them together. CannotRun without SciPy where scores
    fell, and they vary.
    """
    found = []
    for name, (before, after) in both.scores.items():
        first, second = fmean(before), fmean(after)
        told = f"judged {first:.2f}, is judged {second:.2f}"
        found.append((Regression(name, "judge_drop", first, second, told), first - second > DROP + _NEAR))
    drop = fmean(each.before - each.after for each, _ in found) if found else 0.0
    told = f"all {len(found):,} cases together are judged {drop:.2f} lower"
    yield from _numbers(found, list(both.scores.values()), told, are_worse=drop > DROP + _NEAR)


def slower(both: Beside) -> Iterator[Tested]:
    """The cases that took a time on both sides: worse where the median over repeats rose by more than half, and by more
    than the suite's floor; and all of them together, by what half of them rose by. Errors as those of `judged`.
    """
    found = []
    for name, (before, after) in both.times.items():
        first, second = median(before), median(after)
        is_worse = second > first * (1 + RISE) and second - first > both.floor
        told = f"took {first:,.0f} ms, takes {second:,.0f} ms"
        found.append((Regression(name, "latency", first, second, told), is_worse))
    numbers = [(_quickness(before), _quickness(after)) for before, after in both.times.values()]
    half = sum(is_worse for _, is_worse in found)
    told = f"{half:,} of {len(found):,} cases took so much longer"
    yield from _numbers(found, numbers, told, are_worse=2 * half > len(found))


def _quickness(times: Sequence[float]) -> list[float]:
    """Times as numbers of which less is worse, and which vary alike: what times vary by is a part of themselves."""
    return [-log(max(each, _NEAR)) for each in times]


def _numbers(
    found: Sequence[tuple[Regression, bool]], numbers: Sequence[Numbers], told: str, *, are_worse: bool
) -> Iterator[Tested]:
    """Cases with the p values of those that came out worse: of the others none is needed, but that they are as many.

    Then all that vary together, told of the one that came out worst: what each of them may come to by chance, all of
    them do not.
    """
    varying: list[tuple[Regression, Numbers, Spread, float]] = []
    for (each, is_worse), thing, spread in zip(found, numbers, spreads(numbers), strict=True):
        if spread is None:
            yield Tested(each, is_worse)
            continue
        p = lower_mean(thing, spread) if is_worse else 1.0
        varying.append((each, thing, spread, p))
        yield Tested(each, is_worse, p)
    if len(varying) > 1:
        worst = min(varying, key=lambda one: one[3])[0]
        p = lower_means_together([(thing, spread) for _, thing, spread, _ in varying]) if are_worse else 1.0
        yield Tested(replace(worst, told=f"{worst.told}; {told}"), are_worse, p)


def _why(both: Beside, case: str) -> str:
    """Why it does not pass now, by the first repeat."""
    reasons = (each.reason or each.category or each.status for each in both.now[0].results if each.case_id == case)
    return next(reasons, "")
