"""The experiment: calibrated eviction keeps more of what simulated conversations need than the heuristic does."""

from __future__ import annotations

from functools import cache

import pytest

from gitops.eviction.heuristic import BUILT_IN, Weights
from gitops.eviction.replaying import Room
from gitops.eviction.simulating import EPHEMERAL, RETURNING, WORLDS, World
from gitops.eviction.trying import Tried, learned, tried

OTHERS = range(1_000, 1_100)
"""None of them was learned from."""


@cache
def right_for(world: str) -> Weights:
    return learned(WORLDS[world], range(40))


def low(found: Tried) -> float:
    assert found.kept.interval is not None
    return found.kept.interval[0]


def high(found: Tried) -> float:
    assert found.kept.interval is not None
    return found.kept.interval[1]


@pytest.mark.slow
@pytest.mark.parametrize(("world", "least"), [(RETURNING, 0.015), (EPHEMERAL, 0.0)], ids=["returning", "ephemeral"])
def test_calibrated_weights_keep_more_of_what_is_needed(world: World, least: float) -> None:
    found = tried(world, OTHERS, BUILT_IN, right_for(world.name))
    assert low(found) > least
    assert found.kept.p < 0.005
    assert found.kept.pairs == 100
    assert found.answered[1] > found.answered[0]


@pytest.mark.slow
def test_they_do_so_in_less_room_too() -> None:
    """What is left after a flush differs by the size of the last item: so the better side is given less."""
    found = tried(RETURNING, OTHERS, BUILT_IN, right_for(RETURNING.name), (Room(), Room(keep=0.58)))
    assert found.tokens[1] < found.tokens[0]
    assert low(found) > 0.01


@pytest.mark.slow
def test_where_the_weights_are_right_already_nothing_is_gained() -> None:
    right = right_for(RETURNING.name)
    found = tried(RETURNING, OTHERS, right, learned(RETURNING, range(40, 80), right))
    assert low(found) <= 0 <= high(found)
    assert abs(found.kept.difference) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("world", [RETURNING, EPHEMERAL], ids=["returning", "ephemeral"])
def test_from_labels_dealt_by_lot_nothing_is_gained(world: World) -> None:
    assert high(tried(world, OTHERS, BUILT_IN, learned(world, range(40), by_lot=True))) <= 0.001
