from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.stats.holm import holm

RAW = st.lists(st.floats(0, 1), max_size=12)


@pytest.mark.parametrize("wrong", [1.2, -0.1, float("nan")])
def test_what_is_no_probability_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        holm([0.5, wrong])


def test_of_no_test_nothing_is_adjusted() -> None:
    assert holm([]) == []


def test_one_test_alone_stays_as_it_is() -> None:
    assert holm([0.04]) == [0.04]


def test_worked_by_hand() -> None:
    # Sorted 0.01, 0.02, 0.03, 0.04; times 4, 3, 2, 1: 0.04, 0.06, 0.06, 0.04; never less than the one before.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_it_rejects_as_holm_does_where_bonferroni_does_not() -> None:
    # 0.01 ≤ 0.05 / 3, then 0.02 ≤ 0.05 / 2, then 0.04 ≤ 0.05: all three; Bonferroni rejects the first alone.
    assert all(p <= 0.05 for p in holm([0.01, 0.02, 0.04]))


@given(RAW)
def test_no_p_value_falls_below_the_raw_one_or_rises_above_1(raw: list[float]) -> None:
    assert all(p <= adjusted <= 1 for p, adjusted in zip(raw, holm(raw), strict=True))


@given(RAW)
def test_the_smaller_the_raw_one_the_smaller_the_adjusted(raw: list[float]) -> None:
    adjusted = [after for _, after in sorted(zip(raw, holm(raw), strict=True))]
    assert adjusted == sorted(adjusted)


@given(RAW, st.floats(0, 1))
def test_one_test_more_lowers_none(raw: list[float], more: float) -> None:
    assert all(one <= other for one, other in zip(holm(raw), holm([*raw, more]), strict=False))


@given(RAW, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_is_irrelevant(raw: list[float], mixed: Random) -> None:
    places = list(range(len(raw)))
    mixed.shuffle(places)
    adjusted = holm(raw)
    assert holm([raw[at] for at in places]) == [adjusted[at] for at in places]
