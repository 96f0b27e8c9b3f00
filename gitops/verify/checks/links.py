"""Every link on a page leads somewhere: to a page, a heading that is there, or a file.

`broken` is the specification's missing cross-reference. `inexact` is a wiki-link whose path is stale, and which the
page's name alone still leads to a page. `ambiguous` names the pages between which a name does not decide. `escapes` is
a link that leaves the repository, but for the pages that GitHub puts beside one (`../../issues/12`). What stands for
any name (`[[page-name]]`, `<slug>.md`) and mathematics that look like a link (`[g_1](q)`) say nothing. A log tells of
what was there once, and the wiki's rules and templates show how links are written: all of it is a note there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import partial

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.nearby import nearest
from gitops.verify.view import Draft, PageAt
from gitops.verify.whereabouts import leads_behind
from gitops.wiki.graph import resolved
from gitops.wiki.layout import is_about_wiki
from gitops.wiki.links import anchor_exists
from gitops.wiki.model import Link, Page
from gitops.wiki.placeholders import is_formula, is_placeholder
from gitops.wiki.stale_paths import is_stale, right_target

_ON_GITHUB = re.compile(
    r"(?:\.\./)+(?:issues|pulls?|releases|wiki|discussions|actions|commits?|compare|projects|security|tags|labels|blob|tree|edit)\b"
)


def examine(at: PageAt) -> Iterator[Draft]:
    """The links of the page that lead nowhere, or nowhere certain."""
    for link in at.page.links:
        if link.is_cited:
            continue  # `source_exists` and `locator` answer for it
        if not link.target:
            if link.anchor and not _has_anchor(at.page, link):
                yield _draft(at, link, "broken_anchor", f"this page has no heading '{link.anchor}'")
            continue
        found = resolved(at.view.graph, at.view.layout, at.path, link.kind, link.target)
        if found.status in ("broken", "escapes") and _is_none(at, link, found.status):
            continue
        if found.status == "broken":
            yield _draft(at, link, "broken", f"'{link.target}' leads to no page or file", partial(_nearest, at, link))
        elif found.status == "escapes":
            yield _draft(at, link, "escapes", f"'{link.target}' leaves the repository")
        elif found.status == "ambiguous":
            yield _draft(at, link, "ambiguous", f"'{link.target}' may mean {' or '.join(sorted(found.paths))}")
        else:
            yield from _led(at, link, found.paths[0])


def _led(at: PageAt, link: Link, path: str) -> Iterator[Draft]:
    """What is not quite right with a link that leads to a page or file."""
    graph, layout = at.view.graph, at.view.layout
    names_folders = "/" in link.target and link.kind in ("wiki", "embed")
    if names_folders and is_stale(link.target, path, at.path, graph, layout) and not _is_none(at, link, "broken"):
        right = right_target(link.target, path, at.path, layout)
        told = f"the path '{link.target}' leads nowhere; what is found by its name is {path}"
        yield _draft(at, link, "inexact", told, f"write {right}")
    if link.anchor and not _anchored(at, link, path):
        yield _draft(at, link, "broken_anchor", f"{path} has no heading '{link.anchor}'")


def _is_none(at: PageAt, link: Link, status: str) -> bool:
    """Is it no link at all, or one that leads where nobody can look: to the repository's web site, a submodule?"""
    if is_placeholder(link.target) or (link.kind == "markdown" and is_formula(link.text, link.target)):
        return True
    if status == "escapes":
        return _ON_GITHUB.match(link.target) is not None
    return leads_behind(at.view, at.path, link.target)


def _anchored(at: PageAt, link: Link, path: str) -> bool:
    if not at.view.layout.is_page(path):
        return True
    try:
        return _has_anchor(at.view.page(path), link)
    except LookupError:  # a blob that this clone lacks says nothing about its headings
        return True


def _has_anchor(page: Page, link: Link) -> bool:
    return anchor_exists(page, link.anchor, is_wiki=link.kind in ("wiki", "embed"))


def _nearest(at: PageAt, link: Link) -> str:
    layout = at.view.layout
    near = nearest(link.target, filter(layout.is_wiki, at.view.snapshot.paths(layout.wiki)))
    if near is None:
        return ""
    if link.kind in ("wiki", "embed"):
        return f"did you mean {layout.inside(near)}?"
    return f"did you mean {posixpath.relpath(near, posixpath.dirname(at.path))}?"


def _draft(at: PageAt, link: Link, result: str, message: str, repair: str | Callable[[], str] = "") -> Draft:
    subject = f"{link.kind} {link.target}#{link.anchor}"
    level = Level.NOTE if is_about_wiki(at.view.layout.inside(at.path)) else None
    return Draft(result, message, subject, at.path, link.place, repair=repair, level=level)


CHECK = Check(
    scope="page",
    version=3,
    results={
        "broken": Level.WARNING,
        "escapes": Level.ERROR,
        "ambiguous": Level.NOTE,
        "inexact": Level.NOTE,
        "broken_anchor": Level.NOTE,
    },
    page=examine,
)
