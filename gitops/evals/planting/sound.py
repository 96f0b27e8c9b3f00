"""Sound claims: cited, each source here and readable, each quotation found in it, nothing wrong in any check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.errors import Absent
from gitops.verify.finding import Finding
from gitops.verify.resolution import resolve
from gitops.verify.verifier import examine
from gitops.verify.view import View
from gitops.wiki.model import Claim, Page

_WRONG = ("error", "warning")
_OF_BYTES = frozenset(("utf16", "invalid_utf8", "oversized"))
"""Problems of a page whose text, written again, would be other bytes."""


@dataclass(frozen=True, slots=True)
class Sound:
    """One sound claim: the `number`th of its page; `sources` are the repository paths of all that it cites."""

    path: str
    page: Page
    number: int
    sources: tuple[str, ...]

    @property
    def claim(self) -> Claim:
        """The claim itself."""
        return self.page.claims[self.number]

    @property
    def name(self) -> tuple[str, str, int]:
        """What it is called among the claims of a wiki: page, words, and the how-manieth of equal ones."""
        return self.path, self.claim.text, self.claim.ordinal


def sound_claims(view: View, paths: Iterable[str]) -> Iterator[Sound]:
    """The sound claims of some pages, in the order of these and of lines."""
    for path in paths:
        page = view.page(path)
        if page.claims and _OF_BYTES.isdisjoint(problem.result for problem in page.schema_problems):
            yield from _of_page(view, path, page)


def _of_page(view: View, path: str, page: Page) -> Iterator[Sound]:
    wrong = [found for found in examine(view, path) if found.level in _WRONG and found.scope == "claim"]
    named = {text for found in wrong for text in _claims_of(found)}
    if "" in named:
        return  # something is wrong with what the page as a whole cites
    for number, claim in enumerate(page.claims):
        if claim.text in named or claim.is_struck or not claim.cites:
            continue
        sources = _sources(view, path, claim)
        if sources:
            yield Sound(path, page, number, sources)


def _claims_of(found: Finding) -> Iterator[str]:
    yield found.claim
    yield from found.evidence.get("claims") or ()


def _sources(view: View, path: str, claim: Claim) -> tuple[str, ...]:
    """Where all that the claim cites lies; nothing where any of it cannot be read here."""
    paths: dict[str, None] = {}
    for cite in claim.cites:
        found = resolve(view, path, cite)
        if found.status != "ok" or not all(_is_readable(view, one) for one in found.paths):
            return ()
        paths.update(dict.fromkeys(found.paths))
    return tuple(paths)


def _is_readable(view: View, path: str) -> bool:
    try:
        source = view.source(path)
    except Absent:
        return False
    return not source.problem and bool(source.text.strip())
