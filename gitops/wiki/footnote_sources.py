"""Which of the pointers in a footnote's definition are what it cites, and what is said of each behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gitops.wiki import locators, pointers, quotations, written
from gitops.wiki.conventions import Conventions
from gitops.wiki.locators import Located
from gitops.wiki.model import Cite, How
from gitops.wiki.outline import Definition, Outline
from gitops.wiki.pointers import Pointer

_LEAD_IN = re.compile(r"\W*(?:\w+[^\w\[`<]+){0,3}")
_CONNECTS = re.compile(r"[\s,;，；、+&/]*+(?:and|und|et|y|see(?: also)?|및|和|与|と|와|과)?+[\s,:]*+", re.IGNORECASE)
_NOTE = re.compile(r"\s[\u2013\u2014-]{1,2}\s|\u2014")
_SEPARATES = re.compile(r"[;；]|[\r\n][ \t>]*(?:[-*+]|\d+[.)])[ \t]")
_GAP = re.compile(r"[\s,:，：]*(?P<aside>[(（\u2013\u2014]|-\s)?\s*")
_STANDS_ALONE = re.compile(r"\s*(?:\Z|[,;:.)\r\n]|[(（\u2013\u2014-]|§|[lpLS]{1,2}\.|lines?\b|pages?\b)")
_DATED = re.compile(r"[(（](?:[^\W\d]+:?\s+)?\d{4}-\d{2}-\d{2}[)）]\Z")
_SOURCE_NAME = re.compile(r"(?:source|src)[-_]\w", re.IGNORECASE)
_DOCUMENT = re.compile(r"\.(?:pdf|txt|html?|docx?|odt|rtf|epub|csv|json|xlsx?|pptx?|srt|vtt)\Z", re.IGNORECASE)
_LONGEST_REMARK = 2000
"""Characters behind a citation, or in front of the first, beyond which no further one is looked for."""
HOW: dict[str, How] = {"link": "link", "wiki": "wiki", "address": "link", "path": "loose"}


def cited(definition: Definition, outline: Outline) -> tuple[Pointer, ...]:
    """The pointers that a definition cites, in order: the one it begins with (three words of lead-in are free), those
    joined to it, and those that name a source before any remark. Any other is a link within a remark.
    """
    text, chosen = outline.text, list[Pointer]()
    for one in pointers.find(text, *stretch(definition), outline.conventions.raw):
        if one.start - (chosen[-1].end if chosen else definition.body_start) > _LONGEST_REMARK:
            break
        is_cited = _goes_on(chosen[-1], one, outline) if chosen else _opens(one, definition, outline)
        if is_cited:
            chosen.append(one)
    return tuple(chosen)


def cites(dialect: str, definition: Definition, outline: Outline, chosen: Sequence[Pointer]) -> Iterator[Cite]:
    """The pointers as cites, each with the locator and the quotations that stand between it and the next."""
    for one, stop in zip(chosen, [*(after.start for after in chosen[1:]), stretch(definition)[1]], strict=True):
        located, until = behind(outline.text, one, stop)
        has_heading = located is not None and located.locator is not None and located.locator.heading
        said = one.end if has_heading else until
        yield Cite(
            dialect=dialect,
            path=one.target,
            place=outline.lines.place(one.start, until),
            label=definition.label,
            first_page=located.first_page if located else None,
            last_page=located.last_page if located else None,
            how=HOW[one.kind],
            locator=located.locator if located else None,
            quotations=quotations.of_text(outline.text[said:stop], said, outline.lines),
        )


def stretch(definition: Definition) -> tuple[int, int]:
    """Where a definition's text begins and ends, with the lines that it goes on over."""
    return definition.body_start, definition.end if definition.is_continued else definition.line_end


def behind(text: str, one: Pointer, stop: int) -> tuple[Located | None, int]:
    """The locator that stands behind a pointer, else its fragment's, and where the citation ends with it.

    A heading takes what follows up to the end: only the source knows which part of it is the heading.
    """
    adjoining, end = written.adjoining(text, one.end, stop)
    if adjoining is not None:
        return adjoining, end
    rest = text[one.end : stop]
    gap = _GAP.match(rest)
    begin = gap.end() if gap else 0
    aside = gap["aside"] if gap else None
    located = locators.of_words(rest[begin:]) if begin else None
    if located is None or (located.locator and located.locator.seconds is not None and aside):
        return one.located, one.end
    if located.locator and located.locator.heading:
        return _heading(rest[begin:], one.end + begin)
    until = begin + located.end
    if rest[until : until + 1].isalnum():
        return one.located, one.end
    is_closed = aside in ("(", "（") and rest[until : until + 1] in (")", "）")
    return located, one.end + until + is_closed


def names_source(target: str, conventions: Conventions) -> bool:
    """Whether a target lies in the raw folder or in one of source pages, is named so, or is an address outside."""
    if written.has_scheme(target):
        return True
    folders = {part.casefold() for part in target.split("/")[:-1]}
    known = (conventions.raw.rpartition("/")[2], *conventions.source_pages)
    is_below = any(name.rpartition("/")[2].casefold() in folders for name in known)
    return is_below or _SOURCE_NAME.match(target.rpartition("/")[2]) is not None


def _heading(rest: str, start: int) -> tuple[Located | None, int]:
    line = re.split(r"[\r\n]|[;；]\s*\Z", rest, maxsplit=1)[0]
    kept = _DATED.sub("", line.rstrip()).rstrip(" \t,;；")
    return locators.of_words(kept), start + len(kept)


def _opens(one: Pointer, definition: Definition, outline: Outline) -> bool:
    """Whether a definition's first citation is this: a bare path that is followed by a remark's words is none."""
    if _is_source(one, outline):
        return True
    _, end = stretch(definition)
    if not _LEAD_IN.fullmatch(outline.text, definition.body_start, one.start):
        return False
    return one.kind != "path" or _STANDS_ALONE.match(outline.text, one.end, end) is not None


def _goes_on(before: Pointer, one: Pointer, outline: Outline) -> bool:
    """Whether another citation follows: joined by a word or mark, or naming a source, but not within a remark."""
    located, until = behind(outline.text, before, one.start)
    is_heading = located is not None and located.locator is not None and located.locator.heading
    between = outline.text[before.end if is_heading else until : one.start]
    between = _SEPARATES.split(between)[-1]
    if _NOTE.search(between):
        return False
    return _CONNECTS.fullmatch(between) is not None or _is_source(one, outline)


def _is_source(one: Pointer, outline: Outline) -> bool:
    """Whether this is a source wherever it stands: a link to a document is, which is no page."""
    is_document = one.kind == "link" and _DOCUMENT.search(one.target) is not None
    return is_document or names_source(one.target, outline.conventions)
