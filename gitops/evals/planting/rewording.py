"""A quotation that is no longer word for word: a word replaced or dropped, two swapped, a number changed, denied."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_SPARE = ("lantern", "granite", "whistle", "almanac", "orchard")
_INNER = re.compile(r"[^\W\d_]{4,}")
_PAIR = re.compile(r"\b([^\W\d_]+) ([^\W\d_]+)\b")
_NUMBER = re.compile(r"\d+")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|could|will|would|should|do|does|did|has|have|had|must|may)\b")


def reworded(text: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """What becomes of a text, each with the name of the change; none is repeated, and none need be a sentence."""
    inner = [found for found in _INNER.finditer(text) if found.start() and found.end() < len(text)]
    if inner:
        one = chance.choice(inner)
        other = chance.choice(_SPARE) if one[0].isascii() else one[0][::-1]
        yield "word replaced", text[: one.start()] + other + text[one.end() :]
        yield "word dropped", text[: one.start()].rstrip() + " " + text[one.end() :].lstrip()
    pairs = [found for found in _PAIR.finditer(text) if found[1].lower() != found[2].lower()]
    if pairs:
        one = chance.choice(pairs)
        yield "words swapped", f"{text[: one.start()]}{one[2]} {one[1]}{text[one.end() :]}"
    numbers = list(_NUMBER.finditer(text))
    if numbers:
        one = chance.choice(numbers)
        yield "number changed", f"{text[: one.start()]}{int(one[0]) + 1}{text[one.end() :]}"
    if verbs := list(_AUXILIARY.finditer(text)):
        one = chance.choice(verbs)
        yield '"not" put in', f"{text[: one.end()]} not{text[one.end() :]}"
