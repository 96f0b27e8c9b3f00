"""The canonical footnote: `[^3]: raw/reports/2019.pdf, p.12, "declined by two fifths" @10432` (`PROTOCOL.md` 6)."""

from __future__ import annotations

from gitops.wiki import citation
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "canonical"


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """The cites of a definition that stands on one line and follows the grammar."""
    if definition.is_continued:
        return None
    parsed = citation.parse(definition.body)
    if isinstance(parsed, citation.Fault):
        return None
    return tuple(_cite(one, definition, outline) for one in parsed)


def read(outline: Outline) -> Reading:
    """Nothing: this convention has footnotes only."""
    return NOTHING


def _cite(parsed: citation.Parsed, definition: Definition, outline: Outline) -> Cite:
    base, place = definition.body_start, outline.lines.place
    start, end = parsed.span
    quote = parsed.quote_span
    return Cite(
        dialect=ID,
        path=parsed.path,
        place=place(base + start, base + end),
        label=definition.label,
        first_page=parsed.first_page,
        last_page=parsed.last_page,
        quote=parsed.quote,
        offset=parsed.offset,
        quote_place=place(base + quote[0], base + quote[1]) if quote else None,
    )
