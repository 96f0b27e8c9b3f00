"""The quotation of a citation stands, word for word, in the source it names.

Results in the order they are tried: `verified`; `repaired` (only white space, case, quotation marks,
dashes, ligatures, hyphens or a Markdown source's mark-up differ, or the offset: the exact text is the mend);
`drifted` (an earlier version of the source held it; the commit is named); `misattributed` (it stands
elsewhere: another page of the source, or another source); `altered` (the nearest passage differs: both texts,
the difference marked); `not_found`. `unreadable` is a source whose text nobody here can read: a scan, an
encrypted or broken PDF.

A drift is an error for a claim that is new in this run, and a note for one that is dated and superseded.

Where the citation has no field for quotes, the quotations of four words and more in the cited sentence, or in the
citation's own note, are asked in the same way (`verify/quoting.py`); of titles, of quotations before the next citation
of their block and on a page that cites as a whole only a near miss is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gitops.errors import Absent
from gitops.verify import quoting
from gitops.verify.asked import anchored
from gitops.verify.check import Check
from gitops.verify.drifting import drift, drift_level, drifted
from gitops.verify.finding import Level
from gitops.verify.resolution import Resolved, resolve
from gitops.verify.shortened import apart, short
from gitops.verify.subjects import settled
from gitops.verify.view import Draft, PageAt, View
from gitops.wiki.anchors import Anchor
from gitops.wiki.citation import format_cite
from gitops.wiki.dated import normalised
from gitops.wiki.model import Cite, Claim
from gitops.wiki.occurrences import stands
from gitops.wiki.snapshot import EXECUTABLE, REGULAR
from gitops.wiki.sources import SourceText
from gitops.wiki.transcribed import heard
from gitops.wiki.unheard import without_noise

_FOUND = ("verified", "repaired")
_RIGHT = Draft("verified", "stands word for word", "")


def examine(at: PageAt) -> Iterator[Draft]:
    """One result for each claim and quotation: whoever leans on a wrong one is named."""
    resolved: dict[tuple[str, str], Resolved] = {}
    for claim in at.page.claims:
        for cite in claim.cites:
            if cite.quote is not None:
                key = (cite.path, cite.how)
                if key not in resolved:
                    resolved[key] = resolve(at.view, at.path, cite)
                paths = resolved[key].paths if resolved[key].status == "ok" else ()
                if at.is_counted and len(paths) == 1 and _is_plainly_there(at.view.source(paths[0]), cite):
                    yield _RIGHT
                elif paths:
                    yield settled(_examined(at, cite, claim, paths), cite.quote or "")
    yield from quoting.examine(at)


def _is_plainly_there(source: SourceText, cite: Cite) -> bool:
    """Does the quotation stand as it is, at its offset if it has one? Nothing is told of a cited page number."""
    return cite.first_page is None and stands(cite.quote or "", source.text, cite.offset)


def _examined(at: PageAt, cite: Cite, claim: Claim, paths: Sequence[str]) -> Draft:
    asked = [(path, source, _anchor(at.view, cite, path, source)) for path, source in _sources(at, paths)]
    path, source, anchor = next((one for one in asked if one[2].result in _FOUND), asked[0])
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
    if anchor.result in _FOUND:
        return _found(draft, at.view, cite, path, source, anchor)
    return (
        _heard(draft, at.view, cite, path, source)
        or _drifted(draft, at, cite, path, claim)
        or _misattributed(draft, at, cite, path, anchor)
        or _altered(draft, cite, anchor)
        or replace(draft, result="not_found", message=f"nothing like {short(cite.quote or '')} stands in {cite.path}")
    )


def _sources(at: PageAt, paths: Sequence[str]) -> Iterator[tuple[str, SourceText]]:
    for path in paths:
        yield path, at.view.source(path)


def _anchor(view: View, cite: Cite, path: str, source: SourceText, *, anywhere: bool = False) -> Anchor:
    return view.library.anchor(cite, view.snapshot.blob(path) or "", source, anywhere=anywhere)


def _found(draft: Draft, view: View, cite: Cite, path: str, source: SourceText, anchor: Anchor) -> Draft:
    evidence = dict(draft.evidence) | _anchor_evidence(anchor, source) | {"blob": view.snapshot.blob(path)}
    if anchor.result == "verified":
        return replace(draft, message=anchor.remark or "stands word for word", evidence=evidence)
    mended = replace(cite, quote=anchor.written, offset=anchor.start)
    return replace(
        draft,
        result="repaired",
        message=f"stands in {cite.path} but for {anchor.reason}",
        repair=spelled(mended),
        evidence=evidence,
    )


def _heard(draft: Draft, view: View, cite: Cite, path: str, source: SourceText) -> Draft | None:
    """Repaired where a transcript spells a name in its own way; a field holds what its source says."""
    if not (found := heard(cite.quote or "", source)):
        return None
    spot = found[0]
    as_spelled = without_noise(source, spot.start, spot.end)
    return replace(
        draft,
        result="repaired",
        message=f"stands in {cite.path} but for {', '.join(spot.loud)}",
        repair=spelled(replace(cite, quote=as_spelled, offset=spot.start)),
        evidence={**draft.evidence, **anchored(source, spot), "blob": view.snapshot.blob(path)},
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
    def held(source: SourceText, blob: str) -> str | None:
        anchor = at.view.library.anchor(cite, blob, source)
        return anchor.sha256 if anchor.result in _FOUND else None

    def is_same(other: Cite, _: Claim) -> bool:
        return normalised(other.quote or "") == normalised(cite.quote or "")

    if (found := drift(at, path, held)) is None:
        return None
    return drifted(draft, at, cite.path, path, found, drift_level(at, claim, cite, is_same))


def _misattributed(draft: Draft, at: PageAt, cite: Cite, path: str, anchor: Anchor) -> Draft | None:
    if anchor.result == "misattributed":
        mended = replace(cite, first_page=anchor.page, last_page=None, quote=anchor.written, offset=anchor.start)
        message = f"{cite.path}: {anchor.remark}"
        return replace(draft, result="misattributed", message=message, repair=spelled(mended))
    for other in _other_sources(at, path):
        try:
            if not at.view.library.may_hold(at.view.snapshot, other, cite.quote or ""):
                continue
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
    cites = dict.fromkeys(cite for claim in at.page.claims for cite in claim.cites)
    near = [name for cite in cites for name in resolve(view, at.path, cite).paths]
    for other in dict.fromkeys([*near, *sorted(view.snapshot.paths(view.layout.raw))]):
        if other != path and view.layout.is_source(other) and view.snapshot.mode(other) in (REGULAR, EXECUTABLE):
            yield other


def _altered(draft: Draft, cite: Cite, anchor: Anchor) -> Draft | None:
    if anchor.result != "altered":
        return None
    says, written = apart(anchor.written, cite.quote or "")
    return replace(
        draft,
        result="altered",
        message=f"{cite.path} says {says}, not {written}",
        repair=spelled(replace(cite, quote=anchor.written, offset=anchor.start)),
        evidence={
            **draft.evidence,
            "written": cite.quote,
            "source_says": anchor.written,
            "offset": anchor.start,
            "difference": [list(part) for part in anchor.difference],
            "similarity": round(anchor.similarity, 4),
        },
    )


def spelled(cite: Cite) -> str:
    """A citation in canonical spelling: what a mend puts in the place of the old one."""
    return format_cite(cite.path, cite.first_page, cite.last_page, cite.quote, cite.offset)


CHECK = Check(
    scope="claim",
    version=5,
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
