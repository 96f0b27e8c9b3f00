"""How one wiki writes its citations: what a dialect must know besides the page."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.config import SOURCE_FIELDS, SOURCE_HEADINGS, SOURCE_PAGES, Config


@dataclass(frozen=True, slots=True)
class Conventions:
    """The dialects in use, and the wiki's own words for what they look for. Hashable: part of cache keys."""

    dialects: tuple[str, ...] = ("canonical",)
    raw: str = "raw"
    """The name of the raw folder inside the workspace."""
    source_pages: tuple[str, ...] = SOURCE_PAGES
    """Folders, below the wiki or by name anywhere in it, whose pages stand for a source each."""
    headings: tuple[str, ...] = SOURCE_HEADINGS
    """Headings of lists of sources."""
    fields: tuple[str, ...] = SOURCE_FIELDS
    """Frontmatter keys that name sources."""


CANONICAL = Conventions()
"""Canonical footnotes and nothing else."""


def of(config: Config) -> Conventions:
    """The conventions that a policy names."""
    citations = config.citations
    return Conventions(
        citations.dialects, config.workspace.raw, citations.source_pages, citations.headings, citations.fields
    )
