"""`git assay metrics`: what a monitoring system reads, by the official Prometheus client."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics import parser

from gitops.canonical import dumps
from gitops.git.repository import open_repository
from gitops.runs import evalruns, measurements, newest_landed
from gitops.runs.context import Context
from gitops.runs.measurements import KIND, Measurement, Metric
from gitops.runs.workspace import find
from gitops.suites import baselines, labels, measuring, remembered
from gitops.suites.model import BenchmarkRun
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite

Command = Callable[..., Any]
Numbers = Mapping[tuple[str, ...], float]
MOMENT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


def context_of(wiki: Path) -> Context:
    return Context(open_repository(wiki), lambda: MOMENT)


def read(text: str) -> dict[tuple[str, ...], float]:
    """Every number by its name and its labels' values, in the order of their names; workspaces are left out."""
    found: dict[tuple[str, ...], float] = {}
    for family in parser.text_string_to_metric_families(text):  # type: ignore[no-untyped-call]
        for sample in family.samples:
            told = [value for name, value in sorted(sample.labels.items()) if name != "workspace"]
            found[sample.name, *told] = sample.value
    return found


def metrics(wiki: Path, assay: Command, *words: str) -> dict[tuple[str, ...], float]:
    done = assay(wiki, "metrics", *words)
    assert (done.code, done.err) == (0, "")
    return read(done.out)


def measure(wiki: Path, metric: str, value: float | None, status: str, **fields: Any) -> Measurement:
    """A measurement of a metric on the wiki's tip, recorded with its run."""
    context = context_of(wiki)
    workspace = find(context.repository, "HEAD")
    interval = None if value is None else (value - 0.1, value + 0.1)
    number = {"value": value, "n": 50, "interval": interval, "direction": "higher", "unit": "share", "status": status}
    values: dict[str, Any] = {
        "summary": f"{metric}: {status}",
        "kind": KIND,
        "run_id": f"20240102-030405-{metric.lower()}{status[0]}",
        "commit": head(wiki),
        "workspace": workspace.name,
        "suite": metric,
        "subject": {"moment": context.now},
        "instrument": {"metrics": {metric: 1}},
        "started_at": context.now,
        "completed_at": context.now,
        "metrics": {metric: Metric.model_validate(number)},
    }
    return evalruns.record(context, workspace, Measurement(**(values | fields)))


def head(wiki: Path, ref: str = "HEAD") -> str:
    from gitops.git import snapshot

    return snapshot.resolve(open_repository(wiki), ref)


def benchmark(wiki: Path, *runs: BenchmarkRun) -> list[Measurement]:
    context = context_of(wiki)
    workspace = find(context.repository, "HEAD")
    where = {"commit": head(wiki), "workspace": workspace.name}
    made = [run.model_copy(update={**where, "repeat": at}) for at, run in enumerate(runs)]
    return measuring.record(context, workspace, made)


def test_of_a_wiki_that_was_never_measured_nothing_is_told(wiki: Path, assay: Command) -> None:
    assert metrics(wiki, assay) == {}


def test_a_metric_its_interval_its_status_and_its_gate(wiki: Path, assay: Command) -> None:
    measure(wiki, "M2", 0.62, "broken")
    found = metrics(wiki, assay)
    assert found["assay_metric_score", "M2"] == 0.62
    assert found["assay_metric_score_low", "M2"] == pytest.approx(0.52)
    assert found["assay_metric_score_high", "M2"] == pytest.approx(0.72)
    assert found["assay_metric_samples", "M2"] == 50
    statuses = {key[2]: value for key, value in found.items() if key[0] == "assay_metric_status"}
    assert statuses == {"broken": 1, "degraded": 0, "healthy": 0, "not_measured": 0}
    assert found["assay_metric_measured_timestamp_seconds", "M2"] == MOMENT.timestamp()
    gates = {key[1]: value for key, value in found.items() if key[0] == "assay_gate_open"}
    assert gates == {"ingest": 0, "cascade": 0, "synthesis": 0}
    assert assay(wiki, "eval", "ack", "M2", "--reason", "mended soon").code == 0
    assert metrics(wiki, assay)["assay_gate_open", "ingest"] == 1


def test_what_could_not_be_measured_has_no_score_and_is_no_zero(wiki: Path, assay: Command) -> None:
    measure(wiki, "M1", None, "not_measured")
    found = metrics(wiki, assay)
    assert not [key for key in found if key[0].startswith("assay_metric_score")]
    assert found["assay_metric_status", "M1", "not_measured"] == 1


def test_verdicts_are_counted_by_what_they_say(wiki: Path, assay: Command, staged: Command) -> None:
    assert assay(wiki, "run", "finish", staged(wiki)).code == 0
    before = metrics(wiki, assay)
    assay(wiki, "run", "finish", staged(wiki, {"wiki/lost.md": "# Lost\n\nNo source.[^1]\n"}))
    after = metrics(wiki, assay)
    counts = [
        {key[1]: value for key, value in found.items() if key[0] == "assay_verdicts_total"} for found in (before, after)
    ]
    assert counts[0] == {"commit": 1, "reject": 0, "revise": 0, "commit_override": 0}
    assert counts[1]["commit"] == 1
    assert counts[1]["reject"] + counts[1]["revise"] == 1


def test_a_benchmark_by_its_newest_run_with_what_persons_say(wiki: Path, assay: Command) -> None:
    human = a_case("kind", expected={"mode": "human", "value": None, "metric_thresholds": None})
    suite = a_suite(a_case("a"), a_case("b"), human)
    waits = a_result("kind", "skipped", category="human", actual_output="x", latency_ms=40, token_cost=7)
    first = a_run([a_result("a"), a_result("b", "fail", llm_judge_score=0.5), waits], suite)
    second = a_run([a_result("a"), a_result("b"), waits], suite)
    benchmark(wiki, first, second)
    of = ("sh", "shell")
    found = metrics(wiki, assay)
    assert found["assay_benchmark_pass_rate", *of] == 0.75
    statuses = {key[2]: value for key, value in found.items() if key[0] == "assay_benchmark_cases"}
    assert statuses == {"pass": 3, "fail": 1, "error": 0, "timeout": 0, "skipped": 2}
    assert found["assay_benchmark_quality_score", *of] == 0.5
    assert found["assay_benchmark_latency_seconds", *of] == pytest.approx(0.02)
    assert found["assay_benchmark_tokens", *of] == 14
    assert found["assay_benchmark_run_timestamp_seconds", *of] == MOMENT.timestamp()
    context = context_of(wiki)
    labels.keep(
        context, second.model_copy(update={"commit": head(wiki), "workspace": "plant", "repeat": 1}), "kind", "fail"
    )
    assert metrics(wiki, assay)["assay_benchmark_pass_rate", *of] == pytest.approx(0.6)


def test_regressions_are_counted_against_the_baseline_that_was_accepted(
    wiki: Path, assay: Command, commit_files: Callable[..., str]
) -> None:
    suite = a_suite(a_case("a"), a_case("b"))
    commit_files(wiki, {"gold/suites/shell/suite.json": suite.model_dump_json()})
    key = ("assay_benchmark_regressions", "sh", "shell")
    measured = benchmark(wiki, a_run([a_result("a"), a_result("b", "fail")], suite))
    assert key not in metrics(wiki, assay)
    context, runs = context_of(wiki), [remembered.run_of(one) for one in measured]
    baselines.accept(context, find(context.repository, "HEAD"), runs, [one.id for one in measured])
    assert key not in metrics(wiki, assay)
    benchmark(wiki, a_run([a_result("a", "fail"), a_result("b", "fail")], suite, run_id="20240102-030406-00000002"))
    assert metrics(wiki, assay)[key] == 1
    benchmark(wiki, a_run([a_result("a"), a_result("b")], suite, run_id="20240102-030407-00000003"))
    assert metrics(wiki, assay)[key] == 0
    commit_files(wiki, {"gold/suites/shell/suite.json": "{"})
    done = assay(wiki, "metrics")
    assert done.code == 0
    assert "whether shell of plant got worse is not told: " in done.err
    assert key not in read(done.out)


def test_the_newest_ablation_of_a_suite_by_its_variants(wiki: Path, assay: Command) -> None:
    context = context_of(wiki)
    where: dict[str, Any] = {"commit": head(wiki), "workspace": "plant"}

    def ablation(run_id: str, **statuses: str) -> None:
        made = [
            a_run([a_result("a"), a_result("b", status)], variant=variant, repeat=repeat, run_id=run_id, **where)
            for variant, status in statuses.items()
            for repeat in range(2)
        ]
        measuring.record(context, find(context.repository, "HEAD"), made, kind="ablation")

    ablation("20240102-030405-00000001", control="fail", old="pass")
    ablation("20240102-030405-00000002", control="pass", treatment="fail")
    found = metrics(wiki, assay)
    rates = {key[3]: value for key, value in found.items() if key[0] == "assay_ablation_pass_rate"}
    assert rates == {"control": 1, "treatment": 0.5}
    assert found["assay_ablation_timestamp_seconds", "sh", "shell"] == MOMENT.timestamp()
    assert ("assay_benchmark_pass_rate", "sh", "shell") not in found


def test_latency_that_was_replayed_is_not_told(wiki: Path, assay: Command) -> None:
    benchmark(wiki, a_run([a_result("a")], snapshot={"is_timed": False}))
    found = metrics(wiki, assay)
    assert ("assay_benchmark_latency_seconds", "sh", "shell") not in found
    assert found["assay_benchmark_pass_rate", "sh", "shell"] == 1


def test_a_run_of_a_change_that_has_not_landed_is_not_told(wiki: Path, assay: Command, git: Callable[..., str]) -> None:
    benchmark(wiki, a_run([a_result("a")]))
    git(wiki, "switch", "--quiet", "--create", "change")
    git(wiki, "commit", "--quiet", "--allow-empty", "--message", "Change")
    benchmark(wiki, a_run([a_result("a", "fail")], run_id="20240102-030406-00000002"))
    git(wiki, "switch", "--quiet", "main")
    key = ("assay_benchmark_pass_rate", "sh", "shell")
    assert metrics(wiki, assay)[key] == 1
    git(wiki, "merge", "--quiet", "--ff-only", "change")
    assert metrics(wiki, assay)[key] == 0


def test_the_run_that_landed_stays_in_sight_however_many_changes_were_measured_since(
    wiki: Path, assay: Command, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_landed, "_NEAR", 1)
    benchmark(wiki, a_run([a_result("a")]))
    git(wiki, "commit", "--quiet", "--allow-empty", "--message", "Later")
    git(wiki, "switch", "--quiet", "--create", "change")
    for number in range(3):
        git(wiki, "commit", "--quiet", "--allow-empty", "--message", f"Change {number}")
        benchmark(wiki, a_run([a_result("a", "fail")], run_id=f"20240102-03040{6 + number}-00000002"))
    git(wiki, "switch", "--quiet", "main")
    assert metrics(wiki, assay)["assay_benchmark_pass_rate", "sh", "shell"] == 1


def test_a_record_that_is_no_run_holds_up_nothing(wiki: Path, assay: Command) -> None:
    benchmark(wiki, a_run([a_result("a")]))
    context = context_of(wiki)
    forged = measuring.measurement(a_run([a_result("a")], commit=head(wiki), workspace="plant", suite_id="forged"))
    [sample] = forged.samples
    odd = sample.model_copy(update={"details": {"output": 7}})
    measurements.append(context, forged.model_copy(update={"samples": (odd,)}))
    done = assay(wiki, "metrics")
    assert done.code == 0
    assert "the run 20240102-030405-00000001 of forged is not told: " in done.err
    suites = {key[-1] for key in read(done.out) if key[0] == "assay_benchmark_pass_rate"}
    assert suites == {"shell"}


def test_what_was_spent_is_told_by_workspace_operation_and_role(wiki: Path, assay: Command) -> None:
    call: dict[str, Any] = {
        "at": "2024-01-02T03:04:05+00:00",
        "workspace": "plant",
        "run_type": "ingest",
        "role": "writer",
    }
    call |= {"run_id": "r", "tokens_in": 100, "tokens_out": 20, "cache_read": 5, "cache_write": 0, "usd": 0.25}
    lines = [call, call, {**call, "role": "judge"}, {**call, "usd": 9.0, "replayed": True}]
    log = wiki / ".git/assay/llm-usage-2024-01-02.jsonl"
    log.parent.mkdir(exist_ok=True)
    log.write_text("".join(dumps(line) + "\n" for line in lines))
    found = metrics(wiki, assay)
    assert found["assay_tokens_total", "input", "ingest", "writer"] == 200
    assert found["assay_tokens_total", "output", "ingest", "judge"] == 20
    assert found["assay_spend_usd_total", "ingest", "writer"] == 0.5
    assert found["assay_model_calls_total", "ingest", "writer"] == 2
    with log.open("a") as file:
        file.write(dumps(call) + "\nnot JSON\n")
    done = assay(wiki, "metrics")
    assert read(done.out)["assay_spend_usd_total", "ingest", "writer"] == 0.75
    assert "line 6: not whole JSON; skipped" in done.err


def test_one_workspace_alone(wiki: Path, assay: Command, refused: Command) -> None:
    measure(wiki, "M2", 0.62, "broken")
    measure(wiki, "M3", 0.9, "healthy", workspace="other")
    assert ("assay_metric_score", "M3") in metrics(wiki, assay)
    assert ("assay_metric_score", "M3") not in metrics(wiki, assay, "--workspace", "plant")
    refused(assay(wiki, "metrics", "--workspace", "plamt"), 2, "plamt")


def test_a_file_is_written_whole_or_not_at_all(wiki: Path, assay: Command, refused: Command, tmp_path: Path) -> None:
    measure(wiki, "M2", 0.62, "broken")
    folder = tmp_path / "collector"
    done = assay(wiki, "metrics", "--output", str(folder / "assay.prom"))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert os.listdir(folder) == ["assay.prom"]
    assert (folder / "assay.prom").stat().st_mode & 0o444 == 0o444
    assert read((folder / "assay.prom").read_text())["assay_metric_score", "M2"] == 0.62
    (folder / "taken").mkdir()
    os.mkfifo(folder / "pipe")
    for name in ("taken", "pipe"):
        refused(assay(wiki, "metrics", "--output", str(folder / name)), 3, "cannot be written: it is no file")
    assert sorted(os.listdir(folder)) == ["assay.prom", "pipe", "taken"]
    assert (folder / "pipe").is_fifo()


def test_outside_of_a_repository_nothing_is_told(tmp_path: Path, assay: Command, refused: Command) -> None:
    refused(assay(tmp_path, "metrics"), 3, "repository")
