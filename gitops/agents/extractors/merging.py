"""Drafts of one atom, of several sources or parts, as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gitops.okf.draft import Draft


def merged(drafts: Iterable[Draft]) -> list[Draft]:
    """Atoms of several sources or parts: one id is one atom, the first says what it is, all say what they add."""
    every: dict[str, Draft] = {}
    for one in drafts:
        before = every.get(one.id)
        every[one.id] = one if before is None else added(before, one)
    return list(every.values())


def added(before: Draft, more: Draft) -> Draft:
    """An atom with the edges and reasons of another of the same id behind its own."""
    edges = {(edge.rel, edge.target): edge for edge in (*more.relationships, *before.relationships)}
    order = dict.fromkeys((edge.rel, edge.target) for edge in (*before.relationships, *more.relationships))
    texts = {one.text for one in before.rationale}
    reasons = (*before.rationale, *(one for one in more.rationale if one.text not in texts))
    relationships = tuple(edges[key] for key in order)
    return replace(
        before, description=before.description or more.description, relationships=relationships, rationale=reasons
    )
