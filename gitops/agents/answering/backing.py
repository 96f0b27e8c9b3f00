"""What stands behind a sentence of a page: the page's own citations of sources, and the words that they rest on."""

from __future__ import annotations

from dataclasses import replace

from gitops.agents.answers import Citation, Said, Source
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.model import Cite, Page
from gitops.wiki.positions import Lines


def sourced(view: View, said: Said) -> Said:
    """An answer whose citations say their line, and what sources the pages themselves cite for those words."""
    return replace(said, citations=tuple(_sourced(view, citation) for citation in said.citations))


def _sourced(view: View, citation: Citation) -> Citation:
    page = view.page(citation.path)
    line = Lines(page.text).place(citation.start, citation.end).line
    found = (
        one for cite in cites_of(page, citation.start, citation.end) for one in _sources(view, citation.path, cite)
    )
    return replace(citation, line=line, sources=tuple(dict.fromkeys(found)))


def cites_of(page: Page, start: int, end: int) -> tuple[Cite, ...]:
    """What a page cites for some of its words: for the claims that stand there, else for the page as a whole."""
    claims = [claim for claim in page.claims if claim.place.start < end and start < claim.place.end]
    return tuple(dict.fromkeys(cite for claim in claims for cite in claim.cites)) or page.cites


def _sources(view: View, path: str, cite: Cite) -> tuple[Source, ...]:
    """The files that a citation leads to, or what it says where it leads to none."""
    resolved = resolve(view, path, cite)
    named = resolved.paths if resolved.status == "ok" else (cite.path,)
    return tuple(Source(view.layout.cited(one), _locator(cite), cite.quote or "") for one in named)


def _locator(cite: Cite) -> str:
    if cite.first_page is not None:
        last = cite.last_page
        return f"p. {cite.first_page}" if last in (None, cite.first_page) else f"pp. {cite.first_page}-{last}"
    return cite.locator.said if cite.locator is not None else ""
