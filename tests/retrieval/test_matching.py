from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.retrieval.matching import Criterion, Gains, covered, document_ranks, gains, hit_rank
from gitops.retrieval.model import Expected, GoldenQuery, Hit, Result, Span

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)).map(lambda each: (each[0], each[0] + each[1])))
FALLBACK: Criterion = "fallback_doc_span"


def found(*hits: Hit) -> Result:
    return Result("q", hits)


def lying(rank: int, doc_id: str, *spans: Span) -> Hit:
    return Hit(rank, f"new-{rank}", doc_id, spans)


def wanting(*chunks: Expected, **documents: int) -> GoldenQuery:
    return GoldenQuery("q", "?", documents or None, chunks)


@pytest.mark.parametrize("query", [GoldenQuery("q", "?"), GoldenQuery("q", "?", should_refuse=True)])
def test_of_a_query_that_expects_nothing_there_is_nothing_to_match(query: GoldenQuery) -> None:
    assert gains(query, found(Hit(1, "a", "d"))) is None
    assert hit_rank(query, found(Hit(1, "a", "d"))) is None
    assert document_ranks(query, found(Hit(1, "a", "d"))) == []


def test_a_missing_result_finds_nothing_and_could_have_found_all() -> None:
    assert gains(wanting(Expected("a", grade=2)), None) == Gains([], [], [2])
    assert hit_rank(wanting(Expected("a")), None) is None


def test_the_right_document_is_not_the_right_chunk() -> None:
    assert hit_rank(wanting(Expected("a", "d"), d=1), found(Hit(1, "b", "d"))) is None


def test_an_expected_chunk_is_found_by_its_id_wherever_it_says_it_lies() -> None:
    query = wanting(Expected("a", "d"), Expected("b", grade=3), Expected("c"))
    assert gains(query, found(Hit(1, "x"), Hit(2, "b"), Hit(3, "a", "elsewhere"))) == Gains([2, 3], [3, 1], [1, 3, 1])


def test_a_chunk_or_document_of_grade_zero_is_not_relevant() -> None:
    assert gains(wanting(Expected("a", grade=0)), found(Hit(1, "a"))) == Gains([], [], [])
    assert gains(GoldenQuery("q", "?", {"d": 0, "e": -1}), found(Hit(1, "a", "d"))) == Gains([], [], [])


def test_a_hit_beyond_the_depth_is_none() -> None:
    query, result = wanting(Expected("a")), found(*(Hit(n, "a" if n == 11 else f"x{n}") for n in range(1, 12)))
    assert hit_rank(query, result) is None
    assert hit_rank(query, result, depth=11) == 11


def test_documents_alone_are_ranked_each_where_its_first_chunk_stands() -> None:
    query = GoldenQuery("q", "?", {"d": 2, "e": 1})
    result = found(Hit(1, "x1", "x"), Hit(2, "x2", "x"), Hit(3, "d1", "d"), Hit(4, "d2", "d"), Hit(5, "e1", "e"))
    assert gains(query, result) == Gains([2, 3], [2, 1], [2, 1])
    assert document_ranks(query, result) == [3, 5]
    assert hit_rank(query, result) == 3


def test_hits_of_no_told_document_are_of_a_document_each() -> None:
    query = GoldenQuery("q", "?", {"d": 1})
    assert gains(query, found(Hit(1, "a"), Hit(2, "b"), Hit(3, "c", "d"))) == Gains([3], [1], [1])


@pytest.mark.parametrize(
    ("span", "rank"),
    [((50, 100), 1), ((51, 100), None), ((0, 50), 1), ((0, 49), None), ((100, 900), None), ((0, 900), 1)],
)
def test_by_the_fall_back_a_hit_covers_at_least_half_of_the_expected_chunk(span: Span, rank: int | None) -> None:
    query = wanting(Expected("old", "d", ((0, 100),)))
    assert hit_rank(query, found(lying(1, "d", span)), FALLBACK) == rank


def test_by_the_fall_back_an_id_alone_or_another_document_matches_nothing() -> None:
    query = wanting(Expected("old", "d", ((0, 100),)))
    assert hit_rank(query, found(Hit(1, "old", "d")), FALLBACK) is None
    assert hit_rank(query, found(lying(1, "e", (0, 100))), FALLBACK) is None
    assert hit_rank(wanting(Expected("old", "d")), found(lying(1, "d", (0, 100))), FALLBACK) is None


def test_an_expected_chunk_of_no_told_document_lies_in_one_of_the_expected_documents() -> None:
    query = wanting(Expected("old", spans=((0, 100),)), d=1, e=0)
    assert hit_rank(query, found(lying(1, "x", (0, 100)), lying(2, "e", (0, 100))), FALLBACK) is None
    assert hit_rank(query, found(lying(1, "x", (0, 100)), lying(2, "d", (0, 100))), FALLBACK) == 2


def test_the_spans_of_a_chunk_are_taken_together() -> None:
    query = wanting(Expected("old", "d", ((0, 10), (5, 20), (80, 100))))
    assert hit_rank(query, found(lying(1, "d", (0, 19))), FALLBACK) is None
    assert hit_rank(query, found(lying(1, "d", (0, 19), (18, 20))), FALLBACK) == 1


def test_an_expected_chunk_counts_once() -> None:
    query = wanting(Expected("old", "d", ((0, 100),)))
    result = found(lying(1, "d", (0, 60)), lying(2, "d", (40, 100)))
    assert gains(query, result, FALLBACK) == Gains([1], [1], [1])


def test_a_hit_that_covers_several_takes_the_best_and_leaves_the_others() -> None:
    query = wanting(
        Expected("a", "d", ((0, 10),)), Expected("b", "d", ((10, 20),), grade=3), Expected("c", "d", ((20, 30),))
    )
    result = found(lying(1, "d", (0, 30)), lying(2, "d", (0, 6), (20, 30)), lying(3, "d", (0, 30)))
    assert gains(query, result, FALLBACK) == Gains([1, 2, 3], [3, 1, 1], [1, 3, 1])


def test_a_better_chunk_that_a_hit_does_not_cover_is_not_taken_for_the_one_that_it_does() -> None:
    query = wanting(Expected("a", "d", ((0, 10),)), Expected("b", "d", ((10, 30),), grade=3))
    assert gains(query, found(lying(1, "d", (0, 12))), FALLBACK) == Gains([1], [1], [1, 3])


def test_of_nothing_nothing_is_covered() -> None:
    assert covered([], [(0, 5)]) == covered([(0, 5)], []) == 0.0


@given(SPANS, SPANS)
def test_what_is_covered_is_counted_in_code_points(expected: list[Span], spans: list[Span]) -> None:
    wanted = {point for start, end in expected for point in range(start, end)}
    there = {point for start, end in spans for point in range(start, end)}
    assert covered(expected, spans) == (len(wanted & there) / len(wanted) if wanted else 0.0)
