"""Numbers with what they count: shares, money, years, ordinals, scales, in digits and in words.

`40 %`, `40 per cent`, `two fifths` and `0.4` of a share are one value; `1.2 million` and `1,200,000` another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gitops.verify.judging.lexicon import MONTHS
from gitops.verify.judging.numerals import ABOUT, FRACTIONS, MONEY, ONES, ORDINALS, PERCENT, SCALES, TENS
from gitops.verify.judging.words import Token, stem

Kind = Literal["plain", "share", "money", "year", "decade", "ordinal", "clock", "month"]
_NUMBER = re.compile(r"(\d+(?:[.,:]\d+)*)(st|nd|rd|th|s)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ROUNDED = 0.1
"""More than what any two numbers differ by that agree."""
_DIMENSIONS = frozenset(
    ("wide", "long", "high", "deep", "tall", "thick", "old", "up", "above", "below", "late", "early")
)
_YEARS = range(1000, 2100)
BEGINNINGS = frozenset((*ONES, *TENS, *SCALES, *ORDINALS, *MONTHS, "half", "quarter"))
"""Words that a number, year or month may begin with."""
_STEMS = frozenset(map(stem, BEGINNINGS))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at tokens `[first, last)`: its value in units of one, what it is, and the stem of what it counts."""

    value: float
    kind: Kind
    first: int
    last: int
    unit: str = ""
    is_about: bool = False
    said: str = ""


def may_begin(stemmed: str) -> bool:
    """Whether a number may begin with a word of this stem."""
    return stemmed[:1].isdigit() or stemmed in _STEMS


def dimensions(words: Sequence[Token], numbers: Sequence[Quantity]) -> frozenset[int]:
    """Places of words that say what a number measures: the `wide` of `40 metres wide` is no opposite of `narrow`."""
    return frozenset(
        number.last + 1
        for number in numbers
        if number.last + 1 < len(words)
        and words[number.last].stem == number.unit
        and words[number.last + 1].folded in _DIMENSIONS
    )


def may_spell(stemmed: str, number: Quantity) -> bool:
    """Whether a number that begins with a word of this stem may say what another says, however rounded."""
    if not stemmed.isdigit():
        return True
    value = float(stemmed)
    return any(abs(value - wanted) <= _ROUNDED * max(value, wanted) for wanted in (number.value, 100 * number.value))


def quantities(words: Sequence[Token]) -> list[Quantity]:
    """Every number, year and month of a text's tokens, in order."""
    found: list[Quantity] = []
    done = 0
    for at, word in enumerate(words):
        if at >= done and (date := _dated(words, at)):
            found.extend(date)
            done = at + 3
        elif at >= done and (word.folded[:1].isdigit() or word.folded in BEGINNINGS):
            made = _at(words, at)
            if made is not None:
                found.append(made)
                done = made.last
    return found


def _at(words: Sequence[Token], at: int) -> Quantity | None:
    word = words[at].folded
    if word[:1].isdigit():
        return _digits(words, at)
    if word in ONES or word in TENS or (word in SCALES and len(word) > 2):
        return _spelled(words, at)
    if word in ORDINALS:
        return Quantity(float(ORDINALS[word]), "ordinal", at, at + 1, _unit(words, at + 1), said=word)
    if word in MONTHS and words[at].text[0].isupper() and (word not in ("may", "march") or _is_dated(words, at)):
        return Quantity(float(MONTHS.index(word) + 1), "month", at, at + 1, said=word)
    if word in ("half", "quarter") and not (at and words[at - 1].folded in ORDINALS):
        return _made(words, at, at + 1, 1 / FRACTIONS[word], "share")
    return None


def _dated(words: Sequence[Token], at: int) -> list[Quantity]:
    """A date in digits: `2018-11-10`, and `11/10/2018` where only one order can be meant."""
    if at + 2 >= len(words) or not words[at].folded[0].isdigit():
        return []
    three = words[at : at + 3]
    if not all(word.folded.isdigit() for word in three):
        return []
    if any(later.start - earlier.end != 1 for earlier, later in pairwise(three)):
        return []
    a, b, c = (int(word.folded) for word in three)
    if len(three[0].folded) == 4:
        year, month, day = a, b, c
    elif len(three[2].folded) == 4:
        year, (month, day) = c, (a, b) if a <= 12 else (b, a)
    else:
        return []
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return []
    said = f"{year:04}-{month:02}-{day:02}"
    kinds: list[tuple[int, Kind]] = [(year, "year"), (month, "month"), (day, "plain")]
    return [Quantity(float(value), kind, at, at + 3, said=said) for value, kind in kinds]


def _is_dated(words: Sequence[Token], at: int) -> bool:
    """Whether a day or year stands beside what may be a month or a verb."""
    beside = (words[i].folded for i in (at - 1, at + 1, at + 2) if 0 <= i < len(words))
    return any(word[0].isdigit() for word in beside) or (at > 0 and words[at - 1].folded in ("in", "of", "since"))


def _digits(words: Sequence[Token], at: int) -> Quantity | None:
    match = _NUMBER.fullmatch(words[at].folded)
    if match is None:
        return None
    text, tail = match[1], match[2]
    if ":" in text:
        hours, _, minutes = text.partition(":")
        rest = re.sub(r"\D.*", "", minutes)
        return Quantity(float(re.sub(r"\D", "", hours)) + float(rest or 0) / 60, "clock", at, at + 1, said=text)
    value = _value(text)
    if value is None:
        return None
    if tail == "s":
        return Quantity(value, "decade", at, at + 1, said=words[at].text)
    if tail:
        return Quantity(value, "ordinal", at, at + 1, _unit(words, at + 1), said=words[at].text)
    if len(text) == 4 and text.isdigit() and value in _YEARS and not _counts(words, at):
        return Quantity(value, "year", at, at + 1, said=text)
    before = words[at - 1] if at else None
    if before and before.end + 1 == words[at].start and before.text[-1].isalpha() and words[at].is_joined:
        return None  # the end of a name: COVID-19, IL-6
    if (
        before
        and len(text) == 2
        and before.end + 1 == words[at].start
        and re.fullmatch(r"1\d{3}|20\d\d", before.folded)
    ):
        return Quantity(float(before.folded[:2] + text), "year", at, at + 1, said=text)  # 2018–19
    return _scaled(words, at, at + 1, value)


def _value(text: str) -> float | None:
    if _GROUPED.fullmatch(text):
        return float(text.replace(",", ""))
    plain = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text.replace(",", "")
    return float(plain) if plain.count(".") <= 1 else None


def _counts(words: Sequence[Token], at: int) -> bool:
    """Whether four digits are an amount: money before, a percent sign or scale after."""
    before = words[at - 1].folded if at else ""
    after = words[at + 1].folded if at + 1 < len(words) else ""
    return before in MONEY or after in PERCENT or after in SCALES or after in MONEY


def _spelled(words: Sequence[Token], at: int) -> Quantity | None:
    """`forty-two`, `one hundred and five`, `two fifths`: hyphens are no tokens, so the parts stand side by side."""
    total, current, end = 0.0, 0.0, at
    while end < len(words):
        word = words[end].folded
        if word in ONES:
            current += ONES[word]
        elif word in TENS:
            current += TENS[word]
        elif word in SCALES and len(word) > 2:
            current = max(current, 1.0) * SCALES[word]
            if SCALES[word] >= 1e3:
                total, current = total + current, 0.0
        elif not (word == "and" and end > at and words[end - 1].folded in SCALES and _goes_on(words, end + 1)):
            break
        end += 1
    value = total + current
    following = words[end].folded if end < len(words) else ""
    if following in FRACTIONS and 0 < value < 20:
        return _made(words, at, end + 1, value / FRACTIONS[following], "share")
    if following in ORDINALS and value in TENS.values():
        return Quantity(value + ORDINALS[following], "ordinal", at, end + 1, _unit(words, end + 1), said=following)
    if words[at].folded == "one" and end == at + 1 and following not in PERCENT:
        return None  # mostly a pronoun
    return _scaled(words, at, end, value)


def _goes_on(words: Sequence[Token], at: int) -> bool:
    return at < len(words) and (words[at].folded in ONES or words[at].folded in TENS)


def _scaled(words: Sequence[Token], first: int, last: int, value: float) -> Quantity:
    while last < len(words) and words[last].folded in SCALES:
        value *= SCALES[words[last].folded]
        last += 1
    after = words[last].folded if last < len(words) else ""
    if after in PERCENT or (after == "per" and last + 1 < len(words) and words[last + 1].folded == "cent"):
        return _made(words, first, last + (2 if after == "per" else 1), value / 100, "share")
    is_money = after in MONEY or (first > 0 and words[first - 1].folded in MONEY)
    return _made(words, first, last, value, "money" if is_money else "plain")


def _made(words: Sequence[Token], first: int, last: int, value: float, kind: Kind) -> Quantity:
    about = any(words[i].folded in ABOUT for i in range(max(0, first - 2), first))
    said = " ".join(word.text for word in words[first:last])
    return Quantity(value, kind, first, last, _unit(words, last), about, said)


def _unit(words: Sequence[Token], at: int) -> str:
    """The stem of the first content word behind a number, two words at most."""
    for word in words[at : at + 2]:
        if word.is_content and not word.folded[0].isdigit():
            return word.stem
    return ""
