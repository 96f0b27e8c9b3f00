from __future__ import annotations

from gitops.retrieval.model import Answer, Cited, Expected, GoldenQuery, Hit, Result, Results
from gitops.retrieval.scoring import score

GOLDEN = [GoldenQuery(name, "?", None, (Expected("a"),)) for name in ("q1", "q2", "q3", "q4", "q5")]


def told(*rows: Result, golden: list[GoldenQuery] = GOLDEN[:1]) -> tuple[str, ...]:
    return score(golden, Results("r.jsonl", {row.query_id: row for row in rows})).remarks


def test_of_a_run_with_which_all_is_well_nothing_is_told() -> None:
    assert told(Result("q1", (Hit(1, "a"),), Answer("x", (Cited("a", resolves=True),), grounded=True))) == ()


def test_golden_queries_that_are_missing_are_told_with_the_first_names() -> None:
    assert told(Result("q1"), golden=GOLDEN) == (
        "golden queries that the results lack, and so not found: 4 (q2, q3, q4, …)",
    )


def test_results_that_nobody_asked_for_are_told_with_their_first_line() -> None:
    rows = Result("q1", line=2), Result("z", line=9), Result("y", line=4)
    assert told(*rows) == ("r.jsonl:4: results of queries that are not golden, and so left out: 2 (z, y)",)
    assert told(Result("q1"), Result("z"))[0].startswith("r.jsonl: results")


def test_unjudged_queries_are_told() -> None:
    assert told(Result("q1"), Result("u"), golden=[*GOLDEN[:1], GoldenQuery("u", "?")]) == (
        "queries of which nothing says what should be found, and so not judged: 1 (u)",
    )


def test_chunks_that_were_named_again_are_told() -> None:
    assert told(Result("q1", duplicates=1_200), Result("q2", duplicates=1), golden=GOLDEN[:2]) == (
        "hits that name a chunk again, which counts once: 1,201, in queries: 2 (q1, q2)",
    )


def test_hits_that_tell_no_document_are_told_where_documents_are_expected() -> None:
    by_documents = GoldenQuery("q1", "?", {"d": 1}, (Expected("a", "d"),))
    bare = Result("q1", (Hit(1, "a"), Hit(2, "b", "d"), Hit(3, "c")))
    assert told(bare, golden=[by_documents]) == (
        "hits that tell no document, and so are of none that is expected: 2, in queries: 1 (q1)",
    )
    assert told(bare) == (), "of chunks alone nothing is missed"


def test_grounded_answers_that_cite_nothing_are_told() -> None:
    assert told(Result("q1", answer=Answer("x", grounded=True))) == ("grounded answers that cite nothing: 1 (q1)",)


def test_answers_that_do_not_say_whether_they_are_grounded_are_told() -> None:
    assert told(Result("q1", answer=Answer("x"))) == (
        "answers that do not say whether they are grounded, and so count as no refusals: 1 (q1)",
    )


def test_of_the_answer_of_a_failed_query_nothing_is_told() -> None:
    assert told(Result("q1", answer=Answer("x", grounded=True), error="timed out")) == ()
