from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from gitops.evals.retroactive import Asked
from gitops.runs.answered import Answered
from gitops.runs.gold import GoldQuery
from gitops.usage import Usage


def asked(
    expected: tuple[str, str] = ("", ""), got: tuple[str, str] = ("", ""), is_refused: bool = False, **more: Any
) -> Asked:
    """Topics and sources, words with spaces between: those expected, those of the answer."""
    topics, sources = (tuple(part.split()) for part in expected)
    gold = GoldQuery("q", "How?", topics, sources, "2026-11-22")
    answer = Answered(tuple(got[0].split()), tuple(got[1].split()), is_refused, 3, 12.3456, **more)
    return Asked(gold, frozenset(sources), answer)


@pytest.mark.parametrize(
    ("expected", "got", "overlap"),
    [
        ("a", "a", 1.0),
        ("a b", "b a", 1.0),
        ("a", "b", 0.0),
        ("a b", "b", 1 / 2),
        ("a", "a b c", 1 / 3),
        ("a b c", "b c d", 2 / 4),
        ("a", "", 0.0),
        ("", "a", 0.0),
        ("", "", 1.0),
    ],
)
def test_topics_are_compared_by_jaccard(expected: str, got: str, overlap: float) -> None:
    assert asked((expected, "x"), (got, "x")).topics == overlap


@pytest.mark.parametrize(
    ("topics", "expected", "got", "overlap"),
    [
        ("t", "a b", "a b c d", 1.0),  # what is cited besides takes nothing away
        ("t", "a b", "b", 1 / 2),
        ("t", "a b c", "c b", 2 / 3),
        ("t", "a", "", 0.0),
        ("t", "", "a", 1.0),  # no source was asked for
        ("t", "", "", 1.0),
        ("", "", "a", 0.0),  # a refusal was wanted
        ("", "", "", 1.0),
    ],
)
def test_citations_are_the_share_of_those_expected(topics: str, expected: str, got: str, overlap: float) -> None:
    assert asked((topics, expected), (topics, got)).citations == overlap


def test_a_refusal_has_neither_topics_nor_sources() -> None:
    one = asked(("a", "x"), ("a", "x"), is_refused=True)
    assert (one.pair, one.status) == ((0.0, 0.0), "fail")
    wanted = asked(("", ""), ("a", "x"), is_refused=True)
    assert (wanted.pair, wanted.status) == ((1.0, 1.0), "pass")


def test_file_names_are_compared_whatever_their_unicode_form() -> None:
    one = asked(("ä", "ö"), tuple(unicodedata.normalize("NFD", name) for name in ("ä", "ö")))  # type: ignore[arg-type]
    assert one.pair == (1.0, 1.0)


@pytest.mark.parametrize(("got", "status"), [("a b c d", "pass"), ("a b c", "fail"), ("a b c d e", "pass")])
def test_an_answer_passes_from_four_fifths_on(got: str, status: str) -> None:
    assert asked(("a b c d e", ""), (got, "")).status == status


def test_a_sample_holds_scores_costs_and_what_was_expected_and_got() -> None:
    hits = [{"rank": 1, "chunk_id": "c", "doc_id": "d", "score": 2.0, "heading": "left out"}]
    record = {"answer": {"text": "So."}, "hits_top_k": hits, "question": "left out"}
    one = asked(("a b", "x"), ("b", "x y"), used=Usage(10, 5, 2, 1, 0.25, 1), record=record).sample()
    assert one.scores == {"topics": 0.5, "citations": 1.0, "tool_calls": 3.0}
    assert (one.id, one.status, one.latency_ms, one.tokens, one.usd) == ("q", "fail", 12.346, 18, 0.25)
    assert one.details == {
        "query": "How?",
        "expected_topics": ["a", "b"],
        "expected_citations": ["x"],
        "topics": ["b"],
        "citations": ["x", "y"],
        "answer": {"text": "So."},
        "hits_top_k": [{"rank": 1, "chunk_id": "c", "doc_id": "d", "score": 2.0}],
    }


def test_a_query_without_an_answer_has_no_score() -> None:
    gold = GoldQuery("q", "How?", (), (), "2026-11-22")
    failed = Asked(gold, frozenset(), error="the network is down").sample()
    assert (failed.status, failed.error, failed.scores) == ("error", "the network is down", None)
    assert Asked(gold, frozenset(), is_skipped=True).sample().status == "skipped"
