"""A Markdown source as its reader sees it, for quotations that leave out its mark-up, and where the words stand.

Who quotes `**55 g** of coffee` as "55 g of coffee" quotes it truly. What the page shows is asked of a real
Markdown parser, so a `*` that is no emphasis stays; what is struck out, and marks between two digits (`10<sup>6</sup>`
is not 106), are not overlooked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from gitops.wiki.blocks import Block
from gitops.wiki.noise import silenced
from gitops.wiki.occurrences import Occurrence, loosely, verbatim
from gitops.wiki.source_text import SourceText

MARK_UP = "mark-up"
LONGEST = 1_000_000
"""Code points beyond which a source is not parsed: a megabyte of dense Markdown takes most of a second."""

_MARKS = "*_`~"
_STRUCK = re.compile(r"~|<(?:del|s|strike)\b", re.IGNORECASE)
_CELL_ENDS = "\n\0\n"  # words of two cells are no words of one sentence
_BLOCK_ENDS = "\n\n"

_Search = Callable[[str, SourceText, int, int], Iterator[Occurrence]]


@dataclass(frozen=True, slots=True)
class _Shown:
    """The visible text, the blocks it is of, and where each begins in it."""

    source: SourceText
    blocks: tuple[Block, ...]
    ats: tuple[int, ...]

    def place(self, at: int) -> tuple[int, int]:
        """Where a visible character stands in the source."""
        number = bisect_right(self.ats, at) - 1
        block, inside = self.blocks[number], at - self.ats[number]
        return block.start_of(inside), block.end_of(inside + 1)


def unmarked(
    quote: str, source: SourceText, start: int, stop: int, *, is_silenced: bool = False
) -> Iterator[Occurrence]:
    """The places that begin in `[start, stop)` where the quote is what a reader of the Markdown sees, in order.

    `is_silenced` leaves out what is noise in the text that the reader sees, too.
    """
    if not source.is_markdown or not quote.strip() or len(source.text) > LONGEST:
        return
    shown = _shown(source)
    seen = silenced(shown.source) if is_silenced else shown.source
    searches: tuple[_Search, ...] = (verbatim, loosely)
    for search in searches:
        found = [_standing(one, shown, seen.text, source.text) for one in search(quote, seen, 0, len(seen.text))]
        if places := [place for place in found if place is not None and start <= place.start < stop]:
            yield from places
            return


@lru_cache(maxsize=8)
def _shown(source: SourceText) -> _Shown:
    from gitops.wiki import markdown

    blocks = tuple(block for block in markdown.read(source.text, 0).blocks if block.text.strip())
    texts = [block.text + (_CELL_ENDS if block.kind == "cell" else _BLOCK_ENDS) for block in blocks]
    ats = tuple(accumulate(map(len, texts), initial=0))[: len(blocks)]
    return _Shown(SourceText("".join(texts)), blocks, ats)


def _standing(found: Occurrence, shown: _Shown, seen: str, text: str) -> Occurrence | None:
    """The occurrence in the source, its outer marks included; None where what is left out says something."""
    visible = [at for at in range(found.start, found.end) if not seen[at].isspace()]
    places = [shown.place(at) for at in visible]
    for (_, end), (start, _) in pairwise(places):
        digits = text[end - 1].isdigit() and text[start].isdigit()
        if _STRUCK.search(text, end, start) or (digits and start > end and not text[end:start].isspace()):
            return None
    if not places:
        return None
    first, last = places[0][0], places[-1][1]
    return Occurrence(*_with_marks(text, first, last), (MARK_UP, *found.kinds))


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The slice with the emphasis that begins or ends right beside it, so that its marks stay in pairs."""
    while start and text[start - 1] in _MARKS:
        start -= 1
    while end < len(text) and text[end] in _MARKS:
        end += 1
    return start, end
