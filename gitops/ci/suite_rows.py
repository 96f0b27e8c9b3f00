"""A row for a benchmark suite: what its runs came to beside the baseline, and whether the check fails by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitops.ci.findings import clipped
from gitops.ci.result import RegressedCase, SuiteRow
from gitops.runs.printed_ci_benchmarks import MOST_CASES
from gitops.suites.flaky import rates
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.regressions import Findings, Regression


@dataclass(frozen=True, slots=True)
class Held:
    """What a suite is held to: the repeats of the baseline, what it is called, and when it was measured."""

    runs: tuple[BenchmarkRun, ...]
    told: str
    measured_at: str
    age_days: float


def compared(loaded: Loaded, because: str, runs: Sequence[BenchmarkRun], held: Held, found: Findings) -> SuiteRow:
    """The row of a suite that has a baseline. It fails the check by a case that got worse, and no case that could not
    be run or judged lets it pass.
    """
    kept, more = found.regressions[:MOST_CASES], len(found.regressions[MOST_CASES:])
    return begun(loaded, because, runs).model_copy(
        update={
            "verdict": "regressed" if found.regressions else "no answer" if found.lost else "no regression",
            "gated": bool(found.regressions),
            "before": _rate(held.runs, {case.case_id for case in loaded.suite.cases} - set(found.changed)),
            "regressions": tuple(map(_case, kept)),
            "more_regressions": more,
            "flaky": tuple(map(clipped, found.flaky))[:MOST_CASES],
            "lost": tuple(map(clipped, found.lost))[:MOST_CASES],
            "baseline": clipped(held.told),
            "measured_at": held.measured_at,
            "age_days": round(held.age_days, 2),
            "why": clipped("; ".join(_whys(found))),
        }
    )


def begun(loaded: Loaded, because: str, runs: Sequence[BenchmarkRun] = ()) -> SuiteRow:
    """The row of a suite that nothing is compared with: not yet, or not at all."""
    suite = loaded.suite
    tried = rates(runs)
    return SuiteRow(
        suite=clipped(suite.suite_id),
        agent=clipped(suite.target),
        verdict="no baseline",
        because=clipped(because),
        cases=len(suite.cases),
        repeats=len(runs),
        after=_rate(runs, set(tried)),
        skipped=len(suite.cases) - len(tried) if runs else 0,
        seconds=round(sum(map(_took, runs)), 3),
    )


def _case(one: Regression) -> RegressedCase:
    return RegressedCase(
        case=clipped(one.case_id), kind=one.kind, before=one.before, after=one.after, told=clipped(one.told)
    )


def _rate(runs: Sequence[BenchmarkRun], cases: set[str]) -> float | None:
    """The pass rate over some cases and all repeats; None where none of them was tried."""
    every = [rate for name, rate in rates(runs).items() if name in cases]
    tried = sum(rate.tried for rate in every)
    return sum(rate.passed for rate in every) / tried if tried else None


def _took(run: BenchmarkRun) -> float:
    return max(0.0, (run.completed_at - run.started_at).total_seconds()) if run.completed_at else 0.0


def _whys(found: Findings) -> list[str]:
    """What a reader has to know of the comparison: why cases have no answer, and which are not the same any more."""
    told = list(dict.fromkeys(dict(found.lost).values()))[:3]
    doubtful: Mapping[str, str] = dict(found.doubtful)
    told += [f"{name}: {why}" for name, why in list(doubtful.items())[:3]]
    told += [f"{len(found.changed):,} of its cases ask something else than at the baseline"] if found.changed else []
    told += [f"{len(found.new):,} of its cases the baseline has not tried"] if found.new else []
    return [*told, *found.remarks]
