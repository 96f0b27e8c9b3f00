"""A claim that copies a sentence and changes one thing in it: a number, a unit, a multiple, a word like `about`.

Where all the rest is the same, word by word, what differs is no paraphrase. A claim that the source says elsewhere, or
whose number stands in another sentence about the same, is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10

from gitops.verify.judging.lexicon import groups
from gitops.verify.judging.numerals import ONES, TENS
from gitops.verify.judging.reading import Line
from gitops.verify.judging.words import Token, stem

SAME, LEAST = 0.85, 6
"""A copy has so large a share of its words in order from one sentence, and so many words at least."""
_ELSEWHERE = 0.6
"""The share of a claim's words that another sentence must have for its number to be of the same thing."""
_NUMBER = re.compile(r"\d[\d.,]*")
_UNITS = {
    stem(name): unit[0]
    for unit in groups(
        """mg milligram; g gram gm; kg kilogram kilo; ug µg mcg microgram; tonne ton; ounce oz; pound lb; ml millilitre
        milliliter; cl centilitre centiliter; dl decilitre deciliter; l litre liter; gallon; pint; mm millimetre
        millimeter; cm centimetre centimeter; m metre meter; km kilometre kilometer; mile mi; foot feet ft; inch;
        yard yd; second sec; minute min; hour hr h; day; week; month; year yr; decade; century; watt w; kilowatt kw;
        megawatt mw; gigawatt gw; byte; kilobyte kb; megabyte mb; gigabyte gb; terabyte tb; hectare ha; acre"""
    )
    for name in unit
}
_MULTIPLES = {"half": 0.5, "twice": 2.0, "double": 2.0, "thrice": 3.0, "triple": 3.0, "third": 1 / 3, "quarter": 0.25}
_EXACTLY = frozenset(("exactly", "precisely"))
_ABOUT = frozenset(("about", "around", "approximately", "roughly", "nearly", "almost", "some", "circa"))


@dataclass(frozen=True, slots=True)
class Altered:
    """What a copy says at words `[first, last)`, and what the sentence has in its place."""

    said: str
    found: str
    first: int
    last: int
    share: float
    line: str


def altered(claim: Sequence[Token], near: Iterable[Line], source: Sequence[Line]) -> list[Altered]:
    """What a claim changes in a sentence that it copies; nothing where the source says it as well."""
    if len(claim) < LEAST:
        return []
    found = [one for line in near for one in _in_line(claim, line)]
    return [one for one in found if not _is_said(claim, one, source)]


def _in_line(claim: Sequence[Token], line: Line) -> Iterator[Altered]:
    from rapidfuzz.distance import Levenshtein

    ours, theirs = [word.folded for word in claim], [word.folded for word in line.words]
    steps = Levenshtein.opcodes(ours, theirs)
    share = sum(step.src_end - step.src_start for step in steps if step.tag == "equal") / len(ours)
    changed = [
        (step.src_start, step.src_end, step.dest_start, step.dest_end) for step in steps if step.tag == "replace"
    ]
    if share < SAME or any(step.tag == "delete" and _says(claim[step.src_start : step.src_end]) for step in steps):
        return
    places = [(first, at) for a, b, c, d in changed for first, at in zip(range(a, b), range(c, d), strict=False)]
    if len(places) != sum(b - a for a, b, _, _ in changed):
        return
    if all(_differ(claim[mine], line.words[other]) for mine, other in places):
        for mine, other in places:
            yield Altered(claim[mine].text, line.words[other].text, mine, mine + 1, share, line.text)


def _says(words: Sequence[Token]) -> bool:
    return any(word.is_content for word in words)


def _differ(mine: Token, yours: Token) -> bool:
    """Whether two words cannot stand for each other: two numbers, two units, two multiples, `exactly` for `about`."""
    one, other = _value(mine), _value(yours)
    if one is not None and other is not None:
        return not _is_rounded(one, other)
    if mine.stem in _UNITS and yours.stem in _UNITS:
        return _UNITS[mine.stem] != _UNITS[yours.stem]
    if mine.folded in _MULTIPLES and yours.folded in _MULTIPLES:
        return _MULTIPLES[mine.folded] != _MULTIPLES[yours.folded]
    return mine.folded in _EXACTLY and yours.folded in _ABOUT


def _value(word: Token) -> float | None:
    if _NUMBER.fullmatch(word.folded):
        try:
            return float(word.folded.rstrip(".,").replace(",", ""))
        except ValueError:
            return None
    return {**ONES, **TENS}.get(word.folded)


def _is_rounded(one: float, other: float) -> bool:
    """Whether a claim's number is the sentence's, rounded to as few places as the claim has."""
    if one == other or not one:
        return one == other
    digits = len(f"{abs(one):.10g}".replace(".", "").strip("0") or "0")
    step = 10.0 ** (floor(log10(abs(one))) - digits + 1)
    return abs(one - other) <= step / 2 and (abs(other) >= 100 or other != int(other))


def _is_said(claim: Sequence[Token], one: Altered, source: Sequence[Line]) -> bool:
    """Whether a sentence with most of the claim's words has the claim's own word too."""
    word = claim[one.first]
    wanted = {each.stem for each in claim if each.is_content}
    for line in source:
        if line.text == one.line or not any(each.folded == word.folded for each in line.words):
            continue
        if len(wanted & {each.stem for each in line.words}) >= _ELSEWHERE * len(wanted):
            return True
    return False
