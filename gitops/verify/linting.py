"""Every page check over a wiki as it stands: page by page, so that no more than a few pages are held at once.

Most links say where their page lies, and need nothing but the paths there are. A page with a link that does not is put
off until what every page calls itself is known. How pages stand among one another is asked last, when every link has
been followed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitops.verify.finding import Finding, Level
from gitops.verify.registry import Registered, registry
from gitops.verify.verifier import finding, is_examined, level_in, marked_as, numbered, order
from gitops.verify.view import PageAt, View
from gitops.wiki.graph import entries, leads, resolved
from gitops.wiki.model import Page
from gitops.wiki.names import called
from gitops.wiki.reach import Standing, standings
from gitops.wiki.values import value_class
from gitops.wiki.wholegraph import WholeGraph

_UNREAD = Page("")


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks that a wiki as it stands is asked, in the order of their ids."""

    of_pages: tuple[Registered, ...]
    of_links: tuple[Registered, ...]


@value_class
class Checked:
    """What the checks say of one page, the checks of links left out.

    `verified` counts the quotations that stand word for word in their source. `leads_to` are the other files
    it leads to, most of them pages.
    """

    path: str
    findings: tuple[Finding, ...]
    claims: int
    verified: int
    leads_to: tuple[str, ...]


def checks(*, of_additions: bool = False) -> Checks:
    """Every page check but those that speak of what a change adds, unless these are wanted too."""
    found = [one for one in registry().values() if one.check.page is not None]
    asked = [one for one in found if of_additions or not one.check.of_additions]
    of_links = tuple(one for one in asked if one.check.of_links)
    return Checks(tuple(one for one in asked if not one.check.of_links), of_links)


def pages(view: View) -> list[str]:
    """The pages that are checked, sorted."""
    return sorted(path for path in view.snapshot.paths(view.layout.wiki) if is_examined(view, path))


def check_page(view: View, path: str, page: Page, asked: Checks) -> Checked:
    """Ask one page everything but how it stands among the others.

    NamesNotYetKnown, before any check is made, where a link cannot be followed without the names of all pages.
    """
    leads_to = _leads_to(view, path, page)
    found, right = _examined(PageAt(view, path, page, (page,), is_counted=True), asked.of_pages)
    return Checked(path, tuple(found), len(page.claims), right, leads_to)


def check_links(view: View, path: str, asked: Checks) -> list[Finding]:
    """Ask how one page stands among the others; the view's graph has to know."""
    return _examined(PageAt(view, path, _UNREAD), asked.of_links)[0]


def lint(view: View, graph: WholeGraph, asked: Checks) -> list[Finding]:
    """Every finding of a whole wiki, in the order of paths and lines: in one process, all pages held."""
    paths = pages(view)
    for path in paths:
        graph.learn(path, called(view.page(path), path, view.layout.index))
    graph.has_all_names = True
    number = {path: place for place, path in enumerate(paths)}
    checked = [check_page(view, path, view.page(path), asked) for path in paths]
    links = [[number[to] for to in one.leads_to if to in number] for one in checked]
    graph.unreached.update(unreached(view, paths, number, links))
    found = [one for page in checked for one in page.findings]
    found += (one for path in graph.unreached for one in check_links(view, path, asked))
    return sorted(found, key=order)


def unreached(
    view: View, paths: Sequence[str], number: dict[str, int], links: Sequence[Sequence[int]]
) -> Iterator[tuple[str, Standing]]:
    """The pages that no reader finds, with their standing."""
    starts = [number[path] for path in entries(view.graph, view.layout) if path in number]
    for path, standing in zip(paths, standings(links, starts), strict=True):
        if standing != "reached":
            yield path, standing


def _examined(at: PageAt, asked: Iterable[Registered]) -> tuple[list[Finding], int]:
    """The findings, and how many quotations were verified: no finding is made of what is right."""
    found, right = [], 0
    for registered in asked:
        assert registered.check.page is not None
        wrong = []
        for draft in registered.check.page(at):
            if level_in(at.view, registered, draft) is not Level.NONE:
                wrong.append(draft)
            else:
                right += draft.result == "verified"
        for draft, place in numbered(wrong, at.path) if wrong else ():
            made = finding(registered, draft, marked_as(registered, draft, at.path, place), at.view)
            found += [made] if made is not None else []
    return sorted(found, key=order), right


def _leads_to(view: View, path: str, page: Page) -> tuple[str, ...]:
    graph, layout = view.graph, view.layout
    led = {to for kind, target in leads(page) for to in resolved(graph, layout, path, kind, target).paths}
    led.discard(path)
    return tuple(led)
