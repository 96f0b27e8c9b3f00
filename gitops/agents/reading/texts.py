"""Reading a file by its lines, so many at a time, and saying what was left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import Field

from gitops.agents.calling import Arguments, ToolError
from gitops.agents.fencing import fenced
from gitops.agents.reading.shelf import Shelf, Text

MOST_CHARACTERS = 20_000
"""In one answer. What is longer is read in several."""
_LINE_END = re.compile(r"\r\n?|\n")


class Read(Arguments):
    """What `read` is asked."""

    path: str = Field(description="a page or source, such as wiki/topics/auth.md or raw/report.pdf")
    start: int = Field(default=1, ge=1, description="the first line wanted")
    lines: int = Field(default=200, ge=1, le=400, description="how many lines are wanted")
    page: int = Field(default=1, ge=1, description="of a PDF: the page wanted; lines count within it")
    column: int = Field(default=1, ge=1, description="where to begin in the first line, for very long lines")


def read(shelf: Shelf, asked: Read) -> str:
    """The lines asked for, numbered, with what there is besides them."""
    path = shelf.path(asked.path)
    text = shelf.text(path, asked.page)
    lines = split(text.text)
    if asked.start > len(lines):
        raise ToolError(f"{path} has {len(lines)} lines{_page(text)}, no line {asked.start}")
    first = lines[asked.start - 1]
    if asked.column > max(1, len(first)):
        raise ToolError(f"line {asked.start} of {path} has {len(first)} characters")
    wanted = [first[asked.column - 1 :], *lines[asked.start : asked.start - 1 + asked.lines]]
    shown, more = _fitting(wanted, asked.start, asked.column, len(lines))
    numbered = "\n".join(f"{asked.start + at}\t{line}" for at, line in enumerate(shown))
    last = asked.start + len(shown) - 1
    told = f"lines {asked.start}–{last} of {len(lines)}{more}{_page(text)}{_staged(shelf, path)}."
    remark = f" Note: {text.remark}." if text.remark else ""
    return f"{told}{remark} Data:\n{fenced(numbered, path=path)}"


def split(text: str) -> list[str]:
    """The lines of a text; one that ends in a line break has no empty line behind it."""
    lines = _LINE_END.split(text)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _fitting(wanted: Sequence[str], start: int, column: int, total: int) -> tuple[list[str], str]:
    """As many of the lines as fit, and the words that say how to have more."""
    shown: list[str] = []
    room = MOST_CHARACTERS
    for line in wanted:
        if len(line) > room:
            if shown:
                break
            at = column + room
            return [
                line[:room]
            ], f" (line {start} goes on at column {at}; ask for more with start={start}, column={at})"
        shown.append(line)
        room -= len(line) + 1
    after = start + len(shown)
    return shown, f" (ask for more with start={after})" if after <= total else ""


def _page(text: Text) -> str:
    return f" on page {text.page} of {text.pages}" if text.page else ""


def _staged(shelf: Shelf, path: str) -> str:
    what = shelf.staged(path)
    return f"; the file is {what} in this change" if what else ""
