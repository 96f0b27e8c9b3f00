"""A source's text as the sentences a reader sees, each with its place: of Markdown, HTML, PDF and plain text alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.agents.writers.document import LONGEST_HEADING, Document, Sentence, Unreadable, shown
from gitops.agents.writers.excerpts import whole
from gitops.agents.writers.paragraphs import of_text, of_web_page
from gitops.agents.writers.webpages import outline
from gitops.wiki import frontmatter, markdown
from gitops.wiki.blocks import Block
from gitops.wiki.citation import format_cite
from gitops.wiki.noise import quiet
from gitops.wiki.positions import Lines
from gitops.wiki.prose import Prose, folded, split
from gitops.wiki.source_text import SourceText

_TRANSCRIPT = 3
"""So many time stamps make a transcript, whose stamps are no part of its sentences."""


def demand_text(source: SourceText, path: str) -> None:
    """Unreadable where a source has no text at all."""
    if source.problem and not source.text.strip():
        raise Unreadable(f"{path}: {source.message}", "give a source with text in it")


def demand_name(cited: str) -> None:
    """Unreadable where no citation can name a source by this path."""
    try:
        format_cite(cited).encode()
    except ValueError as error:  # UnicodeEncodeError is one: a name that is not UTF-8
        raise Unreadable(f"no citation can name {cited!a}", "add the file to raw/ under another name") from error


def read(source: SourceText, path: str, data: bytes = b"") -> Document:
    """The sentences of a source. `path` gives the name of one that has no title; `data` are a web page's bytes."""
    text, title = _hushed(source.text), ""
    if source.is_markdown:
        front = frontmatter.read(text, Lines(text))
        given = front.values.get("title")
        title = shown(str(given)) if isinstance(given, str) else ""
        found = list(_of_markdown(text, front.end))
    elif source.extractor == "html":
        marked = outline(data)
        title, found = shown(marked.title), list(of_web_page(text, marked))
    else:
        found = list(of_text(source, text))
    headings = tuple(dict.fromkeys(one for one in found if isinstance(one, str) and one))
    sentences = tuple(one for one in found if isinstance(one, Sentence))
    return Document(title or (headings[0] if headings else "") or _named(path), headings, sentences)


def _hushed(text: str) -> str:
    """A transcript without what stands between its words; every word stays in its place."""
    hushed = quiet(text)
    return hushed.text if hushed.kinds.count("time stamps") >= _TRANSCRIPT else text


def _named(path: str) -> str:
    """A title made of a file's name."""
    stem = path.rpartition("/")[2].partition(".")[0]
    words = " ".join(re.split(r"[-_\s]+", stem)).strip() or stem
    return words[:1].upper() + words[1:]


def _of_markdown(text: str, start: int) -> Iterator[str | Sentence]:
    """Headings (as text) and sentences in order. Code, tables and footnotes are none of the prose."""
    section = ""
    for block in markdown.read(text, start, has_comments=False).blocks:
        if block.definition >= 0 or not block.text.strip() or block.kind == "cell":
            continue
        if block.kind == "heading" or _is_bold_line(block, text):
            section = shown(block.text)
            yield section
            continue
        prose = Prose(block)
        for ordinal, (first, last) in enumerate(split(prose.text)):
            if any(block.is_code(at) for at in (first, last - 1)) or prose.is_struck(first, last):
                continue  # what is struck out is said no more, and without it the rest may say something else
            low, high = whole(text, *prose.span(first, last))
            yield Sentence(
                folded(prose.text[first:last]), folded(text[low:high]), low, high, section, block.kind, ordinal
            )


def _is_bold_line(block: Block, text: str) -> bool:
    """A paragraph that is bold throughout heads what follows, as the questions of an FAQ do."""
    if block.kind != "paragraph" or len(block.text) > LONGEST_HEADING + 30:
        return False
    start, end = block.extent
    return text[max(0, start - 2) : start] in ("**", "__") and text[end : end + 2] in ("**", "__")
