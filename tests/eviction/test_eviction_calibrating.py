from __future__ import annotations

import tomllib

import pytest

from gitops.errors import CannotRun
from gitops.eviction import calibrating, trying
from gitops.eviction.calibrating import calibrated, part, split
from gitops.eviction.features import Row, first_seen, rows
from gitops.eviction.heuristic import BUILT_IN, Weights
from gitops.eviction.simulating import RETURNING
from tests.eviction.resolutions import many


def learned_from(conversations: int) -> list[Row]:
    return first_seen(rows(trying.feedback(RETURNING, range(conversations))))


@pytest.mark.parametrize("by_time", [True, False])
def test_what_was_drawn_together_is_never_parted(by_time: bool) -> None:
    every = learned_from(6)
    fitted, held = split(every, 0.3, by_time=by_time, seed=3)
    assert sorted(map(id, every)) == sorted(map(id, [*fitted, *held]))
    assert not {row.proposal for row in fitted} & {row.proposal for row in held}
    proposals = len({row.proposal for row in every})
    assert part(held).proposals == round(proposals * 0.3)


def test_held_out_by_time_is_what_came_last() -> None:
    fitted, held = split(rows(many(10, 40)), 0.25, by_time=True)
    assert max(row.at for row in fitted) < min(row.at for row in held)
    assert len(held) == 10


def test_a_drawn_part_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    every = learned_from(3)
    first, again, other = (split(every, 0.3, seed=seed)[1] for seed in (1, 1, 2))
    assert first == again
    assert {row.proposal for row in first} != {row.proposal for row in other}


@pytest.mark.parametrize(("kept", "of"), [(0, 0), (49, 500), (500, 549)])
def test_too_little_feedback_is_refused_and_said_how_much_it_takes(kept: int, of: int) -> None:
    with pytest.raises(CannotRun, match="too little feedback to fit 8 weights") as refused:
        calibrated(rows(many(kept, of)), BUILT_IN)
    assert refused.value.hint.startswith("it takes 50 of each")


def test_a_part_that_is_too_small_is_refused_too() -> None:
    with pytest.raises(CannotRun, match="too little feedback to show it on: 1 of the rarer label in 4 proposals"):
        calibrated(rows(many(60, 120)), BUILT_IN, holdout=0.03)


@pytest.mark.slow
def test_fitted_on_one_part_the_weights_foretell_the_other_better() -> None:
    found = calibrated(learned_from(12), BUILT_IN)
    readings = {one.name: one.reading for one in found.measured}
    assert readings["log_loss"] == readings["brier"] == "better"
    assert found.unit == "proposal"
    assert found.fitted.n > found.held.n > 0
    assert found.after.workspace < found.before.workspace  # there, what tools showed is stale soon


@pytest.mark.slow
def test_what_was_dealt_by_lot_foretells_nothing() -> None:
    dealt = trying.shuffled(learned_from(12))
    [ranking] = [one for one in calibrated(dealt, BUILT_IN).measured if one.name == "auroc"]
    assert ranking.reading != "better"
    assert ranking.after_interval is not None
    assert ranking.after_interval[0] < 0.5 < ranking.after_interval[1]


def test_the_table_is_read_again_as_the_same_weights() -> None:
    weights = Weights(chronicle=-0.1234, tokens=12.5)
    read = tomllib.loads(calibrating.toml(weights))
    assert Weights.of(read["eviction"]["weights"]) == weights
