from __future__ import annotations

from itertools import pairwise
from statistics import fmean

import pytest

from gitops.eviction.heuristic import BUILT_IN, Weights
from gitops.eviction.replaying import PROTECTED, Room, oracle, replay
from gitops.eviction.scoring import Heuristic
from gitops.eviction.simulating import EPHEMERAL, RETURNING, WORLDS, conversation

BUILT = Heuristic(BUILT_IN)


def test_a_conversation_is_the_same_for_its_seed_and_another_for_another() -> None:
    assert conversation(RETURNING, 3) == conversation(RETURNING, 3)
    assert conversation(RETURNING, 3) != conversation(RETURNING, 4)
    assert conversation(RETURNING, 3).turns != conversation(EPHEMERAL, 3).turns


@pytest.mark.parametrize("name", WORLDS)
def test_only_what_came_before_is_needed_and_no_id_comes_twice(name: str) -> None:
    told = conversation(WORLDS[name], 1)
    known: set[str] = set()
    for turn in told.turns:
        assert turn.needed <= known
        arriving = {item.ctx_id for item in turn.arriving}
        assert not arriving & known
        known |= arriving
    assert sum(len(turn.needed) for turn in told.turns) > 50


def test_topics_come_back_in_the_one_world_and_hardly_in_the_other() -> None:
    def comes_back(name: str) -> float:
        shares = []
        for seed in range(20):
            topics = [turn.topic for turn in conversation(WORLDS[name], seed).turns]
            left = [(one, two) for one, two in pairwise(topics) if one != two]
            shares.append(fmean(two < one for one, two in left))  # new topics have the next number
        return fmean(shares)

    assert comes_back("returning") > 0.3
    assert comes_back("ephemeral") < 0.15


def test_after_a_flush_what_is_left_fits_but_for_what_is_protected() -> None:
    told, room = conversation(RETURNING, 2), Room(limit=3_000, keep=0.5)
    found = replay(told, BUILT, room)
    assert found.pairs
    assert found.tokens <= room.limit
    turns = {item.ctx_id: item.turn for turn in told.turns for item in turn.arriving}
    for proposal, feedback in found.pairs:
        assert feedback.resolved_by == "auto"
        assert feedback.excluded == []
        scores = [each.relevance_score for each in proposal.candidates]
        assert scores == sorted(scores)
        assert all(turns[each.ctx_id] <= proposal.turn_number - PROTECTED for each in proposal.candidates)


def test_with_room_for_all_nothing_is_missing() -> None:
    found = replay(conversation(RETURNING, 2), BUILT, Room(limit=10**9))
    assert (found.kept, found.pairs) == (1.0, ())
    assert found.answered == found.turns > 0


def test_what_is_evicted_is_missing_later_and_better_weights_lose_less() -> None:
    told = conversation(RETURNING, 2)
    built = replay(told, BUILT)
    turned = replay(told, Heuristic(Weights.of({name: -value for name, value in BUILT_IN.named().items()})))
    assert built.kept is not None
    assert turned.kept is not None
    assert turned.kept < built.kept < 1


def test_who_knows_what_will_be_needed_keeps_it_back_but_for_chance() -> None:
    told = conversation(RETURNING, 2)
    exact = replay(told, BUILT, keeps=oracle(told, 0, misses=0.0, mistakes=0.0))
    for proposal, feedback in exact.pairs:
        kept = {each.ctx_id for each in feedback.excluded}
        needed = {
            each.ctx_id for each in proposal.candidates if told.needed_within(each.ctx_id, proposal.turn_number, 15)
        }
        assert kept == needed
    blind = replay(told, BUILT, keeps=oracle(told, 0, misses=1.0, mistakes=0.0))
    assert all(not feedback.excluded for _, feedback in blind.pairs)
