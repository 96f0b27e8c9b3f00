from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gitops.agents.calling import Misuse
from gitops.agents.loop import MAX_AT_ONCE, MAX_MISUSES, Arguments, Conversation, Tool, ToolError
from gitops.config import Budget
from gitops.errors import CannotRun, OutOfBudget, Refused
from tests.agents.speaking import Told, last_result, messages_of, results
from tests.messages_server import Answer, MessagesServer, drop, message, raw, text, thought, tool_use, tool_uses


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


class Add(Arguments):
    a: int
    b: int = 0
    title: str = ""


class Nothing(Arguments):
    pass


def _add(asked: Add) -> str:
    if asked.a < 0:
        raise ToolError("negative numbers are not added here")
    if asked.a == 666:
        raise Refused("the run has ended", "git assay run show")
    if asked.a >= 900:
        raise Misuse("too much is too much")
    return str(asked.a + asked.b)


ADD = Tool("add", "Add two numbers.", Add, _add)
DONE = Tool("done", "Say that you are done.", Nothing, lambda _: "done it is", ends=True)


def _talk(server: MessagesServer, folder: Path, **options: Any) -> Conversation:
    budget = options.pop("budget", None)
    return Conversation(messages_of(server, folder, budget), "Be brief.", [ADD, DONE], **options)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("max_tokens", "cut off at max_tokens"),
        ("refusal", "refused to answer"),
        ("model_context_window_exceeded", "longer than the model can read"),
        ("brand_new_reason", "brand_new_reason"),
    ],
)
def test_an_answer_that_breaks_off_cannot_run(tmp_path: Path, reason: str, told: str) -> None:
    with MessagesServer([text("I wou", reason)]) as server:
        talk = _talk(server, tmp_path)
        with pytest.raises(CannotRun, match=told) as refused:
            talk.say("Go on.")
    assert refused.value.hint
    assert talk.transcript[-1] == {"role": "assistant", "content": [{"type": "text", "text": "I wou"}]}


def test_a_call_of_a_tool_that_is_none_is_an_error_that_the_model_is_told(tmp_path: Path) -> None:
    with MessagesServer([tool_use("stage_write", {"path": "x"}), text("I see.")]) as server:
        assert _talk(server, tmp_path).say("Write.") == "I see."
    (told,) = results(server.bodies[1])
    assert told["is_error"] is True
    assert told["content"] == "there is no tool 'stage_write'; there are: add, done"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "a: Field required"),
        ({"a": "1"}, "a: Input should be a valid integer"),
        ({"a": 1.5}, "a: Input should be"),
        ({"a": True}, "a: Input should be"),
        ({"a": 1, "as_root": True}, "as_root: Extra inputs are not permitted"),
        ({"a": None}, "a: Input should be"),
    ],
)
def test_arguments_that_do_not_fit_exactly_are_an_error_and_nothing_runs(
    tmp_path: Path, given: dict[str, Any], told: str
) -> None:
    with MessagesServer([tool_use("add", given), text("Oh.")]) as server:
        _talk(server, tmp_path).say("Add.")
    (result,) = results(server.bodies[1])
    assert result["is_error"] is True
    assert result["content"].startswith("the arguments of add are not valid: ")
    assert told in result["content"]


def test_five_misuses_in_a_row_end_the_conversation(tmp_path: Path) -> None:
    with MessagesServer([tool_use("add", {"c": at}) for at in range(5)]) as server:
        with pytest.raises(CannotRun, match="misused its tools 5 times in a row; last: the arguments of add"):
            _talk(server, tmp_path).say("Add.")
        assert len(server.requests) == 5


def test_a_good_call_in_between_begins_the_count_of_misuses_anew(tmp_path: Path) -> None:
    wrong = [tool_use("add", {"c": at}) for at in range(8)]
    script = [*wrong[:4], tool_use("add", {"a": 1}), *wrong[4:], text("Enough.")]
    with MessagesServer(script) as server:
        assert _talk(server, tmp_path).say("Add.") == "Enough."


def test_the_same_call_four_times_in_a_row_is_a_loop(tmp_path: Path) -> None:
    with MessagesServer([tool_use("add", {"a": 1, "b": 2})] * 4) as server:
        with pytest.raises(CannotRun, match="goes round in circles: it called add 4 times in a row"):
            _talk(server, tmp_path).say("Add.")
        assert len(server.requests) == 4


def test_the_same_call_four_times_in_one_answer_is_a_loop_too(tmp_path: Path) -> None:
    with (
        MessagesServer([tool_uses([("add", {"b": 2, "a": 1})] * 4)]) as server,
        pytest.raises(CannotRun, match="goes round in circles"),
    ):
        _talk(server, tmp_path).say("Add.")


def test_three_times_with_another_call_in_between_is_none(tmp_path: Path) -> None:
    one, other = tool_use("add", {"a": 1}), tool_use("add", {"a": 2})
    with MessagesServer([one, one, one, other, one, one, one, text("Three.")]) as server:
        assert _talk(server, tmp_path).say("Add.") == "Three."


def test_a_model_that_does_not_end_is_ended_after_max_turns(tmp_path: Path) -> None:
    with MessagesServer(lambda body, number: tool_use("add", {"a": number})) as server:
        with pytest.raises(CannotRun, match="did not come to an end in 6 answers"):
            _talk(server, tmp_path, max_turns=6).say("Add.")
        assert len(server.requests) == 6


def test_a_number_beyond_all_numbers_cannot_run(tmp_path: Path) -> None:
    call = '{"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1e999}}'
    rest = '"type": "message", "role": "assistant", "stop_reason": "tool_use"'
    answer = f'{{{rest}, "usage": {{"input_tokens": 1, "output_tokens": 1}}, "content": [{call}]}}'
    with MessagesServer([raw(answer.encode())]) as server, pytest.raises(CannotRun):
        _talk(server, tmp_path).say("Add.")


@pytest.mark.parametrize("given", ['"x"', "null", "[1]", '{"a": "\\ud800"}', '{"a": {"a": {}}}'])
def test_arguments_that_are_no_object_of_text_and_numbers_are_told(tmp_path: Path, given: str) -> None:
    call = f'{{"type": "tool_use", "id": "t", "name": "add", "input": {given}}}'
    rest = '"type": "message", "role": "assistant", "stop_reason": "tool_use"'
    answer = f'{{{rest}, "usage": {{"input_tokens": 1, "output_tokens": 1}}, "content": [{call}]}}'
    with MessagesServer([raw(answer.encode()), text("Oh.")]) as server:
        assert _talk(server, tmp_path).say("Add.") == "Oh."
        assert results(server.bodies[1])[0]["is_error"] is True


def test_a_tool_call_that_is_announced_and_not_made_cannot_run(tmp_path: Path) -> None:
    with (
        MessagesServer([text("I call add now.", "tool_use")]) as server,
        pytest.raises(CannotRun, match="called none"),
    ):
        _talk(server, tmp_path).say("Add.")


def test_a_refusal_of_a_tool_passes_through_and_is_not_told_to_the_model(tmp_path: Path) -> None:
    with MessagesServer([tool_use("add", {"a": 666})]) as server:
        with pytest.raises(Refused, match="the run has ended"):
            _talk(server, tmp_path).say("Add.")
        assert len(server.requests) == 1


def test_a_budget_that_runs_out_stops_before_the_next_call(tmp_path: Path) -> None:
    script = [tool_use("add", {"a": at}) for at in range(50)]
    with MessagesServer(script) as server:
        talk = _talk(server, tmp_path, budget=Budget(input_tokens=1_500))
        with pytest.raises(OutOfBudget):
            talk.say("Add on and on.")
        assert 1 < len(server.requests) < 10
    assert talk.transcript[-1]["content"][-1]["type"] == "tool_result"


def test_a_connection_that_drops_leaves_the_transcript(tmp_path: Path) -> None:
    with MessagesServer([tool_use("add", {"a": 1}), drop()]) as server:
        talk = _talk(server, tmp_path)
        with pytest.raises(CannotRun):
            talk.say("Add.")
    assert [turn["role"] for turn in talk.transcript] == ["user", "assistant", "user"]


def test_an_error_of_a_tool_is_told_and_the_conversation_goes_on(tmp_path: Path) -> None:
    with MessagesServer([tool_use("add", {"a": -1}), tool_use("add", {"a": 40, "b": 2}), text("42")]) as server:
        assert _talk(server, tmp_path).say("Add.") == "42"
    assert results(server.bodies[1])[0]["is_error"] is True
    assert last_result(server.bodies[1]) == "negative numbers are not added here"
    assert "is_error" not in results(server.bodies[2])[0]
    assert last_result(server.bodies[2]) == "42"


def test_all_calls_of_one_answer_are_answered_in_one_message_in_their_order(tmp_path: Path) -> None:
    calls = [("add", {"a": 1}), ("nothing", {}), ("add", {"a": -5}), ("add", {"a": 2})]
    with MessagesServer([tool_uses(calls, ids=["t1", "t2", "t3", "t4"]), text("Good.")]) as server:
        _talk(server, tmp_path).say("Add.")
    answered = results(server.bodies[1])
    assert [one["tool_use_id"] for one in answered] == ["t1", "t2", "t3", "t4"]
    assert [one.get("is_error", False) for one in answered] == [False, True, True, False]
    assert len(server.bodies[1]["messages"]) == 3


def test_calls_beyond_what_one_answer_may_make_are_not_run_and_told_so(tmp_path: Path) -> None:
    calls = [("add", {"a": at}) for at in range(MAX_AT_ONCE + 2)]
    with MessagesServer([tool_uses(calls), text("Good.")]) as server:
        _talk(server, tmp_path).say("Add.")
    told = results(server.bodies[1])
    assert [one["content"] for one in told[:MAX_AT_ONCE]] == [str(at) for at in range(MAX_AT_ONCE)]
    assert [one["is_error"] for one in told[MAX_AT_ONCE:]] == [True, True]
    assert last_result(server.bodies[1]) == "this call was not run: one answer may call 32 tools at most"


def test_what_a_tool_calls_a_misuse_ends_the_conversation_when_it_goes_on(tmp_path: Path) -> None:
    script = [tool_use("add", {"a": 900 + at}) for at in range(MAX_MISUSES)]
    with MessagesServer(script) as server, pytest.raises(CannotRun, match="5 times in a row; last: too much"):
        _talk(server, tmp_path).say("Add.")


def test_a_tool_that_ends_ends_the_turn_with_its_own_words(tmp_path: Path) -> None:
    with MessagesServer([tool_uses([("add", {"a": 1}), ("done", {})])]) as server:
        talk = _talk(server, tmp_path)
        assert talk.say("Add.") == "done it is"
        assert len(server.requests) == 1
    assert talk.transcript[-1]["role"] == "user"


def test_a_tool_does_not_end_the_turn_while_another_call_failed(tmp_path: Path) -> None:
    script = [tool_uses([("add", {"a": -1}), ("done", {})]), tool_use("done", {})]
    with MessagesServer(script) as server:
        assert _talk(server, tmp_path).say("Add.") == "done it is"
        assert len(server.requests) == 2


def test_what_is_said_after_an_ending_tool_stands_in_the_same_message_as_its_result(tmp_path: Path) -> None:
    with MessagesServer([tool_use("done", {}), text("Mended.")]) as server:
        talk = _talk(server, tmp_path)
        talk.say("Write.")
        assert talk.say("Two findings: …") == "Mended."
    last = server.bodies[1]["messages"][-1]["content"]
    assert [block["type"] for block in last] == ["tool_result", "text"]
    assert [turn["role"] for turn in talk.transcript] == ["user", "assistant", "user", "assistant"]


def test_a_conversation_goes_on_after_an_answer_that_was_cut_off_in_a_call(tmp_path: Path) -> None:
    cut = message([{"type": "tool_use", "id": "t9", "name": "add", "input": {}}], "max_tokens")
    with MessagesServer([cut, text("Good.")]) as server:
        talk = _talk(server, tmp_path)
        with pytest.raises(CannotRun):
            talk.say("Add.")
        assert talk.say("Once more, in short.") == "Good."
    assert results(server.bodies[1])[0] | {"content": ""} == {
        "type": "tool_result",
        "tool_use_id": "t9",
        "content": "",
        "is_error": True,
    }


def test_thinking_is_sent_back_as_it_came(tmp_path: Path) -> None:
    answer = thought("One and one…", tool_use("add", {"a": 1, "b": 1}))
    with MessagesServer([answer, text("2")]) as server:
        _talk(server, tmp_path).say("Add.")
    assert server.bodies[1]["messages"][1]["content"] == answer.payload["content"]


def test_a_text_block_of_nothing_is_not_sent_back(tmp_path: Path) -> None:
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "\n"},
        {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}},
    ]
    with MessagesServer([message(blocks, "tool_use"), text("1")]) as server:
        assert _talk(server, tmp_path).say("Add.") == "1"


def test_a_turn_that_pauses_is_taken_up_without_running_its_calls() -> None:
    paused = {"stop_reason": "pause_turn", "content": [{"type": "text", "text": "Let me see."}]}
    done = {"stop_reason": "end_turn", "content": [{"type": "text", "text": "Seen."}]}
    told = Told([paused, done])
    assert Conversation(told, "Be brief.", [ADD]).say("Look.") == "Seen."
    assert told.bodies[1]["messages"][-1] == {"role": "assistant", "content": paused["content"]}


def test_a_model_that_pauses_for_ever_is_ended() -> None:
    told = Told(lambda _: {"stop_reason": "pause_turn", "content": []})
    with pytest.raises(CannotRun, match="in 3 answers"):
        Conversation(told, "Be brief.", [], max_turns=3).say("Look.")


def test_what_was_sent_before_is_marked_for_the_cache_at_no_more_than_four_places(tmp_path: Path) -> None:
    script: list[Answer] = [tool_use("add", {"a": at}) for at in range(5)]
    with MessagesServer([*script, text("Good.")]) as server:
        _talk(server, tmp_path).say("Add.")
    body = server.bodies[-1]
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    blocks = [block for turn in body["messages"] for block in turn["content"]]
    marked = [block for block in blocks if "cache_control" in block]
    assert marked == [body["messages"][-3]["content"][-1], body["messages"][-1]["content"][-1]]


def test_a_long_conversation_is_read_from_the_cache(tmp_path: Path) -> None:
    with MessagesServer(lambda _, number: tool_use("add", {"a": number}) if number < 12 else text("Good.")) as server:
        talk = Conversation(messages_of(server, tmp_path), "Be brief. " * 400, [ADD])
        talk.say("Add.")
        used = talk.messages.used
    assert used.cache_read > 8 * used.cache_write


def test_the_transcript_holds_both_sides_and_no_marks_for_the_cache(tmp_path: Path) -> None:
    with MessagesServer([tool_use("add", {"a": 1, "b": 1}, id="t1"), text("2")]) as server:
        talk = _talk(server, tmp_path)
        talk.say("Add.")
    call = {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1, "b": 1}}
    assert talk.transcript == [
        {"role": "user", "content": [{"type": "text", "text": "Add."}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "2"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "2"}]},
    ]


def test_a_tool_is_declared_closed_and_without_what_its_names_say_already() -> None:
    assert ADD.declared() == {
        "name": "add",
        "description": "Add two numbers.",
        "input_schema": {
            "type": "object",
            "properties": {
                "a": {"type": "integer"},
                "b": {"type": "integer", "default": 0},
                "title": {"type": "string", "default": ""},
            },
            "required": ["a"],
            "additionalProperties": False,
        },
    }


def test_characters_that_no_text_may_hold_are_replaced_before_they_are_sent(tmp_path: Path) -> None:
    with MessagesServer([text("Good.")]) as server:
        _talk(server, tmp_path).say("a\ud800b\0c")
    assert server.bodies[0]["messages"][0]["content"][0]["text"] == "a\ufffdb\ufffdc"
