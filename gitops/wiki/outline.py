"""What a dialect is shown of a page, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite, Problem
from gitops.wiki.positions import Lines


@dataclass(frozen=True, slots=True)
class Definition:
    """A footnote definition: its raw text after `]:` on one physical line, which begins at `body_start`.

    `is_continued` says that more text follows on further lines, up to `end`.
    """

    label: str
    body: str
    start: int
    body_start: int
    line_end: int
    end: int
    is_continued: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """A page before its citations are read. Blocks have runs of visible text with their places."""

    text: str
    frontmatter: Mapping[str, Any]
    blocks: tuple[Block, ...]
    definitions: tuple[Definition, ...]
    lines: Lines


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation that stands in the prose, `[start, end)` in the page; it is cut from the sentence it backs."""

    start: int
    end: int
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a dialect finds outside footnotes: marks in the prose, cites that back the page as a whole, problems."""

    marks: tuple[Mark, ...] = ()
    page_cites: tuple[Cite, ...] = ()
    problems: tuple[Problem, ...] = ()


NOTHING = Reading()
