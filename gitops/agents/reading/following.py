"""Following what a page points to: a link to its page, a citation to its source and the words it quotes there."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from gitops.agents.calling import Arguments, ToolError
from gitops.agents.fencing import fenced
from gitops.agents.reading.shelf import Shelf
from gitops.errors import Absent
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.anchors import Anchor
from gitops.wiki.graph import resolved
from gitops.wiki.model import Cite, Link, Page
from gitops.wiki.places_in_source import stretch
from gitops.wiki.source_text import SourceText, page_of

AROUND = 600
"""Characters of the source that are shown before and after a quoted span."""
FOLLOWED = 10
"""So many citations or links that are called alike are followed at once."""
_BEGINNING = 1200


class Follow(Arguments):
    """What `follow` is asked."""

    page: str = Field(description="the page that points somewhere")
    target: str = Field(
        min_length=1,
        max_length=500,
        description="a footnote's label (3 or [^3]), or a link's target or text as written",
    )


def follow(shelf: Shelf, asked: Follow) -> str:
    """What links and citations of a page that are called so lead to; of a citation, the quoted span in its context."""
    path, view = shelf.path(asked.page), shelf.now()
    if not view.layout.is_page(path):
        raise ToolError(f"{path} is no page of the wiki")
    if view.snapshot.blob(path) is None:
        raise ToolError(f"there is no page {path}")
    try:
        page = view.page(path)
    except Absent as error:
        raise ToolError(f"the content of {path} is not in this clone") from error
    wanted = _name(asked.target)
    told = [*_cited(view, path, page, wanted), *_linked(view, path, page, wanted)]
    if not told:
        raise ToolError(f"{path} has no citation and no link that is called {asked.target!r}")
    more = f"\n\n(and {len(told) - FOLLOWED} more that are called so)" if len(told) > FOLLOWED else ""
    return "\n\n".join(told[:FOLLOWED]) + more


def _name(said: str) -> str:
    """A label or target without the brackets that it may be given in."""
    plain = said.strip()
    if plain.startswith("[[") and plain.endswith("]]"):
        return plain[2:-2].split("|")[0].strip()
    if plain.startswith("[^") and plain.endswith("]"):
        return plain[2:-1]
    return plain.removeprefix("^")


def _cites(page: Page) -> Iterator[Cite]:
    seen: set[Cite] = set()
    for cite in (*page.cites, *(cite for claim in page.claims for cite in claim.cites)):
        if cite not in seen:
            seen.add(cite)
            yield cite


def _cited(view: View, path: str, page: Page, wanted: str) -> Iterator[str]:
    for cite in _cites(page):
        if wanted.casefold() in (cite.label.casefold(), cite.path.casefold()):
            yield _citation(view, path, cite)


def _linked(view: View, path: str, page: Page, wanted: str) -> Iterator[str]:
    for link in page.links:
        if not link.is_cited and wanted in (link.target, link.text, f"{link.target}#{link.anchor}"):
            yield _link(view, path, link)


def _link(view: View, path: str, link: Link) -> str:
    found = resolved(view.graph, view.layout, path, link.kind, link.target)
    leads = ", ".join(found.paths) or "nowhere"
    anchor = f" (heading {link.anchor})" if link.anchor else ""
    told = f"{link.kind} link {link.target}{anchor} → {leads}"
    return f"line {link.place.line}: a link; {found.status}. Data:\n{fenced(told, page=path)}"


def _citation(view: View, path: str, cite: Cite) -> str:
    found = resolve(view, path, cite)
    where = f"line {cite.place.line}: a citation; {found.status.replace('_', ' ')}"
    if found.status != "ok":
        return f"{where}. Data:\n{fenced(f'{cite.path}: {found.message}', page=path)}"
    return "\n".join([f"{where}.", *(_span(view, cite, source) for source in found.paths[:FOLLOWED])])


def _span(view: View, cite: Cite, path: str) -> str:
    """The quoted span where it stands, or where it nearly does; without a quotation, the place that is pointed to."""
    try:
        source = view.source(path)
    except Absent:
        return f"its content is not in this clone. Data:\n{fenced(path, what='the source')}"
    if source.problem and not source.text.strip():
        return f"it cannot be read: {source.message}. Data:\n{fenced(path, what='the source')}"
    if cite.quote is None:
        return _pointed(cite, path, source)
    anchor = view.library.anchor(cite, view.snapshot.blob(path) or "", source)
    told = anchor.result.replace("_", " ")
    if not anchor.exact:
        return f"the quotation is {told}. Data:\n{fenced(cite.quote, source=path, quotation='as the page has it')}"
    at = _where(source, anchor.start)
    shown = fenced(_around(source, anchor), source=path, quotation="between ⟦ and ⟧")
    return f"the quotation: {told}, at character {anchor.start}{at}. Data:\n{shown}"


def _pointed(cite: Cite, path: str, source: SourceText) -> str:
    """The place that is pointed to without a quotation, else the source's beginning; no more than a part of either."""
    place = stretch(cite, source)
    if place is not None and not place.spans:
        return f"there is no such place in it. Data:\n{fenced(place.message, source=path)}"
    start, end = place.spans[0] if place is not None else (0, len(source.text))
    cut = f", its first {_BEGINNING} characters (read shows more)" if end - start > _BEGINNING else ""
    what = "the place it points to" if place is not None else "it quotes nothing and names no place; the source begins"
    shown = fenced(source.text[start : min(end, start + _BEGINNING)], source=path)
    return f"{what}{_where(source, start)}{cut}. Data:\n{shown}"


def _where(source: SourceText, offset: int) -> str:
    line = source.text.count("\n", 0, offset) + 1
    page = page_of(source, offset)
    return f", page {page} of {len(source.page_starts)}" if page is not None else f", line {line}"


def _around(source: SourceText, anchor: Anchor) -> str:
    before = source.text[max(0, anchor.start - AROUND) : anchor.start]
    after = source.text[anchor.end : anchor.end + AROUND]
    return f"{before}⟦{anchor.exact}⟧{after}"
