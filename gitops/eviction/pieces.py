"""A conversation as items of context: which parts may be left out, what they are about, and what stands in their place.

Every part is a block of a turn and keeps its place, so that it has the same `ctx_id` as long as the conversation lasts.
Never left out are the task (what was said first), what the model was last told in words, the last two turns, blocks
whose making nobody else may change (thinking), and what is hardly longer than the words that would stand for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.canonical import dumps
from gitops.eviction.model import ContextItem, ContextZone
from gitops.eviction.naming import about
from gitops.llm.estimate import tokens_of

LAST_TURNS = 2
"""So many answers, and what came after them, are never left out."""
WORTH = 40
"""Tokens that leaving a part out must save."""
LONG = 400
"""Characters from which on a word of a call is replaced."""
SNIPPET = 120
_BEGINNING = 60
_CALL = 160

Turn = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part that may be left out: the item that it is, its place (turn and block), and the block instead of it."""

    item: ContextItem
    place: tuple[int, int]
    stub: Mapping[str, Any]

    @property
    def saved(self) -> int:
        """How many tokens leaving it out saves."""
        return self.item.token_count - tokens_of(self.stub)


@dataclass(frozen=True, slots=True)
class _Part:
    """A block with what is said of it: kind and zone, what it is about, its snippet, and what stands for it."""

    kind: str
    zone: ContextZone
    about: frozenset[str]
    snippet: str
    stub: Mapping[str, Any]


def turn_of(turns: Sequence[Turn]) -> int:
    """The present turn: how many answers the model has given."""
    return sum(1 for turn in turns if turn["role"] == "assistant")


def pieces(turns: Sequence[Turn]) -> list[Piece]:
    """The parts of a conversation that may be left out, in their order."""
    at, answers = _turn_numbers(turns), _answers(turns)
    calls = {block["id"]: block for turn in turns for block in turn["content"] if block.get("type") == "tool_use"}
    last = at[-1] - LAST_TURNS if at else 0
    spared = _spared(turns)
    found = []
    for message, turn in enumerate(turns):
        if message == 0 or at[message] > last:
            continue
        for number, block in enumerate(turn["content"]):
            part = None if (message, number) == spared else _part(turn["role"], block, calls, at[message])
            if part is not None and tokens_of(block) - tokens_of(part.stub) >= WORTH:
                item = _item(part, block, (message, number), at[message], answers)
                found.append(Piece(item, (message, number), part.stub))
    return found


def without(turns: Sequence[dict[str, Any]], left_out: Sequence[Piece]) -> Sequence[dict[str, Any]]:
    """The turns with stubs in the place of some pieces; the very same where there is nothing to leave out."""
    if not left_out:
        return turns
    stubs = {piece.place: piece.stub for piece in left_out}
    touched = {message for message, _ in stubs}
    return [
        {**turn, "content": [stubs.get((message, n), block) for n, block in enumerate(turn["content"])]}
        if message in touched
        else turn
        for message, turn in enumerate(turns)
    ]


def _turn_numbers(turns: Sequence[Turn]) -> list[int]:
    """Of each message the turn that it belongs to: an answer begins one, and what it is told next belongs to it."""
    found, number = [], 0
    for turn in turns:
        number += turn["role"] == "assistant"
        found.append(number)
    return found


def _spared(turns: Sequence[Turn]) -> tuple[int, int] | None:
    """Where the model was last told something in words: what it is to do now."""
    for message in range(len(turns) - 1, -1, -1):
        if turns[message]["role"] == "user":
            for number in range(len(turns[message]["content"]) - 1, -1, -1):
                if turns[message]["content"][number].get("type") == "text":
                    return message, number
    return None


def _answers(turns: Sequence[Turn]) -> list[frozenset[str]]:
    """What each answer of the model names, in order."""
    return [
        frozenset().union(*(about(_text(block)) for block in turn["content"]))
        for turn in turns
        if turn["role"] == "assistant"
    ]


def _text(block: Turn) -> str:
    """What a block of an answer says, or calls."""
    return str(block.get("text", "")) if block.get("type") != "tool_use" else dumps(block.get("input"))


def _item(
    part: _Part, block: Turn, place: tuple[int, int], turn: int, answers: Sequence[frozenset[str]]
) -> ContextItem:
    """The item of a part. It counts as referenced by each later answer that names something that it is about."""
    named = [number for number in range(turn, len(answers)) if part.about & answers[number]]
    return ContextItem(
        ctx_id=f"{part.kind}-{place[0]}.{place[1]}",
        zone=part.zone,
        token_count=tokens_of(block),
        turn=turn,
        last_reference=named[-1] + 1 if named else turn,
        references=len(named),
        snippet=part.snippet,
    )


def _part(role: str, block: Turn, calls: Mapping[str, Turn], turn: int) -> _Part | None:
    match block.get("type"):
        case "text":
            return _words(role, block, turn)
        case "tool_result":
            return _result(block, calls.get(block["tool_use_id"], {}))
        case "tool_use":
            return _call(block)
        case _:
            return None


def _words(role: str, block: Turn, turn: int) -> _Part:
    text, tokens = block["text"], tokens_of(block)
    is_own = role == "assistant"
    began = f", beginning: {_brief(text, _BEGINNING)}" if is_own else ""
    told = f"{tokens:,} tokens that you {'said' if is_own else 'were told'} in turn {turn}{began}"
    kind = "said" if is_own else "told"
    return _Part(kind, "chronicle", about(text), _brief(text, SNIPPET), {"type": "text", "text": _instead(told)})


def _result(block: Turn, call: Turn) -> _Part:
    asked = f"{call.get('name')} {dumps(call.get('input'))}"
    again = f"what {_brief(asked, _CALL)} gave, {tokens_of(block):,} tokens; call it again if you need that"
    snippet = _brief(f"{asked} gave: {_content(block)}", SNIPPET)
    return _Part("result", "workspace", about(asked), snippet, {**block, "content": _instead(again)})


def _call(block: Turn) -> _Part | None:
    """A call with long words in it, as the content of a page that was written; None for any other."""
    given = block.get("input")
    if not isinstance(given, Mapping):
        return None
    stub = {**block, "input": {name: _shortened(value) for name, value in given.items()}}
    said = f"you called {block.get('name')} {dumps(stub['input'])}"
    return _Part("call", "workspace", frozenset(_names(given)), _brief(said, SNIPPET), stub)


def _names(given: Mapping[str, Any]) -> Iterator[str]:
    """What a call is about: its short words alone, for what is long in it is what it wrote there."""
    for value in given.values():
        if isinstance(value, str) and len(value) <= LONG:
            yield from about(value)


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONG:
        return _instead(f"{len(value):,} characters, all of which this call was made with")
    return value


def _instead(what: str) -> str:
    return f"[left out to make room: {what}]"


def _content(block: Turn) -> str:
    content = block.get("content", "")
    return content if isinstance(content, str) else dumps(content)


def _brief(text: str, most: int) -> str:
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
