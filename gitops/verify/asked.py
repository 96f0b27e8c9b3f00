"""A quotation that is asked of its sources, and what every finding about it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gitops.canonical import sha256
from gitops.verify.view import Draft, PageAt
from gitops.wiki.model import Cite, Claim, Quotation
from gitops.wiki.places_in_source import Stretch
from gitops.wiki.quoted import Spot
from gitops.wiki.source_text import SourceText, page_of


@dataclass(frozen=True, slots=True)
class Asked:
    """A quotation, the claim it stands in (None: the page's own) and what is cited for it, the nearest first."""

    quotation: Quotation
    cites: tuple[Cite, ...]
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """One cited source that could be read: where the quotation stands in it, and where the citation points."""

    cite: Cite
    path: str
    source: SourceText
    spots: tuple[Spot, ...]
    stretch: Stretch | None


def drafted(at: PageAt, asked: Asked, one: Tried) -> Draft:
    """What a finding about the quotation begins with: `verified`, until something else is said."""
    claim = asked.claim.text if asked.claim else ""
    return Draft(
        result="verified",
        message="",
        subject=f"{claim}\0{one.cite.path}\0{asked.quotation.text}",
        path=at.path,
        place=asked.quotation.place,
        claim=claim,
        source=one.cite.path,
        evidence={"claims": [claim] if claim else None, "label": one.cite.label or None},
    )


def anchored(source: SourceText, spot: Spot) -> dict[str, Any]:
    """The anchor: the source's own slice, where it stands, and who read it."""
    exact = source.text[spot.start : spot.end]
    return {
        "quote": exact,
        "sha256": sha256(exact.encode("utf-8", "surrogatepass")),
        "offset": spot.start,
        "end": spot.end,
        "page": page_of(source, spot.start),
        "extractor": source.extractor,
        "extractor_version": source.version,
    }
