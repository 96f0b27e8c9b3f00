"""Whether a quotation stands in its source, and exactly where (`PROTOCOL.md` 8, `quote_anchor`).

The recorded anchor is the source's own slice, never the quote as typed, so the specification's formula holds on
it: sha256(text[offset : offset + len(slice)]) equals the recorded hash (alexandria 13, "Verbatim quote anchors").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

from gitops.canonical import sha256
from gitops.wiki.boundaries import whole_words
from gitops.wiki.folding import fold
from gitops.wiki.noise import quiet, silenced
from gitops.wiki.occurrences import Occurrence, exactly, loosely, verbatim
from gitops.wiki.source_text import SourceText, page_of, page_span
from gitops.wiki.unheard import unheard, without_noise
from gitops.wiki.unmarked import unmarked

if TYPE_CHECKING:
    from gitops.wiki.alignment import Segment

Result = Literal["verified", "repaired", "misattributed", "altered", "not_found"]

ALTERED_FROM = 0.6
"""The similarity from which a passage counts as the quote, altered.

Measured on 273 real Markdown and PDF sources: of 12,625 quotes of four words and more with a word or digit
changed, a word dropped, two swapped or "not" put in, 0.2 % fall below; of 3,001 sentences from other sources
1.3 % reach it. No changed quote passed, but two that stood there word for word after the change.
"""

COUNTED = 1000
"""Beyond so many occurrences they are not counted."""

_Search = Callable[[str, SourceText, int, int], Iterator[Occurrence]]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a quote stands. `[start, end)` counts code points of the source's text, `exact` is that slice.

    `sha256` is of the slice's UTF-8. `page` is where it starts (None without pages). `remark` says what a person
    should know beside the result, `reason` what was repaired. `difference`, for `altered`, aligns the quote with
    the passage. `written` is how a mend quotes it, which is `exact` unless noise cuts it there. Where nothing was
    found, start and end are 0 and exact is ''.
    """

    result: Result
    start: int = 0
    end: int = 0
    exact: str = ""
    sha256: str = ""
    page: int | None = None
    remark: str = ""
    reason: str = ""
    difference: tuple[Segment, ...] = ()
    similarity: float = 0.0
    written: str = ""


@dataclass(frozen=True, slots=True)
class _Cited:
    """The part of a source that a citation points to, and how to name it."""

    start: int
    stop: int
    name: str
    """Such as 'p.2'; '' when no page is cited."""
    lacking: str
    """Why there is no such page; '' when there is."""


def locate(
    quote: str,
    source: SourceText,
    *,
    first_page: int | None = None,
    last_page: int | None = None,
    offset: int | None = None,
    nearest: bool = True,
) -> Anchor:
    """Find a quote in a source, on the cited pages if any, at the offset if one is given. Never raises.

    Tried in this order: on the cited page as it is (the one search that folds no text), word for word, loosely, as a
    reader of the Markdown sees it, and where time stamps and the like cut it; the same elsewhere; and last the passage
    that comes nearest. Where `nearest` is false (to ask many sources quickly) only the words as they stand are sought.
    """
    cited = _cited(source, first_page, last_page)
    found = list(islice(exactly(quote, source, cited.start, cited.stop), COUNTED + 1))
    if found and (offset is None or any(one.start == offset for one in found)):
        return _standing(source, found, cited, offset, next((o for o in found if o.start == offset), None))
    searches: tuple[_Search, ...] = (verbatim, loosely, unmarked, unheard) if nearest else (verbatim, loosely)
    for search in searches:
        if found := list(islice(search(quote, source, cited.start, cited.stop), COUNTED + 1)):
            return _standing(source, found, cited, offset, _at_offset(search, quote, source, cited, offset))
    for search in searches:
        if cited.name and (found := list(islice(search(quote, source, 0, _beyond(source)), COUNTED + 1))):
            return _misattributed(source, found, cited)
    return _nearest(quote, source, cited) if nearest else Anchor("not_found", remark=source.message)


def _beyond(source: SourceText) -> int:
    return len(source.text) + 1


def _cited(source: SourceText, first: int | None, last: int | None) -> _Cited:
    if first is None:
        return _Cited(0, _beyond(source), "", "")
    low, high = min(first, last or first), max(first, last or first)
    name = f"p.{low}" if low == high else f"p.{low}-{high}"
    if not source.page_starts:
        lacking = "" if low == high == 1 else "the source has no page numbers"
        return _Cited(0, 0 if lacking else _beyond(source), name, lacking)
    count = len(source.page_starts)
    begin, end = page_span(source, max(low, 1)), page_span(source, min(high, count))
    if begin is None or end is None or low < 1:
        return _Cited(0, 0, name, f"the source has {count} page{'s' if count > 1 else ''}")
    return _Cited(begin[0], end[1] if high < count else _beyond(source), name, "")


def _at_offset(search: _Search, quote: str, source: SourceText, cited: _Cited, offset: int | None) -> Occurrence | None:
    """The occurrence that begins at the offset itself, which a text with very many may not have listed."""
    if offset is None or not cited.start <= offset < cited.stop:
        return None
    return next((o for o in search(quote, source, offset, offset + 1) if o.start == offset), None)


def _standing(
    source: SourceText, found: Sequence[Occurrence], cited: _Cited, offset: int | None, there: Occurrence | None
) -> Anchor:
    chosen = there or (found[0] if offset is None else min(found, key=lambda o: abs(o.start - offset)))
    wrong = offset is not None and there is None
    reasons = [*chosen.kinds, *([f"offset {chosen.start} instead of {offset}"] if wrong else [])]
    times = _times(len(found), "on the cited page" if cited.name and source.page_starts else "in the source")
    cut = f"stands word for word but for {', '.join(chosen.noise)}" if chosen.noise else ""
    return _anchor(
        "repaired" if reasons else "verified",
        source,
        chosen,
        remark="; ".join(filter(None, (cut, times))),
        reason=", ".join(reasons),
    )


def _times(count: int, where: str) -> str:
    if count == 1:
        return ""
    return f"stands {count} times {where}" if count <= COUNTED else f"stands more than {COUNTED} times {where}"


def _misattributed(source: SourceText, found: Sequence[Occurrence], cited: _Cited) -> Anchor:
    pages = list(dict.fromkeys(page_of(source, o.start) for o in found))
    named = [f"p.{page}" for page in pages[:3] if page is not None]
    elsewhere = ", ".join(named) + (" and further pages" if len(pages) > 3 else "")
    remark = "; ".join(
        part for part in (cited.lacking, f"stands on {elsewhere}, not {cited.name}" if named else "") if part
    )
    return _anchor("misattributed", source, found[0], remark=remark, reason=", ".join(found[0].kinds))


def _nearest(quote: str, source: SourceText, cited: _Cited) -> Anchor:
    from gitops.wiki.alignment import closest, difference

    silent = silenced(source)
    wanted, folded = fold(quote).text, silent.spaced
    ranges = [(cited.start, cited.stop), (0, _beyond(source))] if cited.name and cited.stop else [(0, _beyond(source))]
    for start, stop in ranges:
        passage = closest(wanted, folded.text, silent.lowered, folded.at(start), _reach(silent, wanted, stop))
        if passage is not None and passage.similarity >= ALTERED_FROM:
            start, end = whole_words(source.text, *folded.span(passage.start, passage.end))
            place = Occurrence(start, end, noise=quiet(source.text).between(start, end))
            remark = _elsewhere(source, place, cited)
            parts = difference(quote, without_noise(source, start, end) if place.noise else source.text[start:end])
            return _anchor("altered", source, place, remark, difference=parts, similarity=passage.similarity)
    return Anchor("not_found", remark=source.message)


def _reach(source: SourceText, wanted: str, stop: int) -> int:
    """How far a passage that begins before `stop` may go, folded: a quote may run over onto the next page."""
    folded = source.spaced
    return len(folded.text) if stop > len(source.text) else min(len(folded.text), folded.at(stop) + len(wanted))


def _elsewhere(source: SourceText, place: Occurrence, cited: _Cited) -> str:
    if cited.lacking:
        return cited.lacking
    page = page_of(source, place.start)
    outside = cited.name and not cited.start <= place.start < cited.stop
    return f"the nearest passage stands on p.{page}, not {cited.name}" if outside and page is not None else ""


def _anchor(
    result: Result,
    source: SourceText,
    place: Occurrence,
    remark: str = "",
    reason: str = "",
    difference: tuple[Segment, ...] = (),
    similarity: float = 1.0,
) -> Anchor:
    exact = source.text[place.start : place.end]
    return Anchor(
        result,
        place.start,
        place.end,
        exact,
        sha256(exact.encode("utf-8", "surrogatepass")),
        page_of(source, place.start),
        remark,
        reason,
        difference,
        similarity,
        without_noise(source, place.start, place.end) if place.noise else exact,
    )
