"""The queue: whose score counts, for how long, and who is asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.eviction import heuristic, proposing, scoring
from gitops.eviction.heuristic import Weights
from gitops.eviction.model import ContextItem
from gitops.eviction.ranking import HOLDS, Ranking
from gitops.eviction.scoring import ByModel, Heuristic
from tests.agents.speaking import messages_of
from tests.eviction.talking import NOW
from tests.messages_server import MessagesServer, slow, structured


def _item(ctx_id: str, turn: int = 1, tokens: int = 500, reference: int = 0) -> ContextItem:
    return ContextItem(ctx_id=ctx_id, zone="workspace", token_count=tokens, turn=turn, last_reference=reference)


class Given:
    """A scorer that says what it was given, once it may."""

    name = "given"

    def __init__(self, scores: Mapping[str, float] | None, *, held: bool = False) -> None:
        self._scores = scores
        self.asked: list[list[str]] = []
        self.may = threading.Event()
        if not held:
            self.may.set()

    def scores(self, items: Sequence[ContextItem], turn: int, about: str) -> Mapping[str, float]:
        self.asked.append([item.ctx_id for item in items])
        assert self.may.wait(5)
        if self._scores is None:
            raise CannotRun("there is no key", "set one")
        return {name: self._scores[name] for name in self.asked[-1] if name in self._scores}


def _ranking(scorer: Given | None, told: list[str] | None = None) -> Ranking:
    return Ranking(Heuristic(Weights()), scorer, (told if told is not None else []).append)


def test_without_a_model_the_heuristic_ranks_and_there_is_no_background() -> None:
    ranking, items = _ranking(None), [_item("new", 9), _item("old", 1), _item("large", 1, 5_000)]
    ranking.look(items, 10, "")
    assert not ranking.needs_background
    found = ranking.ranked(items, 10)
    assert [one.item.ctx_id for one in found] == ["large", "old", "new"]
    assert [one.score for one in found] == [heuristic.score(one.item, 10, Weights()) for one in found]


def test_of_equal_scores_the_larger_then_the_older_goes_first() -> None:
    scorer = Given({"a": 0.5, "b": 0.5, "c": 0.5})
    ranking, items = _ranking(scorer), [_item("a", 2, 100), _item("b", 1, 100), _item("c", 2, 900)]
    ranking.look(items, 3, "")
    ranking.waited()
    assert [one.item.ctx_id for one in ranking.ranked(items, 3)] == ["c", "b", "a"]


def test_nobody_waits_for_a_model_and_one_is_asked_at_a_time() -> None:
    scorer = Given({"a": 0.01}, held=True)
    ranking, items = _ranking(scorer), [_item("a")]
    ranking.look(items, 2, "")
    ranking.look(items, 2, "")
    assert [one.scorer for one in ranking.ranked(items, 2)] == ["heuristic"]
    scorer.may.set()
    ranking.waited()
    assert [(one.scorer, one.score) for one in ranking.ranked(items, 2)] == [("given", 0.01)]
    assert scorer.asked == [["a"]]


def test_where_it_waits_the_model_is_heard_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    rated = slow(0.2, structured({"ratings": [{"ctx_id": "a", "relevance_score": 0.2}]}))
    with MessagesServer([rated]) as server:
        scorer = ByModel(messages_of(server, tmp_path))
        ranking = Ranking(Heuristic(Weights()), scorer, print, waits=True)
        ranking.look([_item("a")], 2, "")
    assert [one.scorer for one in ranking.ranked([_item("a")], 2)] == ["claude-sonnet-5-5"]


def test_a_models_score_holds_for_some_turns_and_until_the_next_reference() -> None:
    scorer = Given({"a": 0.01, "b": 0.02})
    ranking, items = _ranking(scorer), [_item("a"), _item("b")]
    ranking.look(items, 2, "")
    ranking.waited()
    later = [_item("a", reference=4), _item("b")]
    assert [(one.item.ctx_id, one.scorer) for one in ranking.ranked(later, 4)] == [("b", "given"), ("a", "heuristic")]
    ranking.look(later, 4, "")
    ranking.waited()
    ranking.look(items, 2 + HOLDS + 1, "")
    ranking.waited()
    assert scorer.asked == [["a", "b"], ["a"], ["b"]]


def test_what_the_model_passed_over_the_heuristic_scores() -> None:
    scorer = Given({"a": 0.01, "another": 0.5})
    ranking, items = _ranking(scorer), [_item("a"), _item("b")]
    ranking.look(items, 2, "")
    ranking.waited()
    assert {one.item.ctx_id: one.scorer for one in ranking.ranked(items, 2)} == {"a": "given", "b": "heuristic"}
    made = proposing.proposal("talk-1", 2, NOW, ranking.ranked(items, 2))
    assert made.scorer_model == "given"


def test_a_scorer_that_fails_is_told_once_and_asked_no_more() -> None:
    told: list[str] = []
    scorer = Given(None)
    ranking, items = _ranking(scorer, told), [_item("a")]
    for _ in range(2):
        ranking.look(items, 2, "")
        ranking.waited()
        assert [one.scorer for one in ranking.ranked(items, 2)] == ["heuristic"]
    assert told == ["what to leave out of a conversation is ranked without a model: there is no key"]
    assert (len(scorer.asked), ranking.needs_background) == (1, False)


def test_a_model_rates_so_many_at_once_and_what_it_makes_up_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    items = [_item(f"i{number}") for number in range(scoring.AT_ONCE + 5)]
    rated = [
        structured({"ratings": [{"ctx_id": name, "relevance_score": 0.2}, {"ctx_id": "x", "relevance_score": 1}]})
        for name in ("i0", f"i{scoring.AT_ONCE}")
    ]
    with MessagesServer(rated) as server:
        found = ByModel(messages_of(server, tmp_path), "Memory is kept back often.").scores(items, 7, "tides" * 1_000)
    assert found == {"i0": 0.2, f"i{scoring.AT_ONCE}": 0.2}
    told = [json.loads(body["messages"][0]["content"]) for body in server.bodies]
    assert [len(one["items"]) for one in told] == [scoring.AT_ONCE, 5]
    assert (told[0]["turn"], len(told[0]["about"])) == (7, scoring.ABOUT)
    assert server.bodies[0]["system"].endswith("Memory is kept back often.\n")


def test_a_rating_beyond_the_scale_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    wrong = structured({"ratings": [{"ctx_id": "a", "relevance_score": 1.5}]})
    with MessagesServer([wrong, wrong]) as server, pytest.raises(CannotRun, match="no Ratings"):
        ByModel(messages_of(server, tmp_path)).scores([_item("a")], 1, "")


def test_a_proposal_has_an_id_of_its_content_and_moment() -> None:
    ranked = _ranking(None).ranked([_item("a"), _item("b")], 5)
    one = proposing.proposal("talk-1", 5, NOW, ranked)
    assert one == proposing.proposal("talk-1", 5, NOW, ranked)
    assert one.proposal_id != proposing.proposal("talk-2", 5, NOW, ranked).proposal_id
    assert proposing.chosen(ranked, need=501) == ranked
    assert proposing.chosen(ranked, need=500) == ranked[:1]
    assert proposing.chosen(ranked, limit=1) == ranked[:1]
    assert proposing.chosen(ranked, need=0) == []
