"""What of a conversation may be left out, and how it is known to be used."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

from gitops.eviction.naming import about
from gitops.eviction.pieces import WORTH, pieces, turn_of, without
from gitops.llm.estimate import tokens_of

LONG = "the sea falls back twice a day " * 30


def _told(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def _said(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def _call(id: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "read", "input": given}


def _result(id: str, words: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": words, **more}


def _talk(*later: dict[str, Any]) -> list[dict[str, Any]]:
    """A task, a call of the first turn with its result, and three turns more."""
    begun = [_told(_text(LONG)), _said(_call("t1", path="wiki/a.md")), _told(_result("t1", LONG))]
    ends = [
        turn for n in range(2, 5) for turn in (_said(_call(f"t{n}", path=f"x{n}")), _told(_result(f"t{n}", "short")))
    ]
    return [*begun, *later, *ends]


def test_of_nothing_and_of_a_task_alone_nothing_may_be_left_out() -> None:
    assert pieces([]) == []
    assert pieces([_told(_text(LONG))]) == []
    assert turn_of([]) == 0


def test_a_result_is_an_item_with_its_place_and_what_it_was() -> None:
    turns = _talk()
    (piece,) = pieces(turns)
    item = piece.item
    assert (item.ctx_id, item.zone, item.turn, item.last_reference, item.references) == (
        "result-2.0",
        "workspace",
        1,
        1,
        0,
    )
    assert item.token_count == tokens_of(turns[2]["content"][0])
    assert item.snippet.startswith('read {"path":"wiki/a.md"} gave: the sea falls')
    assert len(item.snippet) <= 120
    assert turn_of(turns) == 4
    assert piece.saved >= WORTH
    assert piece.stub["tool_use_id"] == "t1"


def test_an_error_stays_one() -> None:
    turns = _talk()
    turns[2]["content"][0]["is_error"] = True
    assert pieces(turns)[0].stub["is_error"] is True


@pytest.mark.parametrize("words", ["short", "a" * 200])
def test_what_is_hardly_longer_than_its_stub_is_no_item(words: str) -> None:
    turns = _talk()
    turns[2]["content"][0] = _result("t1", words)
    assert pieces(turns) == []


@pytest.mark.parametrize(
    ("said", "references"),
    [
        ([_text("I go on.")], 0),
        ([_text("As wiki/a.md says, it falls.")], 1),
        ([_call("n1", path="wiki/a.md", line=40)], 1),
        ([_call("n1", path="wiki/abc.md")], 0),
        ([_call("n1", content='It falls.[^1]\n\n[^1]: wiki/a.md, "falls"')], 1),
        ([{"type": "thinking", "thinking": "wiki/a.md", "signature": "s"}, _text("Hm.")], 0),
    ],
)
def test_an_answer_that_names_its_path_references_it(said: list[dict[str, Any]], references: int) -> None:
    answered = [_told(_result(block["id"], "short")) for block in said if block["type"] == "tool_use"]
    piece = next(
        each for each in pieces(_talk(_said(*said), *(answered or [_told(_text("Go on."))]))) if each.place == (2, 0)
    )
    assert (piece.item.references, piece.item.last_reference) == (references, 1 + references)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("It falls, e.g. twice; and/or so.", {"and/or"}),
        ("See wiki/a.md, raw/b c.pdf and ./x/.", {"wiki/a.md", "raw/b", "c.pdf", "x"} - {"x"}),
        ("Run 20240102-abc1 of 2024 said a1b2c3.", {"20240102-abc1", "a1b2c3"}),
        ("x" * 301 + "/y", set()),
        ("", set()),
    ],
)
def test_a_text_is_about_paths_files_and_ids(words: str, named: set[str]) -> None:
    assert about(words) == named


@pytest.mark.parametrize("blob", ["a" * 1_000_000, "a1" * 500_000, "a/" * 500_000, "." * 1_000_000, "a.b" * 300_000])
def test_a_blob_is_looked_through_in_no_time(blob: str) -> None:
    begun = perf_counter()
    about(blob)
    assert perf_counter() - begun < 1


def test_what_was_said_last_in_words_is_what_it_is_to_do_now() -> None:
    findings = _told(_text(f"Mend this: {LONG}"))
    turns = _talk(_said(_text(LONG)), findings)
    assert [each.item.ctx_id for each in pieces(turns)] == ["result-2.0", "said-3.0"]
    turns = _talk(_said(_text(LONG)), findings, _said(_text("Mended.")), _told(_text("And this.")))
    assert [each.item.ctx_id for each in pieces(turns)] == ["result-2.0", "said-3.0", "told-4.0"]
    assert pieces(turns)[2].stub["text"].startswith("[left out to make room: ")
    assert "that you were told in turn 2]" in pieces(turns)[2].stub["text"]


def test_ids_do_not_change_as_the_conversation_goes_on() -> None:
    turns = _talk(_said(_text(LONG)), _told(_text("Go on.")))
    before = {each.item.ctx_id: each.place for each in pieces(turns)}
    turns = [*turns[:-1], _told(*turns[-1]["content"], _text("More.")), _said(_text("Yes.")), _told(_text("Go on."))]
    after = {each.item.ctx_id: each.place for each in pieces(turns)}
    assert before.items() <= after.items()


def test_without_changes_neither_what_it_is_given_nor_what_stays() -> None:
    turns = _talk()
    found = pieces(turns)
    assert without(turns, []) is turns
    shorter = without(turns, found)
    assert [shorter[at] is turns[at] for at in range(len(turns))] == [at != 2 for at in range(len(turns))]
    assert turns[2]["content"][0]["content"] == LONG
    assert shorter[2]["content"][0] == found[0].stub
