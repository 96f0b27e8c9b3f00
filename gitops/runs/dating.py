"""Which commit brought each claim of a page in, claim by claim.

As `git blame` does for lines: a claim that a parent's version has too is the parent's, and so on down; what no parent
has, the commit brought in. A paragraph is one line with many claims, so blame of lines would name the wrong commits.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal

from gitops.config import Config
from gitops.git import objects
from gitops.git.lineage import Lineage, Touch
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.verify.renames import renames
from gitops.verify.view import Library
from gitops.wiki.dated import normalised, survivor_date
from gitops.wiki.layout import PAGE_SUFFIXES
from gitops.wiki.model import Cite, Claim, Locator, Page, Place, Quotation
from gitops.wiki.snapshot import Change, MemorySnapshot, Touched

Since = Literal["claim", "citation"]
Key = tuple[Any, Any, int]
"""A claim's words and its citations, folded, and which of the equal ones on its page it is."""

_SPELLING = frozenset(("dialect", "how", "label", "offset"))
"""What may change about a citation that still says the same: how it is spelt, and where the quotation stands now."""
_CELL_HEADS = 2


@dataclass(frozen=True, slots=True)
class Dated:
    """What brought a claim in. `since` is `citation` where its words stood there before, cited otherwise."""

    commit: str
    since: Since


def asserted(page: Page) -> dict[Key, Claim | Cite]:
    """The claims of a page, and the citations that back it as a whole, each by what makes it the same elsewhere."""
    seen: Counter[tuple[Any, Any]] = Counter()
    found: dict[Key, Claim | Cite] = {}
    whole: list[tuple[tuple[Any, Any], Claim | Cite]] = [((_pointer(cite), "the page"), cite) for cite in page.cites]
    claims = [((_words(claim, page.text), frozenset(map(_pointer, claim.cites))), claim) for claim in page.claims]
    for same, each in [*whole, *claims]:
        found[(*same, seen[same])] = each
        seen[same] += 1
    return found


def _words(claim: Claim, page_text: str) -> tuple[Any, ...]:
    """What a claim says wherever it stands: its folded words, a cell's heads, the day it held, whether it is struck."""
    heads = claim.context[:_CELL_HEADS] if claim.block == "cell" else ()
    day = survivor_date(page_text, claim.text, claim.place.start)
    return _folded(claim.text), tuple(map(_folded, heads)), day, claim.is_struck


_folded = lru_cache(maxsize=65_536)(normalised)
"""Most claims stand in most versions of a page, and folding costs more than all else about them."""


def _pointer(cite: Cite) -> tuple[Any, ...]:
    """What a citation points to and quotes, whatever fields a dialect fills."""
    return tuple(_plain(getattr(cite, name)) for name in _POINTING)


def _plain(value: Any) -> Any:
    match value:
        case str():
            return value if value.isalnum() else " ".join(value.split())
        case Place():
            return None
        case Locator():
            return replace(value, said="")
        case Quotation():
            return _folded(value.text)
        case tuple():
            return tuple(map(_plain, value))
        case _:
            return value


_POINTING = [each.name for each in fields(Cite) if each.name not in _SPELLING]


@dataclass
class Dating:
    """Follows the claims of a page down its history, through renames and merges, until each is dated.

    Iterated over, it gives for each version that was read the claims that it dates, often none.
    """

    context: Context
    config: Config
    tip: str
    path: str
    wanted: Iterable[Key]
    _lineages: dict[tuple[str, str], Lineage] = field(default_factory=dict)
    _versions: dict[str, Set[Key]] = field(default_factory=dict)
    _waiting: dict[tuple[int, int], tuple[Lineage, Touch, set[Key]]] = field(default_factory=dict)
    _order: list[tuple[int, int]] = field(default_factory=list)

    def __iter__(self) -> Iterator[dict[Key, Dated]]:
        try:
            if (found := self._latest(self.tip, self.path)) is not None:
                self._hand(*found, set(self.wanted))
            while self._order:
                yield self._step(*self._waiting.pop(heapq.heappop(self._order)))
        finally:
            for lineage in self._lineages.values():
                lineage.close()

    def _step(self, lineage: Lineage, touch: Touch, keys: set[Key]) -> dict[Key, Dated]:
        """Hand the claims on to the parents that have them; the rest came in here."""
        known: set[tuple[Any, Any]] = set()
        for above, before in self._before(lineage, touch):
            version = self._version(before.blob or "")
            known.update((words, cites) for words, cites, _ in version)
            handed = keys & version
            if handed:
                self._hand(above, before, handed)
                keys -= handed
        otherwise = {words for words, cites, _ in keys for said, cited in known if said == words and cited != cites}
        return {key: Dated(touch.commit, "citation" if key[0] in otherwise else "claim") for key in keys}

    def _before(self, lineage: Lineage, touch: Touch) -> list[tuple[Lineage, Touch]]:
        """The versions that a touch began from, in the order of its parents; those under another path last."""
        found = [(lineage, lineage.at(commit)) for commit in touch.before]
        found += filter(None, (self._moved(lineage.path, touch, parent) for parent in lineage.parents_without(touch)))
        return [each for each in found if each[1].blob]

    def _moved(self, path: str, touch: Touch, parent: str) -> tuple[Lineage, Touch] | None:
        """The version of the page in a parent that has it under another path."""
        before, after = self.context.tree(parent), self.context.tree(touch.commit)
        touched = tuple(Touched(*each) for each in changed(self.context.repository, before.tree_id, after.tree_id))
        old = renames(Change(before, after, touched), _is_page).get(path)
        return self._latest(parent, old) if old is not None else None

    def _latest(self, commit: str, path: str) -> tuple[Lineage, Touch] | None:
        if (commit, path) not in self._lineages:
            self._lineages[commit, path] = Lineage(self.context.repository, commit, path)
        lineage = self._lineages[commit, path]
        touch = lineage.latest()
        return (lineage, touch) if touch is not None else None

    def _hand(self, lineage: Lineage, touch: Touch, keys: set[Key]) -> None:
        # Newest first, so that what comes to one version by several ways is asked of it at once.
        place = (list(self._lineages.values()).index(lineage), touch.number)
        if place not in self._waiting:
            heapq.heappush(self._order, place)
        self._waiting.setdefault(place, (lineage, touch, set()))[2].update(keys)

    def _version(self, blob: str) -> Set[Key]:
        if blob not in self._versions:
            held = MemorySnapshot({self.path: objects.read(self.context.repository, blob)})
            # A library of its own, since hundreds of parsed pages are not to be kept when their claims are known.
            self._versions[blob] = frozenset(asserted(Library(self.config).page(held, self.path)))
        return self._versions[blob]


def _is_page(path: str) -> bool:
    return path.lower().endswith(PAGE_SUFFIXES)
