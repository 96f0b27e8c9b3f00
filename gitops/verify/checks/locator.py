"""The place that a citation names in its source is there: lines, heading, moment or page.

A moment is there while the recording lasts, a heading by its words, its slug or the beginning of what is said; a PDF's
page also by the number printed on it. What a source of that kind has no place for (lines of a PDF, headings of plain
text) says nothing, and neither does a source that cannot be read. Whether a quotation stands there, and which locator
would be the right one, is `quote_anchor`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.resolution import resolve
from gitops.verify.subjects import subject
from gitops.verify.view import Draft, PageAt
from gitops.wiki.model import Cite, Claim
from gitops.wiki.places_in_source import Stretch, stretch


def examine(at: PageAt) -> Iterator[Draft]:
    """One result for each claim and locator that leads nowhere."""
    lacking: dict[Cite, Stretch | None] = {}
    for claim in at.page.claims:
        for cite in claim.cites:
            if not _is_located(cite):
                continue
            if cite not in lacking:
                lacking[cite] = _lacking(at, cite)
            if found := lacking[cite]:
                yield _draft(at, cite, found, claim)
    for cite in at.page.cites:
        if found := _lacking(at, cite):
            yield _draft(at, cite, found, None)


def _is_located(cite: Cite) -> bool:
    """Does it name a place, and is it not its quotation that is asked for there?"""
    return cite.locator is not None or (cite.first_page is not None and cite.quote is None)


def _lacking(at: PageAt, cite: Cite) -> Stretch | None:
    """The place that none of the cited sources has; None where one has it or may have it."""
    if not _is_located(cite):
        return None
    resolved = resolve(at.view, at.path, cite)
    if resolved.status != "ok" or (resolved.via and cite.locator is not None and cite.locator.heading):
        return None  # a heading behind a link to a page is that page's own
    found = [_in_source(at, cite, path) for path in resolved.paths]
    return found[0] if found and all(one is not None and one.lack for one in found) else None


def _in_source(at: PageAt, cite: Cite, path: str) -> Stretch | None:
    source = at.view.source(path)
    is_known = source.text.strip() or source.page_starts  # a scan has pages, if no words
    return stretch(cite, source) if is_known and source.problem != "broken_pdf" else None


def _draft(at: PageAt, cite: Cite, found: Stretch, claim: Claim | None) -> Draft:
    said = claim.text if claim else ""
    return Draft(
        result=found.lack or "no_line",
        message=f"{cite.path} has no {found.name}: {found.message}",
        subject=subject(said, cite.path, found.name),
        path=at.path,
        place=cite.place,
        claim=said,
        source=cite.path,
        repair=found.repair,
        evidence={"locator": found.name, "label": cite.label or None},
    )


CHECK = Check(
    scope="claim",
    version=2,
    results={
        "no_line": Level.ERROR,
        "no_heading": Level.ERROR,
        "no_moment": Level.ERROR,
        "no_page": Level.ERROR,
    },
    page=examine,
)
