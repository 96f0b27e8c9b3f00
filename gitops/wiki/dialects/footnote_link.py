"""The footnote with a link to its source: `[^s1]: [raw/f.md](../../raw/f.md), lines 74-78 — note`.

Behind the link may stand lines, a page, or `§ Heading`; a bare path, a path in a code span and an address are
links too. A remark in its note that is put in quotation marks is checked against that source.
"""

from __future__ import annotations

import re

from gitops.wiki import footnote_sources
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading
from gitops.wiki.pointers import Pointer

ID = "footnote_link"

_CANONICAL_QUOTE = re.compile(r'\s*,\s*(?:pp?\.\s*\d[\d\s–-]*,\s*)?"')


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """The cites of a definition that leads to a file or address, however many lines it has."""
    chosen = footnote_sources.cited(definition, outline)
    if not chosen or all(one.kind == "wiki" for one in chosen):
        return None
    if any(_is_slip(one, outline) for one in chosen):
        return None
    return tuple(footnote_sources.cites(ID, definition, outline, chosen))


def _is_slip(one: Pointer, outline: Outline) -> bool:
    """Whether a bare path is what is left of a link without its bracket, or of a canonical citation with a slip."""
    text = outline.text
    if one.kind != "path" or text[one.start] == "`":
        return False
    before = text[max(0, one.start - 2) : one.start]
    is_half = (
        before == "](" or text.startswith("](", one.end) or (before[-1:] == "[" and text[one.end : one.end + 1] != "]")
    )
    return is_half or (
        "canonical" in outline.conventions.dialects and _CANONICAL_QUOTE.match(text, one.end) is not None
    )


def read(outline: Outline) -> Reading:
    """Nothing: this convention has footnotes only."""
    return NOTHING
