"""The sentences of a page, and which of them owe a citation: what `uncited` reads."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate

from gitops.wiki import footnotes, markdown, wikilinks
from gitops.wiki.blocks import Block
from gitops.wiki.claims import Attached, Cited
from gitops.wiki.model import Claim, Page, Place, Sentence
from gitops.wiki.positions import Lines
from gitops.wiki.prose import Cut, Prose, folded, link_cuts, split
from gitops.wiki.wikilinks import WikiLink

_LABEL = re.compile(r"\s*[^\W\d_][\w ]{0,40}[:：]")
_WORD = re.compile(r"\w")
_COLON = (":", "：")


def sentences(page: Page) -> tuple[Sentence, ...]:
    """Every sentence of the page's prose, footnote definitions left out; read on demand, for it doubles the cost.

    `cited` says that the sentence's block carries a footnote with a definition or a citation of any dialect, or
    that the page as a whole does. `free` are headings, titles of callouts, column heads, lead-ins and blocks of
    links alone.
    """
    lines = Lines(page.text)
    cited = _CitedPlaces(page.claims, bool(page.cites))
    return tuple(
        sentence
        for block in markdown.read(page.text, page.body).blocks
        if block.definition < 0 and block.text
        for sentence in _of(block, page.text, lines, cited)
    )


def _of(block: Block, text: str, lines: Lines, cited: _CitedPlaces) -> Iterator[Sentence]:
    wiki = wikilinks.find(block, text)
    marks = [Attached(one.at, one.at) for one in block.references]
    marks += (Attached(one.at, one.at + one.width) for one in footnotes.undefined(block, text))
    prose = Cited(block, sorted(marks, key=lambda mark: mark.at), tuple(link_cuts(wiki))).prose
    is_cited = bool(block.references) or cited.within(block.extent)
    is_free = _is_free(block, wiki)
    for start, end in split(prose.text):
        place: Place = lines.place(*prose.span(start, end))
        yield Sentence(folded(prose.text[start:end]), place, block.kind, is_cited, is_free)


def _is_free(block: Block, wiki: tuple[WikiLink, ...]) -> bool:
    if block.kind == "heading" or block.is_title or (block.kind == "cell" and block.row == 0):
        return True
    if block.is_lead and block.text.rstrip().endswith(_COLON):
        return True
    spans = sorted([*((link.at, link.until) for link in block.links), *((link.at, link.until) for link in wiki)])
    if not spans and not any(link.is_image for link in block.links):
        return not _WORD.search(block.text)
    rest = Prose(block, [Cut(*span) for span in spans]).text
    label = _LABEL.match(rest)
    return not _WORD.search(rest, label.end() if label else 0)


class _CitedPlaces:
    """Whether a claim of the page stands in a stretch of it."""

    def __init__(self, claims: Iterable[Claim], is_page_cited: bool) -> None:
        spans = sorted((claim.place.start, claim.place.end) for claim in claims)
        self._starts = [start for start, _ in spans]
        self._furthest = list(accumulate((end for _, end in spans), max))
        self._is_page_cited = is_page_cited

    def within(self, extent: tuple[int, int]) -> bool:
        before = bisect_left(self._starts, extent[1])
        return self._is_page_cited or (before > 0 and self._furthest[before - 1] > extent[0])
