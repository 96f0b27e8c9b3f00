"""Why an atom is as it is: the sentences of its rationale, and what they and the rest of the file cite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitops.okf.model import Backing, Sentence
from gitops.okf.places import Places
from gitops.wiki import footnotes
from gitops.wiki.claims import Cited, claims
from gitops.wiki.dialects import canonical
from gitops.wiki.model import Cite
from gitops.wiki.page import Read
from gitops.wiki.prose import folded, split
from gitops.wiki.sentences import owes_nothing

KEY = "rationale"
_MARK = re.compile(r"\s*\[\^([^\[\]\s^]+)\]")
_WORD = re.compile(r"\w")


def backings(read: Read) -> tuple[Backing, ...]:
    """What the file cites anywhere in its text, each once, in the order of the references."""
    cites = (cite for one in read.citations.cited for mark in one.attached for cite in mark.cites)
    return tuple(dict.fromkeys(map(_backing, cites)))


def rationale(read: Read, places: Places) -> tuple[Sentence, ...]:
    """The sentences below headings `Rationale`; where there is no such heading, those of the key `rationale`.

    A lead-in, a row of links and the like say nothing of their own, and are left out.
    """
    sections = section(read.citations.cited)
    if sections is None:
        return tuple(_of_key(read, places))
    claims(sections, read.outline.lines)  # lets each mark back the sentence it belongs to
    return tuple(sentence for one in sections for sentence in _sentences(one, read))


def section(blocks: Iterable[Cited]) -> list[Cited] | None:
    """The blocks below headings `Rationale`, up to the next heading of the same level or above; None without one."""
    inside: list[Cited] | None = None
    level = 0
    for one in blocks:
        if one.block.kind == "heading":
            level = level if one.block.level > level else 0
            if not level and one.folded.casefold().strip(" :") == KEY:
                level, inside = one.block.level, inside or []
        elif level and inside is not None:
            inside.append(one)
    return inside


def _sentences(one: Cited, read: Read) -> Iterator[Sentence]:
    if owes_nothing(one.block, one.links):
        return
    backed = dict(one.backed)
    for index, (start, end) in enumerate(one.sentences):
        words = one.words(index)
        if _WORD.search(words):
            line = read.outline.lines.place(*one.prose.span(start, end)).line
            yield Sentence(words, line, tuple(map(_backing, backed.get(index, ()))))


def _of_key(read: Read, places: Places) -> Iterator[Sentence]:
    """A text, or a list of texts; marks in them refer to the footnotes of the body."""
    value = read.outline.frontmatter.get(KEY)
    texts = value if isinstance(value, list) else [value]
    cited = _by_label(read)
    for text, line in zip(texts, places.entries(KEY, len(texts)), strict=True):
        if isinstance(text, str):
            for words, labels in _split(folded(text)):
                cites = (cite for label in labels for cite in cited.get(footnotes.fold(label), ()))
                yield Sentence(words, line, tuple(dict.fromkeys(map(_backing, cites))))


def _split(text: str) -> Iterator[tuple[str, list[str]]]:
    """The sentences of a text without their marks, and the labels of each."""
    plain, marks, done = "", list[tuple[int, str]](), 0
    for mark in _MARK.finditer(text):
        plain, done = plain + text[done : mark.start()], mark.end()
        marks.append((len(plain), mark[1]))
    plain += text[done:]
    spans = split(plain)
    for number, (start, end) in enumerate(spans):
        until = spans[number + 1][0] if number + 1 < len(spans) else len(plain)
        if _WORD.search(plain, start, end):
            yield plain[start:end], [label for at, label in marks if start < at <= until]


def _by_label(read: Read) -> Mapping[str, Sequence[Cite]]:
    """What each footnote cites, by its folded label, in the one form that needs no dialect."""
    found: dict[str, Sequence[Cite]] = {}
    for definition in read.outline.definitions:
        found.setdefault(footnotes.fold(definition.label), canonical.define(definition, read.outline) or ())
    return found


def _backing(cite: Cite) -> Backing:
    return Backing(cite.path, cite.quote or "", cite.place.line)
