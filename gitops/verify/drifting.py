"""Since when a source no longer says what it said: the newest earlier version that held some words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gitops.errors import Absent
from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt
from gitops.wiki.dated import said
from gitops.wiki.model import Cite, Claim
from gitops.wiki.snapshot import PathVersion
from gitops.wiki.sources import SourceText

Held = Callable[[SourceText, str], str | None]
"""The sha256 of the words in a source's text (of this blob), None where they do not stand in it."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The version that held the words, and the one after it, which no longer did (None: the present one)."""

    held: PathVersion
    changed_by: PathVersion | None
    sha256: str


def drift(at: PageAt, path: str, held: Held) -> Drift | None:
    """The newest earlier version of a source that held something; versions that this clone lacks cannot be asked."""
    library, present = at.view.library, at.view.snapshot.blob(path)
    changed_by: PathVersion | None = None
    for version in at.view.history(path):
        if version.blob != present:
            try:
                digest = held(library.text(path, version.blob, version.read), version.blob)
            except Absent:
                digest = None
            if digest is not None:
                return Drift(version, changed_by, digest)
        changed_by = version
    return None


def drifted(draft: Draft, at: PageAt, cited: str, path: str, found: Drift, level: Level) -> Draft:
    """The finding of a drift."""
    held, changed_by = found.held, found.changed_by
    since = "in this change"
    commit = changed_by.commit if changed_by else at.changed_by.get(path)
    if commit:
        since = f"since {commit[:10]}" + (f" ({changed_by.date})" if changed_by else ", in this change")
    return replace(
        draft,
        result="drifted",
        message=f"{cited} no longer says this {since}; version {held.commit[:10]} did",
        repair=f"keep the claim with its date (as of {held.date}) and add what the source says now",
        evidence={**draft.evidence, "held_by": held.commit, "changed_by": commit, "sha256": found.sha256},
        level=level,
    )


def drift_level(at: PageAt, claim: Claim, cite: Cite, is_same: Callable[[Cite, Claim], bool]) -> Level:
    """An error for a claim that is new in this run, a note for one that is dated and superseded, else a warning."""
    now = said(claim, at.page.text)
    if now.day is not None:
        return Level.NOTE
    known = any(
        other.path == cite.path and is_same(other, old)
        for page in at.previous
        for old in page.claims
        if said(old, page.text) == now
        for other in old.cites
    )
    return Level.WARNING if known else Level.ERROR
