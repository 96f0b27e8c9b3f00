"""Two runs of a suite beside each other: which of their cases are the same, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitops.stats.worsened import fewer_passes
from gitops.suites import digests
from gitops.suites.flaky import FlakyRate, rates
from gitops.suites.model import BenchmarkRun
from gitops.suites.regressed import ALPHA

JUDGED = "llm_judge"
_ANSWERED = ("pass", "fail", "skipped")
"""What becomes of a case that gave an output: how long another took says nothing of how fast the target is."""


@dataclass(frozen=True)
class Beside:
    """The repeats of a suite at the baseline and now, labels of persons applied."""

    baseline: Sequence[BenchmarkRun]
    now: Sequence[BenchmarkRun]

    @cached_property
    def before(self) -> dict[str, FlakyRate]:
        """How often each case passed at the baseline, of those that are compared."""
        return {name: rate for name, rate in rates(self.baseline).items() if self.is_same(name)}

    @cached_property
    def after(self) -> dict[str, FlakyRate]:
        """How often each of these passes now."""
        return {name: rate for name, rate in rates(self.now).items() if self.is_same(name)}

    @cached_property
    def scores(self) -> dict[str, tuple[list[float], list[float]]]:
        """What judges gave each case before and now, of those that have a score on both sides."""
        before, after = (_scores(runs) for runs in (self.baseline, self.now))
        both = (name for name in before if name in after and self.is_same(name))
        return {name: (before[name], after[name]) for name in both}

    @cached_property
    def times(self) -> dict[str, tuple[list[float], list[float]]]:
        """The milliseconds that each case took before and now, where those may be compared at all."""
        if self.untimed or self.now[0].config_snapshot.get("is_timed") is not True:
            return {}
        before, after = (_times(runs) for runs in (self.baseline, self.now))
        both = (name for name in before if name in after and name not in self.changed)
        return {name: (before[name], after[name]) for name in both}

    @cached_property
    def untimed(self) -> str:
        """Why milliseconds of the two sides are not compared; '' where they are, or where neither was timed."""
        before, after = (run.config_snapshot for run in (self.baseline[0], self.now[0]))
        timed = [told.get("is_timed") is True for told in (before, after)]
        if timed[0] != timed[1]:
            which = "baseline" if timed[1] else "run"
            return f"latency is not compared: the answers of the {which} were mocked or replayed"
        machines = [told.get("machine") for told in (before, after)]
        if not timed[0] or (machines[0] is not None and machines[0] == machines[1]):
            return ""
        first, second = map(_fingerprint, machines)
        is_one = first is not None and first == second
        where = "with another number of cases at once" if is_one else "on another machine"
        return f"latency is not compared: it was measured {where}"

    @property
    def floor(self) -> float:
        """By how many milliseconds a latency has to rise at least."""
        suite = digests.suite_of(self.now[0])
        return suite.latency_floor_ms if suite is not None else 0.0

    def is_same(self, case: str) -> bool:
        """Whether a case asks and expects what it did, and is judged by whom it was."""
        return case not in self.changed and case not in self.judged_otherwise

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The cases that ask or expect something else now, in the order of the baseline."""
        before, after = self._digests
        return tuple(name for name, digest in before.items() if after.get(name, digest) != digest)

    @cached_property
    def new(self) -> tuple[str, ...]:
        """The cases that the baseline has not."""
        before, after = self._digests
        return tuple(name for name in after if name not in before)

    @cached_property
    def judged_otherwise(self) -> frozenset[str]:
        """The cases that a judge decides, where another judge decides now."""
        before, after = (run.config_snapshot.get("judge") for run in (self.baseline[0], self.now[0]))
        return frozenset(_judged(self.baseline)) if before != after and after is not None else frozenset()

    @cached_property
    def lost(self) -> dict[str, str]:
        """The cases that passed at the baseline and of which nothing is known now, or too little, with why.

        Too little is where some repeats did not judge it, and as many that had failed would be more than chance: what
        passes a gate is not left to whoever chooses which of his answers can be judged.
        """
        passed = {name for name, rate in rates(self.baseline).items() if rate.passed}
        return {name: why for name, why in self._unknown() if name in passed and name not in self.changed}

    def _unknown(self) -> Iterator[tuple[str, str]]:
        every = (each for run in self.now for each in run.results if each.status == "skipped")
        skipped = {each.case_id: each.reason or "skipped" for each in every}
        for name in self._digests[0]:
            if name in self.judged_otherwise:
                yield name, "another judge decides now"
            elif name not in self._digests[1]:
                yield name, "no longer in the suite"
            elif name not in self.after:
                yield name, skipped.get(name, "not run")
            elif self._is_thin(name):
                told = f"judged in {self.after[name].tried:,} of {len(self.now):,} repeats"
                yield name, f"{told}: {skipped.get(name, 'not run')}"

    def _is_thin(self, case: str) -> bool:
        before, after = self.before.get(case), self.after[case]
        if before is None or after.tried == len(self.now):
            return False
        return fewer_passes(before.counted, (after.passed, len(self.now))) <= ALPHA

    @cached_property
    def _digests(self) -> tuple[dict[str, str], dict[str, str]]:
        return digests.of_run(self.baseline[0]), digests.of_run(self.now[0])

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: at for at, name in enumerate(dict.fromkeys((*self._digests[0], *self._digests[1])))}

    def place(self, case: str) -> int:
        """Where a case stands in the suite."""
        return self._places.get(case, len(self._places))


def _fingerprint(machine: object) -> str | None:
    """What a machine is called, however many cases it ran at once."""
    return str(machine.get("fingerprint")) if isinstance(machine, Mapping) else None


def _scores(runs: Sequence[BenchmarkRun]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for run in runs:
        for each in run.results:
            if each.llm_judge_score is not None:
                found.setdefault(each.case_id, []).append(each.llm_judge_score)
    return found


def _times(runs: Sequence[BenchmarkRun]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for run in runs:
        for each in run.results:
            if each.status in _ANSWERED:
                found.setdefault(each.case_id, []).append(each.latency_ms)
    return found


def _judged(runs: Sequence[BenchmarkRun]) -> Iterator[str]:
    suite = digests.suite_of(runs[0])
    return (case.case_id for case in suite.cases if JUDGED in case.expected.modes) if suite else iter(())
