"""Answers that a scripted Messages server gives: messages, tool calls, errors, and what goes wrong on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from tests.messages_wire import dumps


@dataclass(frozen=True)
class Answer:
    """What is sent back. `payload` is JSON; `data` are bytes sent as they are; `usage` replaces what is computed."""

    status: int = 200
    payload: Mapping[str, Any] = field(default_factory=dict)
    data: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    dropped: bool = False
    usage: Mapping[str, int] | None = None


def message(
    content: Sequence[Mapping[str, Any]], stop_reason: str = "end_turn", usage: Mapping[str, int] | None = None
) -> Answer:
    """An assistant message of these content blocks."""
    return Answer(payload={"content": [dict(block) for block in content], "stop_reason": stop_reason}, usage=usage)


def text(words: str, stop_reason: str = "end_turn", usage: Mapping[str, int] | None = None) -> Answer:
    """A message of one text block."""
    return message([{"type": "text", "text": words}], stop_reason, usage)


def thought(words: str, answer: Answer) -> Answer:
    """An answer with a thinking block before it, as models send that always think."""
    block = {"type": "thinking", "thinking": words, "signature": sha256(words.encode()).hexdigest()[:40]}
    return replace(answer, payload={**answer.payload, "content": [block, *answer.payload["content"]]})


def tool_use(name: str, arguments: Mapping[str, Any], *, id: str = "", said: str = "") -> Answer:
    """A message that calls one tool, after saying something."""
    return tool_uses([(name, arguments)], ids=[id] if id else None, said=said)


def tool_uses(
    calls: Sequence[tuple[str, Mapping[str, Any]]], *, ids: Sequence[str] | None = None, said: str = ""
) -> Answer:
    """A message that calls several tools at once."""
    named = ids or [f"toolu_{sha256(dumps([i, *call])).hexdigest()[:20]}" for i, call in enumerate(calls)]
    blocks = [
        {"type": "tool_use", "id": one, "name": name, "input": dict(arguments)}
        for one, (name, arguments) in zip(named, calls, strict=True)
    ]
    return message([*([{"type": "text", "text": said}] if said else []), *blocks], "tool_use")


def structured(value: Any, stop_reason: str = "end_turn", usage: Mapping[str, int] | None = None) -> Answer:
    """A message whose text is the value's JSON, as structured output comes."""
    return text(json.dumps(value, ensure_ascii=False), stop_reason, usage)


def error(status: int, type: str = "", message: str = "no", headers: Mapping[str, str] | None = None) -> Answer:
    """An error as the interface words it, with its headers (`retry-after` and such)."""
    known = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
    known |= {413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}
    kind = type or known.get(status, "api_error")
    return Answer(status, {"type": "error", "error": {"type": kind, "message": message}}, headers=headers or {})


def raw(data: bytes, status: int = 200, content_type: str = "application/json") -> Answer:
    """These bytes, whatever they are."""
    return Answer(status, data=data, headers={"content-type": content_type})


def drop() -> Answer:
    """Half an answer, and then the connection is gone."""
    return replace(text("this never arrives whole " * 40), dropped=True)


def slow(seconds: float, answer: Answer) -> Answer:
    """The answer, after a while."""
    return replace(answer, delay=answer.delay + seconds)
