"""The repeats of one run of a suite, summed up: by case, by difficulty, by tag, and all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Literal

from gitops.stats.bootstrap import Interval
from gitops.stats.intervals import wilson
from gitops.suites import digests, grading
from gitops.suites.flaky import FlakyRate, rates
from gitops.suites.model import BenchmarkCase, BenchmarkResult, BenchmarkRun, BenchmarkSummary

_DIFFICULTIES = ("easy", "medium", "hard", "adversarial")
_WORST = ("error", "timeout", "fail", "skipped", "pass")


@dataclass(frozen=True, slots=True)
class Case:
    """What all repeats of one case came to. `rate` is None where none tried it; `category` and `reason` are of the
    first repeat that came to its worst.
    """

    case_id: str
    rate: FlakyRate | None
    category: str
    reason: str
    difficulty: str
    source: str
    tags: tuple[str, ...]

    @property
    def is_failed(self) -> bool:
        """Whether any repeat tried it and it did not pass."""
        return self.rate is not None and self.rate.passed < self.rate.tried


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one difficulty or with one tag: how many there are, how many tries passed."""

    by: Literal["difficulty", "tag"]
    name: str
    cases: int
    passed: int
    tried: int
    interval: Interval | None


@dataclass(frozen=True)
class Overview:
    """Runs of one suite that share a run id, repeat by repeat, with the labels of persons on them."""

    runs: Sequence[BenchmarkRun]

    @property
    def first(self) -> BenchmarkRun:
        """The first repeat."""
        return self.runs[0]

    @property
    def agent(self) -> str:
        """Whom the suite measures; '' where that is not known."""
        suite = digests.suite_of(self.first)
        return suite.target if suite is not None else ""

    @property
    def is_timed(self) -> bool:
        """Whether latencies are the target's own."""
        return self.first.config_snapshot.get("is_timed") is True

    @cached_property
    def summary(self) -> BenchmarkSummary:
        """All results of all repeats together."""
        return grading.summary((each for run in self.runs for each in run.results), is_timed=self.is_timed)

    @cached_property
    def usd(self) -> float:
        """What all repeats cost."""
        return sum(each.usd for run in self.runs for each in run.results)

    @cached_property
    def cases(self) -> list[Case]:
        """The cases in the suite's order."""
        suite = digests.suite_of(self.first)
        known = {case.case_id: case for case in suite.cases} if suite is not None else {}
        by_case: dict[str, list[BenchmarkResult]] = {}
        for run in self.runs:
            for each in run.results:
                by_case.setdefault(each.case_id, []).append(each)
        found = rates(self.runs)
        return [_case(name, found.get(name), results, known.get(name)) for name, results in by_case.items()]

    @property
    def failures(self) -> list[Case]:
        """Those that some repeat tried and that did not pass there."""
        return [case for case in self.cases if case.is_failed]

    @property
    def skipped(self) -> list[Case]:
        """Those that no repeat could judge."""
        return [case for case in self.cases if case.rate is None]

    @property
    def flaky(self) -> Mapping[str, FlakyRate]:
        """Those that some repeats passed and some did not."""
        return {case.case_id: case.rate for case in self.cases if case.rate is not None and case.rate.is_flaky}

    @cached_property
    def passed(self) -> FlakyRate:
        """How many tries of all cases passed."""
        return _together(self.cases)

    @cached_property
    def interval(self) -> Interval | None:
        """The 95 % interval of the pass rate, as if a case had been tried once."""
        return _interval(self.cases)

    @cached_property
    def groups(self) -> list[Group]:
        """The difficulties from easy to adversarial, then the tags by name; those that no case has are left out."""
        return list(_groups(self.cases))


def _case(name: str, rate: FlakyRate | None, results: Sequence[BenchmarkResult], case: BenchmarkCase | None) -> Case:
    worst = min(results, key=lambda each: _WORST.index(each.status))
    return Case(
        name,
        rate,
        worst.category,
        worst.reason or worst.error or "",
        case.difficulty if case is not None else "",
        case.source if case is not None else "organic",
        tuple(case.tags) if case is not None else (),
    )


def _groups(cases: Sequence[Case]) -> Iterator[Group]:
    for difficulty in _DIFFICULTIES:
        yield from _group("difficulty", difficulty, [case for case in cases if case.difficulty == difficulty])
    for tag in sorted({tag for case in cases for tag in case.tags}):
        yield from _group("tag", tag, [case for case in cases if tag in case.tags])


def _group(by: Literal["difficulty", "tag"], name: str, cases: Sequence[Case]) -> Iterator[Group]:
    if cases:
        rate = _together(cases)
        yield Group(by, name, len(cases), rate.passed, rate.tried, _interval(cases))


def _together(cases: Iterable[Case]) -> FlakyRate:
    known = [case.rate for case in cases if case.rate is not None]
    return FlakyRate(sum(rate.passed for rate in known), sum(rate.tried for rate in known))


def _interval(cases: Iterable[Case]) -> Interval | None:
    """Of as many tries as there are cases: what a repeat adds depends on how far repeats differ, and may be nothing."""
    known = [case.rate.rate for case in cases if case.rate is not None]
    return wilson(min(float(len(known)), fsum(known)), len(known))
