"""How far the judge of cases and the persons who labelled them agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.stats.intervals import wilson
from gitops.stats.kappa import Kappa, kappa
from gitops.suites import digests
from gitops.suites.criteria import bar_of
from gitops.suites.model import BenchmarkRun


@dataclass(frozen=True, slots=True)
class Rated:
    """A case of which both a judge and a person say something: `pass` or `fail`."""

    suite: str
    case: str
    repeat: int
    judge: str
    human: str
    score: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """Cohen's kappa of judge and person over the cases that both rated, and those that they differ on.

    Repeats of a case count each for itself: with several of them the interval is narrower than it should be.
    """

    kappa: Kappa
    differing: tuple[Rated, ...] = ()

    def record(self) -> dict[str, Any]:
        """The same as plain JSON: what there is none of is null, and `why` says so."""
        found = self.kappa
        interval = wilson(found.agreed, found.n)
        return {
            "n": found.n,
            "agreed": found.agreed,
            "share": found.agreed / found.n if found.n else None,
            "share_interval": list(interval) if interval else None,
            "kappa": found.value,
            "kappa_interval": list(found.interval) if found.interval else None,
            "why": found.why,
            "differing": [
                {
                    "suite": each.suite,
                    "case": each.case,
                    "repeat": each.repeat,
                    "judge": each.judge,
                    "human": each.human,
                    "score": each.score,
                }
                for each in self.differing
            ],
        }


def agreement(runs: Sequence[BenchmarkRun]) -> Agreement:
    """The agreement over some runs whose labels are laid over them (`labels.labelled`)."""
    rated = [one for run in runs for one in _rated(run)]
    differing = tuple(one for one in rated if one.judge != one.human)
    return Agreement(kappa((one.judge, one.human) for one in rated), differing)


def _rated(run: BenchmarkRun) -> Iterator[Rated]:
    """What judge and person say of each case that both rated. A case that the record leaves out has no bar to hold."""
    suite = digests.suite_of(run)
    bars = {case.case_id: bar_of(case) for case in suite.cases} if suite is not None else {}
    for each in run.results:
        bar, score, label = bars.get(each.case_id), each.llm_judge_score, each.human_label
        if bar is not None and score is not None and label is not None:
            judge = "pass" if score >= bar else "fail"
            yield Rated(run.suite_id, each.case_id, run.repeat, judge, label, score)
