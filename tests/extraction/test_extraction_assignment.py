from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.extraction.assignment import Assignment, Open, assigned

Pairs = frozenset[tuple[int, int]]


def every(first: int, second: int) -> Iterator[Pairs]:
    """All ways to assign some of one side to some of the other."""
    for size in range(min(first, second) + 1):
        for some in combinations(range(first), size):
            for others in permutations(range(second), size):
                yield frozenset(zip(some, others, strict=True))


def worth_of(pairs: Pairs, first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], worth: list[int]) -> int:
    """The worth of some pairs; -1 if one of them may not be."""
    best = [max((worth[at] for at in set(first[one]) & set(second[other])), default=-1) for one, other in pairs]
    return -1 if -1 in best else sum(best)


def told(found: Assignment) -> Pairs:
    return frozenset((met.first, met.second) for met in found.met)


def test_nobody_goes_where_nobody_shares_a_place() -> None:
    assert assigned([[0], []], [[1], []], [1, 1]) == Assignment((), ())
    assert assigned([], [], []) == Assignment((), ())


def test_the_worth_of_all_counts_and_not_that_of_the_first() -> None:
    found = assigned([[0, 1], [0]], [[0], [1]], [3, 2])
    assert [(met.first, met.second, met.place) for met in found.met] == [(0, 1, 1), (1, 0, 0)]
    assert not found.open


def test_one_that_is_worth_more_is_taken_instead_of_two_that_are_worth_less() -> None:
    assert told(assigned([[0, 2], [1]], [[0], [1, 2]], [4, 4, 9])) == {(0, 1)}
    assert told(assigned([[0, 2], [1]], [[0], [1, 2]], [5, 5, 9])) == {(0, 0), (1, 1)}


def test_of_several_as_good_the_first_are_served_and_it_is_told() -> None:
    found = assigned([[0], [0]], [[0]], [1])
    assert told(found) == {(0, 0)}
    assert found.open == (Open((0, 1), (0,)),)
    found = assigned([[0]], [[0], [0]], [1])
    assert told(found) == {(0, 0)}
    assert found.open == (Open((0,), (0, 1)),)
    found = assigned([[0], [0]], [[0], [0]], [1])
    assert told(found) == {(0, 0), (1, 1)}
    assert found.open == (Open((0, 1), (0, 1)),)


def test_one_that_is_worth_as_much_as_two_others_is_a_choice() -> None:
    found = assigned([[0, 2], [1]], [[0], [1, 2]], [4, 5, 9])
    assert found.open == (Open((0, 1), (0, 1)),)


def test_two_places_of_one_pair_are_no_choice() -> None:
    assert assigned([[0, 1]], [[0, 1]], [1, 1]).open == ()


def test_choices_that_have_nothing_to_do_with_one_another_are_told_apart() -> None:
    found = assigned([[0], [0], [1], [2]], [[0], [1], [1], [2]], [1, 1, 1])
    assert found.open == (Open((0, 1), (0,)), Open((2,), (1, 2)))


def test_worth_beyond_any_float_is_exact() -> None:
    huge = 10**40
    assert told(assigned([[0, 1], [0]], [[0], [1]], [huge, 1])) == {(0, 1), (1, 0)}
    assert told(assigned([[0], [1]], [[0, 1]], [huge, huge + 1])) == {(1, 0)}


def test_a_long_chain_is_followed_to_its_end() -> None:
    """Everybody may go to two, and only where all move up does the last one find a place."""
    size = 1500
    first = [[at, at + 1] if at else [1] for at in range(size)]
    second = [[at] for at in range(1, size + 1)]
    found = assigned(first, second, [1] * (size + 1))
    assert len(found.met) == size
    backwards = assigned(first[::-1], second[::-1], [1] * (size + 1))
    assert {(size - 1 - met.first, size - 1 - met.second) for met in backwards.met} == told(found)


places = st.lists(st.lists(st.integers(0, 4), max_size=3, unique=True), max_size=5)


@settings(deadline=None)
@given(places, places, st.lists(st.integers(1, 6), min_size=5, max_size=5))
def test_it_is_the_best_of_all_there_are_and_tells_what_others_as_good_do(
    first: list[list[int]], second: list[list[int]], worth: list[int]
) -> None:
    found = assigned(first, second, worth)
    all_worth = {pairs: worth_of(pairs, first, second, worth) for pairs in every(len(first), len(second))}
    best = max(all_worth.values())
    assert all_worth[told(found)] == best
    others = [pairs for pairs, total in all_worth.items() if total == best]
    open_first = {at for at in range(len(first)) if len({_goes(pairs, at, 0) for pairs in others}) > 1}
    open_second = {at for at in range(len(second)) if len({_goes(pairs, at, 1) for pairs in others}) > 1}
    assert {at for one in found.open for at in one.first} == open_first
    assert {at for one in found.open for at in one.second} == open_second


def _goes(pairs: Pairs, at: int, side: int) -> int | None:
    return next((pair[1 - side] for pair in pairs if pair[side] == at), None)


@pytest.mark.slow
@settings(deadline=None)
@given(st.data())
def test_it_is_as_good_as_scipys_dense_one_on_larger_ones(data: st.DataObject) -> None:
    pytest.importorskip("scipy")
    import numpy
    from scipy.optimize import linear_sum_assignment

    many = st.lists(st.lists(st.integers(0, 14), max_size=3, unique=True), min_size=10, max_size=30)
    first, second = data.draw(many), data.draw(many)
    worth = data.draw(st.lists(st.integers(1, 10**6), min_size=15, max_size=15))
    table = numpy.array(
        [[max((worth[at] for at in set(one) & set(other)), default=0) for other in second] for one in first]
    )
    rows, columns = linear_sum_assignment(table, maximize=True)
    found = told(assigned(first, second, worth))
    assert worth_of(found, first, second, worth) == table[rows, columns].sum()
