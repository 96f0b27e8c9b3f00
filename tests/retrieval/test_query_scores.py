from __future__ import annotations

import pytest

from gitops.retrieval.model import Answer, Expected, GoldenQuery, Hit, Result
from gitops.retrieval.query_scores import NOT_THERE, OF_CHUNKS, QueryScore, Terms, score_query

WANTED = GoldenQuery("q", "?", {"d": 1}, (Expected("a", "d"),))
REFUSE = GoldenQuery("q", "?", should_refuse=True)
REFUSAL = Answer("I do not know", grounded=False)


def scored(query: GoldenQuery, result: Result | None, *, has_store: bool = False) -> QueryScore:
    return score_query(query, result, Terms("exact", has_store))


def test_a_missing_result_scores_zero_in_what_applies_and_in_nothing_else() -> None:
    one = scored(WANTED, None, has_store=True)
    scores = dict(one.scores)
    assert scores.pop("empty_result_rate") == 1.0
    assert set(scores.values()) == {0.0}
    assert {name.partition("@")[0] for name in scores} == {"hit", "mrr", "recall", "ndcg", "map", "precision"}
    assert (one.status, one.hit_rank, one.error) == ("fail", None, NOT_THERE)


def test_a_missing_refusal_is_none() -> None:
    assert scored(REFUSE, None).scores == {"empty_result_rate": 1.0, "refusal_correctness": 0.0}


def test_a_failed_query_is_scored_by_its_hits_and_not_by_its_answer() -> None:
    one = scored(WANTED, Result("q", (Hit(1, "a", "d"),), Answer("x", grounded=True), "out of memory"), has_store=True)
    assert (one.status, one.error, one.hit_rank, one.scores["mrr"]) == ("error", "out of memory", 1, 1.0)
    assert not {"groundedness", "citation_coverage", "over_refusal"} & one.scores.keys()


def test_a_failed_refusal_is_none() -> None:
    one = scored(REFUSE, Result("q", (), REFUSAL, "timed out"))
    assert (one.status, one.scores["refusal_correctness"]) == ("error", 0.0)


def test_what_nobody_can_judge_is_skipped() -> None:
    one = scored(GoldenQuery("q", "?"), Result("q", (Hit(1, "a", "d"),)))
    assert (one.status, one.scores) == ("skipped", {"empty_result_rate": 0.0})
    assert scored(GoldenQuery("q", "?"), None).status == "skipped"
    assert scored(GoldenQuery("q", "?"), Result("q", error="timed out")).status == "error"


def test_a_system_that_only_retrieves_has_not_refused() -> None:
    one = scored(REFUSE, Result("q", (Hit(1, "a", "d"),)))
    assert (one.status, one.scores) == ("fail", {"empty_result_rate": 0.0, "refusal_correctness": 0.0})


@pytest.mark.parametrize(
    ("answer", "score"), [(None, 0.0), (Answer("x"), 0.0), (Answer("x", (), True), 0.0), (REFUSAL, 1.0)]
)
def test_a_refusal_is_right_where_it_is_due(answer: Answer | None, score: float) -> None:
    one = scored(REFUSE, Result("q", (Hit(1, "a", "d"),), answer))
    assert one.scores["refusal_correctness"] == score
    assert one.status == ("pass" if score else "fail")


@pytest.mark.parametrize(("rank", "status"), [(1, "pass"), (10, "pass"), (11, "fail")])
def test_a_query_passes_with_an_expected_chunk_among_the_first_ten(rank: int, status: str) -> None:
    hits = tuple(Hit(each, "a" if each == rank else f"x{each}") for each in range(1, 12))
    assert scored(WANTED, Result("q", hits)).status == status


def test_the_right_document_without_the_right_chunk_does_not_pass() -> None:
    one = scored(WANTED, Result("q", (Hit(1, "b", "d"),)))
    assert (one.status, one.scores["recall@1_doc"], one.scores["hit@10"]) == ("fail", 1.0, 0.0)


def test_of_documents_alone_there_is_no_hit_and_no_reciprocal_rank() -> None:
    one = scored(GoldenQuery("q", "?", {"d": 1}), Result("q", (Hit(1, "x", "x"), Hit(2, "y", "x"), Hit(3, "a", "d"))))
    assert not OF_CHUNKS & one.scores.keys()
    assert (one.status, one.hit_rank) == ("pass", 3)
    assert (one.exact["map"], one.exact["precision@3"], one.scores["precision@3"]) == (1 / 2, 1 / 3, 0.333333)
    assert (one.scores["recall@1_doc"], one.scores["recall@3_doc"]) == (0.0, 1.0)


def test_of_chunks_alone_there_is_no_recall_of_documents() -> None:
    assert not any(
        name.startswith("recall") for name in scored(GoldenQuery("q", "?", None, (Expected("a"),)), None).scores
    )


def test_the_tokens_that_a_result_tells_are_a_score() -> None:
    assert scored(WANTED, Result("q", tokens=7)).scores["tokens"] == 7.0
    assert "tokens" not in scored(WANTED, Result("q")).scores
