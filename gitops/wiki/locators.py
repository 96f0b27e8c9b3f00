"""Locators as conventions write them: `lines 74-78`, `p. 12`, `§ Heading`, `#L5-L10`, `#5:40`, `#heading-slug`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from gitops.wiki.late import late
from gitops.wiki.model import Locator

_DASH = r"[-\u2010-\u2015~\u301c]"
# Between spaces an em dash ends the locator: `p. 1 — 97 % of it`.
_TO = r"(?:\s*(?:[-\u2010-\u2013~\u301c]|to|through|bis)\s*|[\u2014\u2015])"
_FURTHER = rf"((?:\s*,\s*\d{{1,7}}{_TO}\d{{1,7}}|\s*(?:and|und|&)\s*\d{{1,7}}(?:{_TO}\d{{1,7}})?)++(?!\s*\w))?"
_LINES = late(
    rf"(?:(?:lines?|ll?\.|Zeilen?)\s*|第?(?=\s*\d+(?:{_TO}\d+)?\s*[行행줄]))"
    rf"\s*(\d{{1,7}})(?:{_TO}L?(\d{{1,7}}))?{_FURTHER}(?:\s*[行행줄])?",
    re.IGNORECASE,
)
_L_LINES = late(rf"L(\d{{1,7}})(?:C\d+)?(?:{_DASH}L?(\d{{1,7}})(?:C\d+)?)?", re.IGNORECASE)
_BARE_LINES = late(rf"(\d{{1,7}})(?:\s*{_DASH}\s*(\d{{1,7}}))?")
_PAGES = late(
    rf"(?:(?:pages?|pp?\.?|Seiten?|S\.)\s*|第?(?=\s*\d+(?:{_TO}\d+)?\s*(?:[页頁쪽]|페이지)))"
    rf"\s*(\d{{1,5}})(?:{_TO}(\d{{1,5}}))?{_FURTHER}(?:\s*(?:[页頁쪽]|페이지))?",
    re.IGNORECASE,
)
_PAGE_FRAGMENT = late(rf"page=(\d{{1,5}})(?:{_DASH}(\d{{1,5}}))?", re.IGNORECASE)
_MOMENT = r"(?:(\d{1,3}):)?(\d{1,3}):(\d{2})"
_MOMENTS = late(rf"(?:t=)?\[?{_MOMENT}(?:\s*{_DASH}\s*{_MOMENT})?\]?")
_SECTION = late(r"""(?:§+\s*|[Ss]ec(?:tion)?\.?\s+(?=["“‘'A-Z\d]))(.+)""")


@dataclass(frozen=True, slots=True)
class Located:
    """What a locator says: pages of a PDF, or another locator; `end` is where it ends in the text that was read."""

    first_page: int | None = None
    last_page: int | None = None
    locator: Locator | None = None
    end: int = 0


def of_words(text: str) -> Located | None:
    """The locator that a text begins with, in words: lines, pages, or `§` with a heading that takes all of the rest.

    Where a heading ends is the caller's to know: give it no more than may belong to it.
    """
    if found := _LINES.match(text):
        return _lines(found)
    if found := _PAGES.match(text):
        return _pages(found)
    if found := _L_LINES.match(text):
        return _lines(found)
    if found := _SECTION.match(text):
        return Located(locator=Locator(found[0].strip(), heading=found[1].strip()), end=found.end())
    if found := _MOMENTS.match(text):
        return _moments(found)
    return None


def of_fragment(fragment: str) -> Located | None:
    """What stands after `#` in a path: `L5-L10`, `5:40`, `1:02:03`, `page=3`, `p.3`, else a heading or its slug."""
    said = unquote(fragment).strip()
    if not said:
        return None
    if found := _L_LINES.fullmatch(said):
        return _lines(found)
    if found := _MOMENTS.fullmatch(said):
        return _moments(found)
    if found := _PAGE_FRAGMENT.fullmatch(said) or re.fullmatch(r"pp?\.?\s*(\d{1,5})(?:-(\d{1,5}))?", said):
        return _pages(found)
    if found := re.fullmatch(r"lines?[-= ]?(\d{1,7})(?:-(\d{1,7}))?", said, re.IGNORECASE):
        return _lines(found)
    return Located(locator=Locator(said, heading=said), end=len(fragment))


def of_lines(text: str) -> Located | None:
    """Bare line numbers, as in `file:42-58`; None for anything else."""
    found = _BARE_LINES.fullmatch(text.strip()) or _L_LINES.fullmatch(text.strip())
    return _lines(found) if found else None


def _lines(found: re.Match[str]) -> Located:
    first, last = _ends(found)
    return Located(locator=Locator(found[0], first, last), end=found.end())


def _pages(found: re.Match[str]) -> Located:
    first, last = _ends(found)
    return Located(first, last, end=found.end())


def _ends(found: re.Match[str]) -> tuple[int, int]:
    """The first and the last number: of several stretches (`lines 3-5, 9-12`) all from the lowest to the highest."""
    further = found[3] if found.re.groups > 2 else None
    if further:
        numbers = [int(number) for number in re.findall(r"\d+", found[0])]
        return min(numbers), max(numbers)
    first = int(found[1])
    return first, int(found[2] or first)


def _moments(found: re.Match[str]) -> Located:
    first = _seconds(found, 1)
    last = _seconds(found, 4) if found[5] else None
    return Located(locator=Locator(found[0], seconds=first, last_seconds=last), end=found.end())


def _seconds(found: re.Match[str], group: int) -> int:
    hours, minutes, seconds = (int(found[at] or 0) for at in range(group, group + 3))
    return hours * 3600 + minutes * 60 + seconds
