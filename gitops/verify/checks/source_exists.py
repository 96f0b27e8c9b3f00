"""Every cited source is there, as a file under the raw folder.

`missing` names the nearest source there is. `not_a_source` is a citation of something that is no source:
a page of the wiki cannot be its own witness. `unresolvable` is what cannot be looked up here (a URL, a
submodule, a Git LFS pointer, a blob that a partial clone lacks): said, and no ground to refuse.
`ambiguous` names the files between which a name does not decide. A log tells of what was there once, and the
wiki's rules and templates show how sources are cited: all of it is a note there.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.resolution import Resolved, resolve
from gitops.verify.subjects import subject
from gitops.verify.view import Draft, PageAt
from gitops.wiki.model import Cite, Page


def examine(at: PageAt) -> Iterator[Draft]:
    """What is wrong with the files that the page cites, for each claim that leans on them."""
    known: dict[tuple[str, str], Resolved] = {}
    for claim, cite in _cited(at.page):
        key = (cite.how, cite.path)
        if key not in known:
            known[key] = resolve(at.view, at.path, cite)
        found = known[key]
        if found.status != "ok":
            said = subject(claim, cite.path)
            yield Draft(found.status, found.message, said, at.path, cite.place, claim, cite.path, repair=found.repair)


def _cited(page: Page) -> Iterator[tuple[str, Cite]]:
    """Every citation with the words that lean on it; '' for what backs the page as a whole."""
    yield from (("", cite) for cite in page.cites)
    for claim in page.claims:
        yield from ((claim.text, cite) for cite in claim.cites)


CHECK = Check(
    scope="claim",
    version=5,
    results={
        "missing": Level.ERROR,
        "not_a_source": Level.ERROR,
        "unresolvable": Level.NOTE,
        "ambiguous": Level.NOTE,
    },
    page=examine,
)
