"""What a page states, sentence by sentence, cited or not: what pages can agree or disagree about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gitops.canonical import digest
from gitops.verify.view import View
from gitops.wiki.alone import in_words
from gitops.wiki.dated import normalised, survivor_date
from gitops.wiki.disputed import note_around
from gitops.wiki.layout import is_about_wiki, is_entry
from gitops.wiki.model import Cite, Claim, Page, Place, Sentence
from gitops.wiki.page import sentences

_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff]")
_FEWEST = 3
"""Words below which a sentence is a label: what it says depends on all that stands around it."""


@dataclass(frozen=True)
class Statement:
    """A sentence of a page, or a table's cell behind its heads.

    `settled` says why it speaks against nothing: it is `dated` or `struck` and tells what held once
    (docs/convergence.md), or stands in a note that says that it is `disputed`. '' for what the page says is so now.
    """

    path: str
    text: str
    place: Place
    cites: tuple[Cite, ...] = ()
    ordinal: int = 0
    settled: str = ""

    @cached_property
    def id(self) -> str:
        """The digest of page and words: the same in every revision that has them."""
        return digest([self.path, self.text, self.ordinal])[:32]

    @cached_property
    def words(self) -> str:
        """What it says, freed of how it is set."""
        return normalised(self.text)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a page states, and of each disputed note on it the words of the claims that it says are at odds."""

    statements: tuple[Statement, ...]
    disputes: tuple[frozenset[str], ...] = ()

    def disputes_both(self, one: Statement, other: Statement) -> bool:
        """Whether the page says itself that two statements are at odds."""
        return any(one.words in words and other.words in words for words in self.disputes)


def is_stating(view: View, path: str) -> bool:
    """Whether a page says anything of the world: indexes and the log do not, nor what is about the wiki itself."""
    layout = view.layout
    return (
        layout.is_page(path) and path not in (layout.index, layout.log) and not (is_entry(path) or is_about_wiki(path))
    )


def stated(page: Page, path: str) -> Stated:
    """What a page states, in the order of its text: its claims, and what else it says by what the page cites."""
    found = [_of_claim(claim, page, path) for claim in page.claims]
    found += _uncited(page, path)
    found = sorted((one for one in found if len(_WORD.findall(one.text)) >= _FEWEST), key=lambda one: one.place.start)
    notes: dict[int, set[str]] = {}
    for one in found:
        if one.settled == "disputed" and (note := note_around(page.text, one.place.start)) is not None:
            notes.setdefault(note, set()).add(one.words)
    return Stated(tuple(found), tuple(map(frozenset, notes.values())))


def _of_claim(claim: Claim, page: Page, path: str) -> Statement:
    return Statement(
        path, in_words(claim), claim.place, claim.cites, claim.ordinal, _settled(page, claim, is_struck=claim.is_struck)
    )


def _uncited(page: Page, path: str) -> Iterator[Statement]:
    """Sentences that no claim overlaps. A cell without a citation has no heads to be read by, and is left out."""
    taken = [(claim.place.start, claim.place.end) for claim in page.claims]
    seen: dict[str, int] = {}
    for one in sentences(page):
        start, end = one.place.start, one.place.end
        if one.free or one.block == "cell" or any(first < end and start < last for first, last in taken):
            continue
        seen[one.text] = seen.get(one.text, 0) + 1
        yield Statement(path, one.text, one.place, page.cites, -seen[one.text], _settled(page, one))


def _settled(page: Page, one: Claim | Sentence, *, is_struck: bool = False) -> str:
    if is_struck:
        return "struck"
    if survivor_date(page.text, one.text, one.place.start) is not None:
        return "dated"
    return "disputed" if note_around(page.text, one.place.start) is not None else ""
