"""A parsed page, as values: what it says (claims), what it points to (citations, links), what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from gitops.wiki.values import value_class


class Place:
    """Where something stands in a page's decoded text: code points `[start, end)`, lines and column from 1.

    Two places are equal whoever made them: those that a parser gives look their line up when it is asked for
    (`positions.Lines`), for what is right is never told by its line.
    """

    __slots__ = ("column", "end", "end_line", "line", "start")

    def __init__(self, start: int, end: int, line: int, column: int, end_line: int) -> None:
        self.start = start
        self.end = end
        self.line = line
        self.column = column
        self.end_line = end_line

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Place):
            return NotImplemented
        return self is other or _all_of(self) == _all_of(other)

    def __hash__(self) -> int:
        return hash((self.start, self.end))

    def __repr__(self) -> str:
        said = zip(("start", "end", "line", "column", "end_line"), _all_of(self), strict=True)
        return f"Place({', '.join(f'{name}={value}' for name, value in said)})"


def _all_of(place: Place) -> tuple[int, int, int, int, int]:
    return place.start, place.end, place.line, place.column, place.end_line


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a page or source gets wrong in form. `result` names it in a finding; nothing is raised."""

    result: str
    message: str
    place: Place
    repair: str = ""


@dataclass(frozen=True, slots=True)
class Locator:
    """Where in its source a citation points, besides a page number: lines, a heading, or a moment of a recording.

    `said` is as written. Lines count from 1, both ends are part of it. `heading` is a heading's words or its slug.
    `seconds` are from the start of the recording; `last_seconds` where a stretch is given.
    """

    said: str
    first_line: int | None = None
    last_line: int | None = None
    heading: str = ""
    seconds: int | None = None
    last_seconds: int | None = None


@value_class
class Quotation:
    """Words that a page puts in quotation marks or in a quote block; `place` is inside the marks.

    `is_title` says that they are written or announced as a title, a name or an example, which may be from anywhere.
    """

    text: str
    place: Place
    is_block: bool = False
    is_title: bool = False


How = Literal["exact", "loose", "link", "wiki"]
"""How a cited path is to be read: from the workspace exactly; from any of the folders it may be meant from; as the
target of a Markdown link on the page; as that of a wiki-link."""


@value_class
class Cite:
    """One pointer to a source, in any dialect.

    `path` is as written (NFC), without its locator. `first_page`/`last_page` count PDF pages from 1. `quote` is
    unescaped. `offset` is in code points of the source's extracted text. `place` covers the cite as written,
    `quote_place` the quotation inside its marks, so that a mend can be spliced in. `quotations` stand in a
    remark of the citation's own, which convention gives no fixed field to quotes.
    """

    dialect: str
    path: str
    place: Place
    label: str = ""
    first_page: int | None = None
    last_page: int | None = None
    quote: str | None = None
    offset: int | None = None
    quote_place: Place | None = None
    how: How = "exact"
    locator: Locator | None = None
    quotations: tuple[Quotation, ...] = ()


@value_class
class Claim:
    """The sentence, list item or table cell that citations back, with the marks removed (`PROTOCOL.md` 7).

    `block` is one of paragraph, heading, item, cell, quote. `context` is the sentence before and after,
    or a list's lead-in, or a cell's row and column heads. `ordinal` tells equal claims of a page apart.
    `is_struck` says that some of its words are struck out (`~~so~~`): it no longer says what it said.
    `quotations` are those that overlap the claim, each wherever it begins and ends; `nearby` those of sentences before
    it in its block, whose next citation is the claim's, and which may therefore be from there.
    """

    text: str
    place: Place
    block: str
    cites: tuple[Cite, ...]
    context: tuple[str, ...] = ()
    ordinal: int = 0
    is_struck: bool = False
    quotations: tuple[Quotation, ...] = ()
    nearby: tuple[Quotation, ...] = ()
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of prose and whether its block carries a citation; what `uncited` reads."""

    text: str
    place: Place
    block: str
    cited: bool
    free: bool = False
    """Headings, lead-ins, link-only items and the like, which need no citation."""


@value_class
class Link:
    """A link from a page to a page or file. `kind` is wiki, embed, markdown or image.

    `target` is the decoded target without heading, block or query; '' for a link within the page.
    `anchor` is the heading or block after `#`. `is_cited` says that a dialect reads it as a citation too, which
    then answers for its being there.
    """

    kind: str
    target: str
    anchor: str
    text: str
    place: Place
    target_place: Place
    is_cited: bool = False


@value_class
class Heading:
    """A heading's level, its text, and the slug a link may name it by."""

    level: int
    text: str
    slug: str
    place: Place


@value_class
class Page:
    """Everything that is read off one page's bytes; a pure function of them, so cached by blob id."""

    text: str
    frontmatter: dict[str, Any] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    links: tuple[Link, ...] = ()
    headings: tuple[Heading, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Of citations: result names of `citation_format`."""
    schema_problems: tuple[Problem, ...] = ()
    """Of the encoding and the frontmatter: result names of `schema`."""
    prose: str = ""
    """The visible prose without code, frontmatter and footnote definitions; what terms are counted in.

    A page that was parsed reads it by `reread` when it is first asked for: few ever are.
    """
    cites: tuple[Cite, ...] = ()
    """What backs the page as a whole: of dialects that cite in the frontmatter or in a list of sources."""
    quotations: tuple[Quotation, ...] = ()
    """Those of no cited claim, on a page that cites as a whole."""
    body: int = 0
    """The code point where the body begins, behind the frontmatter."""
    reread: Callable[[], str] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.reread is not None:
            object.__delattr__(self, "prose")

    def __getattr__(self, name: str) -> str:
        """Called for a slot that is empty."""
        if name != "prose" or self.reread is None:
            raise AttributeError(name)
        object.__setattr__(self, "prose", self.reread())
        return self.prose
