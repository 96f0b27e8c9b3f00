"""Held to a margin: what shows that there is no harm, what shows harm, and what neither does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gitops.stats.harmless import Pair, harm, least_repeats
from gitops.stats.matched import tango

MARGIN = 0.05


def pairs(cases: int, repeats: int, control: float, treatment: float, seed: int = 0) -> list[Pair]:
    """Cases, every one of which passes with these chances."""
    draw = Random(seed)
    return [
        Pair(case, float(draw.random() < control), float(draw.random() < treatment))
        for case in range(cases)
        for _ in range(repeats)
    ]


def test_nothing_shows_nothing() -> None:
    found = harm([], 5, MARGIN)
    assert (found.held, found.difference, found.interval, found.needed) == ("cannot_tell", None, None, None)


def test_equal_cases_show_no_harm_only_where_they_are_many_enough() -> None:
    assert harm(pairs(15, 5, 1, 1), 5, MARGIN).held == "no_harm"  # 75 pairs
    few = harm(pairs(10, 5, 1, 1), 5, MARGIN)
    assert (few.held, few.difference, few.needed) == ("cannot_tell", 0.0, 12)
    assert harm(pairs(10, 8, 1, 1), 8, MARGIN).held == "no_harm"
    assert harm(pairs(10, 11, 1, 1), 11, MARGIN, tries=2).held == "cannot_tell"
    assert harm(pairs(10, 12, 1, 1), 12, MARGIN, tries=2).held == "no_harm"


def test_what_is_needed_at_least_is_what_shows_it() -> None:
    for cases in range(1, 120):
        least = least_repeats(cases, MARGIN)
        assert least is not None
        assert harm(pairs(cases, least, 1, 1), least, MARGIN).held == "no_harm"
        if least > 1:
            assert harm(pairs(cases, least - 1, 1, 1), least - 1, MARGIN).held == "cannot_tell"
    assert least_repeats(0, MARGIN) is None
    assert least_repeats(10, 0.0) is None


def test_a_treatment_that_fails_is_harm_and_no_number_of_repeats_mends_it() -> None:
    found = harm(pairs(10, 5, 1, 0), 5, MARGIN)
    assert (found.held, found.difference, found.needed) == ("harm", -1.0, None)


def test_what_is_shown_to_be_worse_is_harm_within_the_margin_too() -> None:
    many = [Pair(case, 1.0, float(case % 50 != 0)) for case in range(2_000)]  # 2 % worse, and certainly so
    found = harm(many, 1, MARGIN)
    assert found.difference == pytest.approx(-0.02)
    assert found.held == "harm"


def test_the_more_is_looked_at_the_surer_harm_has_to_be() -> None:
    seen = [Pair(case, 1.0, float(case >= 5)) for case in range(40)]  # 5 of 40 lost
    assert harm(seen, 1, MARGIN).held == "harm"
    assert harm(seen, 1, MARGIN, looks=40).held == "cannot_tell"
    assert harm(seen, 1, MARGIN, looks=40).interval == harm(seen, 1, MARGIN).interval


def test_one_case_lost_of_ten_is_beyond_the_margin_and_told_so() -> None:
    lost = [Pair(case, 1.0, float(case != 0)) for case in range(10)]
    found = harm(lost, 1, MARGIN)
    assert (found.held, found.needed) == ("cannot_tell", None)


def test_so_many_repeats_as_it_says_would_show_it() -> None:
    found = harm(pairs(10, 5, 0.8, 0.85, seed=4), 5, MARGIN)
    assert found.held == "cannot_tell"
    assert found.needed is not None
    assert found.needed > 5
    times = found.needed / 5
    assert times < 60


def test_shares_have_the_interval_of_tango() -> None:
    seen = pairs(20, 4, 0.7, 0.8, seed=2)
    lost, won = (sum((each.control, each.treatment) == kind for each in seen) for kind in ((1, 0), (0, 1)))
    assert harm(seen, 4, MARGIN).interval == pytest.approx(tango(lost, won, 80), abs=1e-6)


def test_scores_of_one_case_have_the_interval_of_scipy() -> None:
    draw = Random(5)
    seen = [Pair("a", draw.random(), draw.random()) for _ in range(12)]
    differences = [each.treatment - each.control for each in seen]
    expected = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    assert harm(seen, 12, MARGIN).interval == pytest.approx((expected.low, expected.high))


def test_scores_that_were_measured_once_say_nothing_of_how_they_vary() -> None:
    found = harm([Pair(case, 0.5, 0.6) for case in range(50)], 1, MARGIN)
    assert (found.held, found.interval, found.needed) == ("cannot_tell", None, None)


def test_scores_that_never_vary_are_as_sure_as_shares_that_never_do() -> None:
    alike = [Pair(case, 0.5, 0.5) for case in range(10) for _ in range(5)]
    shares = harm(pairs(10, 5, 1, 1), 5, MARGIN)
    scores = harm(alike, 5, MARGIN)
    assert scores.held == "cannot_tell"
    assert shares.interval is not None
    assert scores.interval == pytest.approx(shares.interval)


@pytest.mark.slow
def test_who_adds_until_chance_says_yes_seldom_gets_there() -> None:
    """A treatment worse by just the margin, looked at after every five repeats: in 4.1 % it is let through at most."""
    let = 0
    for seed in range(200):
        draw = Random(seed)
        hard = [MARGIN + (1 - MARGIN) * draw.random() for _ in range(40)]
        seen: list[Pair] = []
        for tries in range(1, 7):
            seen += [
                Pair(case, float(draw.random() < chance), float(draw.random() < chance - MARGIN))
                for case, chance in enumerate(hard)
                for _ in range(5)
            ]
            if harm(seen, 5 * tries, MARGIN, tries=tries).held == "no_harm":
                let += 1
                break
    assert let <= 16  # where 8 are expected at most


def test_scores_that_hardly_vary_take_as_many_as_those_that_never_do() -> None:
    hardly = [Pair(case, 0.9, 0.9 + 0.001 * (repeat % 2)) for case in range(3) for repeat in range(4)]
    found = harm(hardly, 4, MARGIN)
    assert found.held == "cannot_tell"
    assert found.needed is not None
    assert found.needed * 3 >= 73


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=40))
def test_the_interval_holds_the_difference_and_stays_within_bounds(rows: list[tuple[int, float, float]]) -> None:
    found = harm([Pair(*row) for row in rows], 5, MARGIN)
    if found.interval is not None and found.difference is not None:
        low, high = found.interval
        assert -1 <= low <= found.difference + 1e-9
        assert found.difference - 1e-9 <= high <= 1
        assert (found.held == "no_harm") <= (low >= -MARGIN)


def test_a_treatment_that_is_worse_by_the_margin_is_seldom_let_through() -> None:
    """Cases of unlike difficulty, a treatment worse by just the margin: no harm is found no oftener than 2.5 %."""
    draw = Random(11)
    chances = [(hard, max(0.0, hard - MARGIN)) for hard in [0.06 + 0.93 * draw.random() for _ in range(12)]]
    margin = sum(one - other for one, other in chances) / len(chances)
    let = 0
    for _ in range(400):
        seen = [
            Pair(case, float(draw.random() < one), float(draw.random() < other))
            for case, (one, other) in enumerate(chances)
            for _ in range(40)
        ]
        let += harm(seen, 40, margin).held == "no_harm"
    assert let <= 20  # of 400, where 10 are expected at most: more than 20 would come once in five hundred tries
