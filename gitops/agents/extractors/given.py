"""A source as it is given to an extractor, and as its sections: headings, sentences, numbered steps, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gitops.agents.extractors import lines
from gitops.agents.writers import passages
from gitops.agents.writers.document import HIDDEN, Sentence, shown
from gitops.okf.draft import Passage, Said
from gitops.wiki import frontmatter, markdown
from gitops.wiki.positions import Lines
from gitops.wiki.prose import folded
from gitops.wiki.source_text import SourceText

LONGEST = 600
"""Characters of a sentence that is taken over; what is longer is seldom one."""
_UNQUOTABLE = re.compile(r"\[\^|\]:|<[A-Za-z/!]|\[\[|\]\]|%%|`{2,}|\|")
_BELOW_ALL = 7
"""The level of what heads a passage and is no heading of Markdown: a line in bold, a short line of plain text."""


@dataclass(frozen=True, slots=True)
class Given:
    """A source: the path by which atoms cite it, its text, and the bytes it was read from (needed of web pages)."""

    name: str
    text: SourceText
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading. `parents` are the headings it lies under, outermost first."""

    title: str
    level: int
    parents: tuple[str, ...]
    heading: Sentence | None
    sentences: tuple[Sentence, ...] = ()

    @property
    def prose(self) -> list[Sentence]:
        """The sentences of a length that can be taken over: no pattern is tried on a text that goes on without end."""
        return [one for one in self.sentences if len(one.quote) <= LONGEST]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells by column, and the head of each column."""

    head: tuple[str, ...]
    cells: tuple[Sentence, ...]
    section: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A source read: what it is called, its sections in order, the rows of its tables."""

    given: Given
    title: str
    sections: tuple[Section, ...]
    rows: tuple[Row, ...]


@dataclass(slots=True)
class _Open:
    section: Section
    sentences: list[Sentence] = field(default_factory=list)

    def closed(self) -> Section:
        one = self.section
        return Section(one.title, one.level, one.parents, one.heading, tuple(self.sentences))


def plain(name: str, text: str) -> Given:
    """A source whose text is known already, Markdown by its name."""
    return Given(name, SourceText(text, is_markdown=name.lower().endswith((".md", ".markdown"))))


def read(given: Given) -> Reading:
    """A source by its sections. Of one that has no text, none."""
    document = passages.read(given.text, given.name, given.data)
    sentences = tuple(lines.by_label(given.text.text, document.sentences))
    headings, rows = _marked(given.text) if given.text.is_markdown else ([], [])
    return Reading(given, document.title, tuple(_sections(headings, sentences)), tuple(rows))


def said(given: Given, sentence: Sentence) -> Said | None:
    """A sentence of the source as an atom says it: its own words, and where they stand; None where they cannot be."""
    quote = sentence.quote
    if not sentence.text.strip() or len(quote) > LONGEST or "\ufffd" in quote:
        return None
    if HIDDEN.search(quote) or _UNQUOTABLE.search(quote):
        return None
    return Said(sentence.text, (Passage(given.name, quote, sentence.start),))


def steps(given: Given, section: Section) -> list[Sentence]:
    """The numbered items of a section, by their numbers where these are a series, else as they stand."""
    return lines.steps(given.text.text, section.sentences)


def _marked(source: SourceText) -> tuple[list[tuple[int, Sentence]], list[Row]]:
    """The headings of Markdown with their levels, and the rows of its tables; cells of code are none."""
    text = source.text
    body = markdown.read(text, frontmatter.read(text, Lines(text)).end, has_comments=False)
    headings = []
    tables: dict[int, dict[int, list[Sentence]]] = {}
    section = ""
    for block in body.blocks:
        if not block.text.strip() or block.definition >= 0 or (block.kind == "cell" and block.is_code(0)):
            continue
        start, end = block.extent
        one = Sentence(folded(block.text), folded(text[start:end]), start, end, section, block.kind)
        if block.kind == "heading":
            section = shown(block.text)
            headings.append((block.level, one))
        elif block.kind == "cell":
            tables.setdefault(block.table, {}).setdefault(block.row, []).append(_in_column(one, block.column))
    return headings, list(_rows(tables.values()))


def _in_column(cell: Sentence, column: int) -> Sentence:
    """A cell that knows its column by its ordinal: empty ones are no blocks."""
    return Sentence(cell.text, cell.quote, cell.start, cell.end, cell.section, cell.block, column)


def _rows(tables: Iterable[dict[int, list[Sentence]]]) -> Iterator[Row]:
    for table in tables:
        first = table.get(0, [])
        width = 1 + max((cell.ordinal for cell in first), default=0)
        head = tuple(next((cell.text for cell in first if cell.ordinal == at), "") for at in range(width))
        for number in sorted(table):
            if number:
                yield Row(head, tuple(table[number]), table[number][0].section)


def _sections(headings: list[tuple[int, Sentence]], sentences: tuple[Sentence, ...]) -> Iterator[Section]:
    marks: list[tuple[int, int, Sentence]] = [(one.start, level, one) for level, one in headings]
    marks += [(one.start, 0, one) for one in sentences]
    trail: list[Section] = []
    now = _Open(Section("", 0, (), None))
    for _, level, one in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
        if level or one.section != now.section.title:
            yield now.closed()
            heading = one if level else None
            now = _Open(_below(trail, shown(one.text) if level else one.section, level or _BELOW_ALL, heading))
        if not level:
            now.sentences.append(one)
    yield now.closed()


def _below(trail: list[Section], title: str, level: int, heading: Sentence | None) -> Section:
    while trail and trail[-1].level >= level:
        trail.pop()
    made = Section(title, level, tuple(one.title for one in trail), heading)
    trail.append(made)
    return made
