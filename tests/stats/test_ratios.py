"""A ratio of sums compared and bounded: against all ways to swap cases, textbook formulas, and repeated trials."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.stats.comparison import compare
from gitops.stats.paired import paired
from gitops.stats.randomized import randomized
from gitops.stats.ratios import ratio_interval
from gitops.stats.series import Series, Variant
from gitops.stats.statistic import RATIO, TOTAL, Row

pytestmark = pytest.mark.slow

a_row = st.tuples(st.integers(0, 6), st.integers(0, 3)).map(lambda two: (float(two[0]), float(sum(two))))
sides = st.lists(st.tuples(a_row, a_row), min_size=2, max_size=7).filter(
    lambda both: all(sum(pair[at][1] for pair in both) > 0 for at in (0, 1))
)


def ratio(rows: list[Row]) -> float | None:
    under = sum(row[1] for row in rows)
    return sum(row[0] for row in rows) / under if under else None


def by_all_ways(first: list[Row], second: list[Row]) -> float:
    """The two-sided p value by every way of swapping cases that leaves both sides a score, reckoned one by one; that of
    what cases add about the ratio of both sides together, reckoned likewise; and of these the larger.
    """
    both = ratio([*first, *second])
    wholes = [sum(under for _, under in side) for side in (first, second)]
    assert both is not None
    adds = [
        [(over - both * under) / whole for over, under in side]
        for side, whole in zip((first, second), wholes, strict=True)
    ]
    apart = [other - one for one, other in zip(*adds, strict=True) if abs(other - one) > 1e-12]
    seen_at_random = [
        sum(each * sign for each, sign in zip(apart, signs, strict=True))
        for signs in product((1, -1), repeat=len(apart))
    ]
    about_one = two_sided(seen_at_random) if len(apart) > 1 else 1.0
    return max(by_all_swaps(first, second), about_one)


def two_sided(drawn: list[float]) -> float:
    """Of the first among all that could be as well."""
    tails = (sum(each >= drawn[0] - 1e-9 for each in drawn), sum(each <= drawn[0] + 1e-9 for each in drawn))
    return min(1.0, 2 * min(tails) / len(drawn))


def by_all_swaps(first: list[Row], second: list[Row]) -> float:
    drawn = []
    for way in product((False, True), repeat=len(first)):
        chosen = [pair[::-1] if swap else pair for pair, swap in zip(zip(first, second, strict=True), way, strict=True)]
        one, two = (ratio(list(side)) for side in zip(*chosen, strict=True))
        if one is not None and two is not None:
            drawn.append(two - one)
    return two_sided(drawn)


@settings(max_examples=150, deadline=None)
@given(sides)
def test_p_is_that_of_all_ways_to_swap_cases(both: list[tuple[Row, Row]]) -> None:
    first, second = (list(side) for side in zip(*both, strict=True))
    told = paired(first, second, statistic=RATIO)
    assert told.test == "permutation"
    one, other = ratio(first), ratio(second)
    assert one is not None
    assert other is not None
    assert told.difference == pytest.approx(other - one)
    assert told.moved == sum(before != after for before, after in both)
    assert told.p == pytest.approx(1.0 if told.moved < 2 else by_all_ways(first, second))


@settings(max_examples=100, deadline=None)
@given(sides, st.randoms(use_true_random=False))
def test_the_order_of_cases_means_nothing(both: list[tuple[Row, Row]], draw: Random) -> None:
    told = paired([one for one, _ in both], [other for _, other in both], statistic=RATIO)
    draw.shuffle(both)
    again = paired([one for one, _ in both], [other for _, other in both], statistic=RATIO)
    assert (again.p, again.moved) == (told.p, told.moved)
    assert again.interval == (pytest.approx(told.interval) if told.interval else None)


def test_the_error_is_that_of_two_ratios_of_the_same_cases() -> None:
    # Kish 1965, 6.3: the variance of a difference of ratios, from what each case adds to it.
    first, second = [(1.0, 2.0), (8.0, 8.0), (3.0, 6.0)], [(2.0, 2.0), (6.0, 8.0), (5.0, 5.0)]
    r, q = 12 / 16, 13 / 15
    apart = [(b - q * d) / 15 - (a - r * c) / 16 for (a, c), (b, d) in zip(first, second, strict=True)]
    expected = (3 / 2 * sum(each * each for each in apart)) ** 0.5
    told = randomized(first, second, range(3), statistic=RATIO)
    assert told.error == pytest.approx(expected)
    assert told.interval is not None
    assert told.is_bounded
    half = 4.302652729911275 * expected  # Student's t of two degrees of freedom
    assert told.interval == pytest.approx((max(-1.0, q - r - half), min(1.0, q - r + half)))


def test_where_all_cases_are_of_one_size_a_ratio_is_a_mean() -> None:
    draw = Random(1)
    first, second = ([(float(draw.randrange(5)), 4.0) for _ in range(11)] for _ in range(2))
    before, after = ([(over / under,) for over, under in side] for side in (first, second))
    one, other = paired(first, second, statistic=RATIO), paired(before, after)
    assert one.difference == pytest.approx(other.difference)
    assert one.interval == pytest.approx(other.interval)
    assert one.p == pytest.approx(other.p)


def test_a_total_is_compared_by_its_cases() -> None:
    first, second = [(3.0,), (2.0,), (4.0,), (1.0,), (2.0,), (5.0,)], [(0.0,)] * 6
    told = paired(first, second, statistic=TOTAL)
    assert (told.difference, told.test) == (-17, "permutation")
    assert told.p == 2 / 2**6
    deviation = (sum((each - 17 / 6) ** 2 for (each,) in first) / 5) ** 0.5
    assert told.interval is not None
    assert told.interval[1] - told.interval[0] == pytest.approx(2 * 2.5705818366147395 * deviation * 6**0.5)


def test_ratios_of_noughts_and_ones_are_no_passes() -> None:
    assert paired([(1.0, 1.0)] * 6, [(0.0, 1.0)] * 6, statistic=RATIO).test == "permutation"


def a_side(name: str, rows: Mapping[str, Row], value: float | None = None) -> Variant:
    found = RATIO.value(list(rows.values())) if value is None else value
    return Variant(name, {"f1": [Series(found, rows=rows, statistic=RATIO)]})


def test_cases_of_one_side_alone_count_besides() -> None:
    first = {"a": (1.0, 2.0), "b": (2.0, 2.0), "old": (0.0, 4.0), "none": (0.0, 0.0)}
    second = {"a": (2.0, 2.0), "b": (2.0, 2.0), "new": (3.0, 4.0)}
    [told] = compare([a_side("A", first), a_side("B", second)])
    assert told.paired is not None
    assert (told.paired.first, told.paired.second, told.paired.pairs) == (0.75, 1.0, 2)
    assert told.difference == pytest.approx(7 / 8 - 3 / 8)
    assert (told.only_reference.samples, told.only_reference.value) == (2, 0.0)
    assert (told.only_other.samples, told.only_other.value) == (1, 0.75)


def test_cases_that_both_have_and_that_say_nothing_are_not_tested() -> None:
    first, second = {"a": (0.0, 0.0), "b": (1.0, 2.0)}, {"a": (0.0, 0.0), "c": (1.0, 1.0)}
    [told] = compare([a_side("A", first), a_side("B", second)])
    assert (told.reading, told.difference) == ("not_tested", 0.5)
    assert told.why == "the samples that both have say nothing of it"


def test_what_is_a_ratio_on_one_side_and_a_product_on_the_other_is_not_tested() -> None:
    rows = {"a": (1.0, 2.0), "b": (1.0, 1.0)}
    product = Variant("B", {"f1": [Series(1.5, rows=rows)]})
    [told] = compare([a_side("A", rows), product])
    assert (told.reading, told.why) == ("not_tested", "their samples are not scored alike")


def test_several_repeats_are_pooled_case_by_case() -> None:
    repeats = [
        Series(0.5, rows={"a": (1.0, 2.0)}, statistic=RATIO),
        Series(0.8, rows={"a": (8.0, 10.0)}, statistic=RATIO),
    ]
    [told] = compare([Variant("A", {"f1": repeats}), a_side("B", {"a": (1.0, 1.0)})])
    assert told.reference.value == 9 / 12


def drawn(draw: Random, cases: int, right: float) -> list[tuple[float, float]]:
    """Cases of unlike size, in each of which some share is right that is like the others' but for chance."""
    sizes = [draw.choice((1, 2, 3, 5, 8, 20)) for _ in range(cases)]
    return [(float(sum(draw.random() < right for _ in range(size))), float(size)) for size in sizes]


def test_what_did_not_change_is_seldom_called_changed() -> None:
    # Eleven cases, extracted twice alike: at most one of twenty comparisons may say otherwise, but for chance.
    draw, trials = Random(3), 400
    false = sum(paired(drawn(draw, 11, 0.8), drawn(draw, 11, 0.8), statistic=RATIO).p <= 0.05 for _ in range(trials))
    assert false / trials <= 0.05 + 3 * (0.05 * 0.95 / trials) ** 0.5


@pytest.mark.parametrize(("many", "few", "most"), [(10, 2, 0.05), (2, 20, 0.05), (10, 1, 0.1)])
def test_a_side_that_extracts_less_is_seldom_called_worse_for_it(many: int, few: int, most: float) -> None:
    # Both are right as often as one another, of many things the one and of few the other: if of one alone in most
    # cases, so that often none is wrong, somewhat more than one of twenty comparisons says otherwise.
    draw, trials = Random(7), 300
    false = 0
    for _ in range(trials):
        first, second = ([alike(draw, size) for _ in range(11)] for size in (many, few))
        false += paired(first, second, statistic=RATIO).p <= 0.05
    assert false / trials <= most + 3 * (most * (1 - most) / trials) ** 0.5


def alike(draw: Random, size: int) -> Row:
    """A case of up to twice that size, of which four of five are right but for chance."""
    whole = draw.randint(0, 2 * size)
    return float(sum(draw.random() < 0.8 for _ in range(whole))), float(whole)


def test_one_error_among_few_is_no_worse_than_none_among_many() -> None:
    many = [(10.0, 10.0)] * 14
    few = [(1.0, 1.0)] * 4 + [(0.0, 1.0)] + [(0.0, 0.0)] * 9
    assert paired(many, few, statistic=RATIO).p > 0.25
    assert paired(few, many, statistic=RATIO).p > 0.25


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    draw, trials = Random(5), 200
    found = [ratio_interval(drawn(draw, 20, 0.7), resamples=400) for _ in range(trials)]
    held = fmean(ends is not None and ends[0] <= 0.7 <= ends[1] for ends in found)
    assert held >= 0.88  # 20 cases of sizes from 1 to 20 tell little of their spread: 0.95 is what many would come to


def test_an_interval_of_perfect_cases_is_not_perfect() -> None:
    for pair, expected in {(4.0, 4.0): (0.722467, 1.0), (2.0, 4.0): (0.361234, 0.638766)}.items():
        ends = ratio_interval([pair] * 10)
        assert ends == pytest.approx(expected, abs=1e-5)
    assert ratio_interval([(4.0, 4.0)] * 10, seed=1) == ratio_interval([(4.0, 4.0)] * 10)


def test_an_interval_does_not_depend_on_the_order_or_on_cases_that_say_nothing() -> None:
    rows = [(1.0, 2.0), (8.0, 8.0), (3.0, 6.0), (0.0, 1.0)]
    ends = ratio_interval(rows)
    assert ends is not None
    assert ends[0] < RATIO.value(rows) < ends[1]
    assert ratio_interval([*rows[::-1], (0.0, 0.0)]) == ends
    assert ratio_interval([]) is None
    assert ratio_interval([(0.0, 0.0)]) is None


def test_more_above_the_line_than_below_it_is_refused() -> None:
    with pytest.raises(ValueError, match="parts and their wholes"):
        ratio_interval([(3.0, 2.0)])
