from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from gitops.errors import CannotRun
from gitops.llm import structured
from tests.llm.asking import logged, opened
from tests.messages_server import Answer, MessagesServer, message, text, thought, tool_use
from tests.messages_server import structured as value


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Vote(Strict):
    vote: Literal["supports", "does_not_support"]
    confidence: float = Field(ge=0, le=1, description="how sure")


class Votes(Strict):
    votes: list[Vote] = Field(min_length=1, max_length=9)
    note: Annotated[str, Field(max_length=5)] | None = None


class Loose(BaseModel):
    vote: str


class Around(Strict):
    inner: list[Loose]


GOOD = {"votes": [{"vote": "supports", "confidence": 0.9}], "note": None}


def asked(folder: Path, *script: Answer, **keys: Any) -> tuple[Votes, list[dict[str, Any]]]:
    with MessagesServer(list(script)) as server:
        answer = structured.ask(opened(server, folder), "Find the error.", "The tide rose.", Votes, **keys)
        return answer, server.bodies


@pytest.mark.parametrize("model", [Loose, Around])
def test_a_shape_with_room_for_anything_else_is_a_mistake_of_ours(model: type[BaseModel]) -> None:
    with pytest.raises(TypeError, match=r"Loose|inner"):
        structured.schema_of(model)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"votes": [{"vote": "maybe", "confidence": 0.9}]}, "votes.0.vote"),
        ({"votes": [{"vote": "supports", "confidence": 1.5}]}, "votes.0.confidence"),
        ({"votes": [{"vote": "supports", "confidence": "0.9"}]}, "votes.0.confidence"),
        ({"votes": [{"vote": "supports", "confidence": 0.9, "why": "x"}]}, "votes.0.why"),
        ({"votes": []}, "votes"),
        ({**GOOD, "extra": 1}, "extra"),
        ([GOOD], "the answer"),
        ({}, "votes"),
    ],
)
def test_an_answer_that_is_wrong_twice_is_none(tmp_path: Path, wrong: Any, told: str) -> None:
    with pytest.raises(CannotRun, match="answered twice with something that is no Votes") as caught:
        asked(tmp_path, value(wrong), value(wrong))
    assert f"{told}:" in caught.value.message
    assert "\n" not in caught.value.message


def test_both_of_two_wrong_answers_are_paid(tmp_path: Path) -> None:
    with pytest.raises(CannotRun):
        asked(tmp_path, text("no JSON at all"), text("still none"))
    assert [line["tokens_out"] > 0 for line in logged(tmp_path)] == [True, True]


@pytest.mark.parametrize(
    ("stop_reason", "told", "hint"),
    [
        ("refusal", "declined to answer", "another preset"),
        ("max_tokens", "was cut off after", "raise the preset's max_tokens"),
        ("model_context_window_exceeded", "do not fit into its context", "context_tokens"),
    ],
)
def test_an_answer_that_stops_short_is_not_asked_for_again(
    tmp_path: Path, stop_reason: str, told: str, hint: str
) -> None:
    with pytest.raises(CannotRun, match=told) as caught:
        asked(tmp_path, value(GOOD, stop_reason))
    assert hint in caught.value.hint
    assert logged(tmp_path)[0]["stop_reason"] == stop_reason


def test_a_refusal_says_of_what_kind_it_is(tmp_path: Path) -> None:
    details = {"type": "refusal", "category": "bio", "explanation": None}
    payload = {"content": [], "stop_reason": "refusal", "stop_details": details}
    with pytest.raises(CannotRun, match=r"declined to answer \(bio\)"):
        asked(tmp_path, Answer(payload=payload))


@pytest.mark.parametrize(
    ("first", "roles"),
    [
        (thought("hm", text("I think so.")), ["user", "assistant", "user"]),
        (message([]), ["user"]),
        (message([{"type": "text", "text": " "}]), ["user"]),
        (tool_use("read", {}), ["user"]),
    ],
)
def test_after_one_wrong_answer_it_is_asked_once_more(tmp_path: Path, first: Answer, roles: list[str]) -> None:
    answer, (_, again) = asked(tmp_path, first, value(GOOD))
    assert answer == Votes.model_validate(GOOD)
    assert [turn["role"] for turn in again["messages"]] == roles
    assert "not an answer of the required shape" in json.dumps(again["messages"][-1])
    if len(roles) == 3:
        assert again["messages"][1]["content"] == first.payload["content"]


def test_a_good_answer_is_a_value(tmp_path: Path) -> None:
    answer, [body] = asked(tmp_path, thought("hm", value(GOOD)), max_tokens=700)
    assert answer.votes[0].confidence == 0.9
    assert body["max_tokens"] == 700
    assert body["system"] == "Find the error."
    assert body["messages"] == [{"role": "user", "content": "The tide rose."}]


def test_bounds_go_along_in_words() -> None:
    schema = structured.schema_of(Votes)
    vote = schema["$defs"]["Vote"]["properties"]
    assert vote["confidence"]["type"] == "number"
    told = vote["confidence"]["description"].replace(".0", "")  # how a bound is spelled is pydantic's
    assert told == "how sure (minimum: 0, maximum: 1)"
    assert vote["vote"]["enum"] == ["supports", "does_not_support"]
    assert schema["properties"]["votes"]["description"] == "(minItems: 1, maxItems: 9)"
    assert schema["properties"]["votes"]["items"] == {"$ref": "#/$defs/Vote"}
    assert schema["additionalProperties"] is schema["$defs"]["Vote"]["additionalProperties"] is False
    assert schema["required"] == ["votes"]
