"""The quotation of a citation stands, word for word, in the source it names.

Results in the order they are tried: `verified`; `repaired` (only white space, case, quotation marks,
dashes, ligatures, hyphens or a Markdown source's mark-up differ, or the offset: the exact text is the mend);
`drifted` (an earlier version of the source held it; the commit is named); `misattributed` (it stands
elsewhere: another page of the source, or another source); `altered` (the nearest passage differs: both texts,
the difference marked); `not_found`. `unreadable` is a source whose text nobody here can read: a scan, an
encrypted or broken PDF.

A drift is an error for a claim that is new in this run, and a note for one that is dated and superseded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gitops.errors import Absent
from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.resolution import resolve
from gitops.verify.view import Draft, PageAt, View
from gitops.wiki.anchors import Anchor
from gitops.wiki.citation import format_cite
from gitops.wiki.dated import normalised, said
from gitops.wiki.model import Cite, Claim
from gitops.wiki.paths import objections
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, PathVersion
from gitops.wiki.sources import SourceText

_FOUND = ("verified", "repaired")


def examine(at: PageAt) -> Iterator[Draft]:
    """One result for each claim and quotation: whoever leans on a wrong one is named."""
    readable: dict[str, bool] = {}
    for claim in at.page.claims:
        for cite in claim.cites:
            if cite.path not in readable:
                readable[cite.path] = resolve(at.view, at.path, cite).status == "ok"
            if cite.quote is not None and readable[cite.path]:
                yield _examined(at, cite, claim)


def _examined(at: PageAt, cite: Cite, claim: Claim) -> Draft:
    path = at.view.source_path(cite.path)
    source = at.view.source(path)
    draft = Draft(
        result="verified",
        message="",
        subject=f"{claim.text}\0{cite.path}\0{cite.quote}",
        path=at.path,
        place=cite.quote_place or cite.place,
        claim=claim.text,
        source=cite.path,
        evidence={"claims": [claim.text], "label": cite.label},
    )
    if source.problem and not source.text.strip():
        return replace(draft, result="unreadable", message=f"{cite.path}: {source.message}")
    anchor = _anchor(at.view, cite, path, source)
    if anchor.result in _FOUND:
        return _found(draft, at.view, cite, path, source, anchor)
    return (
        _drifted(draft, at, cite, path, claim)
        or _misattributed(draft, at, cite, path, anchor)
        or _altered(draft, cite, anchor)
        or replace(draft, result="not_found", message=f"nothing like {_short(cite.quote)} stands in {cite.path}")
    )


def _anchor(view: View, cite: Cite, path: str, source: SourceText, *, anywhere: bool = False) -> Anchor:
    return view.library.anchor(cite, view.snapshot.blob(path) or "", source, anywhere=anywhere)


def _found(draft: Draft, view: View, cite: Cite, path: str, source: SourceText, anchor: Anchor) -> Draft:
    evidence = dict(draft.evidence) | _anchor_evidence(anchor, source) | {"blob": view.snapshot.blob(path)}
    if anchor.result == "verified":
        return replace(draft, message=anchor.remark or "stands word for word", evidence=evidence)
    mended = replace(cite, quote=anchor.exact, offset=anchor.start)
    return replace(
        draft,
        result="repaired",
        message=f"stands in {cite.path} but for {anchor.reason}",
        repair=spelled(mended),
        evidence=evidence,
    )


def _anchor_evidence(anchor: Anchor, source: SourceText) -> dict[str, Any]:
    return {
        "quote": anchor.exact,
        "sha256": anchor.sha256,
        "offset": anchor.start,
        "end": anchor.end,
        "page": anchor.page,
        "extractor": source.extractor,
        "extractor_version": source.version,
    }


def _drifted(draft: Draft, at: PageAt, cite: Cite, path: str, claim: Claim) -> Draft | None:
    library, present = at.view.library, at.view.snapshot.blob(path)
    changed_by: PathVersion | None = None
    for version in at.view.history(path):
        if version.blob != present:
            try:
                anchor = library.anchor(cite, version.blob, library.text(path, version.blob, version.read))
            except Absent:
                anchor = None  # a version that this clone lacks cannot be asked; an older one may answer
            if anchor is not None and anchor.result in _FOUND:
                return _drift(draft, at, cite, path, claim, version, changed_by, anchor)
        changed_by = version
    return None


def _drift(
    draft: Draft,
    at: PageAt,
    cite: Cite,
    path: str,
    claim: Claim,
    held: PathVersion,
    changed_by: PathVersion | None,
    anchor: Anchor,
) -> Draft:
    since = "in this change"
    commit = changed_by.commit if changed_by else at.changed_by.get(path)
    if commit:
        since = f"since {commit[:10]}" + (f" ({changed_by.date})" if changed_by else ", in this change")
    return replace(
        draft,
        result="drifted",
        message=f"{cite.path} no longer says this {since}; version {held.commit[:10]} did",
        repair=f"keep the claim with its date (as of {held.date}) and add what the source says now",
        evidence={
            **draft.evidence,
            "held_by": held.commit,
            "changed_by": commit,
            "sha256": anchor.sha256,
        },
        level=_drift_level(at, claim, cite),
    )


def _drift_level(at: PageAt, claim: Claim, cite: Cite) -> Level:
    now = said(claim, at.page.text)
    if now.day is not None:
        return Level.NOTE
    known = any(
        other.path == cite.path and normalised(other.quote or "") == normalised(cite.quote or "")
        for page in at.previous
        for old in page.claims
        if said(old, page.text) == now
        for other in old.cites
    )
    return Level.WARNING if known else Level.ERROR


def _misattributed(draft: Draft, at: PageAt, cite: Cite, path: str, anchor: Anchor) -> Draft | None:
    if anchor.result == "misattributed":
        mended = replace(cite, first_page=anchor.page, last_page=None, quote=anchor.exact, offset=anchor.start)
        message = f"{cite.path}: {anchor.remark}"
        return replace(draft, result="misattributed", message=message, repair=spelled(mended))
    for other in _other_sources(at, path):
        try:
            found = _anchor(at.view, cite, other, at.view.source(other), anywhere=True)
        except Absent:
            continue  # a source that this clone lacks cannot be asked
        if found.result in _FOUND and len(found.exact) >= _TELLING:
            cited = at.view.layout.cited(other)
            mended = replace(cite, path=cited, first_page=found.page, last_page=None, quote=found.exact)
            return replace(
                draft,
                result="misattributed",
                message=f"stands in {cited}, not in {cite.path}",
                repair=spelled(replace(mended, offset=found.start)),
            )
    return None


_TELLING = 12
"""A quotation shorter than this many characters stands in other sources by chance."""


def _other_sources(at: PageAt, path: str) -> Iterator[str]:
    """The page's own other sources first: a swapped label is the likeliest slip."""
    view = at.view
    cited = dict.fromkeys(cite.path for claim in at.page.claims for cite in claim.cites)
    near = [view.source_path(name) for name in cited if objections(name) is None]
    for other in dict.fromkeys([*near, *sorted(view.snapshot.paths(view.layout.raw))]):
        if other != path and view.layout.is_source(other) and view.snapshot.mode(other) in (REGULAR, EXECUTABLE):
            yield other


def _altered(draft: Draft, cite: Cite, anchor: Anchor) -> Draft | None:
    if anchor.result != "altered":
        return None
    return replace(
        draft,
        result="altered",
        message=f"{cite.path} says {_short(anchor.exact)}, not {_short(cite.quote)}",
        repair=spelled(replace(cite, quote=anchor.exact, offset=anchor.start)),
        evidence={
            **draft.evidence,
            "written": cite.quote,
            "source_says": anchor.exact,
            "offset": anchor.start,
            "difference": [list(part) for part in anchor.difference],
            "similarity": round(anchor.similarity, 4),
        },
    )


def spelled(cite: Cite) -> str:
    """A citation in canonical spelling: what a mend puts in the place of the old one."""
    return format_cite(cite.path, cite.first_page, cite.last_page, cite.quote, cite.offset)


def _short(quote: str | None, width: int = 120) -> str:
    words = " ".join((quote or "").split())
    return f'"{words}"' if len(words) <= width else f'"{words[: width - 1]}…"'


CHECK = Check(
    scope="claim",
    version=3,
    results={
        "verified": Level.NONE,
        "repaired": Level.NOTE,
        "drifted": Level.WARNING,
        "misattributed": Level.ERROR,
        "altered": Level.ERROR,
        "not_found": Level.ERROR,
        "unreadable": Level.ERROR,
    },
    page=examine,
)
