"""What the Messages interface refuses: a request without key or version, a body that is none, a broken tool turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def refused(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> tuple[int, str] | None:
    """The status and the words with which the real interface would say no to a request; None where it would not."""
    if not headers.get("authorization") and not headers.get("x-api-key"):
        return 401, "invalid x-api-key"
    if path.split("?")[0] != "/v1/messages":
        return 404, "Not found"
    wrong = _wrong(body) if headers.get("anthropic-version") else "anthropic-version: header is required"
    return (400, wrong) if wrong else None


def blocks_of(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The content blocks of a turn, of one that is a plain text too."""
    content = turn["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _wrong(body: Mapping[str, Any]) -> str:
    for key in ("model", "max_tokens", "messages"):
        if not body.get(key):
            return f"{key}: Field required"
    turns = body["messages"]
    if turns[0]["role"] != "user" or turns[-1]["role"] != "user":
        return "messages: the first and the last message must be the user's; prefill is not supported"
    return _wrong_turn(turns) or _wrong_parameter(body) or _wrong_schema(_schema(body))


def _wrong_turn(turns: Sequence[Mapping[str, Any]]) -> str:
    for i, turn in enumerate(turns):
        called = {block["id"] for block in blocks_of(turn) if block["type"] == "tool_use"}
        after = blocks_of(turns[i + 1]) if i + 1 < len(turns) else []
        answered = {block["tool_use_id"] for block in after if block["type"] == "tool_result"}
        if turn["role"] == "assistant" and called != answered:
            return f"messages.{i}: tool_use ids and the tool_result blocks after them differ: {called ^ answered}"
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks_of(turn)):
            return f"messages.{i}: text content blocks must contain non-whitespace text"
    return ""


def _wrong_parameter(body: Mapping[str, Any]) -> str:
    """Models of the 5.5 family and Fable 5.1 always think, so they take no sampling parameters and no forced tool."""
    if "-5-5" not in body["model"] and "claude-fable-5-1" not in body["model"]:
        return ""
    sampling = [key for key in ("temperature", "top_p", "top_k") if key in body]
    if sampling:
        return f"{sampling[0]}: not supported by this model"
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        return "tool_choice: may not force tool use when thinking is enabled"
    return "thinking: cannot be disabled" if body.get("thinking", {}).get("type") == "disabled" else ""


def _wrong_schema(schema: Any) -> str:
    if isinstance(schema, list):
        return next(filter(None, map(_wrong_schema, schema)), "")
    if not isinstance(schema, dict):
        return ""
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
    bounds = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "maxItems")
    for bound in bounds:
        if isinstance(schema.get(bound), int | float):
            return f"output_config.format.schema: property '{bound}' is not supported"
    return next(filter(None, map(_wrong_schema, schema.values())), "")


def _schema(body: Mapping[str, Any]) -> Any:
    return (body.get("output_config") or {}).get("format", {}).get("schema")
