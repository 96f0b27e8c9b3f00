"""The sentences of a page, and which of them owe a citation: what `uncited` reads."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest

from gitops.wiki import footnotes, html_text, markdown, wikilinks
from gitops.wiki.blocks import Block, Body, Span
from gitops.wiki.claims import Attached, Cited
from gitops.wiki.model import Cite, Page, Place, Sentence
from gitops.wiki.positions import Lines
from gitops.wiki.prose import Cut, Prose, folded, split
from gitops.wiki.wikilinks import WikiLink

_LABEL = re.compile(r"\s*[^\W\d_][\w ]{0,40}[:：]")
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LEAST_WORDS = 5
"""So many words of an HTML block say something; of Chinese or Japanese each two signs count."""
_COLON = (":", "：")
_PARTS = re.compile(r"\n[ \t>]*\n")


def sentences(
    page: Page, backs: Callable[[Cite], bool] = lambda cite: True, *, is_obsidian: bool = True
) -> tuple[Sentence, ...]:
    """Every sentence of the page's prose, footnote definitions left out; read on demand, for it doubles the cost.

    `cited` says that something in the sentence's block cites what `backs` holds good, or that the page as a whole
    does. A footnote that nobody can read counts too, for `citation_format` tells it; one that is a remark does not.
    `free` are headings, column heads, lead-ins, blocks of links alone, and what says only what is cited: the entry of
    a list of sources, a line that names one. `is_obsidian` says that `%%…%%` is a comment
    and a callout's first line its title; to any other reader both are text.
    """
    body = markdown.read(page.text, page.body, has_comments=is_obsidian)
    blocks = [block for block in body.blocks if block.definition < 0 and block.text]
    reader = _Reader(page, backs, _unread(page, body))
    found = [
        sentence
        for block, after in zip_longest(blocks, blocks[1:])
        for sentence in reader.sentences(block, after if block.is_title and not is_obsidian else None, is_obsidian)
    ]
    return (*found, *reader.html(body.html)) if body.html else tuple(found)


def _unread(page: Page, body: Body) -> frozenset[str]:
    """The folded labels of the definitions that are in no known form."""
    faults = [problem.place.start for problem in page.problems if problem.result == "unknown_form"]
    found = footnotes.definitions(page.text, body.definitions) if faults else ()
    return frozenset(footnotes.fold(one.label) for one in found if any(one.start <= at <= one.end for at in faults))


class _Reader:
    """Knows where the page cites, and so which of its sentences are cited."""

    def __init__(self, page: Page, backs: Callable[[Cite], bool], unread: frozenset[str]) -> None:
        self._text = page.text
        self._lines = Lines(page.text)
        self._unread = unread
        self._backed = _Places(claim.place for claim in page.claims if any(map(backs, claim.cites)))
        self._is_backed = any(map(backs, page.cites))
        self._listed = _Places(cite.place for cite in page.cites)
        self._written = _Places(cite.place for claim in page.claims for cite in claim.cites)

    def sentences(self, block: Block, body: Block | None, is_obsidian: bool) -> Iterator[Sentence]:
        """The sentences of a block; `body` is what follows a callout's first line, where that is no title."""
        wiki = wikilinks.find(block, self._text)
        marks = [Attached(one.at, one.at) for one in block.references]
        marks += (Attached(one.at, one.at + one.width) for one in footnotes.undefined(block, self._text))
        prose = Cited(block, sorted(marks, key=lambda mark: mark.at), wiki).prose
        is_cited = self._is_cited(block) or (body is not None and self._goes_on(block, body) and self._is_cited(body))
        is_free = (is_obsidian and block.is_title) or owes_nothing(block, wiki)
        for start, end in split(prose.text):
            place: Place = self._lines.place(*prose.span(start, end))
            words = folded(prose.text[start:end])
            free = is_free or not _WORD.search(words) or (not is_cited and self._only_cites(place))
            yield Sentence(words, place, block.kind, is_cited, free)

    def html(self, spans: Iterable[Span]) -> Iterator[Sentence]:
        """What HTML blocks say, each as one: nothing in them can cite. A few words are a caption, and free."""
        for span in spans:
            if said := html_text.prose(self._text, span):
                words, start, end = folded(said[0]), *said[1:]
                is_free = len(_WORDS.findall(words)) < _LEAST_WORDS
                yield Sentence(words, self._lines.place(start, end), "HTML block", self._is_backed, is_free)

    def _is_cited(self, block: Block) -> bool:
        if self._is_backed or self._backed.within(*block.extent):
            return True
        return bool(self._unread) and any(footnotes.fold(one.label) in self._unread for one in block.references)

    def _goes_on(self, block: Block, after: Block) -> bool:
        return _PARTS.search(self._text, block.extent[1], after.extent[0]) is None

    def _only_cites(self, place: Place) -> bool:
        """Whether a sentence says what is cited and nothing else, or is an entry of what the page cites as a whole."""
        if self._listed.within(place.start, place.end):
            return True
        rest, done = "", place.start
        for start, end in self._written.inside(place.start, place.end):
            rest, done = rest + self._text[done:start], end
        if done == place.start:
            return False
        rest = (rest + self._text[done : place.end]).lstrip("([（【*_- ")
        label = _LABEL.match(rest)
        return not _WORD.search(rest, label.end() if label else 0)


def owes_nothing(block: Block, wiki: Sequence[WikiLink]) -> bool:
    """Whether nothing in a block owes a citation: a heading, a column's head, a lead-in, links and nothing else."""
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


class _Places:
    """Places of the page, in order."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._spans = sorted({(place.start, place.end) for place in places})
        self._furthest = list(accumulate((end for _, end in self._spans), max))

    def within(self, start: int, end: int) -> bool:
        """Whether one of them overlaps a stretch of the page."""
        before = bisect_left(self._spans, (end, 0))
        return before > 0 and self._furthest[before - 1] > start

    def inside(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Those that lie in a stretch of the page."""
        first, last = bisect_left(self._spans, (start, 0)), bisect_left(self._spans, (end, 0))
        return (span for span in self._spans[first:last] if span[1] <= end)
