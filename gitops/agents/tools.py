"""The tools that agents are given, by name: those that read, and those that write to one pending run.

A verifier gets the reading ones only (alexandria 13, "Contract the default verifier honors", 2). What a tool shows of
pages and sources is always fenced as data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from gitops.agents.calling import Arguments, Tool
from gitops.agents.reading.finding import Grep, List, Search, grep, list_files, search
from gitops.agents.reading.following import Follow, follow
from gitops.agents.reading.past import Events, History, events, history
from gitops.agents.reading.shelf import Hit as Hit
from gitops.agents.reading.shelf import Shelf as Shelf
from gitops.agents.reading.texts import Read, read

if TYPE_CHECKING:
    from gitops.agents.desk import Desk

_READING: tuple[tuple[str, str, type[BaseModel], Callable[[Shelf, Any], str]], ...] = (
    ("list", "List the pages and sources below a folder, with their sizes.", List, list_files),
    ("grep", "Find the lines of pages and sources that hold some text or match a regular expression.", Grep, grep),
    ("search", "Find the places in pages and sources that have most to do with some words.", Search, search),
    ("read", "Read lines of a page or source; a PDF page by page. Staged pages are served as staged.", Read, read),
    (
        "follow",
        "Follow a link or citation of a page: what it resolves to, and of a citation the quoted span in its context.",
        Follow,
        follow,
    ),
    ("events", "Read the last lines of the wiki's log, newest first.", Events, events),
    ("history", "List the commits that touched a page or source: day, commit, run, subject.", History, history),
)


class StageWrite(Arguments):
    """What `stage_write` is asked."""

    path: str = Field(description="the page to write, such as wiki/topics/auth.md")
    content: str = Field(max_length=1_000_000, description="the page's whole new content, in Markdown")


class StrReplace(Arguments):
    """What `str_replace` is asked."""

    path: str = Field(description="the page to change")
    old: str = Field(min_length=1, max_length=100_000, description="text that stands in the page exactly once")
    new: str = Field(max_length=200_000, description="what is to stand there instead")


class Finish(Arguments):
    """What `finish` is asked."""

    summary: str = Field(min_length=1, max_length=2_000, description="what you wrote and why, in a few sentences")


def reading_tools(shelf: Shelf) -> list[Tool]:
    """`list grep search read follow events history` over one revision."""
    return [Tool(name, told, asked, partial(run, shelf)) for name, told, asked, run in _READING]


def reading_names() -> list[str]:
    """What the reading tools are called."""
    return [name for name, *_ in _READING]


def writing_tools(desk: Desk) -> list[Tool]:
    """`stage_write str_replace finish` on one pending run; `finish` ends the turn and gives its summary."""
    return [
        Tool(
            "stage_write",
            "Stage the whole content of a wiki page, new or not. Nothing lands before it is verified.",
            StageWrite,
            lambda asked: desk.stage_write(asked.path, asked.content),
        ),
        Tool(
            "str_replace",
            "Replace text in a staged or existing page. The old text must stand there exactly once.",
            StrReplace,
            lambda asked: desk.str_replace(asked.path, asked.old, asked.new),
        ),
        Tool(
            "finish",
            "Say that you are done and what you wrote.",
            Finish,
            lambda asked: desk.finish(asked.summary),
            ends=True,
        ),
    ]
