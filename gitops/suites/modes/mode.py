"""What a mode is: it holds one attempt to what is expected, and says yes, no, or that it cannot tell.

A mode is one file in this folder with two functions:

    def check(value, expected): ...    # ValueError for what it cannot hold anything to
    def grade(asked): ...              # an `Asked` → a `Grade`; never raises for what an output says
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, cast

from pydantic import BaseModel

from gitops.runs.bad_input import BadInput
from gitops.suites.model import MODES, BenchmarkCase, BenchmarkExpected
from gitops.suites.reading import model_of
from gitops.suites.target import Attempt
from gitops.verify.criteria import Scored

Label = Literal["pass", "fail"]
Table = TypeVar("Table", bound=BaseModel)
VALUED = ("exact", "contains", "llm_judge")
"""The modes that need a `value`; where a case has several of them, it is a table by mode."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One attempt at a case, to be held to one mode.

    `value` is what the mode looks for. `scored` is what a judge said, None where none was asked; `label` what a person
    says; `is_timed` whether the latency is the target's own.
    """

    case: BenchmarkCase
    attempt: Attempt
    value: Any
    scored: Scored | None = None
    label: Label | None = None
    is_timed: bool = True

    @property
    def output(self) -> str:
        """What the target said."""
        return self.attempt.output or ""


@dataclass(frozen=True, slots=True)
class Grade:
    """What a mode says: `holds` is None where it cannot tell. `reason` is one line, `category` the kind of a no."""

    holds: bool | None
    reason: str = ""
    category: str = ""


class Mode(Protocol):
    """A module of this folder."""

    def check(self, value: Any, expected: BenchmarkExpected) -> None:
        """ValueError where there is nothing in it that an output could be held to."""
        ...

    def grade(self, asked: Asked) -> Grade:
        """Hold an attempt that has an output to it."""
        ...


def mode(name: str) -> Mode:
    """The mode of a name, one of `MODES`."""
    from importlib import import_module

    if name not in MODES:
        raise ValueError(f"there is no mode '{name}'; known: {', '.join(MODES)}")
    return cast("Mode", import_module(f"gitops.suites.modes.{name}"))


def value_of(expected: BenchmarkExpected, name: str) -> Any:
    """What a mode looks for. ValueError where several modes need a value and it is no table of them by mode."""
    needing = [each for each in expected.modes if each in VALUED]
    if len(needing) < 2 or name not in VALUED:
        return expected.value
    if not isinstance(expected.value, dict) or sorted(expected.value) != sorted(needing):
        raise ValueError(f"'value' of mode {expected.mode} is to be a table with the keys {', '.join(needing)}")
    return expected.value[name]


def table(kind: type[Table], value: dict[str, Any], name: str) -> Table:
    """The value of a mode as a table. ValueError, in one line, for one that says nothing or more than is known."""
    try:
        return model_of(kind, value, name)
    except BadInput as error:
        raise ValueError(f"the 'value' of mode {name}: {error.faults[0].message}") from error


def plain(text: str) -> str:
    """Text as it is compared: composed (NFC), its line ends line feeds."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def briefly(text: str, most: int = 60) -> str:
    """Text in quotation marks on one line, for a reason: its beginning where it is long."""
    line = " ".join(text[: most * 4].split())
    return f"'{line}'" if len(line) <= most and len(text) <= most * 4 else f"'{line[: most - 1].rstrip()}…'"
