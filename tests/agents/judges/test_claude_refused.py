"""The Claude judge where there is no verdict: whatever is not one explicit vote for each claim is no vote at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.judges.claude import Claude
from gitops.config import Budget
from gitops.errors import AssayError, CannotRun, OutOfBudget
from gitops.verify.judge import PairQuestion, Question
from tests.messages_server import Answer, MessagesServer, drop, error, raw, slow, structured, text, thought, tool_use

SOURCE = "# Mill\n\nIn 1905 the mill ground 41 tonnes of wheat.\n\nIt burnt down in 1911.\n"
QUESTIONS = [
    Question("The mill ground 41 tonnes in 1905.", span="ground 41 tonnes of wheat", title="Mill", source=SOURCE),
    Question("It burnt down in 1912.", source=SOURCE, title="Mill"),
]
PAIRS = [PairQuestion("It had 10 teams.", "It had eight teams.", "League"), PairQuestion("It rose.", "It rose by 3 %.")]


def row(id: Any, vote: Any = "supports", confidence: Any = 0.9, **more: Any) -> dict[str, Any]:
    return {"id": id, "reason": "It says so.", "unsupported": [], "vote": vote, "confidence": confidence, **more}


def pair(id: Any, vote: Any = "independent", confidence: Any = 0.9, **more: Any) -> dict[str, Any]:
    return {"id": id, "reason": "Both can be.", "vote": vote, "confidence": confidence, **more}


GOOD = structured({"votes": [row(1), row(2, "does_not_support", unsupported=["1912"])]})
MALFORMED = {
    "no vote on one": [row(1)],
    "no vote at all": [],
    "one too many": [row(1), row(2), row(3)],
    "two for one": [row(1), row(1, "does_not_support"), row(2)],
    "a vote that is none": [row(1), row(2, "commit")],
    "an id that is a text": [row(1), row("2")],
    "an id that is true": [row(True), row(2)],
    "too sure": [row(1), row(2, confidence=1.5)],
    "less than unsure": [row(1), row(2, confidence=-0.1)],
    "a confidence in words": [row(1), row(2, confidence="high")],
    "no confidence": [row(1), {key: value for key, value in row(2).items() if key != "confidence"}],
    "words that are not in the claim": [row(1), row(2, "does_not_support", unsupported=["the bakery"])],
    "half a word of the claim": [row(1), row(2, "does_not_support", unsupported=["urnt"])],
    "no words": [row(1), row(2, "does_not_support", unsupported=[""])],
    "support that lacks support": [row(1), row(2, unsupported=["1912"])],
    "no reason": [row(1), row(2, reason=" ")],
    "a key that nobody knows": [row(1), row(2, verdict="commit")],
    "more where nothing is left out": [row(1), row(2, "need_more", sections=[1])],
    "a null": [row(1), None],
}


@pytest.mark.parametrize("rows", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_answer_is_asked_for_once_more_and_then_there_is_no_verdict(
    opened: Callable[..., Claude], rows: list[Any]
) -> None:
    with MessagesServer([structured({"votes": rows})] * 2) as server:
        judge = opened(server)
        with pytest.raises(CannotRun, match="answered twice"):
            judge.votes(QUESTIONS)
        assert len(server.requests) == judge.used.calls == 2
        assert judge.used.output > 0
        with MessagesServer([structured({"votes": rows}), GOOD]) as second:
            assert [vote.vote for vote in opened(second).votes(QUESTIONS)] == ["supports", "does_not_support"]
            assert len(second.bodies[1]["messages"]) == 3


@pytest.mark.parametrize(
    "answer",
    [
        text("I vote to commit."),
        text('{"votes": [{"id": 1'),
        text(""),
        text('{"votes": [' + json.dumps(row(1)) + ', {"id": 2, "reason": "x", "unsupported": [], "confidence": NaN}]}'),
        tool_use("stage_write", {"path": "wiki/a.md", "content": "x", "unknown": 1}),
        structured([row(1), row(2)]),
        structured({"votes": [row(1), row(2)], "verdict": "commit"}),
    ],
    ids=["words", "half", "nothing", "not a number", "a tool call", "a list", "a key too many"],
)
def test_what_is_not_the_schema_is_no_vote(opened: Callable[..., Claude], answer: Answer) -> None:
    with MessagesServer([answer] * 2) as server, pytest.raises(CannotRun, match="answered"):
        opened(server).votes(QUESTIONS)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (text("I cannot help with this.", "refusal"), "declined"),
        (text('{"votes": [', "max_tokens"), "cut off"),
        (text("", "model_context_window_exceeded"), "context"),
        (error(401, message="invalid x-api-key"), "ANTHROPIC_API_KEY"),
        (error(404, message="model: x"), "claude-sonnet-5-5"),
        (error(413, message="too large"), "large"),
        (error(429, headers={"retry-after": "0"}), "claude-sonnet-5-5"),
        (error(529), "claude-sonnet-5-5"),
        (drop(), "127.0.0.1"),
        (raw(b"<html>"), "claude-sonnet-5-5"),
        (slow(2.0, GOOD), "in time"),
    ],
    ids=["refusal", "max_tokens", "window", "401", "404", "413", "429", "529", "dropped", "no JSON", "timeout"],
)
def test_a_call_that_fails_is_one_line_and_no_verdict(opened: Callable[..., Claude], answer: Answer, said: str) -> None:
    with MessagesServer([answer]) as server, pytest.raises(AssayError) as failed:
        opened(server, timeout_s=0.3).votes(QUESTIONS)
    assert isinstance(failed.value, CannotRun)
    assert said in failed.value.message + failed.value.hint
    assert failed.value.hint
    assert "\n" not in failed.value.message


@pytest.mark.slow
def test_what_passes_is_tried_again(opened: Callable[..., Claude]) -> None:
    with MessagesServer([error(429, headers={"retry-after": "0"}), error(529), GOOD]) as server:
        assert len(opened(server, max_retries=2).votes(QUESTIONS)) == 2


def test_without_a_key_nothing_is_asked_and_the_variable_is_named(
    opened: Callable[..., Claude], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with MessagesServer([]) as server:
        judge = opened(server)
        with pytest.raises(CannotRun, match="ANTHROPIC_API_KEY"):
            judge.votes(QUESTIONS)
        assert judge.votes([]) == []
        assert [vote.vote for vote in judge.votes([Question("It rose.")])] == ["source_missing"]
        assert (server.requests, judge.used.calls) == ([], 0)


def test_a_budget_without_room_stops_before_the_call(opened: Callable[..., Claude]) -> None:
    with MessagesServer([]) as server, pytest.raises(OutOfBudget):
        opened(server, budget=Budget(input_tokens=100)).votes(QUESTIONS)


def test_one_source_that_fails_leaves_no_vote_on_any(opened: Callable[..., Claude], voting: Callable[..., Any]) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        failing = "Mill 3" in body["messages"][0]["content"][0]["text"]
        answer: Answer = error(400, message="no") if failing else voting()(body, number)
        return answer

    asked = [Question("It rose.", title=f"Mill {number}", source=f"It rose {number}.") for number in range(5)]
    with MessagesServer(script) as server:
        judge = opened(server, concurrency=2)
        with pytest.raises(CannotRun):
            judge.votes(asked)
        assert judge.used.calls == len(server.requests) - 1


@pytest.mark.parametrize(
    "rows",
    [
        [pair(1)],
        [pair(1), pair(1), pair(2)],
        [pair(1), pair(2), pair(3)],
        [pair(1), pair(2, "does_not_support")],
        [pair(1), pair(2, confidence=2)],
        [pair(1), pair(2, reason="")],
        [pair(1), pair(2, unsupported=[])],
    ],
)
def test_a_malformed_answer_about_pairs_is_no_vote(opened: Callable[..., Claude], rows: list[Any]) -> None:
    with MessagesServer([structured({"votes": rows})] * 2) as server, pytest.raises(CannotRun, match="answered twice"):
        opened(server).pair_votes(PAIRS)


def test_a_model_that_thinks_is_asked_again_with_its_thoughts(opened: Callable[..., Claude], tmp_path: Path) -> None:
    with MessagesServer([thought("Hm.", structured({"votes": []})), thought("Ah.", GOOD)]) as server:
        opened(server).votes(QUESTIONS)
        assert server.bodies[1]["messages"][1]["content"][0]["type"] == "thinking"
