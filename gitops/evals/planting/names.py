"""Another name of the same kind, from the same wiki."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, in_any_order


def name(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """A name exchanged for another of its kind, of which the source does not speak in the same place."""
    text, near = sound.claim.text, ground.near(sound).casefold()
    for one in in_any_order(ground.names.within(text), chance):
        if text.count(one.name) > 1:
            continue
        for other in in_any_order(ground.names.others(text, one), chance):
            if not _shares(other, text) and other.casefold() not in near:
                yield one.start, one.end, other


def _shares(name: str, text: str) -> bool:
    """Whether a text holds a word of a name: `Mount Kenya` is no other name where `Kenya` stands."""
    words = {word.casefold() for word in re.findall(r"\w{3,}", name)}
    return not words.isdisjoint(word.casefold() for word in re.findall(r"\w{3,}", text))
