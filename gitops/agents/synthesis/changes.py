"""Which claims came into the pages between two revisions, were reworded, gained a source, or became dated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from gitops.runs.dating import Key, asserted
from gitops.verify.renames import renames
from gitops.verify.view import View
from gitops.wiki.dated import Said, keeps, said, survivor_date
from gitops.wiki.layout import is_about_wiki
from gitops.wiki.model import Claim, Page
from gitops.wiki.paths import within
from gitops.wiki.snapshot import Change, Snapshot, Touched

Kind = Literal["new", "reworded", "sourced", "dated"]
Shown = Callable[[Sequence[str]], Iterable[str]]
_REWORDED = 60
"""From this similarity on (rapidfuzz's token sort ratio, 0 to 100) a claim is one that went, in other words."""


@dataclass(frozen=True, slots=True)
class News:
    """A claim that was not there before. `day` is the day that it held, where it is dated; '' where it holds.

    `was` is what it said before: of a claim that was reworded or became dated.
    """

    path: str
    claim: Claim
    kind: Kind
    day: str = ""
    was: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What is new. `added` are pages that came in, `gone` those that went, `touched` all that differ and stand."""

    news: tuple[News, ...]
    touched: tuple[str, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]


def changes(
    before: Snapshot, head: View, touched: Iterable[Touched], folder: str, shown: Shown = lambda paths: paths
) -> Changes:
    """The news of the pages that differ; syntheses themselves (below `folder`), the index and the log are none.

    `shown` shows how far the reading of pages has come.
    """
    layout = head.layout

    def is_read(path: str) -> bool:
        if not layout.is_page(path) or path in (layout.index, layout.log) or within(path, folder):
            return False
        return not is_about_wiki(layout.inside(path))

    entries = tuple(entry for entry in touched if is_read(entry.path))
    moved = renames(Change(before, head.snapshot, entries), is_read)
    there = [entry.path for entry in entries if entry.new_blob is not None]
    old = {entry.path: head.library.page(before, entry.path) for entry in entries if entry.old_blob is not None}
    known, standing = _Known(old.values()), _Standing(head, there)
    news = tuple(
        each
        for path in shown(there)
        for each in _of_page(path, head.page(path), old.get(moved.get(path, path)), known, standing)
    )
    gone = (entry.path for entry in entries if entry.new_blob is None and entry.path not in moved.values())
    added = (entry.path for entry in entries if entry.old_blob is None and entry.path not in moved)
    return Changes(news, tuple(there), tuple(added), tuple(gone))


class _Known:
    """What the old versions of all pages said: a claim that only moved is no news."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.sources: defaultdict[Any, set[str]] = defaultdict(set)
        for page in pages:
            for (words, _, _), each in asserted(page).items():
                if isinstance(each, Claim):
                    self.sources[words].update(cite.path for cite in each.cites)


class _Standing:
    """The words of all claims that stand now on the pages that differ, found when they are first asked for."""

    def __init__(self, head: View, paths: Iterable[str]) -> None:
        self._head, self._paths = head, paths

    @cached_property
    def words(self) -> frozenset[Any]:
        return frozenset(key[0] for path in self._paths for key in _claims(self._head.page(path)))


def _claims(page: Page) -> dict[Key, Claim]:
    return {key: each for key, each in asserted(page).items() if isinstance(each, Claim)}


def _of_page(path: str, page: Page, old: Page | None, known: _Known, standing: _Standing) -> Iterator[News]:
    fresh = {key: claim for key, claim in _claims(page).items() if not claim.is_struck and _is_fresh(key, claim, known)}
    if not fresh:
        return
    left = (
        {key: claim for key, claim in _claims(old).items() if key[0] not in standing.words} if old is not None else {}
    )
    went = [(said(claim, old.text), claim) for claim in left.values()] if old is not None else []
    for key, claim in fresh.items():
        yield _told(path, page, claim, went, is_known=key[0] in known.sources)


def _is_fresh(key: Key, claim: Claim, known: _Known) -> bool:
    before = known.sources.get(key[0])
    return before is None or not {cite.path for cite in claim.cites} <= before


def _told(path: str, page: Page, claim: Claim, went: list[tuple[Said, Claim]], *, is_known: bool) -> News:
    day = survivor_date(page.text, claim.text, claim.place.start) or ""
    if is_known:
        return News(path, claim, "sourced", day)
    now = said(claim, page.text)
    if day:
        return News(path, claim, "dated", day, next((one.text for old, one in went if keeps(now, old)), ""))
    was = _reworded(claim, [one for _, one in went])
    return News(path, claim, "reworded" if was else "new", "", was)


def _reworded(claim: Claim, went: list[Claim]) -> str:
    """The claim that went, by a source of this one's, and says it most alike; '' where none is alike enough."""
    from rapidfuzz import fuzz

    sources = {cite.path for cite in claim.cites}
    alike = [one for one in went if sources & {cite.path for cite in one.cites}]
    scored = [(fuzz.token_sort_ratio(claim.text, one.text), one.text) for one in alike]
    best = max(scored, default=(0.0, ""))
    return best[1] if best[0] >= _REWORDED else ""
