from __future__ import annotations

from pathlib import Path

from benchmarks import recorded
from gitops.runs import store
from gitops.runs.context import Context


def test_what_is_recorded_reads_back_whole(tmp_path: Path) -> None:
    repository = recorded.opened(tmp_path / "records.git")
    recorded.fill(repository, 6)
    told: list[str] = []
    runs, verdicts, *_ = store.everything(Context(repository, warn=told.append))
    assert told == []
    assert sorted(run.status for run in runs) == ["committed"] * 4 + ["rejected"] * 2
    assert all(run.plan is not None and len(run.states) == 3 for run in runs)
    assert {verdict.id for verdict in verdicts} == {run.state.verdict_id for run in runs}
    assert {len(verdict.per_claim_findings) for verdict in verdicts} == {2, 3}
