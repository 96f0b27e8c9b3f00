"""Where in a source a locator points: its lines, the stretch below a heading, a moment of a recording, PDF pages.

A moment is the stretch from the last time stamp at or before it to the next; stretches whose stamps are no farther
than `moments.TOLERANCE` seconds from it count too. A heading's stretch goes to the next heading of its level or above.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from gitops.wiki.model import Cite, Locator
from gitops.wiki.moments import clock, said_at, stamps
from gitops.wiki.source_headings import headings, may_be_other, named
from gitops.wiki.source_text import SourceText, page_of, page_span

Lack = Literal["no_line", "no_heading", "no_moment", "no_page"]

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


@dataclass(frozen=True, slots=True)
class Stretch:
    """`[start, end)` of a source's text and how a person names it; or why there is no such place."""

    name: str
    spans: tuple[tuple[int, int], ...] = ()
    lack: Lack | None = None
    message: str = ""
    repair: str = ""

    def holds(self, start: int, end: int) -> bool:
        """Whether a slice of the source stands in it, or reaches into it."""
        return any(start < last and first < end for first, last in self.spans)


def stretch(cite: Cite, source: SourceText) -> Stretch | None:
    """Where a cite points in its source; None where it names no place, or where nobody can tell which."""
    if cite.first_page is not None:
        return _pages(cite.first_page, cite.last_page or cite.first_page, source)
    locator = cite.locator
    if locator is None:
        return None
    if locator.first_line is not None:
        return _lines(locator.first_line, locator.last_line or locator.first_line, source)
    if locator.seconds is not None:
        return _moment(locator, source)
    return _below(locator, source) if locator.heading else None


def locator_of(cite: Cite, source: SourceText, start: int, end: int) -> str:
    """How the cite's own kind of locator names a slice of the source; '' where it has none."""
    if cite.first_page is not None:
        page = page_of(source, start)
        return "" if page is None else f"p. {page}"
    if cite.locator is None:
        return ""
    if cite.locator.seconds is not None:
        before = [stamp for stamp in stamps(source.text) if stamp.start <= start]
        return clock(before[-1].seconds) if before else ""
    if cite.locator.first_line is not None:
        first, last = _line_of(source.text, start), _line_of(source.text, end - 1)
        return f"line {first}" if first == last else f"lines {first}-{last}"
    above = [heading for heading in headings(source.text) if heading.start <= start < heading.end]
    return f"the heading '{above[-1].text}'" if above else ""


def _pages(first: int, last: int, source: SourceText) -> Stretch | None:
    """PDF pages; where the PDF has too few, pages on which the number is printed, as journals number theirs."""
    low, high = min(first, last), max(first, last)
    name = f"p. {low}" if low == high else f"p. {low}-{high}"
    count = len(source.page_starts)
    if not count:
        return None
    spans = [span for number in range(max(low, 1), min(high, count) + 1) if (span := page_span(source, number))]
    spans += _printed(low, high, source)
    if low >= 1 and spans and (high <= count or _printed(high, high, source)):
        return Stretch(name, tuple(spans))
    told = f"the source has {count} page{'s' if count > 1 else ''}"
    return Stretch(name, (), "no_page", told, f"cite a page from 1 to {count}")


def _printed(low: int, high: int, source: SourceText) -> list[tuple[int, int]]:
    wanted = {str(number) for number in range(low, min(high, low + 200) + 1)}
    return [span for span, words in _edges(source) if words & wanted]


@lru_cache(maxsize=16)
def _edges(source: SourceText) -> tuple[tuple[tuple[int, int], frozenset[str]], ...]:
    """Of each page what stands first and last on its first and last line, where page numbers are printed."""
    found = []
    for number in range(1, len(source.page_starts) + 1):
        span = page_span(source, number) or (0, 0)
        lines = [line.split() for line in source.text[slice(*span)].splitlines() if line.strip()]
        ends = [word for line in (*lines[:1], *lines[-1:]) for word in (line[0], line[-1])]
        found.append((span, frozenset(word.strip("()[]-–|.,") for word in ends)))
    return tuple(found)


def _lines(first: int, last: int, source: SourceText) -> Stretch | None:
    low, high = min(first, last), max(first, last)
    name = f"line {low}" if low == high else f"lines {low}-{high}"
    if source.extractor != "text":
        return None
    starts = _line_starts(source.text)
    count = len(starts) - 1
    if low < 1 or high > count:
        told = f"the source has {count} line{'s' if count != 1 else ''}"
        return Stretch(name, (), "no_line", told, f"cite lines from 1 to {count}")
    return Stretch(name, ((starts[low - 1], starts[high]),))


@lru_cache(maxsize=64)
def _line_starts(text: str) -> tuple[int, ...]:
    return (*(found.start() for found in _LINE.finditer(text)), len(text))


def _line_of(text: str, offset: int) -> int:
    return bisect_right(_line_starts(text)[:-1], offset)


def _moment(locator: Locator, source: SourceText) -> Stretch | None:
    first = locator.seconds or 0
    last = max(first, locator.last_seconds or first)
    if source.extractor != "text":
        return None
    known = stamps(source.text)
    name = clock(first) if first == last else f"{clock(first)}-{clock(last)}"
    if not known:
        return Stretch(name, (), "no_moment", "the source has no time stamps", "cite a heading or lines instead")
    furthest = max(stamp.seconds for stamp in known)
    longest = max((after.seconds - before.seconds for before, after in pairwise(known)), default=0)
    if last > furthest + max(60, longest):
        told = f"the source's last time stamp is {clock(furthest)}"
        return Stretch(name, (), "no_moment", told, f"cite a moment up to {clock(furthest)}")
    return Stretch(name, tuple(said_at(first, last, known, len(source.text))))


def _below(locator: Locator, source: SourceText) -> Stretch | None:
    """The stretch below the heading that is meant: the longest beginning of what is said that is a heading."""
    said = locator.heading
    if meant := named(said, source.text):
        return Stretch(f"§ {meant[0].text}", tuple((heading.start, heading.end) for heading in meant))
    if not source.is_markdown or may_be_other(said, source.text):
        return None
    found = headings(source.text)
    if not found:
        return Stretch(f"§ {said}", (), "no_heading", "the source has no headings", "cite lines instead")
    near = difflib.get_close_matches(said.lower(), [one.text.lower() for one in found], n=1)
    like = next((one.text for one in found if [one.text.lower()] == near), found[0].text)
    offered = f"cite '{like}'" if near else f"cite one of its {len(found)} headings, such as '{like}'"
    return Stretch(f"§ {said}", (), "no_heading", "no heading of the source is called so", offered)
