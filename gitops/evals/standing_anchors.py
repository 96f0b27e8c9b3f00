"""The anchors that stand on a page: citations whose quotation, or whose place, is in the source they name.

A citation that several claims share is one anchor. Where the convention has no field for quotations, those in the words
of the cited claim, and in the citation's own note, are its anchors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.dated import Said, normalised, said
from gitops.wiki.model import Cite, Claim
from gitops.wiki.places_in_source import stretch
from gitops.wiki.quoted import spots
from gitops.wiki.sources import SourceText
from gitops.wiki.transcribed import heard

_FOUND = ("verified", "repaired")


@dataclass(frozen=True, slots=True)
class Anchor:
    """One anchor on a page; `line` is that of the first claim it backs.

    `source` is a path in the repository, `blob` what stands there. `words` are those quoted, normalised; '' where only
    a place is cited. `place` is the place as the source has it (`p. 3`), '' where none is cited. `told` is as written.
    """

    path: str
    line: int
    claim: str
    said: tuple[Said, ...]
    source: str
    blob: str
    words: str
    place: str
    told: str
    is_standing: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """What it points to and quotes."""
        return self.source, self.words, self.place

    def lives_in(self, other: Anchor) -> bool:
        """Does another anchor, of another revision, point to the same: the same words, maybe with more around them?"""
        if self.source != other.source and self.blob != other.blob:
            return False
        return self.words in other.words if self.words else self.place == other.place


@dataclass(frozen=True, slots=True)
class Dated:
    """A claim that says on which day it held, with the sources it cites."""

    said: Said
    sources: frozenset[str]


def anchors(view: View, path: str) -> list[Anchor]:
    """The anchors of a page, those that stand in their source and those that do not; each is told once."""
    page = view.page(path)
    found: dict[tuple[str, str, str], Anchor] = {}
    for claim in page.claims:
        for cite in claim.cites:
            for anchor in _of_cite(view, path, page.text, claim, cite):
                known = found.get(anchor.key)
                if known is None:
                    found[anchor.key] = anchor
                else:
                    said_by = tuple(dict.fromkeys((*known.said, *anchor.said)))
                    found[anchor.key] = replace(
                        known, said=said_by, is_standing=known.is_standing or anchor.is_standing
                    )
    return list(found.values())


def dated(view: View, path: str) -> list[Dated]:
    """The dated claims of a page."""
    page = view.page(path)
    found = []
    for claim in page.claims:
        if (one := said(claim, page.text)).day is not None:
            resolved = {source for cite in claim.cites for source in resolve(view, path, cite).paths}
            named = {view.source_path(cite.path) for cite in claim.cites if cite.how == "exact"}  # there or not
            found.append(Dated(one, frozenset(resolved | named)))
    return found


def sources_of(view: View, path: str) -> dict[str, str | None]:
    """The files that the claims of a page cite exactly, each with its blob; None for one that is not there."""
    cites = dict.fromkeys(cite for claim in view.page(path).claims for cite in claim.cites)
    named = {view.source_path(cite.path) for cite in cites if cite.how == "exact"}
    resolved = {source for cite in cites if cite.how != "exact" for source in resolve(view, path, cite).paths}
    return {source: view.snapshot.blob(source) for source in sorted(named | resolved)}


def is_exact(view: View, path: str) -> bool:
    """Do all citations of a page say where their source lies, whatever other files there are?"""
    return all(cite.how == "exact" for claim in view.page(path).claims for cite in claim.cites)


def _of_cite(view: View, path: str, text: str, claim: Claim, cite: Cite) -> Iterator[Anchor]:
    resolved = resolve(view, path, cite)
    sources = [(name, view.source(name)) for name in resolved.paths] if resolved.status == "ok" else []
    if cite.quote is not None:
        standing = [(name, _quotes(view, name, source, cite)) for name, source in sources]
        yield from _one(view, path, text, claim, standing, cite.quote, "")
        return
    quoted = dict.fromkeys(one.text for one in (*claim.quotations, *cite.quotations) if not one.is_title)
    for quotation in quoted:
        there = [(name, bool(spots(quotation, source) or heard(quotation, source))) for name, source in sources]
        yield from _one(view, path, text, claim, there, quotation, "")
    if not quoted:
        for name, source in sources:
            if place := stretch(cite, source):
                yield from _one(view, path, text, claim, [(name, place.lack is None)], "", place.name)


def _quotes(view: View, name: str, source: SourceText, cite: Cite) -> bool:
    anchor = view.library.anchor(cite, view.snapshot.blob(name) or "", source)
    return anchor.result in _FOUND or bool(heard(cite.quote or "", source))


def _one(
    view: View, path: str, text: str, claim: Claim, tried: list[tuple[str, bool]], quote: str, place: str
) -> Iterator[Anchor]:
    """The anchor on the source that it stands in, else on the first of those it may mean; none where there is none."""
    if not tried:
        return
    name, is_standing = next((one for one in tried if one[1]), tried[0])
    yield Anchor(
        path,
        claim.place.line,
        claim.text,
        (said(claim, text),),
        name,
        view.snapshot.blob(name) or "",
        normalised(quote),
        place,
        quote or place,
        is_standing,
    )
