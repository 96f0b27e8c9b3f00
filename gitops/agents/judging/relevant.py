"""Which pieces of a source a question needs: those that are cited, and those that share its rare words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from gitops.agents.judging import located
from gitops.agents.judging.sections import Divided
from gitops.verify.judge import Question
from gitops.wiki.terms import STOP_WORDS, tokens

AROUND = 240
"""Characters up to which a cited stretch is sent with its neighbours."""
LONG = 800
"""Characters above which a cited stretch is a region: of a whole section or page so many are sent, the nearest."""
SOUGHT = 6_000
"""The most characters that are sent for a claim's words alone, where nothing is cited.

On WiCE's development claims all sentences that readers found to support a claim are then sent for 93 in 100.
"""
_NEAR, _NEAR_CITED = 0.1, 0.35
"""The share of the best piece's weight from which on another counts: anywhere, and where the region is cited."""
_COVERED = 0.25
"""The share of the claim's weight that the source must hold: below it the source is in other words, and sent whole."""
_STEM = 6
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Relevance:
    """Looks into one divided source."""

    def __init__(self, divided: Divided) -> None:
        self._divided = divided

    def pieces(self, asked: Question) -> list[int]:
        """The pieces that a question needs, in order; all of them where nothing tells which."""
        cited = self.cited(asked)
        if cited and self._length(cited) <= LONG:
            return self._with_neighbours(cited)
        if cited:
            return self._sought(asked, cited, LONG, _NEAR_CITED)
        every = range(len(self._divided.pieces))
        return (
            list(every)
            if self._length(every) <= SOUGHT
            else self._with_neighbours(self._sought(asked, every, SOUGHT, _NEAR))
        )

    def cited(self, asked: Question) -> list[int]:
        """The pieces that hold the cited stretch, in order; none where nothing is cited, or it is not found."""
        found = located.places(self._divided.text, asked.span, asked.context)
        return sorted({index for start, end in found for index in self._divided.overlapping(start, end)})

    def _sought(self, asked: Question, among: Sequence[int], most: int, near: float) -> list[int]:
        """Those that share most of the claim's rare words, up to so many characters; all, where none shares enough."""
        wanted = words(asked.claim)
        weights = {index: self._weight(wanted & self._words[index]) for index in among}
        held = wanted & frozenset().union(*(self._words[index] for index in among))
        if not wanted or self._weight(held) <= _COVERED * self._weight(wanted):
            return list(among)
        least = near * max(weights.values())
        chosen: list[int] = []
        for index in sorted(among, key=lambda index: (-weights[index], index)):
            if weights[index] < least or (chosen and self._length([*chosen, index]) > most):
                break
            chosen.append(index)
        return sorted(chosen)

    def _with_neighbours(self, pieces: list[int]) -> list[int]:
        """And what stands before and after them, in turn, as long as it is little."""
        chosen = sorted(pieces)
        first, last = chosen[0], chosen[-1]
        grown = 0
        while grown < len(chosen):
            grown = len(chosen)
            for index in (first - 1, last + 1):
                if 0 <= index < len(self._divided.pieces) and self._length([*chosen, index]) <= AROUND:
                    chosen.append(index)
                    first, last = min(first, index), max(last, index)
        return sorted(chosen)

    def _length(self, pieces: Iterable[int]) -> int:
        return sum(self._divided.pieces[index].end - self._divided.pieces[index].start for index in pieces)

    def _weight(self, found: frozenset[str]) -> float:
        """The summed inverse piece frequency of some words: ln((1 + n) / (1 + pieces with it)) + 1."""
        n = len(self._divided.pieces)
        return sum(math.log((1 + n) / (1 + self._frequency.get(word, 0))) + 1 for word in sorted(found))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [words(self._divided.of(index)) for index in range(len(self._divided.pieces))]

    @cached_property
    def _frequency(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for held in self._words:
            for word in held:
                counts[word] = counts.get(word, 0) + 1
        return counts


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The beginnings of a text's words, function words left out, and its numbers."""
    return frozenset(word[:_STEM] for word in tokens(text) if word not in STOP_WORDS) | frozenset(_NUMBER.findall(text))
