"""Adds to pages that are there: claims before what ends a page, footnotes behind everything, entries to lists."""

from __future__ import annotations

import re
from collections.abc import Collection

from gitops.wiki.model import Page
from gitops.wiki.names import fold

SEE_ALSO = "See also"
_TAIL = frozenset(
    ("see also", "related", "related pages", "related topics", "links", "backlinks", "관련 문서", "관련 페이지")
)
_DEFINITION = re.compile(r"^\[\^[^\]\n]+\]:", re.MULTILINE)
_LABEL = re.compile(r"\[\^(\d{1,6})\]")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+")


def next_label(text: str) -> int:
    """A footnote number that is free, and every one after it."""
    return max((int(label) for label in _LABEL.findall(text)), default=0) + 1


def tail_of(page: Page, headings: Collection[str]) -> int:
    """Where what ends the page begins: lists of sources and of related pages, then footnotes. `headings` name more."""
    text, known = page.text, _TAIL | {fold(name) for name in headings}
    end = _definitions_start(text)
    for heading in reversed([one for one in page.headings if one.level > 1 and one.place.start < end]):
        if fold(heading.text.strip(" :：")) not in known:
            break
        end = text.rfind("\n", 0, heading.place.start) + 1
    return end


def _definitions_start(text: str) -> int:
    """Where the footnotes that end the text begin; its end if there are none."""
    end = len(text)
    for found in reversed(list(_DEFINITION.finditer(text))):
        if text[_line_end(text, found.start()) : end].strip():
            break
        end = found.start()
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def inserted(text: str, at: int, block: str) -> str:
    """The text with a block of its own put in, blank lines around it."""
    before, after = text[:at].rstrip(), text[at:].strip("\n")
    return "\n\n".join(filter(None, (before, block, after))) + "\n"


def appended(text: str, definitions: str) -> str:
    """The text with footnotes behind everything; they follow footnotes that end it directly."""
    if not definitions:
        return text
    body = text.rstrip("\n")
    gap = "\n" if _definitions_start(body) < len(body) else "\n\n"
    return f"{body}{gap}{definitions}\n"


def after_lead(text: str, lead: str) -> int | None:
    """Behind the list that a line leads in to, where that line stands in the text."""
    found = re.search(rf"^{re.escape(lead)}[ \t]*\r?\n(?:[ \t]*\r?\n)*", text, re.MULTILINE)
    if found is None:
        return None
    at = found.end()
    while at < len(text) and _ITEM.match(text, at):
        at = _line_end(text, at)
    return at


def with_items(text: str, at: int, items: str) -> str:
    """The text with items put behind those of a list."""
    return text[:at].rstrip("\n") + "\n" + items + "\n" + text[at:]


def listed(text: str, heading: str, entry: str, page_end: int | None = None) -> str:
    """The text with an entry in the list under a `##` heading, in order; heading and list are made where they lack."""
    found = re.search(rf"^##[ \t]+{re.escape(heading)}[ \t]*\r?$", text, re.MULTILINE | re.IGNORECASE)
    if found is None:
        return inserted(text, _definitions_start(text) if page_end is None else page_end, f"## {heading}\n\n{entry}")
    at = end = _line_end(text, found.end())
    until = next((one.start() for one in re.finditer(r"^(?:#{1,6}[ \t]|\[\^)", text[at:], re.MULTILINE)), None)
    stop = len(text) if until is None else at + until
    while at < stop:
        line = text[at : _line_end(text, at)]
        if _ITEM.match(line):
            if fold(line.strip()) > fold(entry):
                return text[:at] + entry + "\n" + text[at:]
            end = at + len(line)
        at += len(line)
    before, after = text[:end].rstrip("\n"), text[end:]
    gap = "\n" if _ITEM.match(before[before.rfind("\n") + 1 :]) else "\n\n"
    joint = "\n" if not after or after.startswith("\n") else "\n\n"
    return f"{before}{gap}{entry}{joint}{after}"
