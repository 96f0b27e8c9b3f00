"""Asks a model for a value of a fixed shape, and believes nothing else.

The shape goes along as JSON schema (`output_config.format`), which the model is held to; what the schema language of
the interface lacks (bounds, lengths) is told in words and checked here. An answer that does not validate is asked for
once more, and paid for either way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from gitops.errors import CannotRun
from gitops.llm import answers
from gitops.llm.messages import Messages

Model = TypeVar("Model", bound=BaseModel)
Text = str | Sequence[Mapping[str, Any]]
"""A text, or content blocks."""
_KEPT = ("$ref", "type", "enum", "const", "description", "required", "format")
_INSIDE = ("items", "anyOf", "allOf", "oneOf")
_TOLD = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"),
)
_SHOWN = 3


def ask(
    messages: Messages, system: Text, content: Text, answer: type[Model], *, max_tokens: int | None = None
) -> Model:
    """The model's answer to one user turn, as a value of `answer`, which must forbid extra keys at every depth.

    CannotRun where the model declines, is cut off, or answers twice with something else; OutOfBudget as `create`.
    """
    turns: list[dict[str, Any]] = [{"role": "user", "content": content}]
    form = {"type": "json_schema", "schema": schema_of(answer)}
    body: dict[str, Any] = {"system": system, "output_config": {"format": form}}
    if max_tokens is not None:
        body["max_tokens"] = max_tokens
    wrong = ""
    for _ in range(2):
        message = messages.create({**body, "messages": turns})
        answers.finished(message, messages.model)
        try:
            return answer.model_validate_json(answers.text_of(message), strict=True)
        except ValidationError as error:
            wrong = _wrong(error)
        turns = _again(content, message, wrong)
    told = f"{messages.model} answered twice with something that is no {answer.__name__}: {wrong}"
    raise CannotRun(told, "try again, or choose another preset")


@lru_cache
def schema_of(answer: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a value in the interface's schema language. TypeError for a model that allows extra keys."""
    return _sendable(answer.model_json_schema(), answer.__name__)


def _again(content: Text, message: Mapping[str, Any], wrong: str) -> list[dict[str, Any]]:
    said = f"That is not an answer of the required shape: {wrong}. Answer again, with the JSON object alone."
    told = {"type": "text", "text": said}
    # The interface takes no empty text back.
    said_before = [block for block in message["content"] if block["type"] != "text" or block["text"].strip()]
    if said_before and not any(block["type"] == "tool_use" for block in said_before):
        turns = [{"role": "user", "content": content}, {"role": "assistant", "content": said_before}]
        return [*turns, {"role": "user", "content": [told]}]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    return [{"role": "user", "content": [*blocks, told]}]


def _wrong(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [f"{'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in found[:_SHOWN]]
    return "; ".join([*shown, *([f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else [])])


def _sendable(schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    sent = {key: schema[key] for key in _KEPT if key in schema}
    sent |= {key: _inside(schema[key], name) for key in _INSIDE if key in schema}
    for key in ("properties", "$defs"):
        if key in schema:
            sent[key] = {inner: _sendable(value, f"{name}.{inner}") for inner, value in schema[key].items()}
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            raise TypeError(f"{name} must forbid extra keys: an answer is to have no room for anything else")
        sent["additionalProperties"] = False
    told = ", ".join(f"{key}: {schema[key]}" for key in _TOLD if key in schema)
    if told:
        sent["description"] = f"{sent.get('description', '')} ({told})".strip()
    return sent


def _inside(value: Any, name: str) -> Any:
    return [_sendable(one, name) for one in value] if isinstance(value, list) else _sendable(value, name)
