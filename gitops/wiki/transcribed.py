"""Names that a transcriber wrote as they sounded: who quotes the talk may well spell them right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gitops.wiki.moments import stamps
from gitops.wiki.near_misses import nearest
from gitops.wiki.quoted import WORD, Spot, spots
from gitops.wiki.source_text import SourceText

KIND = "transcriber's spelling"
STAMPS = 3
"""A source with so many time stamps is a transcript."""
SHORTEST = 5
"""Letters of a name; of shorter words many differ by one letter and are other words."""

_BEFORE_NAME = r"[\w,;:—–-]\s+"


def heard(quotation: str, source: SourceText) -> tuple[Spot, ...]:
    """The places in a transcript where the quotation stands but for one letter of its names."""
    if source.extractor != "text" or len(stamps(source.text)) < STAMPS:
        return ()
    near = nearest(quotation, source)
    names = _names(near.part, near.told, source.text) if near else None
    if not near or not names:
        return ()
    spelled = dict(names)
    as_written = WORD.sub(lambda word: spelled.get(word[0], word[0]), near.part)
    found = spots(quotation.replace(near.part, as_written, 1), source)
    return tuple(replace(spot, loud=(KIND, *spot.loud), names=names) for spot in found)


def _names(part: str, told: str, text: str) -> tuple[tuple[str, str], ...] | None:
    """The names that differ, as quoted and as transcribed; None where any other word differs."""
    ours, theirs = WORD.findall(part), WORD.findall(told)
    if len(ours) != len(theirs):
        return None
    unlike = [(mine, its) for mine, its in zip(ours, theirs, strict=True) if mine.casefold() != its.casefold()]
    if not all(_sound_alike(mine, its) and _is_name(mine, its, part, text) for mine, its in unlike):
        return None
    return tuple(dict.fromkeys(unlike))


def _sound_alike(mine: str, its: str) -> bool:
    from rapidfuzz.distance import Levenshtein

    if min(len(mine), len(its)) < SHORTEST or not (mine.isalpha() and its.isalpha()):
        return False
    return Levenshtein.distance(mine.casefold(), its.casefold(), score_cutoff=1) == 1


def _is_name(mine: str, its: str, part: str, text: str) -> bool:
    """Whether either has its capital within a sentence; at the beginning of one every word has one."""
    return any(_capitalised(((mine, part), (its, text))))


def _capitalised(words: tuple[tuple[str, str], ...]) -> Iterator[bool]:
    for word, where in words:
        yield word[0].isupper() and re.search(rf"{_BEFORE_NAME}{re.escape(word)}(?!\w)", where) is not None
