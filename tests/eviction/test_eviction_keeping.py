"""Conversations that grow beyond what the model reads, against a server that refuses what the interface refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.agents.loop import Conversation
from gitops.errors import CannotRun
from gitops.llm.estimate import tokens_of
from tests.agents.speaking import Told, messages_of
from tests.eviction.talking import (
    LOOK,
    TASK,
    Recorded,
    asks_what_is_needed,
    keeper_of,
    proposed,
    reading,
    results,
    shown,
    talk,
)
from tests.messages_rules import refused
from tests.messages_server import Answer, MessagesServer, error, message, slow, structured, text, thought, tool_use

PATHS = [f"wiki/p{number}.md" for number in range(8)]
LIMIT = 3_000


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


def _nothing(body: dict[str, Any]) -> Answer:
    return structured({"exclude_ctx_ids": [], "reason": ""})


def _said(server: MessagesServer) -> list[dict[str, Any]]:
    return [body for body in server.bodies if not asks_what_is_needed(body)]


def test_what_fits_is_sent_byte_for_byte_as_without_a_keeper(tmp_path: Path) -> None:
    recorded = Recorded()
    with MessagesServer(reading(PATHS[:3], _nothing)) as kept:
        talk(kept, tmp_path, recorded, LIMIT).say(TASK)
    with MessagesServer(reading(PATHS[:3], _nothing)) as plain:
        Conversation(messages_of(plain, tmp_path), "Be brief.", [LOOK]).say(TASK)
    assert [one.raw for one in kept.requests] == [one.raw for one in plain.requests]
    assert (recorded.pairs, recorded.told) == ([], [])


def test_what_the_model_keeps_back_stays_and_all_else_of_the_proposal_goes(tmp_path: Path) -> None:
    recorded = Recorded()
    needed = "result-2.0"

    def needs(body: dict[str, Any]) -> Answer:
        return structured({"exclude_ctx_ids": [needed, "nobody-1.1", needed], "reason": "p0 has\nthe rule"})

    with MessagesServer(reading(PATHS, needs)) as server:
        conversation = talk(server, tmp_path, recorded, LIMIT)
        assert conversation.say(TASK) == "It turns twice a day."
    proposal, feedback = recorded.pairs[0]
    assert feedback.resolved_by == "llm"
    assert [(one.ctx_id, one.exclude_reason) for one in feedback.excluded] == [(needed, "p0 has the rule")]
    assert feedback.excluded[0].relevance_score == proposal.candidates[0].relevance_score
    assert {*feedback.evicted, needed} == {one.ctx_id for one in proposal.candidates}
    scores = [one.relevance_score for one in proposal.candidates]
    assert scores == sorted(scores)
    assert (proposal.scope_id, proposal.scorer_model) == ("talk-1", "heuristic")
    assert {one.zone for one in proposal.candidates} == {"workspace"}
    last = results(_said(server)[-1])
    assert last[0] == shown(PATHS[0])  # kept back
    assert last[1].startswith(f'[left out to make room: what look {{"path":"{PATHS[1]}"}} gave, ')
    assert last[-1] == shown(PATHS[-1])
    assert all(tokens_of(body) <= LIMIT for body in _said(server))


def test_the_transcript_keeps_every_word(tmp_path: Path) -> None:
    with MessagesServer(reading(PATHS, _nothing)) as server:
        conversation = talk(server, tmp_path, Recorded(), LIMIT)
        conversation.say(TASK)
    assert results({"messages": conversation.transcript}) == [shown(path) for path in PATHS]


def _unmarked(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The turns without cache breakpoints."""
    return [
        {**turn, "content": [{k: v for k, v in block.items() if k != "cache_control"} for block in turn["content"]]}
        for turn in turns
    ]


def test_the_question_shows_ids_scores_and_snippets_behind_the_whole_conversation(tmp_path: Path) -> None:
    with MessagesServer(reading(PATHS, _nothing)) as server:
        talk(server, tmp_path, Recorded(), LIMIT).say(TASK)
    at = next(number for number, body in enumerate(server.bodies) if asks_what_is_needed(body))
    question, before = server.bodies[at], server.bodies[at - 1]
    assert set(proposed(question)[0]) == {"ctx_id", "relevance_score", "snippet"}
    assert proposed(question)[0]["snippet"].startswith('look {"path":"wiki/p0.md"} gave: wiki/p0.md: the sea')
    assert _unmarked(question["messages"])[: len(before["messages"])] == _unmarked(before["messages"])
    assert (question["system"], question["tools"]) == (before["system"], before["tools"])
    marked = sum("cache_control" in block for turn in question["messages"] for block in turn["content"])
    assert marked == 2


def test_a_model_that_says_nothing_in_time_has_all_of_it_left_out(tmp_path: Path) -> None:
    recorded = Recorded()
    with MessagesServer(reading(PATHS, lambda body: slow(0.4, _nothing(body)))) as server:
        talk(server, tmp_path, recorded, LIMIT, timeout_s=0.05).say(TASK)
    assert {feedback.resolved_by for _, feedback in recorded.pairs} == {"auto"}
    for proposal, feedback in recorded.pairs:
        assert feedback.evicted == [one.ctx_id for one in proposal.candidates]
    assert recorded.told == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error(400, message="no such parameter"), "no such parameter"),
        (text("I still need all of it!"), "not the shape"),
        (text('{"exclude_ctx_ids": [', "max_tokens"), "cut off"),
        (tool_use("look", {"path": "x"}), "not the shape"),
    ],
)
def test_an_answer_that_is_none_is_told_and_all_of_it_is_left_out(tmp_path: Path, answer: Answer, told: str) -> None:
    recorded = Recorded()
    with MessagesServer(reading(PATHS, lambda body: answer)) as server:
        assert talk(server, tmp_path, recorded, LIMIT).say(TASK) == "It turns twice a day."
    assert {feedback.resolved_by for _, feedback in recorded.pairs} == {"auto"}
    assert told in recorded.told[0]


def test_what_a_later_answer_names_is_proposed_later(tmp_path: Path) -> None:
    recorded = Recorded()
    said = iter([*(tool_use("look", {"path": path}, said=f"As {PATHS[0]} says.") for path in PATHS), text("Done.")])
    with MessagesServer(lambda body, _: _nothing(body) if asks_what_is_needed(body) else next(said)) as server:
        talk(server, tmp_path, recorded, LIMIT).say(TASK)
    proposal, _ = recorded.pairs[0]
    found = {one.ctx_id: one for one in proposal.candidates}
    assert list(found) == ["result-4.0", "result-6.0", "result-2.0"]
    assert (found["result-2.0"].age_turns, found["result-2.0"].references) == (0, proposal.turn_number - 1)
    assert (found["result-4.0"].age_turns, found["result-4.0"].references) == (proposal.turn_number - 2, 0)


def test_the_task_and_the_last_two_turns_and_thoughts_are_never_left_out(tmp_path: Path) -> None:
    recorded = Recorded()
    task = TASK + " Mind every word of this. " * 60
    looking = iter([*(thought("Hm. " * 200, tool_use("look", {"path": path})) for path in PATHS), text("Done.")])
    with MessagesServer(lambda body, _: _nothing(body) if asks_what_is_needed(body) else next(looking)) as server:
        talk(server, tmp_path, recorded, LIMIT).say(task)
    assert recorded.pairs
    for body in _said(server):
        assert body["messages"][0]["content"][0]["text"] == task
        assert all("left out" not in result for result in results(body)[-2:])
        thoughts = [b for turn in body["messages"] for b in turn["content"] if b["type"] == "thinking"]
        assert all(block["thinking"] == "Hm. " * 200 for block in thoughts)


def test_pages_that_were_written_and_words_that_were_said_are_left_out_too(tmp_path: Path) -> None:
    recorded = Recorded()
    page = "A line of the page. " * 100
    looking = [tool_use("look", {"path": f"{path} {page}"}, said=f"I look. {'So I do. ' * 60}") for path in PATHS[:6]]
    answers = iter([*looking, text("Done.")])
    with MessagesServer(lambda body, _: _nothing(body) if asks_what_is_needed(body) else next(answers)) as server:
        talk(server, tmp_path, recorded, LIMIT).say(TASK)
    blocks = [block for turn in _said(server)[-1]["messages"] for block in turn["content"]]
    calls = [block["input"]["path"] for block in blocks if block["type"] == "tool_use"]
    assert calls[0] == "[left out to make room: 2,011 characters, all of which this call was made with]"
    words = [block["text"] for block in blocks if block["type"] == "text"][1:]
    assert words[0].startswith("[left out to make room: ")
    assert "that you said in turn 1, beginning: I look. So I do." in words[0]


def test_the_models_own_count_corrects_the_estimate(tmp_path: Path) -> None:
    recorded, usage = Recorded(), {"input_tokens": 0, "output_tokens": 5}

    def counted(answer: Answer, body: dict[str, Any]) -> Answer:
        read = 2 * tokens_of({key: body[key] for key in ("system", "messages", "tools")})
        return message(answer.payload["content"], answer.payload["stop_reason"], {**usage, "input_tokens": read})

    script, limit = reading(PATHS[:4], _nothing), 3_400
    with MessagesServer(lambda body, number: counted(script(body, number), body)) as server:
        talk(server, tmp_path, recorded, limit).say(TASK)
    assert recorded.pairs  # by the estimate all of it fits, and by what this model counts half of it does
    assert all(tokens_of(body) * 1.9 <= limit for body in _said(server))


def test_where_nothing_is_left_to_leave_out_the_model_says_that_it_is_too_much(tmp_path: Path) -> None:
    recorded = Recorded()
    with (
        MessagesServer([text("So much.", "model_context_window_exceeded")]) as server,
        pytest.raises(CannotRun, match="longer than the model can read"),
    ):
        talk(server, tmp_path, recorded, 100).say(TASK + " very long" * 200)
    assert (recorded.pairs, recorded.told) == ([], [])


def test_what_is_kept_back_is_not_proposed_again_for_three_turns(tmp_path: Path) -> None:
    recorded = Recorded()

    def all_of_it(body: dict[str, Any]) -> Answer:
        return structured({"exclude_ctx_ids": [one["ctx_id"] for one in proposed(body)], "reason": "all of it"})

    with MessagesServer(reading(PATHS, all_of_it)) as server:
        talk(server, tmp_path, recorded, LIMIT).say(TASK)
    asked: dict[str, int] = {}
    for proposal, feedback in recorded.pairs:
        assert feedback.evicted == []
        for one in proposal.candidates:
            assert proposal.turn_number - asked.get(one.ctx_id, -9) >= 3
            asked[one.ctx_id] = proposal.turn_number
    assert results(_said(server)[-1]) == [shown(path) for path in PATHS]
    assert len(recorded.pairs) > 2


def test_a_second_turn_finds_what_was_left_out_in_the_first_still_left_out(tmp_path: Path) -> None:
    recorded = Recorded()
    answers = iter([*(tool_use("look", {"path": path}) for path in PATHS), text("Done."), text("Done again.")])
    with MessagesServer(lambda body, _: _nothing(body) if asks_what_is_needed(body) else next(answers)) as server:
        conversation = talk(server, tmp_path, recorded, LIMIT)
        conversation.say(TASK)
        before = len(recorded.pairs)
        assert conversation.say("And again?") == "Done again."
    assert len(recorded.pairs) == before
    assert results(_said(server)[-1])[0].startswith("[left out")


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["look", "two looks", "say", "think"]), st.integers(0, 400), st.integers(0, 3), st.booleans()
    ),
    max_size=25,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(STEPS, st.integers(600, 4_000), st.sampled_from([0, 1, 3]))
def test_whatever_is_said_the_interface_takes_it_and_it_fits(
    steps: list[tuple[str, int, int, bool]], limit: int, kept: int
) -> None:
    """Any turns keep the interface's rules, and exceed the limit only where all is left out that may be."""
    recorded = Recorded()
    answers = iter([*_turns(steps), {"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"}])

    class Model(Told):
        def create(self, body: Any) -> dict[str, Any]:
            self.bodies.append(json.loads(json.dumps(body)))
            if asks_what_is_needed(body):
                ids = [one["ctx_id"] for one in proposed(body)][:kept]
                said = json.dumps({"exclude_ctx_ids": ids, "reason": ""})
                return {"content": [{"type": "text", "text": said}], "stop_reason": "end_turn"}
            return next(answers)

    model = Model([])
    keeper = keeper_of(model, recorded, limit)
    conversation = Conversation(model, "Be brief.", [LOOK], keeper=keeper, max_turns=60)
    conversation.say(TASK)
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
    for body in model.bodies:
        assert refused("/v1/messages", headers, {"model": "m", "max_tokens": 1, **body}) is None
    gone: set[str] = set()
    for proposal, feedback in recorded.pairs:
        ids = {one.ctx_id for one in proposal.candidates}
        assert not ids & gone  # what is out is not proposed again
        assert {*feedback.evicted, *(one.ctx_id for one in feedback.excluded)} == ids
        gone |= set(feedback.evicted)
    if not kept:
        _fits(conversation, model, limit)


def _fits(conversation: Conversation, model: Told, limit: int) -> None:
    """Each request fits, or nothing of what may be left out is whole in it."""
    from gitops.eviction.pieces import pieces

    for body in model.bodies:
        if not asks_what_is_needed(body) and tokens_of(body) > limit:
            sent = conversation.transcript[: len(body["messages"])]
            for piece in pieces(sent):
                message, block = piece.place
                there = {k: v for k, v in body["messages"][message]["content"][block].items() if k != "cache_control"}
                assert there == piece.stub


def _turns(steps: list[tuple[str, int, int, bool]]) -> list[dict[str, Any]]:
    found = []
    for number, (kind, size, path, speaks) in enumerate(steps):
        said = [{"type": "text", "text": f"As wiki/q{path}.md says. " + "So. " * size}] if speaks else []
        hidden = [{"type": "thinking", "thinking": "Hm. " * size, "signature": "s"}] if kind == "think" else []
        looks = 2 if kind == "two looks" else 1
        calls = [
            {
                "type": "tool_use",
                "id": f"t{number}-{n}",
                "name": "look",
                "input": {"path": f"wiki/q{path}-{number}{n}.md"},
            }
            for n in range(looks)
        ]
        if kind == "say":
            calls[0]["input"] = {"path": f"wiki/{number}" + "x" * size * 5}
        found.append({"content": [*hidden, *said, *calls], "stop_reason": "tool_use"})
    return found
