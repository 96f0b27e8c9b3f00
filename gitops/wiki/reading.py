"""The citations of a page as its dialects read them, and what is wrong with them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gitops.wiki import footnotes, overlaps
from gitops.wiki.blocks import Block
from gitops.wiki.claims import Attached, Cited
from gitops.wiki.dialects import Dialect
from gitops.wiki.model import Cite, Problem
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline
from gitops.wiki.prose import Cut
from gitops.wiki.wikilinks import WikiLink

Cites = Mapping[str, tuple[Cite, ...]]


@dataclass(slots=True, eq=False)
class Citations:
    """What was read: the blocks with what is attached to them, and all that was found beside.

    `used` are the folded labels that are referred to; `claimed` the definitions with a field for a quotation, whose
    words are no Markdown; `linked` the places at which a link is itself the citation.
    """

    cited: list[Cited] = field(default_factory=list)
    page_cites: tuple[Cite, ...] = ()
    linked: list[tuple[int, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    claimed: set[int] = field(default_factory=set)

    @property
    def has_cites(self) -> bool:
        """Whether anything in the prose carries a citation."""
        return any(mark.cites for one in self.cited if one.attached for mark in one.attached)


def read(outline: Outline, wiki: Mapping[Block, Sequence[WikiLink]], dialects: Sequence[Dialect]) -> Citations:
    """Ask the dialects: of each definition the first that knows its form, of the rest of the page every one."""
    citations = Citations()
    cites = _define(outline, dialects, citations)
    readings = [one for dialect in dialects if (one := dialect.read(outline)) is not NOTHING]
    if len(readings) > 1:
        readings = overlaps.apart(readings)
    labels = {label: found for one in readings for label, found in one.labels.items()}
    marks = sorted((mark for one in readings for mark in one.marks), key=lambda mark: mark.start)
    citations.page_cites = tuple(cite for one in readings for cite in one.page_cites)
    citations.problems += (problem for one in readings for problem in one.problems)
    everywhere: Iterable[Cite] = chain.from_iterable(cites.values())
    if readings:
        everywhere = chain(everywhere, citations.page_cites, *(mark.cites for mark in marks))
    citations.linked = sorted((one.place.start, one.place.end) for one in everywhere if one.how in ("link", "wiki"))
    starts = [mark.start for mark in marks]
    for block in outline.blocks:
        if block.definition < 0:
            attached: Sequence[Attached] = ()
            if block.references or ("[" in block.text and "[^" in block.text):
                attached = _attached(block, outline, cites, labels, citations)
            if marks:
                attached = sorted([*attached, *_marked(block, marks, starts)], key=lambda mark: mark.at)
            citations.cited.append(Cited(block, attached, wiki.get(block, ())))
        elif block.references and block.definition not in citations.claimed:
            citations.used.update(footnotes.fold(one.label) for one in block.references)
    citations.page_cites = _of_the_page(citations)
    return citations


def without_code(one: Cited) -> str:
    """A block's visible words for counting: without code spans, marks and the brackets of links."""
    block = one.block
    literal = (Cut(mark.at, mark.until) for mark in one.attached)
    cuts = [*one.hidden, *literal, *(Cut(*span) for span in block.codes)]
    if not cuts:
        return block.text
    pieces, done = [], 0
    for cut in sorted(cuts, key=lambda cut: cut.at):
        pieces.append(block.text[done : max(done, cut.at)])
        done = max(done, cut.until)
    return "".join((*pieces, block.text[done:]))


def _define(outline: Outline, dialects: Sequence[Dialect], citations: Citations) -> Cites:
    by_label: dict[str, tuple[Cite, ...]] = {}
    for index, definition in enumerate(outline.definitions):
        cites = _first(definition, outline, dialects)
        if cites is None:
            citations.problems.append(footnotes.unknown_form(definition, outline.lines))
        elif any(cite.quote is not None for cite in cites):
            citations.claimed.add(index)
        by_label.setdefault(footnotes.fold(definition.label), cites or ())
    return by_label


def _first(definition: Definition, outline: Outline, dialects: Iterable[Dialect]) -> tuple[Cite, ...] | None:
    for dialect in dialects:
        if (cites := dialect.define(definition, outline)) is not None:
            return cites
    return None


def _of_the_page(citations: Citations) -> tuple[Cite, ...]:
    """The cites of the page as a whole, each once, without those that back a part of it already."""
    if not citations.page_cites:
        return ()
    backing = {_where(cite) for one in citations.cited for mark in one.attached for cite in mark.cites}
    first = {_where(cite): cite for cite in reversed(citations.page_cites)}
    return tuple(cite for cite in citations.page_cites if _where(cite) not in backing and first[_where(cite)] is cite)


def _where(cite: Cite) -> tuple[str, int]:
    return cite.path, cite.place.start


def _attached(block: Block, outline: Outline, cites: Cites, labels: Cites, citations: Citations) -> list[Attached]:
    """The footnote references of a block, those without a definition too, which are visible text."""
    attached = []
    for one in block.references:
        label = footnotes.fold(one.label)
        citations.used.add(label)
        attached.append(Attached(one.at, one.at, cites.get(label, ())))
    for one in footnotes.undefined(block, outline.text):
        known = labels.get(footnotes.fold(one.label))
        if known is None:
            citations.problems.append(footnotes.not_defined(one, outline.lines))
        attached.append(Attached(one.at, one.at + one.width, known or ()))
    return sorted(attached, key=lambda mark: (mark.at, mark.until)) if len(attached) > 1 else attached


def _marked(block: Block, marks: Sequence[Mark], starts: Sequence[int]) -> Iterator[Attached]:
    """The marks inside a block; `starts` is where each begins, in order."""
    start, end = block.extent
    for mark in marks[bisect_left(starts, start) : bisect_right(starts, end)]:
        if mark.end <= end:
            until = block.at_of(mark.end)
            yield Attached(until if mark.is_shown else block.at_of(mark.start), until, mark.cites)
