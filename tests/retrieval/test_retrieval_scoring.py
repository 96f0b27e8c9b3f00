from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.retrieval import metrics
from gitops.retrieval.aggregate import Aggregate
from gitops.retrieval.model import Answer, Cited, Expected, GoldenQuery, Hit, Result, Results
from gitops.retrieval.scoring import Scored, score


def wanting(name: str, documents: Sequence[str] = ("d",)) -> GoldenQuery:
    return GoldenQuery(name, f"{name}?", dict.fromkeys(documents, 1), (Expected("right", "d"),))


def at(name: str, rank: int | None, of: int = 10) -> Result:
    """A result whose right chunk stands at that rank, or nowhere."""
    return Result(
        name, tuple(Hit(each, "right" if each == rank else f"x{each}", f"d{each}") for each in range(1, of + 1))
    )


def results(*rows: Result) -> Results:
    return Results("results.jsonl", {row.query_id: row for row in rows})


def answered(name: str, answer: Answer | None, hits: int = 1) -> Result:
    return replace(at(name, 1, hits), answer=answer)


THREE = [wanting("one"), wanting("four"), wanting("miss")]
RANKS = results(at("one", 1), at("four", 4), at("miss", None))


def aggregate(golden: Sequence[GoldenQuery], *rows: Result) -> Aggregate:
    return score(golden, results(*rows)).aggregate


# kebab p5-2, test plan


def test_hits_at_ranks_one_and_four_and_a_miss() -> None:
    assert score(THREE, RANKS).aggregate.hit_at_k == {1: 0.3333, 3: 0.3333, 5: 0.6667, 10: 0.6667}


def test_the_reciprocal_ranks_of_one_and_four_and_a_miss() -> None:
    assert score(THREE, RANKS).aggregate.mrr == 0.4167  # (1 + 1/4 + 0) / 3, rounded


def test_the_share_of_expected_documents_among_the_first_hits() -> None:
    golden = [wanting("a", ("d1", "d4", "d9", "elsewhere")), wanting("b", ("d2",))]
    found = aggregate(golden, at("a", None), at("b", None)).recall_at_k_doc
    assert found == {1: 0.125, 3: 0.625, 5: 0.75, 10: 0.875}


def test_a_broken_citation_leaves_no_coverage() -> None:
    broken = Answer("x", (Cited("right", resolves=True), Cited("gone", resolves=False)), grounded=True)
    assert aggregate([wanting("a")], answered("a", broken)).citation_coverage == 0.0


def test_a_forbidden_phrase_leaves_no_groundedness() -> None:
    golden = [replace(wanting("a"), must_contain=("93",), forbidden=("100",))]
    assert aggregate(golden, answered("a", Answer("93, never 100"))).groundedness == 0.0
    assert aggregate(golden, answered("a", Answer("93"))).groundedness == 1.0


def test_all_that_should_be_refused_was() -> None:
    golden = [GoldenQuery(name, "?", should_refuse=True) for name in "ab"]
    refusal = Answer("I do not know", grounded=False)
    assert aggregate(golden, answered("a", refusal), answered("b", refusal)).refusal_correctness == 1.0
    assert aggregate(golden, answered("a", refusal), answered("b", Answer("x", (), True))).refusal_correctness == 0.5


def test_what_has_no_denominator_is_null() -> None:
    record = score([GoldenQuery("u", "?")], results(Result("u"))).aggregate.record()
    told = json.loads(json.dumps(record, allow_nan=False))
    numbers = {name: number for name, number in told.items() if not name.endswith(("queries", "hits", "at_k", "k_doc"))}
    assert numbers.pop("empty_result_rate") == 1.0
    assert set(numbers.values()) == {None}
    assert set(told["hit_at_k"].values()) == {None}


def test_scored_twice_it_is_the_same() -> None:
    assert score(THREE, RANKS) == score(THREE, RANKS)


def test_numbers_are_stored_with_four_places_and_those_of_queries_with_six() -> None:
    scored = score(THREE, results(at("one", 3), at("four", 3), at("miss", None)))
    assert scored.aggregate.mrr == 0.2222
    assert scored.figures["mrr"].value == 0.222222
    assert scored.queries[0].scores["mrr"] == 0.333333


# what is refused


def test_results_of_other_queries_alone_are_an_error() -> None:
    stranger = at("other", 1)
    with pytest.raises(UsageError, match=r"results\.jsonl: no query .* 'other', the golden queries have 'one'"):
        score(THREE, results(stranger))
    with pytest.raises(UsageError, match=r"results\.jsonl:7: no query"):
        score(THREE, results(replace(stranger, line=7)))


def test_neither_a_result_nor_a_header_is_an_error() -> None:
    with pytest.raises(UsageError, match="it holds no result"):
        score(THREE, replace(results(), has_header=False))


def test_no_golden_query_is_an_error() -> None:
    with pytest.raises(UsageError, match="no golden query"):
        score([], RANKS)


def test_a_quotation_that_nobody_looked_up_is_an_error() -> None:
    golden = [GoldenQuery("one", "?", None, (Expected(doc_id="d", quote="93 degrees", line=12),))]
    with pytest.raises(UsageError, match="line 12 of the golden file") as caught:
        score(golden, RANKS)
    assert "--chunks" in caught.value.hint


@pytest.mark.parametrize("place", [{"chunk_id": "right"}, {"spans": ((0, 9),)}])
def test_a_quotation_that_was_looked_up_is_none(place: dict[str, Any]) -> None:
    golden = [GoldenQuery("one", "?", None, (Expected(doc_id="d", quote="93 degrees", **place),))]
    assert score(golden, RANKS).aggregate.total_queries == 1


# what counts, and where


def test_of_an_empty_run_every_query_is_missing_and_scores_0() -> None:
    scored = score(THREE, results())
    assert (scored.aggregate.mrr, scored.aggregate.metric("hit@10"), scored.aggregate.metric("empty_result_rate")) == (
        0.0,
        0.0,
        1.0,
    )
    assert scored.aggregate.missing_queries == scored.aggregate.total_queries == 3
    assert any("that the results lack" in told for told in scored.remarks)
    assert {each.status for each in scored.queries} == {"fail"}


def test_a_golden_query_that_is_missing_pulls_the_mean_down() -> None:
    scored = score(THREE, results(at("one", 1)))
    assert (scored.aggregate.mrr, scored.aggregate.missing_queries) == (0.3333, 2)
    assert scored.aggregate.empty_result_rate == 0.6667
    assert scored.figures["groundedness"].n == 0


def test_a_result_that_is_not_asked_for_is_left_out() -> None:
    with_stranger = replace(RANKS, by_query={**RANKS.by_query, "z": at("z", 1)})
    scored = score(THREE, with_stranger)
    assert scored.aggregate == replace(score(THREE, RANKS).aggregate, unknown_queries=1)


def test_an_unjudged_query_counts_in_what_was_found_alone() -> None:
    scored = score([*THREE, GoldenQuery("u", "?")], replace(RANKS, by_query={**RANKS.by_query, "u": Result("u")}))
    assert (scored.aggregate.mrr, scored.aggregate.unjudged_queries, scored.aggregate.total_queries) == (0.4167, 1, 4)
    assert scored.aggregate.empty_result_rate == 0.25


def test_errors_are_counted_and_find_nothing() -> None:
    found = aggregate(THREE, at("one", 1), Result("four", error="timed out"), at("miss", None))
    assert (found.failed_queries, found.mrr, found.empty_result_rate) == (1, 0.3333, 0.3333)


def test_refusals_that_are_due_and_those_that_are_too_much() -> None:
    golden = [wanting("a"), wanting("b"), GoldenQuery("r", "?", should_refuse=True)]
    refusal = Answer("I do not know", grounded=False)
    found = aggregate(golden, answered("a", refusal), answered("b", Answer("x", (), True)), answered("r", refusal))
    assert (found.over_refusal, found.refusal_correctness) == (0.5, 1.0)


def test_a_system_without_answers_has_refused_nothing_and_that_is_told() -> None:
    """The denominator of kebab p5-2 is the queries that should be refused, whatever the system is."""
    golden = [wanting("a"), GoldenQuery("r", "?", should_refuse=True)]
    scored = score(golden, results(at("a", 1), at("r", None)))
    found = scored.aggregate
    assert (found.refusal_correctness, found.over_refusal, found.groundedness) == (0.0, None, None)
    assert "no result has an answer, and so no query that should be refused was: 1 (r)" in scored.remarks


def test_citations_count_where_they_were_looked_up() -> None:
    silent = results(answered("one", Answer("x", grounded=True)))
    assert score(THREE[:1], silent).aggregate.citation_coverage is None
    assert score(THREE[:1], silent, has_store=True).aggregate.citation_coverage == 1.0
    looked_up = results(answered("one", Answer("x", (Cited("right", resolves=True),), grounded=True)))
    assert score(THREE[:1], looked_up).aggregate.citation_coverage == 1.0
    assert score(THREE[:1], looked_up, has_store=False).aggregate.citation_coverage is None


def test_latency_and_tokens_are_of_the_results_that_tell_them() -> None:
    rows = [
        replace(at("one", 1), latency_ms=10.0, tokens=100),
        replace(at("four", 4), latency_ms=20.0),
        at("miss", None),
    ]
    found = aggregate(THREE, *rows)
    assert (found.p50_latency_ms, found.p95_latency_ms, found.tokens) == (15.0, 19.5, 100.0)


def test_across_chunkers_the_place_counts_and_not_the_id() -> None:
    golden = [GoldenQuery("q", "?", {"d": 1}, (Expected("old", "d", ((0, 100),)),))]
    found = results(Result("q", (Hit(1, "old", "e"), Hit(2, "new", "d", ((40, 140),)))))
    assert score(golden, found).aggregate.mrr == 1.0
    scored = score(golden, found, "fallback_doc_span")
    assert (scored.aggregate.mrr, scored.criterion) == (0.5, "fallback_doc_span")


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[GoldenQuery], Results]:
    """Golden queries of every kind, and results of every kind for some of them."""
    grades = st.dictionaries(st.sampled_from("de"), st.integers(0, 3)) | st.none()
    chunks = st.lists(st.builds(Expected, st.sampled_from("abc"), grade=st.integers(1, 3)), unique_by=str).map(tuple)
    golden = [
        GoldenQuery(
            str(at), "?", draw(grades), draw(chunks | st.none()), must_contain=draw(st.sampled_from([(), ("x",)]))
        )
        if draw(st.booleans())
        else GoldenQuery(str(at), "?", should_refuse=draw(st.booleans()))
        for at in range(draw(st.integers(1, 5)))
    ]
    names = st.lists(st.sampled_from("abcf"), unique=True)
    hit = st.sampled_from(["d", "e", "f", ""])
    cited = st.builds(Cited, st.just("a"), resolves=st.booleans() | st.none())
    answer = st.builds(Answer, st.sampled_from("xy"), st.lists(cited, max_size=2).map(tuple), st.booleans() | st.none())
    rows = {}
    for name in ["0", *draw(st.lists(st.sampled_from("1234z"), unique=True))]:
        hits = tuple(Hit(rank, each, draw(hit)) for rank, each in enumerate(draw(names), 1))
        told = draw(answer | st.none()), draw(st.sampled_from(["", "", "failed"])), draw(st.floats(0, 1e4) | st.none())
        rows[name] = Result(name, hits, *told, tokens=draw(st.integers(0, 999) | st.none()))
    return golden, Results("r", rows)


@pytest.mark.slow
@given(runs())
def test_the_mean_of_the_scores_that_are_there_is_the_metric(run: tuple[list[GoldenQuery], Results]) -> None:
    scored = score(*run)
    for name in metrics.NAMES:
        if metrics.unit(name) == "ms":
            continue
        values = [each.scores[name] for each in scored.queries if name in each.scores]
        figure = scored.figures[name]
        assert figure.n == len(values)
        if not values:
            assert figure.value is scored.aggregate.metric(name) is None
            continue
        assert figure.value == pytest.approx(fsum(values) / len(values), abs=1e-6)
        assert scored.aggregate.metric(name) == pytest.approx(figure.value, abs=5.1e-5)
        if metrics.unit(name) == "share":
            assert all(0 <= value <= 1 for value in values)
            assert figure.interval is not None
            assert figure.value is not None
            assert figure.interval[0] <= figure.value <= figure.interval[1]


@pytest.mark.slow
@given(runs(), st.randoms(use_true_random=False))
def test_the_order_of_queries_and_results_changes_no_number(
    run: tuple[list[GoldenQuery], Results], random: Random
) -> None:
    golden, found = run
    mixed = [*found.by_query.items()]
    random.shuffle(mixed)
    other = score(golden[::-1], replace(found, by_query=dict(mixed)))
    one = score(golden, found)
    assert (other.aggregate, other.figures) == (one.aggregate, one.figures)
    assert named(other) == named(one)


def named(scored: Scored) -> dict[str, object]:
    return {each.query.query_id: each for each in scored.queries}
