"""The footnote that names a source page: `[^src-x]: [[source-x]]`, `[^1]: [[sources/x|Title]], p. 3 — note`."""

from __future__ import annotations

from gitops.wiki import footnote_sources
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "footnote_page"


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """The cites of a definition that begins with a wiki-link; an embed is none."""
    if "[[" not in outline.text[slice(*footnote_sources.stretch(definition))]:
        return None
    chosen = footnote_sources.cited(definition, outline)
    if not chosen or chosen[0].kind != "wiki":
        return None
    return tuple(footnote_sources.cites(ID, definition, outline, chosen))


def read(outline: Outline) -> Reading:
    """Nothing: this convention has footnotes only."""
    return NOTHING
