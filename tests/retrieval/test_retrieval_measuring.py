from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gitops.errors import UsageError
from gitops.retrieval import golden, measuring
from gitops.retrieval.measuring import Setting, measurement, stored
from gitops.retrieval.model import Result, Results
from gitops.retrieval.scoring import score
from gitops.runs.measurements import Measurement, parse
from tests.retrieval.tide_wiki import QUERIES, results

SETTING = Setting(
    gold="golden.yaml",
    system="mine",
    run_id="20240102-030405-0a1b2c3d",
    commit="c" * 40,
    workspace="tides",
    top=10,
    has_store=True,
    subject={"preset": "offline"},
    started_at="2024-01-02T03:04:05Z",
    completed_at="2024-01-02T03:04:06Z",
)


def made(found: Results | None = None, setting: Setting = SETTING) -> Measurement:
    found = found or results()
    return measurement(score(QUERIES, found, has_store=setting.has_store), found, setting).named()


def reread(measured: Measurement) -> Measurement:
    """What another clone reads out of its note."""
    read = parse(json.dumps(measured.record()))
    assert isinstance(read, Measurement), read
    return read


def test_a_measurement_of_something_else_holds_no_results() -> None:
    with pytest.raises(UsageError, match="is none of retrieval"):
        stored(made().model_copy(update={"kind": "metric"}))
    with pytest.raises(UsageError, match="is none of retrieval"):
        stored(made().model_copy(update={"details": {}}))


@pytest.mark.parametrize(
    ("details", "said"),
    [({}, "query"), ({"query": "Why?", "hits_top_k": [{"rank": 1}]}, "chunk_id")],
)
def test_a_sample_that_was_never_one_of_ours_is_told(details: dict[str, Any], said: str) -> None:
    sample = made().samples[0].model_copy(update={"details": details})
    with pytest.raises(UsageError, match=said):
        stored(made().model_copy(update={"samples": (sample,)}))


def test_queries_and_results_come_back_as_they_were() -> None:
    found = results(without=["unjudged"], more=[Result("stranger", results().by_query["a"].hits, line=9)])
    queries, back = stored(reread(made(found)))
    assert queries == list(QUERIES)
    assert back == replace(found, by_query={**found.by_query, "stranger": Result("stranger", line=9)})
    assert back.by_query["stranger"].line == 9
    assert "unjudged" not in back.by_query


def test_what_is_only_to_be_told_has_everything_but_hits_and_answers() -> None:
    found = results()
    told = measurement(score(QUERIES, found, has_store=True), found, SETTING, is_whole=False)
    assert (told.metrics, told.details) == (made().metrics, made().details)
    assert [one.status for one in told.samples] == [one.status for one in made().samples]
    assert not any("hits_top_k" in one.details or "answer" in one.details for one in told.samples)


@pytest.mark.parametrize(
    "details",
    [
        {"results": []},
        {"results": {"remarks": 7}},
        {"unknown_queries": 7},
        {"unknown_queries": [7, {}, {"query_id": 1}, {"query_id": "stranger", "line": "nine"}]},
    ],
)
def test_what_anothers_record_has_of_no_use_is_overlooked(details: dict[str, Any]) -> None:
    queries, back = stored(made().model_copy(update={"details": {**made().details, **details}}))
    assert queries == list(QUERIES)
    assert {name: back.by_query[name] for name in results().by_query} == results().by_query


def test_an_aggregate_that_is_none_is_told() -> None:
    odd = made().model_copy(update={"details": {"aggregate": {"mrr": "high"}}})
    with pytest.raises(UsageError, match="cannot be read: 'mrr' is no number: 'high'"):
        measuring.aggregate(odd)


def test_an_empty_ranking_is_not_a_query_that_is_missing() -> None:
    _, back = stored(reread(made(results(without=["b"]))))
    assert back.by_query["refuse"].hits == ()
    assert "b" not in back.by_query


def test_what_is_stored_is_scored_to_the_same() -> None:
    found = results(without=["unjudged"], more=[Result("stranger")])
    before = score(QUERIES, found, has_store=True)
    kept = reread(made(found))
    queries, back = stored(kept)
    again = score(queries, back, has_store=measuring.has_store(kept))
    assert again == before
    assert measuring.aggregate(kept) == before.aggregate
    assert kept.details["aggregate"]["missing_queries"] == kept.details["aggregate"]["unknown_queries"] == 1


def test_whether_there_was_a_store_is_not_forgotten() -> None:
    """An answer that cites nothing is covered where there was one, and tells nothing of whether there was."""
    silent = results()
    answered = silent.by_query["a"]
    assert answered.answer is not None
    bare = replace(answered, answer=replace(answered.answer, citations=()))
    silent = replace(silent, by_query={**silent.by_query, "a": bare})
    for has_store, value in ((True, 1.0), (False, None)):
        kept = reread(made(silent, replace(SETTING, has_store=has_store)))
        assert measuring.has_store(kept) is has_store
        assert kept.metrics["citation_coverage"].value == value


def test_the_subject_tells_what_was_measured_and_the_instrument_by_what() -> None:
    kept = made()
    assert kept.subject == {
        "system": "mine", "preset": "offline", "chunker_version": "7", "embedding": "e5", "prompt_version": "p-3",
        "model": "m-1", "others": {"note": "odd", "depth": 3},
    }  # fmt: skip
    gold = golden.digest_of(QUERIES)
    assert kept.instrument == {"metrics": {"retrieval": 1}, "gold": gold, "queries": 4, "top": 10, "chunks": None}
    assert (kept.suite, kept.suite_version) == ("golden.yaml", gold[:12])
    assert kept.summary == "retrieval, 4 queries: mrr 0.5000, hit@10 1.0000"


def test_each_metric_has_its_number_its_queries_and_its_interval() -> None:
    metrics = made().metrics
    assert (metrics["mrr"].value, metrics["mrr"].n, metrics["mrr"].status) == (0.5, 1, "measured")
    assert metrics["mrr"].interval is not None
    assert (metrics["refusal_correctness"].value, metrics["refusal_correctness"].n) == (1.0, 1)
    assert (metrics["p50_latency_ms"].n, metrics["p50_latency_ms"].unit) == (2, "ms")
    assert metrics["empty_result_rate"].direction == "lower"


def test_each_query_has_its_scores_its_status_and_what_went_wrong() -> None:
    samples = {one.id: one for one in made(results(without=["unjudged"])).samples}
    assert (samples["a"].status, (samples["a"].scores or {})["mrr"]) == ("pass", 0.5)
    assert (samples["a"].latency_ms, samples["a"].tokens, samples["a"].usd) == (12.5, 30, 0.001)
    assert (samples["b"].status, samples["b"].error) == ("error", "it broke")
    assert samples["unjudged"].error == "not in the results"
    assert samples["a"].details["hits_top_k"][1] == {
        "rank": 2, "chunk_id": "c1", "doc_id": "d1", "source_spans": [[0, 9]], "score": 1.5,
    }  # fmt: skip


def test_scored_again_it_is_the_same_run_and_later_even_where_the_clock_stands_still() -> None:
    before = made()
    found = results()
    again = measuring.scored_again(
        before, score(QUERIES[:2], found, has_store=True), found, "other.yaml", before.completed_at
    )
    for name in ("run_id", "commit", "workspace", "subject", "started_at", "kind"):
        assert getattr(again, name) == getattr(before, name)
    assert (again.suite, again.instrument["queries"]) == ("other.yaml", 2)
    assert again.completed_at == "2024-01-02T03:04:07Z"
    assert isinstance(parse(json.dumps(again.record())), Measurement)
    later = measuring.scored_again(before, score(QUERIES, found), found, "golden.yaml", "2024-01-03T00:00:00Z")
    assert later.completed_at == "2024-01-03T00:00:00Z"


def test_runs_hold_their_measurements_in_order() -> None:
    one, other = made(), made(setting=replace(SETTING, run_id="20240102-030405-ffffffff"))
    foreign = one.model_copy(update={"kind": "verifier_test"})
    assert measuring.runs([one, foreign, other, one]) == {one.run_id: [one, one], other.run_id: [other]}
