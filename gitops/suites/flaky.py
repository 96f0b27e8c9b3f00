"""How often each case passes, and which do not come out the same in every repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gitops.suites.grading import TRIED
from gitops.suites.model import BenchmarkRun


@dataclass(frozen=True, slots=True)
class FlakyRate:
    """In how many of the repeats that tried it a case passed."""

    passed: int
    tried: int

    @property
    def rate(self) -> float:
        """The share of passes."""
        return self.passed / self.tried

    @property
    def is_flaky(self) -> bool:
        """Whether some repeats passed and some did not."""
        return 0 < self.passed < self.tried

    @property
    def counted(self) -> tuple[int, int]:
        """Passes, and tries."""
        return self.passed, self.tried

    @property
    def told(self) -> str:
        """`3 of 5`."""
        return f"{self.passed:,} of {self.tried:,}"


def rates(runs: Iterable[BenchmarkRun]) -> dict[str, FlakyRate]:
    """The rate of each case that any repeat tried; errors and timeouts are no passes."""
    passed: dict[str, int] = {}
    tried: dict[str, int] = {}
    for run in runs:
        for each in run.results:
            if each.status in TRIED:
                tried[each.case_id] = tried.get(each.case_id, 0) + 1
                passed[each.case_id] = passed.get(each.case_id, 0) + (each.status == "pass")
    return {name: FlakyRate(passed[name], count) for name, count in tried.items()}


def flaky(runs: Iterable[BenchmarkRun]) -> Mapping[str, FlakyRate]:
    """The cases that differ between repeats, in the suite's order."""
    return {name: rate for name, rate in rates(runs).items() if rate.is_flaky}
