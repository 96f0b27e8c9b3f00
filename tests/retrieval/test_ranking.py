from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.retrieval.model import Hit
from gitops.retrieval.ranking import ordered, trec_order, trec_ranks

SCORES = st.sampled_from(
    [0.0, -0.0, 1.0, 1.0 + 2**-30, 1.5, -2.0, 1e300, 2e300, -1e300, inf, -inf, 16777216.0, 16777217.0]
)
RANKINGS = st.dictionaries(st.text(alphabet="aé漢\U0001f600", min_size=1, max_size=3), SCORES, max_size=12)


def ids(*hits: Hit) -> list[str]:
    return [hit.chunk_id for hit in ordered(hits)[0]]


@pytest.mark.parametrize("function", [trec_order, lambda scores: trec_ranks(scores, {"b"})])
def test_a_score_that_is_not_a_number_has_no_place(function: object) -> None:
    assert callable(function)
    with pytest.raises(ValueError, match="not a number"):
        function({"a": inf, "b": nan, "c": 1.0})


def test_a_ranking_goes_by_score_and_equal_scores_by_the_higher_id() -> None:
    assert trec_order({"a": 1.0, "b": 2.0, "c": 1.0}) == ["b", "c", "a"]


def test_scores_that_differ_in_double_precision_alone_are_equal() -> None:
    assert trec_order({"a": 1.0 + 2**-30, "b": 1.0}) == ["b", "a"]
    assert trec_order({"a": 1.0 + 2**-20, "b": 1.0}) == ["a", "b"]


def test_scores_beyond_single_precision_are_infinite_and_both_infinities_are_scores() -> None:
    assert trec_order({"a": 1e300, "b": inf, "c": -inf, "d": 0.0}) == ["b", "a", "d", "c"]


def test_ids_of_other_scripts_are_ordered_by_code_point_as_their_bytes_are() -> None:
    names = ["z", "é", "漢", "\uffee", "\U0001f600"]
    assert trec_order(dict.fromkeys(names, 1.0)) == sorted(names, key=str.encode, reverse=True)


NEAR = [
    1e-46,
    1e-45,
    1e-38,
    1.1e-38,
    3.4028235e38,
    3.40282355e38,
    3.5e38,
    1.0 - 2**-24,
    1.0 + 2**-24,
    1.0 + 2**-23,
    -1.0,
]


@pytest.mark.parametrize("first", [*NEAR, *(-score for score in NEAR)])
def test_scores_near_one_another_or_an_end_are_ranked_as_in_the_whole_order(first: float) -> None:
    for second in (*NEAR, inf, -inf, 1e300, 0.0, 0.5 * first, first * (1 + 2**-24), first * (1 - 2**-22)):
        scores = {"a": first, "b": second, "c": first, "d": 0.25}
        for wanted in ({"a"}, {"b"}, {"a", "b"}):
            expected = [(rank, name) for rank, name in enumerate(trec_order(scores), 1) if name in wanted]
            assert trec_ranks(scores, wanted) == expected


@given(RANKINGS, st.data())
def test_the_ranks_of_a_few_are_those_of_the_whole_order(scores: dict[str, float], data: st.DataObject) -> None:
    wanted = data.draw(st.sets(st.sampled_from(sorted(scores)))) if scores else set()
    expected = [(rank, name) for rank, name in enumerate(trec_order(scores), 1) if name in wanted]
    assert trec_ranks(scores, wanted) == expected


def test_hits_go_by_rank_then_the_better_score_then_the_higher_id() -> None:
    hits = Hit(3, "late"), Hit(1, "a", score=0.5), Hit(1, "b", score=0.5), Hit(1, "untold"), Hit(1, "best", score=9.0)
    assert ids(*hits) == ["best", "b", "a", "untold", "late"]


def test_hits_that_tell_no_rank_are_in_order_whatever_their_scores() -> None:
    found, left_out = ordered([Hit(0, "a", score=1.0), Hit(0, "z", score=2.0)])
    assert [(hit.rank, hit.chunk_id) for hit in found] == [(1, "a"), (2, "z")]
    assert left_out == 0


def test_of_a_chunk_named_twice_the_first_place_counts_and_what_follows_moves_up() -> None:
    found, left_out = ordered([Hit(1, "a", score=3.0), Hit(2, "b"), Hit(3, "a", score=9.0), Hit(7, "c")])
    assert [(hit.rank, hit.chunk_id, hit.score) for hit in found] == [(1, "a", 3.0), (2, "b", None), (3, "c", None)]
    assert left_out == 1


def test_nothing_found_is_in_order() -> None:
    assert ordered([]) == ((), 0)


@given(st.lists(st.builds(Hit, st.integers(1, 5), st.sampled_from("abcde"), score=st.sampled_from([None, 0.5, 1.0]))))
def test_order_does_not_depend_on_the_order_of_the_file(hits: list[Hit]) -> None:
    found, left_out = ordered(hits)
    assert [hit.rank for hit in found] == list(range(1, len(found) + 1))
    assert len(found) + left_out == len(hits)
    assert ids(*reversed(hits)) == [hit.chunk_id for hit in found]
    assert ordered(found) == (found, 0)
