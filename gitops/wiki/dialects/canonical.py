"""The canonical footnote: `[^3]: raw/reports/2019.pdf, p.12, "declined by two fifths" @10432` (`PROTOCOL.md` 6)."""

from __future__ import annotations

import re

from gitops.wiki import citation, placeholders, written
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "canonical"

_NO_PATH = re.compile(r"[\s:#]")


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """The cites of a definition that stands on one line and follows the grammar."""
    if definition.is_continued:
        return None
    parsed = citation.parse(definition.body)
    if isinstance(parsed, citation.Fault):
        return None
    if len(outline.conventions.dialects) > 1 and any(map(_may_be_words, parsed)):
        return None
    return tuple(_cite(one, definition, outline) for one in parsed)


def read(outline: Outline) -> Reading:
    """Nothing: this convention has footnotes only."""
    return NOTHING


def _may_be_words(parsed: citation.Parsed) -> bool:
    """Whether this is a path only for want of another dialect, which may know words, addresses and locators better."""
    path = parsed.path
    if parsed.quote is not None or parsed.offset is not None:
        return False
    found = next(written.scan(path), None)
    if found is not None and not found.is_url:
        return found.until - found.at < len(path) or found.located is not None
    return (
        "/" not in path or _NO_PATH.search(path) is not None or found is not None or placeholders.has_placeholder(path)
    )


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
