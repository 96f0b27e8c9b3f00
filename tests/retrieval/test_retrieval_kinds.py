from __future__ import annotations

from dataclasses import replace

import pytest

from gitops.retrieval.kinds import NO_SPAN, Kind, QueryComparison, compared_queries, differing, kind_of
from gitops.retrieval.matching import Criterion
from gitops.retrieval.model import Answer, Expected, GoldenQuery, Hit, Result, Results, Versions
from gitops.retrieval.scoring import score


def results(*found: Result, versions: Versions | None = None) -> Results:
    return Results("run", {one.query_id: one for one in found}, versions or Versions())


def ranked(query_id: str, *chunks: str) -> Result:
    return Result(query_id, tuple(Hit(rank, chunk, f"{chunk}.md") for rank, chunk in enumerate(chunks, 1)))


def at(query_id: str, rank: int | None, expected: str = "x") -> Result:
    """The expected chunk at a rank among others, or nowhere."""
    chunks = [f"other{number}" for number in range(12)]
    if rank is not None:
        chunks[rank - 1] = expected
    return ranked(query_id, *chunks)


def query(query_id: str = "q", **expected: object) -> GoldenQuery:
    known = expected or {"chunks": (Expected("x"),)}
    return GoldenQuery(query_id, f"what of {query_id}?", **known)  # type: ignore[arg-type]


def one(golden: GoldenQuery, a: Results, b: Results, criterion: Criterion = "exact") -> QueryComparison:
    [made] = every([golden], a, b, criterion)
    return made


def every(golden: list[GoldenQuery], a: Results, b: Results, criterion: Criterion = "exact") -> list[QueryComparison]:
    """Two runs compared, which besides know a query that nobody asks of them here."""
    known = [*golden, GoldenQuery("known", "what else?")]
    first, second = (score(known, with_known(one), criterion) for one in (a, b))
    return list(compared_queries(first, second, "; ".join(differing(a.versions, b.versions))))[:-1]


def with_known(run: Results) -> Results:
    return replace(run, by_query={**run.by_query, "known": Result("known")})


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (None, None, "Draw"),
        (None, 10, "Win"),
        (None, 1, "Win"),
        (10, None, "Regression"),
        (1, None, "Regression"),
        (4, 1, "Win"),
        (1, 4, "Loss"),
        (9, 10, "Loss"),
        (3, 3, "Draw"),
    ],
)
def test_hit_ranks_make_a_kind(a: int | None, b: int | None, kind: Kind) -> None:
    made = one(query(), results(at("q", a)), results(at("q", b)))
    assert (made.kind, made.a_hit_rank, made.b_hit_rank) == (kind, a, b)


def test_the_fall_back_calls_a_regression_a_loss_and_nothing_else_otherwise() -> None:
    ranks = [None, 1, 4, 10]
    changed = {(a, b) for a in ranks for b in ranks if kind_of(a, b) != kind_of(a, b, "fallback_doc_span")}
    assert changed == {(1, None), (4, None), (10, None)}
    assert kind_of(4, None, "fallback_doc_span") == "Loss"


def test_what_stands_at_rank_eleven_is_not_found() -> None:
    made = one(query(), results(at("q", 11)), results(at("q", 10)))
    assert (made.kind, made.a_hit_rank, made.b_hit_rank) == ("Win", None, 10)


def test_turned_round_a_ranking_loses_by_where_the_expected_comes_to_stand() -> None:
    chunks = ["x", "b", "c", "d"]
    made = one(query(), results(ranked("q", *chunks)), results(ranked("q", *reversed(chunks))))
    assert (made.kind, made.a_hit_rank, made.b_hit_rank) == ("Loss", 1, 4)


def test_of_several_expected_chunks_the_first_found_counts() -> None:
    golden = query(chunks=(Expected("x"), Expected("y")))
    made = one(golden, results(ranked("q", "x", "y")), results(ranked("q", "z", "y")))
    assert (made.kind, made.a_hit_rank, made.b_hit_rank) == ("Loss", 1, 2)


def test_a_query_missing_from_one_run_is_not_found_there() -> None:
    made = one(query(), results(at("q", 2)), results())
    assert (made.kind, made.b_hit_rank, made.note) == ("Regression", None, "not in the results of B")
    assert one(query(), results(), results(at("q", 2))).kind == "Win"
    assert one(query(), results(), results()).note == "not in the results of either"


def test_an_error_is_told() -> None:
    failed = results(Result("q", error="timed out"))
    made = one(query(), results(at("q", 1)), failed)
    assert (made.kind, made.note) == ("Regression", "B failed: timed out")


def test_versions_that_differ_are_told_but_for_a_draw() -> None:
    before = results(at("q", 2), versions=Versions("1", "e5", "p1", "m"))
    after = results(at("q", 1), versions=Versions("1", "e5-large", "", "m"))
    assert one(query(), before, after).note == "embedding e5 → e5-large; prompt p1 → unknown"
    assert one(query(), before, results(at("q", 2), versions=after.versions)).note == ""


def test_every_version_has_its_word() -> None:
    found = list(differing(Versions("1", "e", "p", "m", {"top": 5}), Versions("2", "f", "q", "n", {"top": 6})))
    assert found == ["chunker 1 → 2", "embedding e → f", "prompt p → q", "model m → n"]


def test_documents_alone_are_compared_by_the_first_expected_one() -> None:
    golden = query(doc_ids={"x.md": 1, "y.md": 1, "bad.md": 0})
    made = one(golden, results(ranked("q", "bad", "y", "x")), results(ranked("q", "x")))
    assert (made.kind, made.a_hit_rank, made.b_hit_rank, made.note) == ("Win", 2, 1, "by documents")


def test_a_topic_without_a_relevant_document_is_a_draw() -> None:
    golden = query(doc_ids={}, chunks=())
    assert one(golden, results(ranked("q", "x")), results()).kind == "Draw"


def test_an_unjudged_query_is_a_draw_that_says_so() -> None:
    golden = GoldenQuery("q", "what?")
    made = one(golden, results(ranked("q", "x")), results(ranked("q", "y")))
    assert (made.kind, made.note) == ("Draw", "nothing is said of what should be found")


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        (False, True, "A refused it, B did not"),
        (None, False, "B refused it, A did not"),
        (False, False, ""),
        (True, True, ""),
    ],
)
def test_a_query_to_be_refused_is_a_draw_and_says_who_did(a: bool | None, b: bool | None, note: str) -> None:
    first, second = (results(Result("q", answer=Answer("so", grounded=grounded))) for grounded in (a, b))
    made = one(query(should_refuse=True), first, second)
    assert (made.kind, made.a_hit_rank, made.b_hit_rank, made.note) == ("Draw", None, None, note)


def test_an_expected_chunk_without_a_span_cannot_be_matched_in_the_fall_back() -> None:
    made = one(query(), results(at("q", 1)), results(at("q", 1)), "fallback_doc_span")
    assert (made.kind, made.a_hit_rank, made.note) == ("Draw", None, NO_SPAN)


def test_half_of_the_expected_span_is_a_hit_and_less_is_none() -> None:
    golden = query(chunks=(Expected("x", "a.md", ((0, 100),)),))
    half = results(Result("q", (Hit(1, "new", "a.md", ((50, 400),)),)))
    less = results(Result("q", (Hit(1, "new", "a.md", ((51, 400),)),)))
    made = one(golden, half, less, "fallback_doc_span")
    assert (made.kind, made.a_hit_rank, made.b_hit_rank) == ("Loss", 1, None)


def test_the_order_is_that_of_the_golden_file() -> None:
    golden = [query("q2"), query("q1"), query("q3")]
    found = every(golden, results(at("q1", 1)), results(at("q3", 1)))
    assert [(each.query_id, each.kind) for each in found] == [("q2", "Draw"), ("q1", "Regression"), ("q3", "Win")]


def test_a_record_has_null_for_what_there_is_not() -> None:
    made = one(query(), results(at("q", 1)), results(at("q", None))).record()
    assert made == {
        "query_id": "q",
        "query": "what of q?",
        "kind": "Regression",
        "a_hit_rank": 1,
        "b_hit_rank": None,
        "note": None,
    }
