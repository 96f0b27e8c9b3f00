from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.eviction.heuristic import BUILT_IN, FEATURES, MOST, Weights, features, relevance, score
from gitops.eviction.model import ContextItem, ContextZone

ZONES = st.sampled_from(["chronicle", "memory", "workspace"])


def item(
    zone: ContextZone = "chronicle", *, tokens: int = 100, turn: int = 0, last_reference: int = 0, references: int = 0
) -> ContextItem:
    return ContextItem(
        ctx_id="a", zone=zone, token_count=tokens, turn=turn, last_reference=last_reference, references=references
    )


def test_weights_are_the_built_in_ones_but_for_those_that_are_named() -> None:
    assert Weights.of({}) == BUILT_IN
    found = Weights.of({"memory": 2})
    assert (found.memory, found.chronicle) == (2.0, BUILT_IN.chronicle)
    assert list(found.named()) == list(FEATURES)


@pytest.mark.parametrize(
    ("named", "told"),
    [({"zone": 1.0}, "no weight 'zone'"), ({"memory": math.nan}, "out of bounds"), ({"memory": MOST * 2}, "bounds")],
)
def test_a_weight_that_is_none_is_refused(named: dict[str, float], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Weights.of(named)


def test_the_prompt_stays_whatever_it_weighs() -> None:
    assert score(item("system", tokens=90_000), 500, Weights.of({"tokens": -50})) == 1.0


def test_what_was_used_later_is_worth_more_and_what_is_older_less() -> None:
    assert score(item(turn=1, last_reference=9), 10, BUILT_IN) > score(item(turn=1, last_reference=1), 10, BUILT_IN)
    assert score(item(references=3), 4, BUILT_IN) > score(item(), 4, BUILT_IN)
    assert score(item("memory"), 4, BUILT_IN) > score(item("workspace"), 4, BUILT_IN)


def test_the_score_is_the_logistic_of_the_weighted_features() -> None:
    row = features("memory", 3, 300, 2)
    assert row == pytest.approx((0, 1, 0, 0, math.log(4), 0, math.log(4), math.log(3)))
    total = BUILT_IN.memory + BUILT_IN.memory_age * math.log(4)
    total += BUILT_IN.tokens * math.log(4) + BUILT_IN.references * math.log(3)
    assert relevance(row, BUILT_IN) == pytest.approx(1 / (1 + math.exp(-total)))


@given(ZONES, st.integers(0, 10**6), st.integers(0, 10**9), st.integers(0, 10**6), st.floats(-MOST, MOST))
def test_every_score_is_between_0_and_1(zone: ContextZone, age: int, tokens: int, used: int, weight: float) -> None:
    weights = Weights.of(dict.fromkeys(FEATURES, weight))
    made = ContextItem(ctx_id="a", zone=zone, token_count=tokens, references=used)
    assert 0 <= score(made, age, weights) <= 1
