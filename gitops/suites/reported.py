"""What is reported of a run: its overview, how far judge and persons agree, and what became of the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gitops.suites.agreement import Agreement, agreement
from gitops.suites.baselines import Baselined
from gitops.suites.flaky import FlakyRate
from gitops.suites.model import BenchmarkRun
from gitops.suites.overview import Case, Group, Overview
from gitops.suites.regressions import Findings, findings


@dataclass(frozen=True, slots=True)
class Held:
    """A run beside the baseline of its suite. `is_itself`: it is that baseline."""

    baseline: Baselined
    found: Findings
    is_itself: bool


@dataclass(frozen=True, slots=True)
class Reported:
    """A run of one suite. `held` is None where no baseline has been accepted; `bare` are skills without benchmarks."""

    overview: Overview
    agreement: Agreement
    held: Held | None
    bare: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """The same as `--json` prints it."""
        seen, first = self.overview, self.overview.first
        return {
            "run_id": first.run_id,
            "suite": first.suite_id,
            "suite_version": first.suite_version,
            "agent": seen.agent,
            "workspace": first.workspace,
            "commit": first.commit,
            "variant": first.variant,
            "repeats": len(seen.runs),
            "is_timed": seen.is_timed,
            "cases": len(seen.cases),
            "passed": seen.passed.passed,
            "tried": seen.passed.tried,
            "interval": list(seen.interval) if seen.interval else None,
            "summary": seen.summary.model_dump(mode="json"),
            "usd": seen.usd,
            "groups": [_group(each) for each in seen.groups],
            "failures": [_case(each) for each in seen.failures],
            "skipped": [_case(each) for each in seen.skipped],
            "flaky": {name: list(rate.counted) for name, rate in seen.flaky.items()},
            "agreement": self.agreement.record(),
            "baseline": None if self.held is None else _held(self.held),
            "skills_without_benchmarks": list(self.bare),
        }


def reported(runs: Sequence[BenchmarkRun], baseline: Baselined | None, bare: Sequence[str] = ()) -> Reported:
    """Put together what is reported of the repeats of one run, labels applied."""
    held = None
    if baseline is not None:
        held = Held(baseline, findings(baseline.runs, runs), baseline.run_id == runs[0].run_id)
    return Reported(Overview(runs), agreement(runs), held, tuple(bare))


def findings_record(found: Findings) -> dict[str, Any]:
    """What became of a suite's cases, as plain JSON."""
    return {
        "regressions": [asdict(each) for each in found.regressions],
        "lost": dict(found.lost),
        "changed": list(found.changed),
        "new": list(found.new),
        "flaky": {name: _rates(before, now) for name, (before, now) in found.flaky.items()},
        "doubtful": dict(found.doubtful),
        "remarks": list(found.remarks),
    }


def _rates(before: FlakyRate, now: FlakyRate | None) -> Mapping[str, Any]:
    return {"before": list(before.counted), "now": list(now.counted) if now is not None else None}


def _held(held: Held) -> dict[str, Any]:
    baseline = held.baseline
    told = {
        "run_id": baseline.run_id,
        "told": baseline.told,
        "source": baseline.source,
        "measured_at": baseline.measured_at,
        "is_itself": held.is_itself,
    }
    return told | findings_record(held.found)


def _group(group: Group) -> dict[str, Any]:
    return asdict(group) | {"interval": list(group.interval) if group.interval else None}


def _case(case: Case) -> dict[str, Any]:
    rate = case.rate
    return {
        "case": case.case_id,
        "passed": rate.passed if rate is not None else 0,
        "tried": rate.tried if rate is not None else 0,
        "category": case.category,
        "reason": case.reason,
        "difficulty": case.difficulty,
        "source": case.source,
        "tags": list(case.tags),
    }
