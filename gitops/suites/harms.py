"""Whether a treatment was shown to do no harm on a suite (silas 20.6), in what it passes and in what judges say of it.

Two things have to hold of each. The comparison, in which cases stand for others like them, does not read `worse`. And
on just these cases the interval of the difference, in which chance is what another repeat would have given, does not
reach further below nought than the margin: of few measurements no difference is ever shown, and that is no proof.
Repeats that draw on the same chance (one seed, tried twice; answers that are replayed) are no more than one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from gitops.runs.measurements import Measurement, Sample
from gitops.stats.comparison import Compared
from gitops.stats.harmless import Harm, Pair, harm
from gitops.suites.arms import draw_of
from gitops.suites.grading import TRIED

HELD = _PASSES, _QUALITY = "pass_rate", "mean_quality_score"
"""The metrics that a treatment must not harm. That it is slower, or takes more tokens, holds nothing up."""
Scored = Callable[[Sample], "float | None"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One metric of one treatment on one suite: what it comes to, by what numbers, and why in words ('' of no harm)."""

    suite: str
    treatment: str
    metric: str
    harm: Harm
    why: str = ""

    @property
    def is_harmless(self) -> bool:
        """Whether no harm was shown."""
        return self.harm.held == "no_harm"


def findings(
    control: Sequence[Measurement],
    treatment: Sequence[Measurement],
    compared: Sequence[Compared],
    margin: float,
    beside: int = 1,
    tries: int = 1,
) -> list[Finding]:
    """Hold the repeats of a treatment to those of its control that were made beside them, in the same order.

    `compared` is what the comparison says of that treatment: its metrics end in those that are held here. Where no case
    has a judge's score on either side, that is not held. `beside` is how many treatments and suites are looked at,
    `tries` how often was looked, more repeats having come in each time.
    """
    scores = dict(_scores((*control, *treatment)))
    looks = beside * len(scores)
    return [_finding(name, of, control, treatment, compared, margin, (looks, tries)) for name, of in scores.items()]


def draws(repeats: Iterable[Measurement]) -> int:
    """How many repeats there are that can come out otherwise than one another."""
    return len({draw_of(one) for one in repeats})


def _scores(measured: Iterable[Measurement]) -> Iterator[tuple[str, Scored]]:
    """How each of `HELD` is read off a sample; the judge's score where any case has one."""
    yield _PASSES, _passed
    judged = {each.id for one in measured for each in one.samples if _judge(each) is not None}
    if judged:
        yield _QUALITY, partial(_quality, judged)


def _passed(sample: Sample) -> float | None:
    return float(sample.status == "pass") if sample.status in TRIED else None


def _quality(judged: Collection[str], sample: Sample) -> float | None:
    """The judge's score of a case that is judged; where it gave no output to judge, the lowest there is."""
    is_without = sample.id in judged and sample.status in ("error", "timeout")
    return 0.0 if is_without else _judge(sample)


def _judge(sample: Sample) -> float | None:
    return (sample.scores or {}).get(_QUALITY)


def _finding(
    metric: str,
    of: Scored,
    control: Sequence[Measurement],
    treatment: Sequence[Measurement],
    compared: Sequence[Compared],
    margin: float,
    looks: tuple[int, int],
) -> Finding:
    suite, name = control[0].suite, treatment[0].variant
    pairs = list(_pairs(of, control, treatment))
    told = Finding(suite, name, metric, harm(pairs, draws(control), margin, *looks))
    if not pairs:
        return replace(told, why="nothing was tried and judged on both sides")
    if lost := _lost(of, control, treatment):
        return _unsure(told, f"{_cases(lost)} that the control has an answer of {'has' if lost == 1 else 'have'} none")
    if fmean(pair.control for pair in pairs) <= margin:
        return _unsure(told, f"the control comes to no more than {margin:g} itself, so that nothing could get worse")
    if any(one.reading == "worse" and one.metric.endswith(f".{suite}.{metric}") for one in compared):
        return replace(told, harm=replace(told.harm, held="harm", needed=None), why="worse by more than chance")
    if told.harm.held == "cannot_tell" and all(draw_of(one) is None for one in control):
        return _unsure(told, "answers were replayed, the same in each repeat: live ones, or more cases, would tell")
    return replace(told, why=_why(told.harm, margin))


def _unsure(told: Finding, why: str) -> Finding:
    held = told.harm if told.harm.held == "harm" else replace(told.harm, held="cannot_tell", needed=None)
    return replace(told, harm=held, why=why)


def _why(found: Harm, margin: float) -> str:
    if found.held == "no_harm":
        return ""
    if found.held == "harm":
        return "worse on these cases by more than another repeat would change"
    if found.interval is None:
        return "measured once, so that nothing is known of how scores vary: two repeats at least"
    if found.needed is not None:
        told = f"{found.needed:,} repeats in all would tell, if they come out alike"
        return f"it may be worse by more than {margin:g}; {told}"
    if found.interval[1] < 0:
        return "it came out worse, though of so many looks one may by chance"
    if found.difference is not None and found.difference < -margin:
        return f"it came out worse by more than {margin:g}"
    return f"it may be worse by more than {margin:g}, and more repeats would not tell"


def _pairs(of: Scored, control: Sequence[Measurement], treatment: Sequence[Measurement]) -> Iterator[Pair]:
    """One for each case and draw; what was tried again with the same draw is averaged."""
    found: dict[tuple[str, Hashable], list[tuple[float, float]]] = {}
    for one, other in zip(control, treatment, strict=True):
        before, after, drawn = _by_case(of, one), _by_case(of, other), draw_of(one)
        for case in before.keys() & after.keys():
            found.setdefault((case, drawn), []).append((before[case], after[case]))
    for (case, _), both in found.items():
        yield Pair(case, *map(fmean, zip(*both, strict=True)))


def _lost(of: Scored, control: Sequence[Measurement], treatment: Sequence[Measurement]) -> int:
    """How many cases had a score and have none beside it: what is not tried any more would hide what became worse."""
    beside = zip(control, treatment, strict=True)
    return len({case for one, other in beside for case in _by_case(of, one).keys() - _by_case(of, other).keys()})


def _by_case(of: Scored, measurement: Measurement) -> Mapping[str, float]:
    scores = ((each.id, of(each)) for each in measurement.samples)
    return {case: score for case, score in scores if score is not None}


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number:,} cases"
