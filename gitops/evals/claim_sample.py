"""Claims drawn from a wiki at one commit: stratified by topic folder, seeded, and nearly the same after a small change.

A claim is drawn by a hash of its page and words, so it is the same sample at another commit, whatever its citations
have become. What the wiki itself says no longer holds (struck out, or kept with its date) is not drawn.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from math import floor

from gitops.canonical import digest
from gitops.errors import CannotRun
from gitops.git import objects
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.index.claims import HASH_BYTES, ClaimIndex, ClaimReader, Located, PageClaims
from gitops.runs.context import CACHE
from gitops.runs.views import PARSER_VERSION, Bench
from gitops.wiki import page as pages
from gitops.wiki.dated import survivor_date
from gitops.wiki.layout import Layout, joined
from gitops.wiki.model import Claim, Page
from gitops.wiki.snapshot import EXECUTABLE, REGULAR

_VERSION = 1
"""Rises when the same pages make other claims, or are in other strata."""
_AMONG = 40
"""Among so many times as many claims as are drawn of a stratum the seed chooses; of a smaller one, among all."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A claim that was drawn. `id` is the same at every commit at which its page says the same."""

    id: str
    stratum: str
    path: str
    page: Page
    claim: Claim


@dataclass(frozen=True, slots=True)
class ClaimSample:
    """The claims drawn, by strata and in the order of paths and lines; of how many each stratum has."""

    claims: tuple[Drawn, ...]
    strata: Mapping[str, int]
    seed: int
    size: int

    @property
    def instrument(self) -> dict[str, object]:
        """What a record says of how it was drawn."""
        drawn = digest(sorted(one.id for one in self.claims))
        return {"seed": self.seed, "size": self.size, "strata": dict(self.strata), "digest": drawn}


def draw(bench: Bench, size: int, seed: int) -> ClaimSample:
    """Draw so many claims; all where there are no more. Only pages that changed, or on which one is drawn, are read.

    `Absent` where this clone lacks a page that has to be read; CannotRun where the local cache is of other pages.
    """
    with opened(bench) as reader:
        strata = reader.strata()
        found = located(reader, strata, size, seed)
    drawn = []
    for stratum, one in found:
        page = bench.library.page(_OfIndex(bench.base_tree, one.blob), one.path)
        claim = next((each for each in claims(page) if identity(bench.layout, one.path, each) == one.hash), None)
        if claim is None:
            cache = bench.context.folder / CACHE
            raise CannotRun(f"{cache} knows a claim of {one.path} that is not there", "delete it: it is made anew")
        drawn.append(Drawn(one.hash.hex(), stratum, one.path, page, claim))
    drawn.sort(key=lambda one: (one.stratum, one.path, one.claim.place.start, one.claim.ordinal))
    return ClaimSample(tuple(drawn), strata, seed, size)


@dataclass(frozen=True, slots=True)
class _OfIndex:
    """One page by the blob id that the index has of it: to look it up costs a folder, which may have thousands."""

    tree: TreeSnapshot
    id: str

    def paths(self, prefix: str = "") -> Iterable[str]:
        return self.tree.paths(prefix)

    def blob(self, path: str) -> str | None:
        return self.id

    def mode(self, path: str) -> int | None:
        return self.tree.mode(path)

    def read(self, path: str) -> bytes:
        return objects.read(self.tree.repository, self.id)

    def size(self, path: str) -> int:
        return objects.size(self.tree.repository, self.id)


def located(reader: ClaimReader, strata: Mapping[str, int], size: int, seed: int) -> list[tuple[str, Located]]:
    """Where the claims stand that are to be drawn, each with its stratum; no page is read."""
    return [
        (stratum, one)
        for stratum, number in allotted(strata, size, seed).items()
        for one in reader.located(stratum, _chosen(reader, stratum, number, seed))
    ]


def _chosen(reader: ClaimReader, stratum: str, number: int, seed: int) -> list[bytes]:
    """Of the hashes that follow a place of the seed's, those that the seed ranks least.

    Those that come first would not do: a hash is as likely to be the first as the gap before it is wide, so that of
    forty claims some would be drawn four times too often, and some never.
    """
    found = reader.following(stratum, _start(seed, stratum), _AMONG * number)
    return heapq.nsmallest(number, found, key=lambda hash: sha256(b"%d " % seed + hash).digest())


def allotted(strata: Mapping[str, int], size: int, seed: int) -> dict[str, int]:
    """How many claims each stratum gives: in proportion, by the largest remainder, and at least one of each.

    With more strata than claims to draw not each can give one. They then draw lots, in proportion too (systematic
    sampling, Madow 1949): by remainders alone the smallest topics would never be looked at.
    """
    total = sum(strata.values())
    if size >= total:
        return dict(strata)
    exact = {stratum: size * number / total for stratum, number in strata.items()}
    if len(strata) > size:
        return _by_lot(exact, seed)
    given = {stratum: max(1, floor(share)) for stratum, share in exact.items()}

    def owed(stratum: str) -> tuple[float, str]:
        return exact[stratum] - given[stratum], digest([seed, stratum])

    while (missing := size - sum(given.values())) != 0:
        if missing > 0:
            given[max(strata, key=owed)] += 1
        else:
            given[min((stratum for stratum in strata if given[stratum] > 1), key=owed)] -= 1
    return given


def _by_lot(exact: Mapping[str, float], seed: int) -> dict[str, int]:
    at = int(digest([seed])[:8], 16) / 16**8
    given = {}
    for stratum in sorted(exact, key=lambda each: digest([seed, each])):
        after = at + exact[stratum]
        given[stratum] = floor(after) - floor(at)
        at = after
    return {stratum: number for stratum, number in given.items() if number}


def claims(page: Page) -> Iterator[Claim]:
    """The claims of a page that can be drawn: they cite, and are said to hold."""
    for claim in page.claims:
        is_dated = survivor_date(page.text, claim.text, claim.place.start) is not None
        if claim.cites and not claim.is_struck and not is_dated:
            yield claim


def identity(layout: Layout, path: str, claim: Claim) -> bytes:
    """The hash of a claim: of its page's place in the wiki, its words, and the how-manieth of equal ones it is."""
    return bytes.fromhex(digest([layout.inside(path), claim.text, claim.ordinal])[: 2 * HASH_BYTES])


def stratum_of(layout: Layout, path: str) -> str:
    """The topic folder of a page: the first below the wiki's; '' for pages that lie in none."""
    folder, slash, _ = layout.inside(path).partition("/")
    return folder if slash else ""


def _start(seed: int, stratum: str) -> bytes:
    return bytes.fromhex(digest([seed, stratum])[: 2 * HASH_BYTES])


@contextmanager
def opened(bench: Bench) -> Iterator[ClaimReader]:
    """The claims of the wiki at the bench's commit, brought up to date by reading the pages that changed."""
    context, layout = bench.context, bench.layout
    tree = bench.base_tree.folder_id(layout.wiki) or ""
    names = bench.workspace.config.workspace.model_dump()
    made_by = digest([_VERSION, PARSER_VERSION, repr(bench.conventions), names, list(layout.nested)])
    index = ClaimIndex(context.folder / CACHE, layout.root or ".", made_by[:16])

    def rows(stored: str | None) -> Iterator[tuple[str, PageClaims | None]]:
        if stored and not objects.exists(context.repository, stored):
            raise KeyError(stored)
        entries = list(changed(context.repository, stored or None, tree or None))
        for entry in context.progress("reading claims", entries, len(entries)):
            path = joined(layout.wiki, entry.path)
            if entry.new_blob is None or entry.new_mode not in (REGULAR, EXECUTABLE):
                yield path, None  # links lead elsewhere, and submodules are no files
            elif layout.is_page(path) and path != layout.log:
                yield path, (entry.new_blob, stratum_of(layout, path), _hashes(bench, path))

    with index.at(tree, rows) as reader:
        if index.notice:
            context.warn_once(index.notice)
        yield reader


def _hashes(bench: Bench, path: str) -> list[bytes]:
    # Not from the library, which would keep every page of the wiki.
    page = pages.parse(bench.base_tree.read(path), bench.conventions)
    return [identity(bench.layout, path, claim) for claim in claims(page)]
