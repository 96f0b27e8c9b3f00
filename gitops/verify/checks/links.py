"""Every link on a page leads somewhere: to a page, a heading that is there, or a file.

`broken` is the specification's missing cross-reference. `ambiguous` names the pages between which a name
does not decide. `escapes` is a link that leaves the repository.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.nearby import nearest
from gitops.verify.view import Draft, PageAt
from gitops.wiki.graph import resolved
from gitops.wiki.links import anchor_exists
from gitops.wiki.model import Link


def examine(at: PageAt) -> Iterator[Draft]:
    """The links of the page that lead nowhere, or nowhere certain."""
    for link in at.page.links:
        if link.is_cited:
            continue  # `source_exists` and `locator` answer for it
        if not link.target:
            if link.anchor and not anchor_exists(at.page, link.anchor):
                yield _draft(at, link, "broken_anchor", f"this page has no heading '{link.anchor}'")
            continue
        found = resolved(at.view.graph, at.view.layout, at.path, link.kind, link.target)
        if found.status == "broken":
            yield _draft(at, link, "broken", f"'{link.target}' leads to no page or file", partial(_nearest, at, link))
        elif found.status == "escapes":
            yield _draft(at, link, "escapes", f"'{link.target}' leaves the repository")
        elif found.status == "ambiguous":
            yield _draft(at, link, "ambiguous", f"'{link.target}' may mean {' or '.join(sorted(found.paths))}")
        elif link.anchor and not _anchored(at, found.paths[0], link.anchor):
            yield _draft(at, link, "broken_anchor", f"{found.paths[0]} has no heading '{link.anchor}'")


def _anchored(at: PageAt, path: str, anchor: str) -> bool:
    if not at.view.layout.is_page(path):
        return True
    try:
        return anchor_exists(at.view.page(path), anchor)
    except LookupError:  # a blob that this clone lacks says nothing about its headings
        return True


def _nearest(at: PageAt, link: Link) -> str:
    layout = at.view.layout
    near = nearest(link.target, at.view.snapshot.paths(layout.wiki))
    return f"did you mean {near.removeprefix(layout.wiki + '/')}?" if near else ""


def _draft(at: PageAt, link: Link, result: str, message: str, repair: str | Callable[[], str] = "") -> Draft:
    subject = f"{link.kind} {link.target}#{link.anchor}"
    return Draft(result, message, subject, at.path, link.place, repair=repair)


CHECK = Check(
    scope="page",
    version=1,
    results={
        "broken": Level.WARNING,
        "escapes": Level.ERROR,
        "ambiguous": Level.NOTE,
        "broken_anchor": Level.NOTE,
    },
    page=examine,
)
