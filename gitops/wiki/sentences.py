"""The sentences of a page, and which of them owe a citation: what `uncited` reads."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import accumulate

from gitops.wiki import footnotes, markdown, wikilinks
from gitops.wiki.blocks import Block, Body
from gitops.wiki.claims import Attached, Cited
from gitops.wiki.model import Cite, Claim, Page, Place, Sentence
from gitops.wiki.positions import Lines
from gitops.wiki.prose import Cut, Prose, folded, link_cuts, split
from gitops.wiki.wikilinks import WikiLink

_LABEL = re.compile(r"\s*[^\W\d_][\w ]{0,40}[:：]")
_WORD = re.compile(r"\w")
_COLON = (":", "：")


def sentences(
    page: Page, backs: Callable[[Cite], bool] = lambda cite: True, *, is_obsidian: bool = True
) -> tuple[Sentence, ...]:
    """Every sentence of the page's prose, footnote definitions left out; read on demand, for it doubles the cost.

    `cited` says that something in the sentence's block cites what `backs` holds good, or that the page as a whole
    does. A footnote that nobody can read counts too, for `citation_format` tells it; one that is a remark does not.
    `free` are headings, column heads, lead-ins and blocks of links alone. `is_obsidian` says that `%%…%%` is a comment
    and a callout's first line its title; to any other reader both are text.
    """
    lines = Lines(page.text)
    claims = (claim for claim in page.claims if any(map(backs, claim.cites)))
    cited = _CitedPlaces(claims, any(map(backs, page.cites)))
    body = markdown.read(page.text, page.body, has_comments=is_obsidian)
    unread = _unread(page, body)
    return tuple(
        sentence
        for block in body.blocks
        if block.definition < 0 and block.text
        for sentence in _of(block, page.text, lines, cited, unread, is_obsidian)
    )


def _unread(page: Page, body: Body) -> set[str]:
    """The folded labels of the definitions that are in no known form."""
    faults = [problem.place.start for problem in page.problems if problem.result == "unknown_form"]
    found = footnotes.definitions(page.text, body.definitions) if faults else ()
    return {footnotes.fold(one.label) for one in found if any(one.start <= at <= one.end for at in faults)}


def _of(
    block: Block, text: str, lines: Lines, cited: _CitedPlaces, unread: Collection[str], is_obsidian: bool
) -> Iterator[Sentence]:
    wiki = wikilinks.find(block, text)
    marks = [Attached(one.at, one.at) for one in block.references]
    marks += (Attached(one.at, one.at + one.width) for one in footnotes.undefined(block, text))
    prose = Cited(block, sorted(marks, key=lambda mark: mark.at), tuple(link_cuts(wiki))).prose
    is_told = bool(unread) and any(footnotes.fold(one.label) in unread for one in block.references)
    is_cited = is_told or cited.within(block.extent)
    is_free = (is_obsidian and block.is_title) or _is_free(block, wiki)
    for start, end in split(prose.text):
        place: Place = lines.place(*prose.span(start, end))
        yield Sentence(folded(prose.text[start:end]), place, block.kind, is_cited, is_free)


def _is_free(block: Block, wiki: tuple[WikiLink, ...]) -> bool:
    if block.kind == "heading" or (block.kind == "cell" and block.row == 0):
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
