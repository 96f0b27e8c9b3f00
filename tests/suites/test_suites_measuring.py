from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.comparing.measured import compared
from gitops.comparing.recalling import Recalled, key
from gitops.errors import CannotRun, UsageError
from gitops.runs import measurements, store
from gitops.runs.measurements import Measurement
from gitops.stats.comparison import Compared
from gitops.suites import digests, grading, measuring, recalling, remembered, samples
from gitops.suites.model import BenchmarkResult, BenchmarkRun
from tests.runs.driving import MAIN, Wiki, first_files
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files(pages=2)))


RESULTS = (a_result("a"), a_result("b", "fail"), a_result("c", "error", error="exit 1"), a_result("d", "skipped"))


def on(wiki: Wiki, *runs: BenchmarkRun) -> list[BenchmarkRun]:
    """The runs as of the wiki's tip."""
    return [each.model_copy(update={"commit": str(wiki.ref(MAIN)), "workspace": "tides"}) for each in runs]


def compare(*runs: BenchmarkRun) -> dict[str, Compared]:
    """The rows of a comparison of runs, each a side of its own."""
    made = [measuring.measurement(run).named() for run in runs]
    sides = [Recalled(str(at), {key(one, metric): (one,) for metric in one.metrics}) for at, one in enumerate(made)]
    return {one.metric: one for one in compared(sides).compared}


def test_errors_count_as_failed_and_skipped_cases_not_at_all() -> None:
    made = measuring.measurement(a_run(RESULTS))
    rate = made.metrics["pass_rate"]
    assert rate.value == pytest.approx(1 / 3)
    assert (rate.n, rate.unit) == (3, "share")
    assert rate.interval is not None
    assert made.summary == "shell: 1 of 3 passed, 1 skipped"
    assert (made.kind, made.suite, made.suite_version) == ("benchmark", "shell", "1.0.0")


def test_latency_of_what_was_replayed_is_not_measured() -> None:
    replayed = measuring.measurement(a_run([a_result("a")], snapshot={"is_timed": False}))
    assert replayed.metrics["mean_latency_ms"].status == "not_measured"
    assert measuring.measurement(a_run([a_result("a")])).metrics["mean_latency_ms"].value == 10


def test_a_judge_belongs_to_the_instrument_only_where_a_case_asks_one() -> None:
    judge = {"id": "claude", "version": "1", "digest": "f" * 64}
    asked = a_case("a", expected={"mode": "llm_judge", "value": "is kind", "metric_thresholds": None})
    given_one = {"judge": judge}
    assert "judge" not in measuring.measurement(a_run([a_result("a")], snapshot=given_one)).instrument
    made = measuring.measurement(a_run([a_result("a")], a_suite(asked), given_one))
    assert made.instrument["judge"] == judge


def test_a_long_output_is_cut_and_its_digest_kept() -> None:
    made = measuring.measurement(a_run([a_result("a", actual_output="ü" * 5_000)]))
    [sample] = made.samples
    assert len(sample.details["output"]) == samples.LONGEST
    assert sample.details["output_length"] == 5_000
    assert len(sample.details["output_digest"]) == 64


def test_what_a_real_session_asked_and_answered_stays_here() -> None:
    private = a_case("b", source="organic", input={"goal": "my secret", "context": None})
    suite = a_suite(a_case("a"), private)
    run = a_run([a_result("a"), a_result("b", "fail", actual_output="secret answer", reason="secret why")], suite)
    made = measuring.measurement(run)
    assert "secret" not in json.dumps(made.record())
    assert [each.id for each in made.samples] == ["a", "b"]
    again = measuring.measurement(remembered.run_of(made))
    assert again.subject == made.subject  # and what was left out once is no reason to change what is there


def test_a_run_that_does_not_hold_its_suite_is_refused() -> None:
    run = a_run([a_result("a")]).model_copy(update={"config_snapshot": {"suite": {"name": "x"}}})
    with pytest.raises(CannotRun, match="does not hold the suite"):
        measuring.measurement(run)


_TEXT = st.text(max_size=30)
_RESULTS = st.lists(
    st.builds(
        BenchmarkResult,
        case_id=st.sampled_from([f"case-{number}" for number in range(9)]),
        status=st.sampled_from(["pass", "fail", "error", "timeout", "skipped"]),
        actual_output=st.none() | _TEXT,
        latency_ms=st.floats(0, 1e6),
        token_cost=st.integers(0, 10**6),
        llm_judge_score=st.none() | st.floats(0, 1),
        human_label=st.none() | st.sampled_from(["pass", "fail"]),
        error=st.none() | _TEXT,
        retries=st.integers(0, 3),
        category=st.sampled_from(["", "timeout", "judge"]),
        reason=_TEXT,
        usd=st.floats(0, 10),
        metrics=st.dictionaries(st.text("abc", min_size=1, max_size=3), st.floats(0, 9), max_size=2),
    ),
    unique_by=lambda one: one.case_id,
    max_size=5,
)


@given(_RESULTS, st.booleans())
def test_a_measurement_gives_back_its_run(results: list[BenchmarkResult], is_timed: bool) -> None:
    run = a_run(results, snapshot={"is_timed": is_timed}, repeat=3, variant="control")
    made = measuring.measurement(run).named()
    read = Measurement.model_validate(json.loads(json.dumps(made.record())))
    assert read == made
    given_back = remembered.run_of(read)
    assert given_back.model_copy(update={"summary": None}) == run.model_copy(update={"summary": None})
    assert given_back.summary is not None
    assert run.summary is not None
    assert given_back.summary.pass_rate == run.summary.pass_rate


@given(_RESULTS, st.booleans())
def test_each_mean_is_that_of_its_samples(results: list[BenchmarkResult], is_timed: bool) -> None:
    made = measuring.measurement(a_run(results, snapshot={"is_timed": is_timed}))
    for name in ("pass_rate", "mean_quality_score", "mean_latency_ms", "mean_token_cost"):
        scores = [each.scores[name] for each in made.samples if each.scores and name in each.scores]
        metric = made.metrics[name]
        assert metric.n == len(scores)
        assert metric.value == (pytest.approx(sum(scores) / len(scores)) if scores else None)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(["output", "category", "reason", "metrics", "human_label", "case"]), _JSON),
    st.dictionaries(st.sampled_from(["suite", "organic", "files", "is_timed", "judge", "machine"]), _JSON),
    _JSON,
)
def test_what_somebody_else_wrote_is_read_or_refused(details: Any, snapshot: Any, categories: Any) -> None:
    made = measuring.measurement(a_run([a_result("a")]))
    sample = made.samples[0].model_copy(update={"details": details})
    other = {"subject": {"config_snapshot": snapshot}, "details": {"failure_categories": categories}}
    with suppress(UsageError):  # and with nothing else
        run = remembered.run_of(made.model_copy(update={"samples": (sample,), **other}))
        assert digests.of_run(run) is not None


def test_a_record_that_cannot_be_read_is_told_and_hides_no_other(wiki: Wiki) -> None:
    context = wiki.context()
    [good] = measuring.record(context, wiki.workspace(), on(wiki, a_run(RESULTS)))
    sample = good.samples[0].model_copy(update={"status": "abstained"})
    bad = measurements.append(context, good.model_copy(update={"samples": (sample,), "repeat": 1, "id": ""}))
    assert [run.repeat for run in recalling.of_commit(context, good.commit, "tides")] == [0]
    [told] = wiki.told
    assert told.startswith(f"the measurement {bad.id[:10]} of run {bad.run_id} holds what no run")
    assert told.endswith("; skipped")


def test_repeats_are_recorded_together_and_recalled_by_the_beginning_of_their_run(wiki: Wiki) -> None:
    context = wiki.context()
    runs = on(wiki, *(a_run(RESULTS, repeat=at) for at in range(3)))
    kept = measuring.record(context, wiki.workspace(), runs)
    run = store.find(context, runs[0].run_id)
    assert (run.status, run.record.run_type) == ("committed", "benchmark")
    assert recalling.of_run(context, runs[0].run_id) == kept
    assert recalling.of_run(context, runs[0].run_id[:12]) == kept
    assert [remembered.run_of(one) for one in kept] == runs
    with pytest.raises(UsageError, match="no benchmark run '2030'"):
        recalling.of_run(context, "2030")


def test_a_run_that_is_too_large_is_not_kept_at_all(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "LARGEST", 1_000)
    with pytest.raises(CannotRun, match="is kept"):
        measuring.record(wiki.context(), wiki.workspace(), on(wiki, a_run(RESULTS)))
    assert measurements.everything(wiki.context()) == []


def test_of_a_commit_the_newest_run_of_each_suite_is_meant(wiki: Wiki, tmp_path: Path) -> None:
    context, workspace = wiki.context(), wiki.workspace()
    first, second = on(wiki, a_run([a_result("a")]), a_run([a_result("a", "fail")], run_id="20240103-000000-00000002"))
    later = second.model_copy(update={"completed_at": second.started_at.replace(day=3)})
    measuring.record(context, workspace, [first])
    measuring.record(context, workspace, [later])
    [found] = recalling.recall(context, tmp_path, "main", "tides")
    assert found.runs == (later,)
    with pytest.raises(CannotRun, match="no suite has measured"):
        recalling.recall(context, tmp_path, "main", "other")
    with pytest.raises(UsageError, match="no benchmark run, no revision, and no file"):
        recalling.recall(context, tmp_path, "nothing", "tides")


def test_its_numbers_are_compared_by_the_engine_case_by_case() -> None:
    sides = [
        a_run([a_result(f"c{number}", "pass" if number < passing else "fail") for number in range(12)])
        for passing in (11, 2)
    ]
    rows = compare(*sides)
    assert rows["benchmark.shell.pass_rate"].reading == "worse"
    assert len(rows["benchmark.shell.pass_rate"].lost) == 9
    assert rows["benchmark.shell.mean_latency_ms"].reading == "no_difference_shown"


def test_a_case_that_expects_something_else_is_another_case() -> None:
    before = a_suite(a_case("a"), a_case("b"))
    after = a_suite(a_case("a", expected={"mode": "exact", "value": "no", "metric_thresholds": None}), a_case("b"))
    runs = [a_run([a_result("a"), a_result("b")], before), a_run([a_result("a", "fail"), a_result("b")], after)]
    row = compare(*runs)["benchmark.shell.pass_rate"]
    assert row.paired is not None
    assert (row.paired.pairs, row.only_reference.samples, row.only_other.samples) == (1, 1, 1)
    assert row.lost == ()
    assert [each[:3] for each in row.new_and_failing] == ["a ("]


def test_milliseconds_of_two_machines_are_not_compared() -> None:
    runs = [
        a_run([a_result("a"), a_result("b")], snapshot={"machine": name, "seed": seed})
        for seed, name in enumerate(("one", "two"))
    ]
    rows = compare(*runs)
    assert rows["benchmark.shell.mean_latency_ms"].reading == "not_compared"
    assert [one.name for one in rows["benchmark.shell.mean_latency_ms"].differing] == ["machine"]
    assert rows["benchmark.shell.pass_rate"].reading != "not_compared"


def test_the_summary_is_that_of_the_grading() -> None:
    made = measuring.measurement(a_run(RESULTS).model_copy(update={"summary": None}))
    assert made.metrics["pass_rate"].value == grading.summary(RESULTS).pass_rate
