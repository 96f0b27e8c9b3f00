"""Another number, and another unit behind a number."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from math import isclose

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, in_any_order

_NUMBER = re.compile(r"(?<![\w.,:/#@<>≤≥–—-])\d+(?:,\d{3})*(?:\.\d+)?(?!\w|[.,:/–—-]\d)")
_NO_AMOUNT = re.compile(r"1[5-9]\d\d|20\d\d|0\d+")
"""Years, and numbers that count steps."""
_NAMED = re.compile(r"[A-Z][\w’'.]*\s$")
"""What stands before `Bench 3` and `November 14`: part of a name, or of a date."""
_BOUND = re.compile(
    r"\b(?:over|under|above|below|beyond|than|at least|at most|up to|minimum of|maximum of|between|from|to|and|or|"
    r"as (?:many|much|few|little|high|low) as)\s*$",
    re.IGNORECASE,
)
"""What a number only bounds; with another one the sentence may still be true."""
_VAGUE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|some|circa|ca\.)\s*|[~≈]\s*)$", re.IGNORECASE
)
_FAR = 1.5
"""So many times as much is no longer about as much."""
_SCALES = (1, 100, 1e3, 1e6, 1e9)
_CONVERSIONS = (1.609344, 3.28084, 2.54, 2.20462, 28.3495, 29.5735, 4.18684, 60, 24, 7, 52, 12, 365)
"""Between units of one quantity: lengths, weights, volumes, energies, times."""
_TOLERANCE = 0.01
_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_SPELLED = {word: number for number, word in enumerate(_ONES.split())} | _TENS
_FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
_FRACTION = re.compile(rf"\b({'|'.join(_SPELLED)})[\s-]({'|'.join(_FRACTIONS)})s?\b")

UNITS: Mapping[str, str] = {
    "percent": "percentage points",
    "per cent": "percentage points",
    "%": " percentage points",
    "km": "miles",
    "kilometres": "miles",
    "kilometers": "miles",
    "miles": "kilometres",
    "metres": "feet",
    "meters": "feet",
    "metre": "foot",
    "meter": "foot",
    "m": "ft",
    "feet": "metres",
    "foot": "metre",
    "cm": "inches",
    "mm": "cm",
    "inches": "centimetres",
    "kg": "g",
    "kilograms": "grams",
    "kilogram": "gram",
    "g": "kg",
    "grams": "kilograms",
    "gram": "kilogram",
    "mg": "g",
    "milligrams": "grams",
    "milligram": "gram",
    "pounds": "kilograms",
    "oz": "lb",
    "ounces": "pounds",
    "ounce": "pound",
    "ml": "litres",
    "litres": "millilitres",
    "liters": "milliliters",
    "°C": "°F",
    "°F": "°C",
    "degrees Celsius": "degrees Fahrenheit",
    "degrees Fahrenheit": "degrees Celsius",
    "arcsec": "arcmin",
    "arcseconds": "arcminutes",
    "ms": "s",
    "milliseconds": "seconds",
    "seconds": "minutes",
    "second": "minute",
    "minutes": "hours",
    "minute": "hour",
    "hours": "days",
    "hour": "day",
    "days": "weeks",
    "day": "week",
    "weeks": "months",
    "week": "month",
    "months": "years",
    "month": "year",
    "years": "months",
    "year": "month",
    "decades": "centuries",
    "centuries": "decades",
    "thousand": "million",
    "million": "billion",
    "billion": "million",
    "KB": "MB",
    "MB": "GB",
    "GB": "MB",
    "TB": "GB",
    "kW": "MW",
    "MW": "kW",
    "dollars": "euros",
    "euros": "dollars",
}
"""Units, and another of the same quantity for each."""
_AMOUNT = rf"(?:\d[\d.,]*|\b(?:{'|'.join(word for word in _SPELLED if word != 'one')}))"
ANY_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_MEASURED = re.compile(rf"(?P<amount>{_AMOUNT})(?P<gap>[\s-]?)(?P<unit>{ANY_UNIT})(?![\w/²³^])")


def digit(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """One digit of a number changed, so that no number which the source has there is equal in any scale or unit."""
    text, said = sound.claim.text, numbers(ground.near(sound))
    for found in in_any_order(_NUMBER.finditer(text), chance):
        before = text[: found.start()]
        if _NO_AMOUNT.fullmatch(found[0]) or _NAMED.search(before) or _BOUND.search(before):
            continue
        is_vague = _VAGUE.search(before) is not None
        for changed in in_any_order(_one_digit_off(found[0]), chance):
            value, old = _value(changed), _value(found[0])
            is_far = not is_vague or max(value, old) >= _FAR * min(value, old)
            if value and is_far and not equals_any(value, [old, *said]):
                yield found.start(), found.end(), changed


def unit(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """The unit behind a number changed for one of the same quantity, in which the source does not give it."""
    text, near = sound.claim.text, ground.near(sound)
    for found in in_any_order(_MEASURED.finditer(text), chance):
        new = UNITS[found["unit"]]
        amount, gap = found["amount"], "" if new.startswith(" ") else found["gap"]
        stated = re.compile(rf"{re.escape(amount)}[\s-]?{re.escape(new.strip())}", re.IGNORECASE)
        if not stated.search(near):
            yield found.start(), found.end(), f"{amount}{gap}{new}"


def _one_digit_off(number: str) -> Iterator[str]:
    for at, old in enumerate(number):
        for new in "0123456789" if old.isdigit() else "":
            leads = at == 0 and len(number) > 1 and new == "0" and number[1] != "."
            if new != old and not leads:
                yield number[:at] + new + number[at + 1 :]


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def numbers(text: str) -> list[float]:
    """The values of all numbers of a text, in digits or spelled."""
    folded = text.casefold()
    found = [_value(one[0]) for one in _DIGITS.finditer(text)]
    found += [float(_SPELLED[word]) for word in re.findall(r"[a-z]+", folded) if word in _SPELLED]
    found += [value for word, value in _FRACTIONS.items() if re.search(rf"\b{word}\b", folded)]
    found += [_SPELLED[one[1]] * _FRACTIONS[one[2]] for one in _FRACTION.finditer(folded)]
    return found


def equals_any(value: float, others: Sequence[float]) -> bool:
    """Whether a value is one of others, as it is, in another scale, or in another unit of the same quantity."""
    for other in others:
        if any(_close(value, other * scale) or _close(value * scale, other) for scale in _SCALES):
            return True
        if any(isclose(value, made, rel_tol=_TOLERANCE) for f in _CONVERSIONS for made in (other * f, other / f)):
            return True
    return False


def _close(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=1e-9)
