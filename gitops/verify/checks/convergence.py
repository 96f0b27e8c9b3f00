"""A cited claim is not overwritten: it stays, dated, beside what is known now.

A claim of the base that is gone or reworded must survive on a page the run touches, dated by `as of
YYYY-MM-DD` in its sentence or by a `> [!superseded] YYYY-MM-DD` callout, and still citing its source. Text
that is equal after normalisation, wherever it moved, is not overwritten; where another source is cited in place of
its own, that is said (`resourced`), and what is no source takes no source's place. `archive` and `lint` runs that
state a reason may remove claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gitops.verify.backing import backs
from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, RunAt, View
from gitops.wiki.dated import Said, keeps, said
from gitops.wiki.model import Claim
from gitops.wiki.names import source_key


@dataclass(frozen=True, slots=True)
class _Standing:
    """A claim of the head: what it says, and by which sources."""

    said: Said
    sources: frozenset[str]
    is_backed: bool
    """Whether any of them is a source, and not an address or a name."""


_ByWords = Mapping[str, list[_Standing]]


def examine(at: RunAt) -> Iterator[Draft]:
    """The claims that the change overwrites."""
    if at.run.run_type in ("archive", "lint") and at.run.reason.strip():
        return
    touched = [entry.path for entry in at.change.touched]
    standing = _standing(at.head, touched)
    for path in touched:
        if not _is_read(at.base, path):
            continue
        page = at.base.page(path)
        for claim in page.claims:
            told = _told(at, path, standing, claim, said(claim, page.text))
            if told is not None:
                yield _draft(at, path, claim, told)


def _is_read(view: View, path: str) -> bool:
    return view.layout.is_page(path) and path != view.layout.log and view.snapshot.blob(path) is not None


def _standing(view: View, paths: list[str]) -> _ByWords:
    by_words: defaultdict[str, list[_Standing]] = defaultdict(list)
    for path in paths:
        if _is_read(view, path):
            page, is_source = view.page(path), backs(view, path)
            for claim in page.claims:
                one = _Standing(said(claim, page.text), _sources(claim), any(map(is_source, claim.cites)))
                by_words[one.said.words].append(one)
    return by_words


def _sources(claim: Claim) -> frozenset[str]:
    return frozenset(cite.path for cite in claim.cites)


def _told(at: RunAt, path: str, standing: _ByWords, claim: Claim, old: Said) -> str | None:
    """Which result the claim comes to; None where it stands or survives."""
    sources = _sources(claim)
    alike = standing.get(old.words, ())
    equal = [one for one in alike if one.said == old]
    if any(one.sources & sources for one in equal):
        return None
    if any(keeps(one.said, old) and one.sources & sources for one in alike):
        return None
    if _stands_elsewhere(at, old, claim):
        return None
    is_replaced = any(one.is_backed for one in equal) or (equal and not any(map(backs(at.base, path), claim.cites)))
    return "resourced" if is_replaced else "overwritten"


def _stands_elsewhere(at: RunAt, old: Said, claim: Claim) -> bool:
    """Does an untouched page say the same by the same source? Looked up only for a claim that is missed."""
    sources = _sources(claim)
    citing = {path for cited in sources for path in at.head.graph.citing(source_key(cited))}
    untouched = citing.difference(entry.path for entry in at.change.touched)
    return any(_is_read(at.head, path) and _says(at.head, path, old, sources) for path in sorted(untouched))


def _says(view: View, path: str, old: Said, sources: frozenset[str]) -> bool:
    page = view.page(path)
    return any(said(claim, page.text) == old and _sources(claim) & sources for claim in page.claims)


def _draft(at: RunAt, path: str, claim: Claim, result: str) -> Draft:
    source = claim.cites[0].path
    is_gone = at.head.snapshot.blob(path) is None
    what = "its page is deleted" if is_gone else "it is removed, reworded or no longer cited"
    message = f"a claim that cites {source} does not survive: {what}, and no dated form of it stands"
    repair = f"keep it with its citation, as 'As of YYYY-MM-DD, {claim.text}'; a lint run with a reason may remove it"
    if result == "resourced":
        message = f"a claim keeps its words and no longer cites {source}"
        repair = f"cite {source} beside the new source, if it still says so"
    return Draft(result, message, claim.text, path, claim.place if not is_gone else None, claim.text, source, repair)


CHECK = Check(scope="run", version=4, results={"overwritten": Level.ERROR, "resourced": Level.NOTE}, run=examine)
