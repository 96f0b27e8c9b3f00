"""The variants of silas 19.5 on simulated conversations, with its three metrics: what the suite `eviction` asks.

Which variant it is, the policy says: its weights (baseline and A), a preset that scores (B, where a model can be
asked), or weights that follow what was kept back in earlier conversations (C).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from gitops.config.benchmarks import Eviction
from gitops.eviction import features, online, predicting, trying
from gitops.eviction.features import Row
from gitops.eviction.heuristic import Weights
from gitops.eviction.model import ContextItem
from gitops.eviction.replaying import Room, oracle, replay
from gitops.eviction.scoring import HEURISTIC, Heuristic, Scorer
from gitops.eviction.simulating import WORLDS, World, conversation

EARLIER = 10
"""From so many earlier conversations online calibration has learned. None of them is asked about."""
_FIRST_ASKED = 10_000
_APART = 1_000
"""Conversations of different numbers stay different for so many seeds."""


def played(
    policy: Eviction, world: World, number: int, seed: int, by_model: Scorer | None = None
) -> dict[str, float] | None:
    """What becomes of one conversation under a policy; None where a model would have to be asked.

    `by_model` asks the policy's preset, where it can be asked. It is shown no words, for simulated items have none.

    `needed_there` is the share of needed items that were still in the context, `answered` the share of turns that had
    all they needed (retrieval relevance); `tokens` what was in the context on average, `tokens_per_answer` the same for
    each turn that had all (token efficiency); `exclusion_auroc` how well scores foretell what is kept back.
    """
    scorer = Heuristic(weights_of(policy, world)) if policy.scorer == HEURISTIC else by_model
    if scorer is None:
        return None
    told = conversation(world, _FIRST_ASKED + number * _APART + seed)
    found = replay(told, scorer, Room(keep=policy.keep))
    measured = {"tokens": found.tokens, "answered": found.answered / max(1, found.turns)}
    if found.kept is not None:
        measured["needed_there"] = found.kept
    if found.answered:
        measured["tokens_per_answer"] = found.tokens * len(told.turns) / found.answered
    foretold = exclusion_auroc(world, number, seed, scorer)
    return measured if foretold is None else measured | {"exclusion_auroc": foretold}


def exclusion_auroc(world: World, number: int, seed: int, scorer: Scorer) -> float | None:
    """How well scores foretell what is kept back of what the built-in weights propose: the same items for all variants.

    None where all was kept back, or nothing.
    """
    told = conversation(world, _FIRST_ASKED + number * _APART + seed)
    pairs = replay(told, Heuristic(Weights()), keeps=oracle(told, seed)).pairs
    rows = features.first_seen(features.rows(pairs))
    scores: list[float] = []
    for _, group in groupby(rows, key=lambda row: row.proposal):
        some = list(group)
        found = scorer.scores([_item(row) for row in some], some[0].turn, "")
        scores += [found.get(row.candidate.ctx_id, row.candidate.relevance_score) for row in some]
    return predicting.auroc(scores, [row.is_excluded for row in rows])


def _item(row: Row) -> ContextItem:
    """The item that a candidate was: all that a scorer sees of it."""
    made = row.candidate
    used = row.turn - made.age_turns
    return ContextItem(
        ctx_id=made.ctx_id,
        zone=made.zone,
        token_count=made.token_count,
        turn=used,
        last_reference=used,
        references=made.references,
    )


def weights_of(policy: Eviction, world: World) -> Weights:
    """The weights of a policy, moved by earlier conversations where it calibrates online."""
    weights = Weights.of(policy.weights)
    return _followed(weights, world.name) if policy.online else weights


@lru_cache(maxsize=8)
def _followed(weights: Weights, world: str) -> Weights:
    earlier = trying.feedback(WORLDS[world], range(EARLIER), weights)
    return online.followed(features.rows(earlier), weights)
