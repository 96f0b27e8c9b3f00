"""What came back: whether it is a message, what it used, and whether the model said all that it had to say."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from gitops.config import Price
from gitops.errors import CannotRun
from gitops.llm.estimate import BYTES_PER_TOKEN, tokens_of
from gitops.llm.prices import dollars
from gitops.usage import Usage

_COUNTS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}


def parsed(data: bytes) -> dict[str, Any] | None:
    """The message that these bytes are; None where they are none."""
    answer = _loaded(data)
    return answer if _is_message(answer) else None


def used(data: bytes, request: Mapping[str, Any], price: Price | None, is_part: bool = False) -> Usage:
    """What the call used by the answer's own count. Of an answer that has none, bytes over 3.5, rather than nothing.

    A part of an answer counts at least as its bytes: its own count of what is written comes last.
    """
    counts = _counted(_loaded(data))
    written = math.ceil(len(data) / BYTES_PER_TOKEN)
    if counts is None:
        counts = {"input": tokens_of(request), "output": written}
    elif is_part:
        counts["output"] = max(counts["output"], written)
    tokens = Usage(**counts, calls=1)
    return tokens + Usage(usd=dollars(tokens, price))


def text_of(answer: Mapping[str, Any]) -> str:
    """The words of an answer: its text blocks, one after the other."""
    return "".join(block["text"] for block in answer["content"] if block["type"] == "text")


def finished(answer: Mapping[str, Any], model: str) -> None:
    """CannotRun for an answer that breaks off: declined, cut at `max_tokens`, or the context full."""
    reason = answer["stop_reason"]
    if reason == "refusal":
        category = (answer.get("stop_details") or {}).get("category")
        told = f" ({category})" if isinstance(category, str) else ""
        raise CannotRun(f"{model} declined to answer{told}", "look at what it was shown, or choose another preset")
    if reason == "max_tokens":
        written = answer["usage"]["output_tokens"]
        raise CannotRun(f"the answer of {model} was cut off after {written} tokens", "raise the preset's max_tokens")
    if reason == "model_context_window_exceeded":
        told = f"what {model} was shown and its answer do not fit into its context together"
        raise CannotRun(told, "lower the preset's context_tokens, so that sources are split into smaller parts")


def _is_message(answer: Any) -> bool:
    if not isinstance(answer, dict) or not isinstance(answer.get("content"), list):
        return False
    if not isinstance(answer.get("stop_reason"), str | None) or _counted(answer) is None:
        return False
    return all(map(_is_block, answer["content"]))


def _is_block(block: Any) -> bool:
    """Blocks of a kind that is not known here pass: they are sent back as they came."""
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return False
    if block["type"] == "text":
        return isinstance(block.get("text"), str)
    if block["type"] == "tool_use":
        return isinstance(block.get("id"), str) and isinstance(block.get("name"), str) and "input" in block
    return True


def _loaded(data: bytes) -> Any:
    try:
        return json.loads(data, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _finite(text: str) -> float:
    """A number; 1e999 is one in JSON and infinite in Python, which no record can hold."""
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text} is too large")
    return value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _counted(answer: Any) -> dict[str, int] | None:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    if not isinstance(usage, dict):
        return None
    counts = {name: usage.get(key) for name, key in _COUNTS.items()}
    known = {name: count for name, count in counts.items() if type(count) is int and count >= 0}
    return known if {"input", "output"} <= known.keys() else None
