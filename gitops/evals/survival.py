"""What became of the anchors of an earlier revision: which verify still, which live on dated, which are lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.evals.standing_anchors import Anchor, Dated, anchors, dated
from gitops.verify.verifier import is_examined
from gitops.verify.view import View
from gitops.wiki.dated import keeps

Fate = Literal["verified", "moved", "dated", "lost"]
Why = Literal["page_gone", "removed", "source_gone", "unverified"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """An anchor that stood, and what became of it; `why` where it is lost."""

    anchor: Anchor
    fate: Fate
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class _Page:
    """What a page that may have lost anchors holds now."""

    standing: list[Anchor]
    fallen: list[Anchor]
    claims: list[Dated]


def outcomes(before: View, after: View, paths: Iterable[str]) -> list[Outcome]:
    """What became of every anchor that stood on some pages. An anchor that did not stand before is not counted.

    Each stands for one citation of its page: where two pages had the same one and one of them drops it, that is a loss.
    What a page has gained may be what another page has lost.
    """
    paths = sorted(set(paths))
    now = {path: _read(after, path) for path in paths if is_examined(after, path)}
    found: list[Outcome] = []
    missed: list[Anchor] = []
    gained: list[Anchor] = []
    for path in paths:
        stood = [one for one in anchors(before, path) if one.is_standing] if is_examined(before, path) else []
        kept, lacking, new = _matched(stood, now[path].standing if path in now else [])
        found += (Outcome(one, "verified") for one in kept)
        missed += lacking
        gained += new
    claims = [one for page in now.values() for one in page.claims]
    moved, lost, _ = _matched(missed, gained)
    found += (Outcome(one, "moved") for one in moved)
    for one in lost:
        if _is_dated(one, claims):
            found.append(Outcome(one, "dated"))
        else:
            found.append(Outcome(one, "lost", _why(after, one, now.get(one.path))))
    return sorted(found, key=lambda outcome: (outcome.anchor.path, outcome.anchor.line, outcome.anchor.key))


def _read(view: View, path: str) -> _Page:
    every = anchors(view, path)
    standing, fallen = ([one for one in every if one.is_standing is wanted] for wanted in (True, False))
    return _Page(standing, fallen, dated(view, path))


def _matched(old: Sequence[Anchor], new: Sequence[Anchor]) -> tuple[list[Anchor], list[Anchor], list[Anchor]]:
    """The old anchors that live on, those that do not, and the new ones that none of them is. Each is taken once."""
    left = list(new)
    by_key: dict[tuple[str, str, str], list[Anchor]] = {}
    for one in left:
        by_key.setdefault(one.key, []).append(one)
    kept, lacking = [], []
    for one in old:
        if same := by_key.get(one.key):
            left.remove(same.pop())
            kept.append(one)
        else:
            lacking.append(one)
    for one in lacking[:]:
        if (found := next((other for other in left if one.lives_in(other)), None)) is not None:
            left.remove(found)
            lacking.remove(one)
            kept.append(one)
    return kept, lacking, left


def _is_dated(anchor: Anchor, claims: Iterable[Dated]) -> bool:
    """Does a claim that the anchor backed stand dated, still citing its source, whatever that says now?"""
    return any(anchor.source in one.sources and any(keeps(one.said, old) for old in anchor.said) for one in claims)


def _why(after: View, anchor: Anchor, now: _Page | None) -> Why:
    if now is None:
        return "page_gone"
    if after.snapshot.blob(anchor.source) is None:
        return "source_gone"
    return "unverified" if any(anchor.lives_in(one) for one in now.fallen) else "removed"
