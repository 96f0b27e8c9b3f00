"""How Messages go over the wire: JSON, the events of a streamed answer, and the prefixes that a prompt cache keeps."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.messages_rules import blocks_of

BYTES_PER_TOKEN = 3.5


@dataclass(frozen=True)
class Prefix:
    """The beginning of a request, marked to be kept or not."""

    digest: str
    tokens: int
    is_marked: bool


def tokens(data: bytes) -> int:
    """Tokens of so many bytes, as the project counts them."""
    return math.ceil(len(data) / BYTES_PER_TOKEN)


def dumps(value: Any) -> bytes:
    """A value's JSON; a lone surrogate is escaped."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode("utf-8", "backslashreplace")


def prefixes(body: Mapping[str, Any]) -> list[Prefix]:
    """What a prompt cache may keep of a request: all that stands up to each block, in the order the model reads.

    It ends with the last block that has a `cache_control`: what comes after is neither looked up nor kept.
    """
    parts: list[Mapping[str, Any]] = [*body.get("tools", [])]
    system = body.get("system", [])
    parts += [{"type": "text", "text": system}] if isinstance(system, str) else list(system)
    for turn in body["messages"]:
        parts += [{"role": turn["role"], **block} for block in blocks_of(turn)]
    if body.get("cache_control") and parts:
        parts[-1] = {**parts[-1], "cache_control": body["cache_control"]}
    running, size, found = sha256(body["model"].encode()), 0, []
    for part in parts:
        data = dumps({key: value for key, value in part.items() if key != "cache_control"})
        running.update(data)
        size += len(data)
        marked = bool(part.get("cache_control"))
        found.append(Prefix(running.hexdigest(), math.ceil(size / BYTES_PER_TOKEN), marked))
    last = max((i for i, prefix in enumerate(found) if prefix.is_marked), default=-1)
    return found[: last + 1]


def events_of(whole: Mapping[str, Any]) -> bytes:
    """The same message as the server-sent events of a streamed answer."""
    empty = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": empty}]
    for index, block in enumerate(whole["content"]):
        events += [{"index": index, **event} for event in _block_events(block)]
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": whole["stop_sequence"]}
    events += [{"type": "message_delta", "delta": ending, "usage": whole["usage"]}, {"type": "message_stop"}]
    return b"".join(b"event: %s\ndata: %s\n\n" % (event["type"].encode(), dumps(event)) for event in events)


def _block_events(block: Mapping[str, Any]) -> list[dict[str, Any]]:
    deltas: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
        "text": ({"text": ""}, [{"type": "text_delta", "text": block.get("text")}]),
        "thinking": (
            {"thinking": "", "signature": ""},
            [
                {"type": "thinking_delta", "thinking": block.get("thinking")},
                {"type": "signature_delta", "signature": block.get("signature")},
            ],
        ),
        "tool_use": (
            {"input": {}},
            [{"type": "input_json_delta", "partial_json": json.dumps(block.get("input"), ensure_ascii=False)}],
        ),
    }
    cleared, parts = deltas.get(block["type"], ({}, []))
    start = {"type": "content_block_start", "content_block": {**block, **cleared}}
    return [start, *({"type": "content_block_delta", "delta": one} for one in parts), {"type": "content_block_stop"}]
