"""What two sources say of one thing, and where they disagree: pairs of statements that share rare words.

Pairs are found by their words and judged by the offline judge. That one knows no subjects, so only pairs are asked
about that may have one: of different sources, of comparable length, and not each of the page that it stands on.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from gitops.agents.synthesis.carrying import Statement
from gitops.verify.judge import Judge, PairQuestion, PairVote
from gitops.wiki.terms import STOP_WORDS, tokens

NEAR = 0.45
"""The share of the shorter statement's rare words that both have from which on they are asked about."""
NEARER = 0.65
"""The same, for two statements to be told as alike."""
SURE = 0.45
"""From this product on of a contradiction's probability and the nearness, a contradiction is told, of a judge whose
votes on pairs never gate: both must be likely, that they speak of one thing and that they disagree on it.

Tried on four wikis: three pairs by different sources reach it, all of them disagreements or changes over time.
"""
_LONGER = 4
"""Of two statements about one thing none has more than so many times the words of the other."""
_FEWEST = 3
"""So many words must be shared: two names alone make no subject."""
_MOST_PAIRS = 400
_MOST_HOLDERS = 40
"""A word that stands in more statements than this brings no two of them together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements about one thing. `open` is to be settled; `alike` says the same by different sources."""

    a: Statement
    b: Statement
    kind: Literal["open", "alike"]
    reason: str


def pairs(new: Sequence[Statement], others: Sequence[Statement], judge: Judge) -> list[Pair]:
    """The pairs of a new statement with any other, the surest first; each statement is in one pair at most."""
    every = [*new, *others]
    asked = _near(every, len(new))
    votes = judge.pair_votes([PairQuestion(every[a].text, every[b].text) for _, a, b in asked])
    found = [_pair(every[a], every[b], near, vote) for (near, a, b), vote in zip(asked, votes, strict=True)]
    ordered = sorted((each for each in found if each is not None), key=lambda each: (each[0], each[1]))
    taken: set[int] = set()
    kept = []
    for _, _, pair in ordered:
        if not {id(pair.a), id(pair.b)} & taken:
            taken |= {id(pair.a), id(pair.b)}
            kept.append(pair)
    return kept


def _may_be_of_one(a: Statement, b: Statement) -> bool:
    """Whether two statements may have one subject: not where each names its own page, and neither the other's."""
    if a.sources == b.sources or "cell" in (a.news.claim.block, b.news.claim.block):
        return False
    of_a, of_b, in_a, in_b = (frozenset(tokens(text)) for text in (a.title, b.title, a.text, b.text))
    return not (of_a and of_b and of_a <= in_a and of_b <= in_b and not of_a <= in_b and not of_b <= in_a)


def _pair(
    a: Statement, b: Statement, near: float, vote: PairVote
) -> tuple[tuple[bool, float], tuple[str, ...], Pair] | None:
    """The pair, and what it is ordered by: disagreements first, then how near and sure, then words."""
    words = (a.path, a.text, b.path, b.text)
    against = near * (vote.contradiction or 0.0)
    if vote.vote.endswith("contradiction") and (vote.may_gate or against >= SURE):
        return (False, -against), words, Pair(a, b, "open", vote.reason)
    if vote.vote == "supports" and near >= NEARER and not a.sources & b.sources:
        return (True, -near * vote.confidence), words, Pair(a, b, "alike", vote.reason)
    return None


def _near(every: Sequence[Statement], new: int) -> list[tuple[float, int, int]]:
    """How near two statements are, and their numbers, of which the first is new's; the nearest first."""
    words = [frozenset(tokens(each.text)) - STOP_WORDS for each in every]
    held: defaultdict[str, list[int]] = defaultdict(list)
    for number, mine in enumerate(words):
        for word in mine:
            held[word].append(number)
    rarity = {word: math.log((1 + len(every)) / len(numbers)) for word, numbers in held.items()}
    shared = Counter(
        pair
        for numbers in held.values()
        if len(numbers) <= max(_MOST_HOLDERS, len(every) // 10)
        for pair in combinations(numbers, 2)
        if pair[0] < new
    )
    scored = [
        (_nearness(words[a], words[b], rarity), a, b)
        for (a, b), number in shared.items()
        if number >= _FEWEST and _is_comparable(words[a], words[b]) and _may_be_of_one(every[a], every[b])
    ]
    best = sorted((each for each in scored if each[0] >= NEAR), key=lambda each: (-each[0], each[1], each[2]))
    return best[:_MOST_PAIRS]


def _is_comparable(one: frozenset[str], other: frozenset[str]) -> bool:
    return max(len(one), len(other)) <= _LONGER * min(len(one), len(other))


def _nearness(one: frozenset[str], other: frozenset[str], rarity: Mapping[str, float]) -> float:
    shorter = min(math.fsum(rarity[word] for word in one), math.fsum(rarity[word] for word in other))
    return math.fsum(rarity[word] for word in one & other) / shorter if shorter else 0.0
