"""What is wrong with a quotation that no citation holds where it points to, in the order of the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gitops.verify.asked import Asked, Tried, anchored, drafted
from gitops.verify.drifting import drift, drift_level, drifted
from gitops.verify.elsewhere import FEW_OTHERS, in_others, in_own
from gitops.verify.finding import Level
from gitops.verify.shortened import apart, short
from gitops.verify.view import Draft, PageAt
from gitops.wiki.anchors import ALTERED_FROM
from gitops.wiki.model import Cite, Claim
from gitops.wiki.near_misses import Near, may_be_translated, nearest
from gitops.wiki.places_in_source import locator_of
from gitops.wiki.quotations import words
from gitops.wiki.quoted import shares_run, spots, trimmed
from gitops.wiki.source_text import SourceText

CERTAIN = 0.8
"""The similarity from which a passage is the quotation, altered, though the quotation may be from elsewhere.

Asked of quote blocks, of titles, of quotations that only the page or a later sentence cites, and where one of the cited
sources cannot be read.
"""

CERTAIN_WORDS = 6
TITLE_WORDS = 5
"""What a claim calls something may be a title of so many words, altered, but only a warning is told of it."""

_STATEMENT = 12
_HAN_OR_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_HALT = re.compile("[。，；！？]")


def wrong(at: PageAt, asked: Asked, tried: Sequence[Tried], is_whole: bool) -> Iterator[Draft]:
    """What is wrong with a quotation that no citation holds where it points to."""
    draft = drafted(at, asked, tried[0])
    if asked.claim is None or asked.quotation.is_title:
        yield from _softly(draft, at, asked, tried, is_whole)
        return
    if elsewhere := next((one for one in tried if one.spots), None):
        yield _misplaced(replace(draft, source=elsewhere.cite.path), elsewhere)
        return
    text, known = asked.quotation.text, {one.path for one in tried}
    if is_whole and (
        moved := _moved(draft, at, asked, tried) or in_own(draft, at, text, known) or in_others(draft, at, text, known)
    ):
        yield moved
        return
    needed = ALTERED_FROM if is_whole and not asked.quotation.is_block else CERTAIN
    if near := _nearest(asked, tried, needed, CERTAIN_WORDS if needed == CERTAIN else 0):
        yield _altered(draft, asked, *near)
    elif is_whole and not all(may_be_translated(asked.quotation.text, one.source) for one in tried):
        is_plain = not asked.quotation.is_block and all(one.source.extractor == "text" for one in tried)
        level = _level_of_absent(asked.quotation.text) if is_plain else Level.WARNING
        where = " or ".join(dict.fromkeys(one.cite.path for one in tried))
        told = f"nothing like {short(asked.quotation.text)} stands in {where}"
        yield replace(draft, result="not_found", message=told, level=level)


def _softly(draft: Draft, at: PageAt, asked: Asked, tried: Sequence[Tried], is_whole: bool) -> Iterator[Draft]:
    """What is wrong with a quotation that may be from elsewhere; nothing, if it stands anywhere in what is cited."""
    if any(one.spots for one in tried):
        return
    text, known = asked.quotation.text, {one.path for one in tried}
    if is_whole and not asked.quotation.is_title and words(text) >= CERTAIN_WORDS:
        if in_own(draft, at, text, known):
            return
        if other := in_others(draft, at, text, known, FEW_OTHERS):
            yield replace(other, level=Level.WARNING)
            return
    like = [one for one in tried if shares_run(text, one.source)]
    least = TITLE_WORDS if asked.claim else CERTAIN_WORDS
    if near := _nearest(asked, like, CERTAIN, least):
        yield _altered(draft, asked, *near)


def _level_of_absent(quotation: str) -> Level | None:
    """A warning for what may be a phrase that the page's writer coined, or a question that somebody might ask.

    A note in Chinese and Japanese, where terms of many characters stand in quotation marks.
    """
    if _HAN_OR_KANA.search(quotation) and words(quotation) < _STATEMENT and not _HALT.search(quotation):
        return Level.NOTE
    is_short = words(quotation) < CERTAIN_WORDS
    return Level.WARNING if is_short or quotation.rstrip(" *_").endswith(("?", "？")) else None


def _misplaced(draft: Draft, one: Tried) -> Draft:
    spot = one.spots[0]
    where = locator_of(one.cite, one.source, spot.start, spot.end) or "another place"
    named = one.stretch.name if one.stretch else ""
    is_moment = one.cite.locator is not None and one.cite.locator.seconds is not None
    return replace(
        draft,
        result="misattributed",
        message=f"stands in {one.cite.path} at {where}, not at {named}",
        repair=f"point the citation at {where}",
        level=Level.WARNING if is_moment else None,  # a stamp often names the chapter that begins there
        evidence={**draft.evidence, **anchored(one.source, spot)},
    )


def _moved(draft: Draft, at: PageAt, asked: Asked, tried: Sequence[Tried]) -> Draft | None:
    def held(source: SourceText, _: str) -> str | None:
        found = spots(asked.quotation.text, source)
        return str(anchored(source, found[0])["sha256"]) if found else None

    def is_same(_: Cite, claim: Claim) -> bool:
        return trimmed(asked.quotation.text) in claim.text

    for one in tried:
        if asked.claim is not None and (found := drift(at, one.path, held)):
            level = drift_level(at, asked.claim, one.cite, is_same)
            return drifted(draft, at, one.cite.path, one.path, found, level)
    return None


def _nearest(asked: Asked, tried: Sequence[Tried], needed: float, least: int) -> tuple[Tried, Near] | None:
    """The passage that comes nearest, if it is as like as is needed and what is compared has so many words at least."""
    found = [(one, near) for one in tried if (near := nearest(asked.quotation.text, one.source))]
    if not found:
        return None
    one, near = max(found, key=lambda pair: pair[1].similarity)
    return (one, near) if near.similarity >= needed and words(near.part) >= least else None


def _altered(draft: Draft, asked: Asked, one: Tried, near: Near) -> Draft:
    is_sure = near.similarity >= CERTAIN or near.shares_half
    is_sure &= not asked.quotation.is_title or words(near.part) >= CERTAIN_WORDS
    is_sure &= asked.claim is not None or not asked.quotation.is_block  # a block without marks may be a summary
    says, written = apart(near.told, near.part)
    return replace(
        draft,
        result="altered",
        level=None if is_sure else Level.WARNING,
        source=one.cite.path,
        message=f"{one.cite.path} says {says}, not {written}",
        repair=near.told,
        evidence={
            **draft.evidence,
            "written": asked.quotation.text,
            "source_says": near.told,
            "offset": near.start,
            "difference": [list(part) for part in near.difference],
            "similarity": round(near.similarity, 4),
        },
    )
