"""Which cases pass less often than at the baseline, are judged worse, or take longer, and what chance may do there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from statistics import fmean, median

from gitops.stats.worsened import Numbers, fewer_passes, least_fewer, lower_mean, spreads
from gitops.suites.beside import Beside
from gitops.suites.regressed import DROP, RISE, Regression, Tested

_NEAR = 1e-9
"""What two scores that were written alike may differ by."""


def passing(both: Beside, alpha: float) -> Iterator[Tested]:
    """The cases that were tried on both sides, but for those that pass as before.

    A case that always passed and never does now regressed, whatever chance may do. Where repeats differ, the pass rate
    is tested.
    """
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
        yield Tested(found, after.rate < before.rate, fewer_passes(before.counted, after.counted), could_show)


def judged(both: Beside) -> Iterator[Tested]:
    """The cases that a judge gave a score on both sides. CannotRun without SciPy where scores fell, and they vary."""
    found = []
    for name, (before, after) in both.scores.items():
        first, second = fmean(before), fmean(after)
        told = f"judged {first:.2f}, is judged {second:.2f}"
        found.append((Regression(name, "judge_drop", first, second, told), first - second > DROP + _NEAR))
    yield from _numbers(found, list(both.scores.values()))


def slower(both: Beside) -> Iterator[Tested]:
    """The cases that took a time on both sides: worse where the median over repeats rose by more than half, and by more
    than the suite's floor. Errors as those of `judged`.
    """
    found = []
    for name, (before, after) in both.times.items():
        first, second = median(before), median(after)
        is_worse = second > first * (1 + RISE) and second - first > both.floor
        told = f"took {first:,.0f} ms, takes {second:,.0f} ms"
        found.append((Regression(name, "latency", first, second, told), is_worse))
    yield from _numbers(found, [(_quickness(before), _quickness(after)) for before, after in both.times.values()])


def _quickness(times: Sequence[float]) -> list[float]:
    """Times as numbers of which less is worse, and which vary alike: what times vary by is a part of themselves."""
    return [-log(max(each, _NEAR)) for each in times]


def _numbers(found: Sequence[tuple[Regression, bool]], numbers: Sequence[Numbers]) -> Iterator[Tested]:
    """Cases with the p values of those that came out worse: of the others none is needed, but that they are as many."""
    for (each, is_worse), thing, spread in zip(found, numbers, spreads(numbers), strict=True):
        if spread is None:
            yield Tested(each, is_worse)
        else:
            yield Tested(each, is_worse, lower_mean(thing, spread) if is_worse else 1.0)


def _why(both: Beside, case: str) -> str:
    """Why it does not pass now, by the first repeat."""
    reasons = (each.reason or each.category or each.status for each in both.now[0].results if each.case_id == case)
    return next(reasons, "")
