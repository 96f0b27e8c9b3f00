"""A document in chunks, which are what a search finds: its sections, long ones in parts.

A chunk has a span, half-open, in code points of the page's decoded text or the source's extracted text, and an id that
is a digest of the document's path, that span and the chunker's version: equal ids are equal places, cut alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gitops.canonical import digest
from gitops.wiki import frontmatter, passages
from gitops.wiki.decode import decode
from gitops.wiki.frontmatter import Frontmatter
from gitops.wiki.model import Page
from gitops.wiki.passages import Passage
from gitops.wiki.positions import Lines
from gitops.wiki.source_text import SourceText, page_of

CHUNKER_VERSION = "1"
"""Rises whenever the same text is cut otherwise or read otherwise."""
LONGEST = 1_200
"""Code points of visible text beyond which a section is split: at paragraphs, else between sentences."""
ABOVE = " › "
"""What stands between the headings of a path."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section or a part of one. `heading` is the path of the headings above it, `text` what a reader sees of it.

    `line` counts from 1; `page` is the PDF page on which it begins, None elsewhere. `title` is the document's.
    """

    id: str
    path: str
    start: int
    end: int
    line: int
    title: str
    heading: str
    text: str
    page: int | None = None


def of_page(path: str, page: Page) -> list[Chunk]:
    """The chunks of a wiki page; frontmatter and footnote definitions are no text of it."""
    return _of_page(path, page.text, page.body, page.frontmatter)


def of_page_data(path: str, data: bytes) -> list[Chunk]:
    """The same of a page's bytes, without all else that is read off a page."""
    text = decode(data).text
    front = frontmatter.read(text, Lines(text))
    return _of_page(path, text, front.end, front.values)


def _of_page(path: str, text: str, body: int, front: Mapping[str, Any]) -> list[Chunk]:
    title = front.get("title")
    named = str(title).strip() if isinstance(title, str | int | float) else ""
    return _chunks(path, text, passages.of_markdown(text, body), named)


def of_source(path: str, source: SourceText) -> list[Chunk]:
    """The chunks of a source; of one without text none."""
    return _chunks(path, source.text, source_passages(source), _given_title(source), source)


def title_of(path: str, source: SourceText) -> str:
    """What a source is called: by its frontmatter, its first heading, its file."""
    return _given_title(source) or _first_heading(source_passages(source)) or _stem(path)


def _given_title(source: SourceText) -> str:
    title = _front(source).values.get("title") if source.is_markdown else ""
    return title.strip() if isinstance(title, str) else ""


def _first_heading(found: Sequence[Passage]) -> str:
    return next((one.text for one in found if one.block == "heading" and one.level == 1), "")


def source_passages(source: SourceText) -> list[Passage]:
    """The passages of a source, in order."""
    if source.is_markdown:
        return passages.of_markdown(source.text, _front(source).end)
    return passages.of_plain(source.text)


def _front(source: SourceText) -> Frontmatter:
    return frontmatter.read(source.text, Lines(source.text))


def chunk_id(path: str, start: int, end: int) -> str:
    """What a place of a document is called: the same in every run and on every machine."""
    return digest([path, start, end, CHUNKER_VERSION])[:20]


def _chunks(path: str, text: str, found: Sequence[Passage], title: str, paged: SourceText | None = None) -> list[Chunk]:
    title = title or _first_heading(found) or _stem(path)
    parts = [(heading, part) for heading, section in _sections(found) for part in _parts(section)]
    spans = _widened(text, [(part[0].start, part[-1].end) for _, part in parts])
    lines = Lines(text)
    made = []
    for (heading, part), (start, end) in zip(parts, spans, strict=True):
        said = "\n".join(one.text for one in part if one.block != "heading")
        page = page_of(paged, start) if paged is not None else None
        line = lines.place(start, end).line
        made.append(Chunk(chunk_id(path, start, end), path, start, end, line, title, heading, said, page))
    return made


def _sections(found: Sequence[Passage]) -> Iterator[tuple[str, list[Passage]]]:
    """What stands under each heading, the heading with it, and the headings above it; of a heading alone nothing."""
    above: list[Passage] = []
    section: list[Passage] = []
    for one in found:
        if one.block != "heading":
            section.append(one)
            continue
        yield from _section(above, section)
        above, section = [*(head for head in above if head.level < one.level), one], [one]
    yield from _section(above, section)


def _section(above: Sequence[Passage], section: list[Passage]) -> Iterator[tuple[str, list[Passage]]]:
    if any(one.block != "heading" for one in section):
        yield ABOVE.join(head.text for head in above), section


def _parts(section: Sequence[Passage]) -> Iterator[list[Passage]]:
    """A section whole, or in parts as long as they may be: paragraph by paragraph, sentence by sentence if need be."""
    part: list[Passage] = []
    for unit in _pieces(section):
        if part and _length(part) + _length(unit) > LONGEST and any(one.block != "heading" for one in part):
            yield part
            part = []
        part = [*part, *unit]
    if part:
        yield part


def _pieces(section: Sequence[Passage]) -> Iterator[list[Passage]]:
    for _, group in groupby(section, key=lambda one: one.unit):
        unit: list[Passage] = []
        for one in group:
            if unit and _length(unit) + len(one.text) > LONGEST:
                yield unit
                unit = []
            unit.append(one)
        yield unit


def _length(part: Sequence[Passage]) -> int:
    return sum(len(one.text) for one in part)


def _widened(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Each span to the ends of its lines, for `##` and a footnote mark belong to it, but never into another."""
    stops = [start for start, _ in (*spans[1:], (len(text), 0))][: len(spans)]
    before = 0
    for (start, end), stop in zip(spans, stops, strict=True):
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", end)
        end = max(end, min(stop, line_end if line_end >= 0 else len(text)))
        while text[end - 1].isspace():
            end -= 1
        yield line_start if line_start >= before else start, end
        before = end


def _stem(path: str) -> str:
    """A file's name as words."""
    return path.rpartition("/")[2].rpartition(".")[0].replace("-", " ").replace("_", " ")
