"""Where a source speaks of a claim: which of its sentences hold which of the claim's words, and the best of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.reading import Reading
from gitops.verify.judging.words import synonyms

SOFT = 0.7
"""What a word counts that is found only in a derived form or a synonym."""
_CHOSEN = 3
_LIKELY = 24
"""Sentences that are tried beside those chosen, by what they hold alone."""


@dataclass(frozen=True)
class Evidence:
    """What of a claim is found in a source. Masks have a bit for each of the claim's units.

    `exact` and `soft` are per sentence, for words found as they are, and in another form. `rarity` says per unit how
    much finding it in one sentence proves, by the source's own inverse sentence frequency, 1 where it is in few.
    """

    exact: dict[int, int]
    soft: dict[int, int]
    rarity: tuple[float, ...]
    best: int
    """The sentence that holds the most; -1 where none holds any."""
    window: tuple[int, ...]
    """The neighbouring sentences that together hold the most, two at most."""
    chosen: tuple[int, ...]
    """Up to three sentences from anywhere that together hold the most, the best first."""

    def masks(self, lines: Iterable[int]) -> tuple[int, int]:
        """What some sentences hold together: as it is; in any form."""
        exact = soft = 0
        for line in lines:
            exact |= self.exact.get(line, 0)
            soft |= self.soft.get(line, 0)
        return exact, exact | soft


def find(claim: Parsed, source: Reading) -> Evidence:
    """Look every word of a claim up in a source and choose the sentences that support it best."""
    exact: dict[int, int] = {}
    soft: dict[int, int] = {}
    rarity = []
    for number in range(len(claim.units)):
        word = claim.unit(number)
        lines = source.where(word.stem)
        _mark(exact, lines, number)
        others = list(source.kin(word.stem))
        for each in synonyms().get(word.stem, ()):
            others.extend(source.where(each))
        _mark(soft, others, number)
        rarity.append(_rarity(len(lines) or len(set(others)), len(source.lines)))
    weights = [weight * rare for weight, rare in zip(claim.weights, rarity, strict=True)]
    return _chosen(Evidence(exact, soft, tuple(rarity), -1, (), ()), weights)


def _mark(masks: dict[int, int], lines: Iterable[int], number: int) -> None:
    for line in lines:
        masks[line] = masks.get(line, 0) | 1 << number


def _rarity(found: int, lines: int) -> float:
    return 1.0 if lines < 4 else math.log((1 + lines) / (1 + found)) / math.log(1 + lines) * 0.8 + 0.2


def held(weights: Sequence[float], exact: int, any_form: int) -> float:
    """The weight of the words in a mask, those in another form at a discount."""
    total = 0.0
    for number, weight in enumerate(weights):
        if exact >> number & 1:
            total += weight
        elif any_form >> number & 1:
            total += SOFT * weight
    return total


def _chosen(found: Evidence, weights: Sequence[float]) -> Evidence:
    lines = sorted({*found.exact, *found.soft})
    if not lines:
        return found
    known: dict[tuple[int, int], float] = {}

    def score(*some: int) -> float:
        masks = found.masks(some)  # of many sentences the same few words
        if masks not in known:
            known[masks] = held(weights, *masks)
        return known[masks]

    scores = {line: score(line) for line in lines}
    best = max(lines, key=lambda line: (scores[line], -line))
    pairs = [(line,) for line in lines] + [(line, line + 1) for line in lines if line + 1 in scores]
    window = max(pairs, key=lambda pair: (score(*pair), -len(pair), -pair[0]))
    likely = sorted(lines, key=lambda line: (-scores[line], line))[:_LIKELY]
    chosen = [best]
    while len(chosen) < _CHOSEN:
        gains = {line: score(*chosen, line) for line in likely if line not in chosen}
        if not gains:
            break
        line = max(gains, key=lambda each: (gains[each], -abs(each - best), -each))
        if gains[line] <= score(*chosen) + 1e-9:
            break
        chosen.append(line)
    return Evidence(found.exact, found.soft, found.rarity, best, window, tuple(chosen))
