from __future__ import annotations

import math
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.eviction import fitting, trying
from gitops.eviction.features import Row, first_seen, rows
from gitops.eviction.heuristic import BUILT_IN, FEATURES, Weights
from gitops.eviction.online import Rolling, adjusted, followed
from gitops.eviction.simulating import RETURNING
from tests.eviction.resolutions import candidate, many, resolved


@cache
def learned_from(conversations: int) -> list[Row]:
    return rows(trying.feedback(RETURNING, range(conversations)))


def moved(one: Weights, other: Weights) -> list[float]:
    return [abs(new - old) for old, new in zip(one.values, other.values, strict=True)]


@given(st.integers(0, 1_000), st.lists(st.floats(-5, 5), min_size=8, max_size=8), st.integers(1, 120))
@settings(max_examples=50, deadline=None)
def test_no_step_is_larger_than_said_and_no_weight_goes_further_than_it_may(
    seed: int, start: list[float], count: int
) -> None:
    window = Random(seed).sample(learned_from(1), min(count, len(learned_from(1))))
    policy = Weights.of(dict(zip(FEATURES, start, strict=True)))
    rolling = Rolling(step=0.07, reach=0.2)
    present = policy
    for _ in range(5):
        after = adjusted(window, present, policy, rolling)
        assert max(moved(present, after)) <= 0.07 + 1e-5
        present = after
    assert max(moved(policy, present)) <= 0.2 + 1e-5


def test_nothing_moves_before_there_is_enough() -> None:
    assert followed([], BUILT_IN) == BUILT_IN
    assert followed(rows(many(99, 99)), BUILT_IN) == BUILT_IN
    assert followed(rows(many(110, 110)), BUILT_IN) != BUILT_IN


def test_what_foretells_truly_is_left_alone() -> None:
    draw = Random(5)
    pairs = []
    for number in range(400):
        made = candidate(f"{number}", "workspace", age=draw.randint(0, 20), tokens=draw.randint(50, 900))
        chance = rows([resolved([made])])[0].predicted(BUILT_IN)
        pairs.append(resolved([made], [made.ctx_id] if draw.random() < chance else [], number=number))
    assert max(moved(BUILT_IN, followed(rows(pairs), BUILT_IN))) < 0.45


def test_it_depends_on_the_feedback_alone_and_an_item_that_comes_again_says_nothing_new() -> None:
    pairs = many(100, 200)
    again = [
        resolved([one.candidates[0]], [one.candidates[0].ctx_id], number=500 + at) for at, (one, _) in enumerate(pairs)
    ]
    assert followed(rows([*pairs, *again]), BUILT_IN) == followed(rows(pairs), BUILT_IN)
    assert followed(rows(list(reversed(pairs))), BUILT_IN) == followed(rows(pairs), BUILT_IN)


@pytest.mark.slow
def test_steps_over_and_over_come_to_the_weights_that_fit() -> None:
    every = first_seen(learned_from(6))
    fit = fitting.fit(every, BUILT_IN)
    present = BUILT_IN
    for _ in range(3_000):
        after = adjusted(every, present, BUILT_IN, Rolling(step=0.5))
        if max(moved(present, after)) < 1e-4:
            break
        present = after
    assert max(moved(fit, present)) < 0.1


@pytest.mark.slow
def test_whatever_the_number_of_conversations_it_never_keeps_less_of_what_is_needed() -> None:
    """Weights that chase the last conversation would be worse after forty than after five."""
    for conversations in (5, 20, 40):
        weights = followed(learned_from(conversations), BUILT_IN)
        found = trying.tried(RETURNING, range(1_000, 1_060), BUILT_IN, weights).kept
        assert found.interval is not None
        assert found.interval[0] > 0, conversations
        assert not math.isnan(found.difference)
