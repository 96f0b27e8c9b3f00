"""Another year or month."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.naming import MONTHS
from gitops.evals.planting.numbers import ANY_UNIT
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, in_any_order

_SHORT = tuple(month[:3] for month in MONTHS)
_YEAR = re.compile(rf"(?<![\w.,:/$€£–—-])(?:1[5-9]|20)\d\d(?![\w%]|[.,:/–—-]\d|[\s-](?:{ANY_UNIT})(?!\w))")
_MONTH = re.compile(
    rf"\b(?:{'|'.join(MONTHS)})\b(?=\s+\d)|(?<=\bin )(?:{'|'.join(MONTHS)})\b|(?<=\bof )(?:{'|'.join(MONTHS)})\b|"
    rf"(?<=\d )(?:{'|'.join(MONTHS)})\b|\b(?:{'|'.join(_SHORT)})\b(?=\.?\s+\d)"
)
_DAY = re.compile(r"(?<![\w/-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])")
_YEARS_OFF = 9


def date(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """Another year, up to nine years off, or another month, which the source does not name there."""
    text, near = sound.claim.text, ground.near(sound)
    found = [*_YEAR.finditer(text), *_MONTH.finditer(text), *_DAY.finditer(text)]
    for one in in_any_order(found, chance):
        for new in in_any_order(_others(one), chance):
            if not re.search(rf"(?<!\w){re.escape(new)}(?!\w)", near):
                yield one.start(), one.end(), new


def _others(found: re.Match[str]) -> Iterator[str]:
    said = found[0]
    if found.re is _DAY:
        day = int(found["day"])
        months = (month for month in range(1, 13) if month != int(found["month"]) and day <= 28)
        yield from (f"{found['year']}-{month:02}-{found['day']}" for month in months)
    elif said.isdigit():
        yield from (str(int(said) + off) for off in range(-_YEARS_OFF, _YEARS_OFF + 1) if off)
    else:
        yield from (month for month in (MONTHS if said in MONTHS else _SHORT) if month != said)
