"""A claim as another page may say it: its words as plain text, and its citations in a form that passes there.

Citations are carried over, never made up: the quotation, page and offset that the page itself gives, once they are
found in the source; else the quotation marks in the claim's own words; else the place that is named; else the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gitops.agents.marking import plain, target_of
from gitops.agents.synthesis.changes import News
from gitops.agents.synthesis.writing import title_of
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.citation import format_cite
from gitops.wiki.model import Cite, Claim, Locator

_FOUND = ("verified", "repaired")
_MOST_FILES = 3
"""A citation that leads through a page of sources to more files than this says of none that it holds the claim."""
_MOST_WORDS = 4
"""A quotation in a claim's words is looked for in the source from so many words on: fewer stand anywhere."""
_SUPERSEDED = re.compile(r"\[!superseded\][+-]?\s+\d{4}-\d{2}-\d{2}\s*", re.IGNORECASE)
_LINKED = "footnote_link"
"""The dialect whose footnotes link a source and name a place in it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of a page, ready to be said elsewhere. `cites` is a footnote each, `sources` the files that they cite.

    `title` is its page's.
    """

    news: News
    title: str
    text: str
    cites: tuple[str, ...]
    sources: frozenset[str]

    @property
    def path(self) -> str:
        """The page that says it."""
        return self.news.path


def carried(view: View, news: News, onto: str) -> Statement | None:
    """A claim as the page at `onto` may say it; None where none of its citations leads to words that can be read."""
    found = [each for cite in news.claim.cites for each in _cites(view, news, cite, onto)]
    if not found:
        return None
    cites = tuple(dict.fromkeys(cite for cite, _ in found))
    title = title_of(view.page(news.path), news.path)
    return Statement(news, title, _words(news.claim), cites, frozenset(source for _, source in found))


def _words(claim: Claim) -> str:
    """What a claim says wherever it stands: a table's cell with the heads of its row and column before it."""
    words = _SUPERSEDED.sub("", claim.text, count=1)
    if claim.block != "cell":
        return words
    heads = [head for head in claim.context[:2] if head and head != words]
    return f"{', '.join(heads)}: {words}" if heads else words


def _cites(view: View, news: News, cite: Cite, onto: str) -> Iterator[tuple[str, str]]:
    meant = resolve(view, news.path, cite)
    if meant.status != "ok" or len(meant.paths) > _MOST_FILES:
        return
    for source in meant.paths:
        written = _written(view, news.claim, cite, source, onto)
        if written is not None:
            yield written, source


def _written(view: View, claim: Claim, cite: Cite, source: str, onto: str) -> str | None:
    quoted = _quoted(view, claim, cite, source)
    if cite.quote is not None and quoted is None:
        return None
    at = quoted or replace(cite, path=view.layout.cited(source))
    has_pages = source.lower().endswith(".pdf")
    wanted = {"quote": at.quote, "offset": at.offset, "page": at.first_page if has_pages else 0}
    if any(wanted[name] is None for name in view.config.citations.require):
        return None
    if quoted is None and cite.locator is not None and _LINKED in view.config.citations.dialects:
        return _linked(view, cite, source, onto)
    return format_cite(at.path, at.first_page, at.last_page, at.quote, at.offset)


def _quoted(view: View, claim: Claim, cite: Cite, source: str) -> Cite | None:
    """The citation with a quotation that stands in the source, and exactly where; None where it has none that does."""
    told = [cite.quote] if cite.quote is not None else [one.text for one in claim.quotations if not one.is_title]
    for quote in told:
        if cite.quote is None and len(quote.split()) < _MOST_WORDS:
            continue
        text = view.source(source)
        asked = replace(cite, quote=quote, path=view.layout.cited(source))
        anchor = view.library.anchor(asked, view.snapshot.blob(source) or "", text)
        if anchor.result in _FOUND and (cite.quote is not None or anchor.result == "verified"):
            first_page = cite.first_page or anchor.page
            return replace(asked, quote=anchor.written, offset=anchor.start, first_page=first_page)
    return None


def _linked(view: View, cite: Cite, source: str, onto: str) -> str:
    """The citation as a link with the place in words behind it, as the wiki's own pages have it."""
    place = _place(cite.locator) if cite.locator is not None else ""
    return f"[{plain(view.layout.cited(source))}]({target_of(onto, source)})" + (f", {place}" if place else "")


def _place(locator: Locator) -> str:
    """A place in a source in words; '' for a moment of a recording, which such footnotes do not name."""
    if locator.heading:
        return f"§ {locator.heading}"
    if locator.first_line is None:
        return ""
    more = f"-{locator.last_line}" if locator.last_line not in (None, locator.first_line) else ""
    return f"line{'s' if more else ''} {locator.first_line}{more}"
