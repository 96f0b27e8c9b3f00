"""Tools that a model may call, and one call of one of them: whatever it asks for, the answer is words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from gitops.agents.fencing import storable
from gitops.canonical import dumps

_SHOWN = 300


class ToolError(Exception):
    """What a tool tells the model it did wrong; the conversation goes on."""


class Misuse(ToolError):
    """The same, of what must not be done again and again: too often in a row, it ends the conversation."""


class Arguments(BaseModel):
    """What a tool is called with: typed strictly, and closed to what it does not know."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True)
class Tool:
    """Something the model may do. `run` takes the validated arguments and gives the words of the result.

    `run` may raise ToolError, which the model is told; what else it raises ends the conversation. A tool that `ends`
    ends the turn where it and every other call of the same answer succeeded. TypeError for open `arguments`.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], str]
    ends: bool = False

    def __post_init__(self) -> None:
        if self.arguments.model_config.get("extra") != "forbid":
            raise TypeError(f"the arguments of {self.name} take what they do not know: make them Arguments")

    def declared(self) -> dict[str, Any]:
        """The tool as the Messages interface wants it declared."""
        schema = _untitled(self.arguments.model_json_schema())
        return {"name": self.name, "description": self.description, "input_schema": schema}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call. A misuse is a call of no tool that there is, with arguments that are none, or a `Misuse`."""

    text: str
    is_error: bool = False
    is_misuse: bool = False
    ends: bool = False


def call(tools: Mapping[str, Tool], name: str, given: Any) -> Result:
    """Run one call. Raises only what a tool raises besides ToolError."""
    tool = tools.get(name)
    if tool is None:
        told = f"there is no tool {name[:_SHOWN]!r}; there are: {', '.join(tools) or 'none'}"
        return Result(storable(told), is_error=True, is_misuse=True)
    try:
        arguments = tool.arguments.model_validate_json(dumps(given), strict=True)
    except ValidationError as error:
        return Result(storable(_told(name, error)), is_error=True, is_misuse=True)
    try:
        return Result(storable(tool.run(arguments)), ends=tool.ends)
    except ToolError as error:
        return Result(storable(str(error)), is_error=True, is_misuse=isinstance(error, Misuse))


def _told(name: str, error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False)
    wrong = [f"{'.'.join(map(str, one['loc']))[:_SHOWN] or 'arguments'}: {one['msg']}" for one in found[:5]]
    return f"the arguments of {name} are not valid: " + "; ".join(wrong)


def _untitled(schema: Any) -> Any:
    """A JSON schema without pydantic's titles, which say nothing that the names do not."""
    if isinstance(schema, dict):
        kept = ((key, value) for key, value in schema.items() if key != "title" or not isinstance(value, str))
        return {key: _untitled(value) for key, value in kept}
    return [_untitled(one) for one in schema] if isinstance(schema, list) else schema
