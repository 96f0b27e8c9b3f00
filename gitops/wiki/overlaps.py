"""One citation is read once: of several dialects that read the same stretch, one has it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gitops.wiki.model import Cite
from gitops.wiki.outline import Mark, Reading

_Span = tuple[int, int]


def apart(readings: Sequence[Reading]) -> list[Reading]:
    """The readings without what another dialect reads better at the same place.

    A mark that is cut from its sentence goes before a citation of the whole page, and that before a link or path that
    is part of a sentence. Of two marks that are cut the wider one counts.
    """
    if sum(bool(one.marks or one.page_cites) for one in readings) < 2:
        return list(readings)
    marks = _cut(readings)
    cut = [_spans_of(mark for mark in mine if not mark.is_shown) for mine in marks]
    listed = [_free(one.page_cites, _others(cut, index)) for index, one in enumerate(readings)]
    taken = [[*mine, *map(_span_of, cites)] for mine, cites in zip(cut, listed, strict=True)]
    found = []
    for index, one in enumerate(readings):
        spans = _others(taken, index)
        kept = tuple(mark for mark in marks[index] if not mark.is_shown or not _meets(mark.start, mark.end, spans))
        found.append(replace(one, marks=kept, page_cites=listed[index]))
    return found


def _cut(readings: Sequence[Reading]) -> list[list[Mark]]:
    """The marks of each reading without those inside a mark of another that is cut."""
    spans = [sorted((mark.start, mark.end) for mark in one.marks if not mark.is_shown) for one in readings]
    kept = []
    for index, one in enumerate(readings):
        before = [span for mine in spans[:index] for span in mine]
        after = [span for mine in spans[index + 1 :] for span in mine]
        kept.append([mark for mark in one.marks if mark.is_shown or not _is_inside(mark, before, after)])
    return kept


def _is_inside(mark: Mark, before: Sequence[_Span], after: Sequence[_Span]) -> bool:
    """Whether a span of an earlier dialect covers a mark, or a wider one of a later dialect does."""
    span = (mark.start, mark.end)
    return any(one[0] <= span[0] and span[1] <= one[1] for one in before) or any(
        one[0] <= span[0] and span[1] <= one[1] and one != span for one in after
    )


def _spans_of(marks: Iterable[Mark]) -> list[_Span]:
    """Where marks stand and what they cite, which may be an entry of a list elsewhere."""
    return [span for mark in marks for span in ((mark.start, mark.end), *map(_span_of, mark.cites))]


def _span_of(cite: Cite) -> _Span:
    return cite.place.start, cite.place.end


def _others(spans: Sequence[Sequence[_Span]], index: int) -> list[_Span]:
    """The spans of all but one, merged where they touch, in order."""
    merged: list[_Span] = []
    for start, end in sorted(span for at, mine in enumerate(spans) if at != index for span in mine):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _free(cites: Iterable[Cite], spans: Sequence[_Span]) -> tuple[Cite, ...]:
    return tuple(cite for cite in cites if not _meets(cite.place.start, cite.place.end, spans))


def _meets(start: int, end: int, spans: Sequence[_Span]) -> bool:
    before = bisect_left(spans, (end, 0)) - 1
    return before >= 0 and spans[before][1] > start
