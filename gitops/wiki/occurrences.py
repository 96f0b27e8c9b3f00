"""Where a quote stands in a source: as it is, but for white space, or loosely; always from word to word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from gitops.wiki.boundaries import WORD_CHARACTER, begins_inside, ends_inside, is_word, word_end
from gitops.wiki.folding import base, fold
from gitops.wiki.leniency import overlooked, with_dashes
from gitops.wiki.source_text import SourceText

EFFORT = 300_000
"""How many characters loose matching compares before it gives up on a source that is all near misses."""

_STEP = 10  # what it costs, in characters compared, to find that a near miss begins or ends inside a word
_SHORT = 64
_MANY = 32

_Finder = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A span of the source's text that is the quote, and the names of what had to be overlooked for that.

    `noise` names what cuts it in the source and is no part of its words.
    """

    start: int
    end: int
    kinds: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()


def stands(quote: str, text: str, offset: int | None = None) -> bool:
    """Whether the quote stands as it is, at the offset or where its words first stand: quick, and no more than that."""
    wanted = " ".join(quote.split())
    at = text.find(wanted, offset or 0)
    if not wanted or at < 0 or offset not in (None, at):
        return False
    return not (begins_inside(text, at) or ends_inside(text, at + len(wanted)))


def exactly(quote: str, source: SourceText, start: int, stop: int) -> Iterator[Occurrence]:
    """The places that begin in `[start, stop)` where the quote stands as it is, in order; no text is folded for it."""
    text, wanted = source.text, " ".join(quote.split())
    at = text.find(wanted, start) if wanted else -1
    if at < 0:
        return
    find: _Finder = partial(text.find, wanted)
    hits = 0
    while 0 <= at < stop:
        if begins_inside(text, at):
            at = max(at + 1, word_end(text, at)) if is_word(text[at - 1]) else at + 1
        else:
            if not ends_inside(text, at + len(wanted)):
                yield Occurrence(at, at + len(wanted))
            at += 1
        hits += 1
        if hits == _MANY:  # to compile a pattern costs more than to search for a few hits
            find = _finder(wanted, text)
        at = find(at)


def verbatim(quote: str, source: SourceText, start: int, stop: int) -> Iterator[Occurrence]:
    """The places that begin in `[start, stop)` where the quote stands but for its white space, in order."""
    wanted = fold(quote).text
    folded = source.spaced
    text = folded.text
    # Asked first, because the map back to the source costs more than the search.
    if not wanted or wanted not in text:
        return
    find = _finder(wanted, text)
    at, last = folded.at(start), folded.at(stop)
    while 0 <= (at := find(at)) < last:
        if begins_inside(text, at):
            # A run of one letter must not be tried letter by letter.
            at = max(at + 1, word_end(text, at)) if is_word(text[at - 1]) else at + 1
            continue
        if not ends_inside(text, at + len(wanted)):
            span = folded.span(at, at + len(wanted))
            if not _parts_a_number(source.text, *span):
                yield Occurrence(*span)
        at += 1


def loosely(quote: str, source: SourceText, start: int, stop: int) -> Iterator[Occurrence]:
    """The places that begin in `[start, stop)` where the quote stands but for what may be overlooked, in order."""
    wanted = base(quote)
    folded = source.loose
    text = folded.text
    if not wanted or wanted not in text:
        return
    may_lose_spaces = bool(source.page_starts) and " " in quote
    at, last, effort = folded.at(start), folded.at(stop), EFFORT
    while effort > 0 and 0 <= (at := text.find(wanted, at)) < last:
        span = with_dashes(quote, source.text, *folded.span(at, at + len(wanted)))
        at += 1
        effort -= _STEP
        cut = begins_inside(source.text, span[0]) or ends_inside(source.text, span[1])
        if cut and not may_lose_spaces:
            continue
        effort -= len(wanted)
        found = overlooked(quote, source.text[slice(*span)], paged=bool(source.page_starts))
        if found and (found.spaceless or not cut):
            yield Occurrence(*span, found.kinds)


def _parts_a_number(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends at a space that groups digits: folded text has it as any other."""
    is_left = start > 0 and text[start - 1].isspace() and begins_inside(text, start)
    return is_left or (end < len(text) and text[end].isspace() and ends_inside(text, end))


def _finder(wanted: str, text: str) -> _Finder:
    """The next place of some words in a text; short ones are found from word to word, or 'a' is in every other word."""
    if len(wanted) > _SHORT:
        return lambda at: text.find(wanted, at)
    literal = re.escape(wanted)
    # The look behind comes after the literal, so that the search can go by the literal.
    begins = rf"(?<!{WORD_CHARACTER}{literal})" if is_word(wanted[0]) else ""
    ends = rf"(?!{WORD_CHARACTER})" if is_word(wanted[-1]) else ""
    pattern = re.compile(literal + begins + ends)

    def find(at: int) -> int:
        found = pattern.search(text, at)
        return found.start() if found else -1

    return find
