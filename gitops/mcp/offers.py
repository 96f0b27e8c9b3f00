"""Every tool that is offered, and one call of one of them: whatever is asked, the answer is a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter

from gitops.agents import calling
from gitops.agents.fencing import fenced, revealed
from gitops.errors import Absent, AssayError
from gitops.git.failure import FETCH_MORE
from gitops.mcp.door import Call

Effect = Literal["reads", "stages", "lands"]
"""What a tool may change: nothing but local caches and notes; a run's own branch; or, by a verdict, the target."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool: its name, what it is told to be for, what it takes, and what it does.

    `run` gives the words of the answer. Where there is an `output`, it also leaves a value of that shape with the call.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Call, Any], str]
    effect: Effect
    output: TypeAdapter[Any] | None = None

    def tool(self, call: Call) -> calling.Tool:
        """The tool, as agents of our own are given theirs."""
        return calling.Tool(self.name, self.description, self.arguments, partial(self.run, call))

    def output_schema(self) -> dict[str, Any] | None:
        """The JSON schema of the value; an object at its root, as older versions of the protocol want it."""
        if self.output is None:
            return None
        return {"type": "object", **self.output.json_schema(by_alias=True, mode="serialization")}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call: words, and with them a value where the tool has one; or what went wrong, in two lines."""

    text: str
    structured: dict[str, Any] | None = None
    is_error: bool = False


@cache
def offers() -> Mapping[str, Offer]:
    """All tools by name, in the order in which they are listed."""
    from gitops.mcp import evicting, measuring, reading, writing

    every = (*reading.offers(), *writing.OFFERS, *measuring.OFFERS, *evicting.OFFERS)
    return {offer.name: offer for offer in every}


def answer(offer: Offer, call: Call, given: Mapping[str, Any]) -> Answer:
    """Call a tool. Raises nothing that has a name: each failure is an answer."""
    try:
        result = calling.call({offer.name: offer.tool(call)}, offer.name, dict(given))
    except AssayError as error:
        return Answer(_two_lines(error.message, error.hint), is_error=True)
    except Absent as error:
        return Answer(_two_lines(f"this clone lacks an object that is needed here: {error}", FETCH_MORE), is_error=True)
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        call.door.log(f"{offer.name}: {what}")
        hint = "git assay doctor finds what is wrong here"
        return Answer(_two_lines(f"this should not happen: {what}", hint), is_error=True)
    if result.is_error:
        return Answer(_two_lines(result.text, ""), is_error=True)
    remarks = "\n".join(f"note: {_one_line(each)}" for each in call.remarks)
    text = f"{result.text}\n{fenced(remarks, what='remarks')}" if remarks else result.text  # they quote what was read
    return Answer(text, plain(call.structured) if call.structured is not None else None)


def plain(value: Any) -> Any:
    """JSON whose strings hold nothing that people do not see, and nothing that is no UTF-8."""
    if isinstance(value, str):
        return revealed(value)
    if isinstance(value, dict):
        return {revealed(str(key)): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def _two_lines(message: str, hint: str) -> str:
    told = f"error: {_one_line(message)}"
    return f"{told}\nhint:  {_one_line(hint)}" if hint else told


def _one_line(text: str) -> str:
    """Text without line breaks or hidden characters, whatever a file is called and however git puts it."""
    return revealed(" ".join(line.strip() for line in text.splitlines() if line.strip()))
