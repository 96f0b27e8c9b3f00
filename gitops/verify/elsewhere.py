"""A quotation that the cited source lacks, in another source of the page or of the wiki."""

from __future__ import annotations

from dataclasses import replace

from gitops.errors import Absent
from gitops.verify.asked import anchored
from gitops.verify.resolution import resolve
from gitops.verify.view import Draft, PageAt
from gitops.wiki.quoted import Spot, spots, trimmed
from gitops.wiki.snapshot import EXECUTABLE, REGULAR
from gitops.wiki.source_text import SourceText

OTHERS = 500
"""In a wiki of so many sources all are asked for a quotation that the cited one lacks, else only the page's own."""
FEW_OTHERS = 200
"""The same for quotations of which most are from nowhere, on pages that cite as a whole."""


def in_own(draft: Draft, at: PageAt, quotation: str, known: set[str]) -> Draft | None:
    """The quotation in a source that another claim of the page cites."""
    for path in _own(at):
        if path not in known and (held := spots(quotation, at.view.source(path))):
            return _named(draft, at, path, at.view.source(path), held[0])
    return None


def in_others(draft: Draft, at: PageAt, quotation: str, known: set[str], most: int = OTHERS) -> Draft | None:
    """The quotation, word for word, in a source that the page does not cite, of so many sources at most."""
    rest = trimmed(quotation)[1:]  # the case of the first letter is the sentence's
    for path in _others(at, known | set(_own(at)), most):
        try:
            source = at.view.source(path)
        except Absent:
            continue  # a source that this clone lacks cannot be asked
        if rest in source.text and (held := spots(quotation, source)):
            return _named(draft, at, path, source, held[0])
    return None


def _own(at: PageAt) -> dict[str, None]:
    cites = dict.fromkeys(cite for claim in at.page.claims for cite in claim.cites)
    found = (resolve(at.view, at.path, cite) for cite in cites)
    return dict.fromkeys(path for one in found if one.status == "ok" for path in one.paths)


def _named(draft: Draft, at: PageAt, path: str, source: SourceText, spot: Spot) -> Draft:
    cited = at.view.layout.cited(path)
    return replace(
        draft,
        result="misattributed",
        message=f"stands in {cited}, not in {draft.source}",
        repair=f"cite {cited}",
        evidence={**draft.evidence, **anchored(source, spot)},
    )


def _others(at: PageAt, known: set[str], most: int) -> list[str]:
    view = at.view
    paths = [path for path in view.snapshot.paths(view.layout.raw) if path not in known and view.layout.is_source(path)]
    if len(paths) > most:
        return []
    return [path for path in sorted(paths) if view.snapshot.mode(path) in (REGULAR, EXECUTABLE)]
