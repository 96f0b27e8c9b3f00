from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.retrieval.model import Answer, Cited, Hit, Result
from gitops.retrieval.result_json import of, record, result_of
from gitops.runs.bad_input import BadInput

HIT = {"rank": 1, "chunk_id": "c", "doc_id": "d", "source_spans": [[0, 5]], "score": 0.5}


def refused(value: dict[str, Any]) -> str:
    with pytest.raises(BadInput) as caught:
        result_of(value, "r.jsonl:3")
    assert caught.value.message.startswith("r.jsonl:3: ")
    return caught.value.message


def with_hit(**changes: Any) -> dict[str, Any]:
    return {"query_id": "q", "hits_top_k": [HIT, {"rank": 2, "chunk_id": "e"} | changes]}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"hits_top_k": []}, "'query_id' is missing"),
        ({"query_id": "", "hits_top_k": []}, "'query_id' is an empty text"),
        ({"query_id": [1], "hits_top_k": []}, "'query_id' must be text, not [1]"),
        ({"query_id": True, "hits_top_k": []}, "'query_id' must be text, not true"),
        ({"query_id": "q"}, "it tells no 'hits_top_k', no 'answer' and no 'error'"),
        ({"query_id": "q", "hits": [HIT]}, "it tells no 'hits_top_k'"),
        ({"query_id": "q", "hits_top_k": {}}, "'hits_top_k' must be a list, not {}"),
        ({"query_id": "q", "hits_top_k": ["c"]}, "hit 1: an object is wanted, not 'c'"),
        (with_hit(chunk_id=None), "hit 2: 'chunk_id' is missing"),
        (with_hit(chunk_id=" "), "hit 2: 'chunk_id' is an empty text"),
        (with_hit(doc_id=1.5), "hit 2: 'doc_id' must be text, not 1.5"),
        (with_hit(rank=0), "hit 2: 'rank' must be a whole number from 1, not 0"),
        (with_hit(rank="1"), "hit 2: 'rank' must be a whole number from 1, not '1'"),
        (with_hit(rank=True), "hit 2: 'rank' must be a whole number from 1, not true"),
        (with_hit(rank=None), "1 of 2 hits have a rank: all must, or none"),
        (with_hit(score="high"), "hit 2: 'score' must be a finite number, not 'high'"),
        (with_hit(score=float("inf")), "hit 2: 'score' must be a finite number, not inf"),
        (with_hit(score=10**400), "hit 2: 'score' is beyond any number"),
        (with_hit(source_spans=[[3, 3]]), "hit 2: the span [3, 3] is empty"),
        (with_hit(spans=[[5, 3]]), "hit 2: the span [5, 3] is reversed"),
        (with_hit(spans=[[-5, 3]]), "hit 2: the span [-5, 3] begins before 0"),
        (with_hit(spans=[[0, 3, 4]]), "hit 2: a span is two whole numbers, [start, end], not [0, 3, 4]"),
        (with_hit(spans=[[0, 3.0]]), "hit 2: a span is two whole numbers"),
        (with_hit(spans=[{"start": 0, "end": 3}]), "hit 2: a span is two whole numbers"),
        (with_hit(spans="0-3"), "hit 2: 'source_spans' must be a list of [start, end], not '0-3'"),
        ({"query_id": "q", "answer": ["Yes."]}, "'answer' must be an object, a text or null, not ['Yes.']"),
        ({"query_id": "q", "answer": {"grounded": True}}, "'answer' has no 'text'"),
        ({"query_id": "q", "answer": {"text": 1}}, "'text' must be text, not 1"),
        ({"query_id": "q", "answer": {"text": "a", "grounded": "yes"}}, "'grounded' must be true or false, not 'yes'"),
        ({"query_id": "q", "answer": {"text": "a", "citations": "c"}}, "'citations' must be a list"),
        ({"query_id": "q", "answer": {"text": "a", "citations": [1]}}, "a citation must be a chunk's id or an object"),
        ({"query_id": "q", "answer": {"text": "a", "citations": [{"page": 1}]}}, "a citation names neither"),
        ({"query_id": "q", "answer": {"text": "a", "citations": [""]}}, "'citation' is an empty text"),
        ({"query_id": "q", "error": {"code": 5}}, "'error' must be text, not {'code': 5}"),
        ({"query_id": "q", "error": "x", "latency_ms": -1}, "'latency_ms' must not be below 0, and is -1"),
        ({"query_id": "q", "error": "x", "tokens": 10**400}, "'tokens' is beyond any number"),
        ({"query_id": "q", "error": "x", "tokens": 1.5}, "'tokens' must be a whole number from 0, not 1.5"),
        ({"query_id": "q", "error": "x", "usd": "1"}, "'usd' must be a finite number, not '1'"),
        ({"query_id": "q", "error": "x", "usd": {"a": "b" * 100}}, "…"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_where_it_stands(value: dict[str, Any], said: str) -> None:
    assert said in refused(value)


def test_a_result_has_all_that_its_line_tells_and_another_systems_fields_are_overlooked() -> None:
    value: dict[str, Any] = {
        "query_id": 7,
        "hits_top_k": [HIT | {"snippet": "…"}],
        "answer": {
            "text": "Twelve.",
            "citations": [
                "c",
                {"chunk_id": "c", "marker": "[#1]"},
                {"citation": "c"},
                {"citation": {"doc_id": "d", "spans": [[1, 2]]}},
            ],
            "grounded": True,
        },
        "latency_ms": 12,
        "tokens": 30,
        "usd": 0.01,
        "trace": {"any": "thing"},
    }
    cited = (Cited("c"), Cited("c"), Cited("c"), Cited(doc_id="d", spans=((1, 2),)))
    assert result_of(value, "x") == Result(
        "7", (Hit(1, "c", "d", ((0, 5),), 0.5),), Answer("Twelve.", cited, True), "", 12.0, 30, 0.01
    )


def test_nulls_are_as_good_as_left_out() -> None:
    value: dict[str, Any] = {
        "query_id": "q",
        "hits_top_k": [],
        "answer": None,
        "error": None,
        "latency_ms": None,
        "tokens": None,
    }
    assert result_of(value, "x") == Result("q")


def test_a_document_without_a_chunk_id_is_a_chunk_of_itself() -> None:
    found = result_of({"query_id": "q", "hits_top_k": [{"doc_id": "d"}]}, "x")
    assert found.hits == (Hit(1, "d", "d"),)


def test_hits_are_ordered_by_rank_then_score_then_chunk_and_named_once() -> None:
    hits = [
        {"rank": 2, "chunk_id": "b", "score": 1},
        {"rank": 2, "chunk_id": "a", "score": 1},
        {"rank": 2, "chunk_id": "z", "score": 0.5},
        {"rank": 9, "chunk_id": "b"},
        {"rank": 1, "chunk_id": "c"},
    ]
    found = result_of({"query_id": "q", "hits_top_k": hits}, "x")
    assert [(hit.rank, hit.chunk_id) for hit in found.hits] == [(1, "c"), (2, "b"), (3, "a"), (4, "z")]
    assert found.duplicates == 1


def test_hits_without_a_rank_stand_in_their_order() -> None:
    hits = [{"chunk_id": "a", "score": 0.1}, {"chunk_id": "b", "score": 0.9}]
    found = result_of({"query_id": "q", "hits_top_k": hits}, "x")
    assert [(hit.rank, hit.chunk_id) for hit in found.hits] == [(1, "a"), (2, "b")]


def test_ids_are_in_form_c_so_that_two_spellings_are_one_chunk() -> None:
    hits = [{"chunk_id": "é"}, {"chunk_id": "e\u0301"}]
    found = result_of({"query_id": "e\u0301", "hits_top_k": hits}, "x")
    assert (found.query_id, found.hits, found.duplicates) == ("é", (Hit(1, "é"),), 1)


def test_half_of_a_surrogate_pair_is_replaced_for_nothing_could_store_it() -> None:
    value = json.loads('{"query_id": "a\\ud83d", "answer": {"text": "cut \\ud83d", "citations": ["\\ude00"]}}')
    found = result_of(value, "x")
    assert found == Result("a\ufffd", answer=Answer("cut \ufffd", (Cited("\ufffd"),)))


def test_a_system_has_no_say_in_whether_its_citations_resolve_but_a_record_has() -> None:
    value = {"query_id": "q", "answer": {"text": "a", "citations": [{"chunk_id": "c", "resolves": True}, "d"]}}
    mine, kept = result_of(value, "x").answer, of(value).answer
    assert mine is not None
    assert kept is not None
    assert [one.resolves for one in mine.citations] == [None, None]
    assert [one.resolves for one in kept.citations] == [True, None]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"duplicates": -1}, "'duplicates' must be a whole number from 0"),
        (
            {"answer": {"text": "a", "citations": [{"chunk_id": "c", "resolves": 1}]}},
            "'resolves' must be true or false",
        ),
        ({"hits_top_k": 3}, "'hits_top_k' must be a list"),
    ],
)
def test_a_record_that_is_none_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        of({"query_id": "q", "error": "e"} | changes, "run 1")


def test_duplicates_that_were_counted_before_and_those_that_are_still_there_are_added_up() -> None:
    assert of({"query_id": "q", "hits_top_k": [{"chunk_id": "c"}, {"chunk_id": "c"}], "duplicates": 2}).duplicates == 3


def test_what_is_empty_is_left_out_of_a_record() -> None:
    assert record(Result("q", (Hit(1, "c"),))) == {"query_id": "q", "hits_top_k": [{"rank": 1, "chunk_id": "c"}]}


IDS = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFF), min_size=1).filter(str.strip)
MAYBE_IDS = st.just("") | IDS
SPANS = st.lists(st.tuples(st.integers(0, 99), st.integers(1, 99)).map(lambda one: (one[0], sum(one))), max_size=2).map(
    tuple
)
AMOUNTS = st.none() | st.floats(0, 1e9)
HITS = st.lists(
    st.builds(Hit, st.just(0), IDS, MAYBE_IDS, SPANS, st.none() | st.floats(allow_nan=False, allow_infinity=False)),
    max_size=4,
    unique_by=lambda hit: hit.chunk_id,
).map(lambda hits: tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)))
CITED = st.builds(Cited, IDS, MAYBE_IDS, SPANS, st.none() | st.booleans())
ANSWERS = st.builds(
    Answer,
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(CITED, max_size=3).map(tuple),
    st.none() | st.booleans(),
)
RESULTS = st.builds(
    Result,
    IDS,
    HITS,
    st.none() | ANSWERS,
    st.text(st.characters(exclude_categories=["Cs"])),
    AMOUNTS,
    st.none() | st.integers(0, 9),
    AMOUNTS,
    st.integers(0, 3),
)


@settings(deadline=None)
@given(RESULTS)
def test_a_result_that_is_kept_comes_back_equal(result: Result) -> None:
    assert of(json.loads(json.dumps(record(result)))) == result


def test_an_answer_may_be_its_text_alone() -> None:
    for read in (result_of, of):
        assert read({"query_id": "q", "answer": "Yes. \ud83d"}, "x").answer == Answer("Yes. \ufffd")
