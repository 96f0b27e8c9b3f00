"""Headings as links name them: GitHub's slug, Obsidian's heading text and block id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from gitops.wiki.model import Heading, Page

_DROPPED = re.compile(r"[^\w\- ]")
_HTML_ID = re.compile(r"""\b(?:id|name)\s*=\s*["']([^"']+)["']""")


def slug(heading: str) -> str:
    """GitHub's slug: lower case, punctuation dropped, each space a hyphen."""
    return _DROPPED.sub("", heading.strip().lower()).replace(" ", "-")


def numbered(slugs: Iterable[str]) -> list[str]:
    """Slugs with `-1`, `-2`, … behind those that stood before, as GitHub tells equal headings apart."""
    taken: dict[str, int] = {}
    unique = []
    for name in slugs:
        count = taken.get(name)
        while count is not None and f"{name}-{count}" in taken:
            count += 1
        taken[name] = 1 if count is None else count + 1
        unique.append(name if count is None else f"{name}-{count}")
        taken.setdefault(unique[-1], 1)
    return unique


def fold(text: str) -> str:
    """Letters and digits only, case folded: two spellings of one heading fold alike."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))


def anchor_exists(page: Page, anchor: str) -> bool:
    """Whether a link may name `anchor` on the page: a heading, `#` path of headings, `^block` or HTML id, loosely."""
    anchor = anchor.strip()
    if not anchor or anchor.casefold() == "top":
        return True
    if anchor.startswith("^"):
        return re.search(rf"\^{re.escape(anchor[1:])}[ \t]*(?:[\r\n]|\Z)", page.text) is not None
    wanted = fold(anchor.rpartition("#")[2])
    if not wanted:
        return any(heading.slug == anchor.casefold() for heading in page.headings)
    if any(wanted in _names(heading) for heading in page.headings):
        return True
    return any(fold(name) == wanted for name in _HTML_ID.findall(page.text))


def _names(heading: Heading) -> tuple[str, str]:
    return fold(heading.text), fold(heading.slug)
