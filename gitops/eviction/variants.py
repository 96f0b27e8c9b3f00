"""The variants of silas 19.5 on simulated conversations, with its three metrics: what the suite `eviction` asks.

Which variant it is, the policy says: its weights (baseline and A), a preset that scores (B, which takes a model), or
weights that follow what was kept back in earlier conversations (C).
"""

from __future__ import annotations

from functools import lru_cache

from gitops.config.benchmarks import Eviction
from gitops.eviction import features, online, predicting, trying
from gitops.eviction.heuristic import Weights
from gitops.eviction.replaying import Room, oracle, replay
from gitops.eviction.scoring import HEURISTIC
from gitops.eviction.simulating import WORLDS, World, conversation, scorer_of

EARLIER = 10
"""From so many earlier conversations online calibration has learned. None of them is asked about."""
_FIRST_ASKED = 10_000
_APART = 1_000
"""Conversations of different numbers stay different for so many seeds."""


def played(policy: Eviction, world: World, number: int, seed: int) -> dict[str, float] | None:
    """What becomes of one conversation under a policy; None where a model would have to be asked.

    `needed_there` is the share of needed items that were still in the context, `answered` the share of turns that had
    all they needed (retrieval relevance); `tokens` what was in the context on average, `tokens_per_answer` the same for
    each turn that had all (token efficiency); `exclusion_auroc` how well scores foretell what is kept back.
    """
    if policy.scorer != HEURISTIC:
        return None
    told = conversation(world, _FIRST_ASKED + number * _APART + seed)
    weights = weights_of(policy, world)
    found = replay(told, scorer_of(weights), Room(keep=policy.keep))
    measured = {"tokens": found.tokens, "answered": found.answered / max(1, found.turns)}
    if found.kept is not None:
        measured["needed_there"] = found.kept
    if found.answered:
        measured["tokens_per_answer"] = found.tokens * len(told.turns) / found.answered
    foretold = exclusion_auroc(world, number, seed, weights)
    return measured if foretold is None else measured | {"exclusion_auroc": foretold}


def exclusion_auroc(world: World, number: int, seed: int, weights: Weights) -> float | None:
    """How well weights foretell what is kept back of what the built-in ones propose: the same items for all variants.

    None where all was kept back, or nothing.
    """
    told = conversation(world, _FIRST_ASKED + number * _APART + seed)
    pairs = replay(told, scorer_of(Weights()), keeps=oracle(told, seed)).pairs
    rows = features.first_seen(features.rows(pairs))
    return predicting.auroc([row.predicted(weights) for row in rows], [row.is_excluded for row in rows])


def weights_of(policy: Eviction, world: World) -> Weights:
    """The weights of a policy, moved by earlier conversations where it calibrates online."""
    weights = Weights.of(policy.weights)
    return _followed(weights, world.name) if policy.online else weights


@lru_cache(maxsize=8)
def _followed(weights: Weights, world: str) -> Weights:
    earlier = trying.feedback(WORLDS[world], range(EARLIER), weights)
    return online.followed(features.rows(earlier), weights)
