"""Whether a treatment was shown to do no harm: that it is not worse than its control by more than a margin.

That no difference was shown is no answer to this: of few measurements none ever is. What is asked for is the interval
of the difference, whose lower end may not lie below the margin (non-inferiority; Piaggio et al., JAMA 308 (2012),
2594-2604). The cases of a suite are taken as they are: what chance leaves open is what another repeat would have given.
So each pair of a case and a repeat is a unit. Where cases differ in how hard they are, the interval of shares (Tango
1998) is too wide rather than too narrow: trials of unlike chances vary less than trials of one chance (Hoeffding,
Annals of Mathematical Statistics 27 (1956), 713-721).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil, fsum, sqrt
from statistics import NormalDist, fmean
from typing import Literal

from gitops.stats.bootstrap import Interval
from gitops.stats.intervals import Z95
from gitops.stats.matched import tango
from gitops.stats.student import student

Held = Literal["no_harm", "harm", "cannot_tell"]
"""`harm`: it is worse, and more surely so the more is looked at. `no_harm`: the interval does not reach beyond the
margin, and not all of it is below nought.
"""
_TAIL = 0.025
_MOST_REPEATS = 10_000
_NEAR = 1e-12


@dataclass(frozen=True, slots=True)
class Pair:
    """One case in one repeat: what the control came to, and the treatment, both from 0 to 1 and higher the better."""

    case: Hashable
    control: float
    treatment: float


@dataclass(frozen=True, slots=True)
class Harm:
    """How much better the treatment is (below nought: worse), with its 95 % interval, and what it comes to.

    `needed` is how many repeats would show that there is no harm if the difference stayed what it is: those there are
    and others that are added to them, or no more than there are where these do. None where none would: the difference
    itself is beyond the margin, or there is none.
    """

    held: Held
    pairs: int
    difference: float | None
    interval: Interval | None
    needed: int | None


def harm(pairs: Sequence[Pair], repeats: int, margin: float, looks: int = 1, tries: int = 1) -> Harm:
    """Hold a treatment to its control, of which `repeats` were made.

    `looks` is of how many metrics and treatments the same is asked: that many times as sure it has to be that one does
    harm (Bonferroni), so that few are accused by chance. That all do none needs no correction: each has to be shown.
    `tries` is how often was looked, more pairs having come in each time: the k-th look has to be k² times as sure. So
    who adds to what there is until chance says yes gets there in 2.5 % · Σ 1/k², which is 4.1 %, at most.
    CannotRun where scores that are no shares are held and SciPy is not there.
    """
    if not pairs:
        return Harm("cannot_tell", 0, None, None, None)
    difference = fmean(each.treatment - each.control for each in pairs)
    interval = _interval(pairs, 1.0)
    is_worse = _is_below(interval) and _is_below(_interval(pairs, 1.0, _TAIL / looks))
    held: Held = "harm" if is_worse else "no_harm" if _holds(pairs, 1.0, margin, tries) else "cannot_tell"
    needed = repeats if held == "no_harm" else _needed(pairs, repeats, margin, tries + 1) if held != "harm" else None
    return Harm(held, len(pairs), difference, interval, needed)


def least_repeats(cases: int, margin: float) -> int | None:
    """How many repeats of so many cases it takes at least: where all come out alike. None: none are enough.

    Where nothing of n pairs moved the interval reaches z² / (n + z²) below nought (Tango 1998).
    """
    if not cases or not margin:
        return None
    return max(1, ceil((Z95**2 * (1 / margin - 1) - _NEAR) / cases))


def _is_below(interval: Interval | None) -> bool:
    return interval is not None and interval[1] < 0


def _is_within(interval: Interval | None, margin: float) -> bool:
    return interval is not None and interval[0] >= -margin and interval[1] >= 0


def _needed(pairs: Sequence[Pair], repeats: int, margin: float, tries: int) -> int | None:
    """The smallest number of repeats of which the interval would lie above the margin, by halving."""
    low, high = repeats, max(_MOST_REPEATS, repeats)
    if not _holds(pairs, high / repeats, margin, tries):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _holds(pairs, middle / repeats, margin, tries) else (middle, high)
    return high


def _holds(pairs: Sequence[Pair], times: float, margin: float, tries: int) -> bool:
    return _is_within(_interval(pairs, times, _TAIL / tries**2), margin)


def _interval(pairs: Sequence[Pair], times: float, tail: float = _TAIL) -> Interval | None:
    """The interval with such a chance beyond each end, if each pair had been seen so many times."""
    if {value for each in pairs for value in (each.control, each.treatment)} <= {0.0, 1.0}:
        lost = sum(each.control > each.treatment for each in pairs)
        won = sum(each.control < each.treatment for each in pairs)
        return tango(lost * times, won * times, len(pairs) * times, NormalDist().inv_cdf(1 - tail))
    return _of_scores(pairs, times, tail)


def _of_scores(pairs: Sequence[Pair], times: float, tail: float) -> Interval | None:
    """Student's, of what differences vary within cases (a stratified mean: Cochran, Sampling Techniques (1977), 5.4).

    The lower end is no nearer than that of a share of which nothing moved: scores that hardly vary may seldom drop.
    None where no case was measured twice: then nothing is known of how they vary.
    """
    by_case: dict[Hashable, list[float]] = {}
    for each in pairs:
        by_case.setdefault(each.case, []).append(each.treatment - each.control)
    degrees = len(pairs) - len(by_case)
    if not degrees:
        return None
    difference = fmean(each.treatment - each.control for each in pairs)
    spread = sqrt(fsum((value - fmean(found)) ** 2 for found in by_case.values() for value in found) / degrees)
    number = round(len(pairs) * times)
    unseen = _unseen(number, tail)
    half = student(number - len(by_case), tail) * spread / sqrt(number) if spread > _NEAR else unseen
    return max(-1.0, difference - max(half, unseen)), min(1.0, difference + half)


def _unseen(number: int, tail: float) -> float:
    """The upper end of the interval of a share of which none of so many was seen."""
    square = NormalDist().inv_cdf(1 - tail) ** 2
    return square / (number + square)
