from __future__ import annotations

from math import log2

import pytest

from gitops.retrieval.measures import recall, relevance


def test_nothing_that_could_be_found_scores_zero_in_all() -> None:
    assert set((relevance([], [], []) | recall([], 0)).values()) == {0.0}


def test_a_first_relevant_one_beyond_ten_counts_in_the_average_precision_alone() -> None:
    scores = relevance([11], [1], [1])
    assert {name for name, value in scores.items() if value} == {"map"}
    assert scores["map"] == 1 / 11


@pytest.mark.parametrize(("rank", "hits"), [(1, "1 3 5 10"), (2, "3 5 10"), (4, "5 10"), (10, "10"), (11, "")])
def test_a_hit_counts_from_its_rank_on(rank: int, hits: str) -> None:
    scores = relevance([rank], [1], [1])
    assert [name.removeprefix("hit@") for name, value in scores.items() if name[:4] == "hit@" and value] == hits.split()


def test_the_gain_is_the_grade_and_is_discounted_from_the_second_rank_on() -> None:
    scores = relevance([2, 3], [1, 3], [3, 1, 2])
    ideal = 3 + 2 / log2(3) + 1 / log2(4)
    assert scores["ndcg@10"] == pytest.approx((1 / log2(3) + 3 / log2(4)) / ideal, abs=1e-12)


def test_the_ideal_of_more_than_ten_is_the_best_ten() -> None:
    assert relevance(range(1, 11), [2] * 10, [1, *[2] * 10])["ndcg@10"] == 1.0


def test_precision_is_of_k_however_few_were_retrieved() -> None:
    scores = relevance([1], [1], [1])
    assert [scores[f"precision@{k}"] for k in (1, 3, 5, 10)] == [1.0, 1 / 3, 1 / 5, 1 / 10]


def test_the_average_precision_is_of_all_relevant_ones() -> None:
    assert relevance([1, 4], [1, 1], [1, 1, 1])["map"] == (1 / 1 + 2 / 4) / 3


def test_recall_counts_documents_that_share_a_rank() -> None:
    assert list(recall([1, 1, 4, 40], 5).values()) == [2 / 5, 2 / 5, 3 / 5, 3 / 5]
