"""The experiment: weights learned on some simulated conversations, tried on others, beside those there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from gitops.eviction import features, fitting
from gitops.eviction.features import Row
from gitops.eviction.heuristic import BUILT_IN, Weights
from gitops.eviction.replaying import Pair, Replay, Room, oracle, replay
from gitops.eviction.scoring import Heuristic
from gitops.eviction.simulating import World, conversation
from gitops.stats.paired import Paired, paired


@dataclass(frozen=True, slots=True)
class Tried:
    """Two sets of weights on the same conversations: the share of needed items that were there, paired by them.

    `tokens` are the means of what was in the context, `answered` the shares of turns that had all they needed.
    """

    before: Weights
    after: Weights
    kept: Paired
    tokens: tuple[float, float]
    answered: tuple[float, float]


def feedback(world: World, seeds: Iterable[int], weights: Weights = BUILT_IN) -> list[Pair]:
    """What is said of the proposals that these weights make, by who knows, but for chance, what will be needed."""
    found: list[Pair] = []
    for seed in seeds:
        told = conversation(world, seed)
        found += replay(told, Heuristic(weights), keeps=oracle(told, seed)).pairs
    return found


def learned(world: World, seeds: Iterable[int], present: Weights = BUILT_IN, *, by_lot: bool = False) -> Weights:
    """The weights fitted to that feedback; `by_lot` deals the labels anew first, so that there is nothing to learn."""
    rows = features.first_seen(features.rows(feedback(world, seeds, present)))
    return fitting.fit(shuffled(rows) if by_lot else rows, present)


def shuffled(rows: Sequence[Row], seed: int = 0) -> list[Row]:
    """The same rows, as many of them kept back, but dealt by lot."""
    labels = [row.is_excluded for row in rows]
    Random(seed).shuffle(labels)
    return [replace(row, is_excluded=label) for row, label in zip(rows, labels, strict=True)]


def tried(
    world: World, seeds: Sequence[int], before: Weights, after: Weights, rooms: tuple[Room, Room] = (Room(), Room())
) -> Tried:
    """Carry on each conversation with both, nobody keeping anything back. Conversations that need nothing are none."""
    sides = [
        [replay(conversation(world, seed), Heuristic(weights), room) for seed in seeds]
        for weights, room in zip((before, after), rooms, strict=True)
    ]
    shares = [[(each.kept,) for each in side if each.kept is not None] for side in sides]
    return Tried(
        before,
        after,
        paired(shares[0], shares[1]),
        (_tokens(sides[0]), _tokens(sides[1])),
        (_answered(sides[0]), _answered(sides[1])),
    )


def _tokens(side: Sequence[Replay]) -> float:
    return fmean(each.tokens for each in side)


def _answered(side: Sequence[Replay]) -> float:
    return sum(each.answered for each in side) / max(1, sum(each.turns for each in side))
