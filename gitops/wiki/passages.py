"""The passages of a document, page or source: its sentences, table rows and code, each with its place in the text.

They are what is searched for, shown and answered with. A passage is what a reader sees: without mark-up, footnote
marks and definitions. No passage is longer than `LONGEST`: a sentence beyond that is none, but text without sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from gitops.wiki import markdown, wikilinks
from gitops.wiki.blocks import Block
from gitops.wiki.prose import Prose, folded, link_cuts, split

LONGEST = 2_000
"""Code points."""
MOSTLY = 0.4
"""The share of a block that links must be for it to say nothing itself."""

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"(?:\r?\n[ \t]*(?=\r?\n))+|\r?\n(?=[ \t]*(?:[-*•‣]|\d{1,3}[.)])[ \t])")
_LINE_ENDS = re.compile(r"[\r\n\f\v\u2028\u2029]")
_VISIBLE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or what stands for one, `[start, end)` in the document's text.

    `block` is heading, paragraph, item, row, quote, code or text. Passages of one `unit` (a paragraph, a list item, a
    table) belong together. `level` is a heading's. `points` says that its block is mostly links: it names what is
    said elsewhere.
    """

    text: str
    start: int
    end: int
    block: str
    unit: int
    level: int = 0
    points: bool = False


def of_markdown(text: str, start: int = 0) -> list[Passage]:
    """The passages of a Markdown text whose body begins at `start`, in order."""
    body = markdown.read(text, start)
    blocks = [block for block in body.blocks if block.definition < 0 and _VISIBLE.search(block.text)]
    found = [passage for unit, group in enumerate(_units(blocks)) for passage in _of_unit(group, unit, text)]
    unit = len(blocks)
    for number, fence in enumerate(_FENCE.finditer(text, start), unit):
        found += _cut(text, *fence.span(2), "code", number) if _VISIBLE.search(fence[2]) else ()
    return sorted(found, key=lambda passage: (passage.start, passage.end))


def of_plain(text: str) -> list[Passage]:
    """The passages of a text without mark-up, as of a PDF: paragraphs end at blank lines, items begin at a mark."""
    flat = _LINE_ENDS.sub(" ", text)
    found: list[Passage] = []
    for unit, (start, end) in enumerate(_paragraphs(text)):
        for first, last in split(flat[start:end]):
            if _VISIBLE.search(flat, start + first, start + last):
                found += _cut(text, start + first, start + last, "text", unit)
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for gap in _PARAGRAPH.finditer(text):
        yield at, gap.start()
        at = gap.end()
    yield at, len(text)


def _units(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Each block for itself, but the cells of one table together."""
    for table, group in groupby(blocks, key=lambda block: block.table):
        if table < 0:
            yield from ([block] for block in group)
        else:
            yield list(group)


def _of_unit(blocks: Sequence[Block], unit: int, text: str) -> Iterator[Passage]:
    if blocks[0].table >= 0:
        yield from _rows(blocks, unit, text)
        return
    [block] = blocks
    prose = _prose(block, text)
    if block.kind == "heading":
        yield Passage(folded(prose.text), *block.extent, "heading", unit, block.level)
        return
    points = _points(block, prose, text)
    for start, end in split(prose.text):
        said = folded(prose.text[start:end])
        if not _VISIBLE.search(said):
            continue
        place = prose.span(start, end)
        if len(said) > LONGEST:
            yield from _cut(text, *place, block.kind, unit)
        else:
            yield Passage(said, *place, block.kind, unit, points=points)


def _points(block: Block, prose: Prose, text: str) -> bool:
    """Whether links are most of what a block shows."""
    linked = sum(link.until - link.at for link in block.links if not link.is_image)
    linked += sum(link.shown[1] - link.shown[0] for link in wikilinks.find(block, text))
    return linked > MOSTLY * len(prose.text.strip())


def _prose(block: Block, text: str) -> Prose:
    return Prose(block, [*link_cuts(wikilinks.find(block, text))])


def _rows(cells: Sequence[Block], unit: int, text: str) -> Iterator[Passage]:
    """Each row as `head: cell; head: cell`, for a cell says nothing without its heads; of a lone head row itself."""
    said = {(cell.row, cell.column): folded(_prose(cell, text).text) for cell in cells}
    is_headed = any(cell.row for cell in cells)
    for row, group in groupby(cells, key=lambda cell: cell.row):
        if row == 0 and is_headed:
            continue
        there = list(group)
        parts = [_celled(said.get((0, cell.column), "") if row else "", said[row, cell.column]) for cell in there]
        start, end = there[0].extent[0], there[-1].extent[1]
        yield Passage("; ".join(parts)[:LONGEST], start, end, "row", unit)


def _celled(head: str, cell: str) -> str:
    return f"{head}: {cell}" if head else cell


def _cut(text: str, start: int, end: int, block: str, unit: int) -> Iterator[Passage]:
    """A stretch as it stands; where it is too long in pieces, at a line's end, else at a space, else anywhere."""
    while end - start > LONGEST:
        at = max(text.rfind("\n", start, start + LONGEST), start)
        if at <= start:
            at = max(text.rfind(" ", start, start + LONGEST), start)
        at = at + 1 if at > start else start + LONGEST
        yield from _cut(text, start, at, block, unit)
        start = at
    said = folded(text[start:end])
    if _VISIBLE.search(said):
        yield Passage(said, start, end, block, unit)
