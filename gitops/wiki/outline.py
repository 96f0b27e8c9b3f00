"""What a dialect is shown of a page, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitops.wiki.blocks import Block
from gitops.wiki.conventions import CANONICAL, Conventions
from gitops.wiki.model import Cite, Problem
from gitops.wiki.positions import Lines
from gitops.wiki.values import value_class

if TYPE_CHECKING:
    from gitops.wiki.wikilinks import WikiLink


@value_class
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


@value_class
class Outline:
    """A page before its citations are read. Blocks have runs of visible text with their places.

    `body` is the code point where the frontmatter ends; `wiki` has the wiki-links of the blocks that have any.
    """

    text: str
    frontmatter: Mapping[str, Any]
    blocks: tuple[Block, ...]
    definitions: tuple[Definition, ...]
    lines: Lines
    conventions: Conventions = CANONICAL
    body: int = 0
    wiki: Mapping[Block, Sequence[WikiLink]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation that stands in the prose, `[start, end)` in the page.

    It is cut from the sentence it backs, unless it `is_shown`: a link's words are the sentence's own, and what is
    attached there has no width.
    """

    start: int
    end: int
    cites: tuple[Cite, ...]
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a dialect finds outside footnotes: marks in the prose, cites that back the page as a whole, problems.

    `labels` are footnote labels, folded, whose cites stand elsewhere: a reference to one needs no definition. What
    a mark, a definition or a used label cites at the same place does not back the page as a whole.
    """

    marks: tuple[Mark, ...] = ()
    page_cites: tuple[Cite, ...] = ()
    problems: tuple[Problem, ...] = ()
    labels: Mapping[str, tuple[Cite, ...]] = field(default_factory=dict)


NOTHING = Reading()
