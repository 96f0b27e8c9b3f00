"""The output contains what is expected.

A text has to stand in it as it is, case and all; letters are compared composed (NFC) and line ends as one. A table says
more: `all` of some texts, `any` of some, `none` of some; `ignore_case` for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gitops.suites.model import BenchmarkExpected
from gitops.suites.modes.mode import Asked, Grade, briefly, plain, table


class Wanted(BaseModel):
    """What has to stand in an output, and what must not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    ignore_case: bool = Field(default=False, strict=True)

    @model_validator(mode="after")
    def _says_something(self) -> Wanted:
        every = (*self.all, *self.any, *self.none)
        if not every or not all(every):
            raise ValueError("names no text that is to be looked for, or an empty one")
        return self


def read(value: Any) -> Wanted:
    """What is wanted. ValueError for a value that says nothing."""
    if isinstance(value, str) and value:
        return Wanted(all=(value,))
    if not isinstance(value, dict):
        raise ValueError("mode contains needs a 'value': a text, or a table of all, any, none")
    return table(Wanted, value, "contains")


def check(value: Any, expected: BenchmarkExpected) -> None:
    """As `read`."""
    read(value)


def grade(asked: Asked) -> Grade:
    """Look for it."""
    wanted = read(asked.value)
    fold: Callable[[str], str] = (lambda text: plain(text).casefold()) if wanted.ignore_case else plain
    output = fold(asked.output)
    found = {text: fold(text) in output for text in (*wanted.all, *wanted.any, *wanted.none)}
    if missing := [text for text in wanted.all if not found[text]]:
        return _no(f"lacks {briefly(missing[0])}", len(missing) - 1)
    if wanted.any and not any(found[text] for text in wanted.any):
        return _no(f"has none of {', '.join(map(briefly, wanted.any[:3]))}", len(wanted.any[3:]))
    if unwanted := [text for text in wanted.none if found[text]]:
        return _no(f"has {briefly(unwanted[0])}, which it must not", len(unwanted) - 1)
    return Grade(True)


def _no(told: str, more: int) -> Grade:
    return Grade(False, f"the output {told}{f' (and {more} more)' if more else ''}", "wrong_output")
