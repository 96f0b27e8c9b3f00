from __future__ import annotations

import pytest

from gitops.stats.clustered import clustered, design_effect, of_few
from gitops.stats.intervals import wilson
from gitops.stats.student import student


def test_nothing_has_no_interval() -> None:
    assert clustered([]) is None
    assert clustered([(0, 0)]) is None


def test_by_hand() -> None:
    """Two clusters of ten, 10 and 6 hits: share 0.8, spread 2² + 2² = 8, variance 2/1 · 8/400 = 0.04; simple: 0.008."""
    assert design_effect([(10, 10), (6, 10)]) == pytest.approx(5)
    assert clustered([(10, 10), (6, 10)]) == wilson(0.8 * 4, 4)


def test_clusters_that_are_alike_are_worth_all_their_cases() -> None:
    assert design_effect([(8, 10), (8, 10), (16, 20)]) == 1
    assert clustered([(8, 10), (8, 10)]) == wilson(16, 20)


@pytest.mark.parametrize("clusters", [[(7, 10)], [(10, 10), (5, 5)], [(0, 3), (0, 9)], [(7, 10), (0, 0)]])
def test_what_tells_nothing_of_how_cases_cluster_counts_as_a_simple_sample(clusters: list[tuple[int, int]]) -> None:
    assert design_effect(clusters) == 1
    assert clustered(clusters) == wilson(sum(hits for hits, _ in clusters), sum(of for _, of in clusters))


def test_one_bad_cluster_widens_the_interval() -> None:
    narrow, wide = clustered([(95, 100)] * 10), clustered([(100, 100)] * 9 + [(50, 100)])
    assert narrow is not None
    assert wide is not None
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


def test_a_share_worth_less_than_one_case_is_worth_one() -> None:
    assert clustered([(1, 1), (0, 1)]) == wilson(0.5, 1)


def test_an_interval_may_be_wider_than_at_95_percent_for_many_tests_at_once() -> None:
    assert clustered([(8, 10), (8, 10)], 3.0) == wilson(16, 20, 3.0)


def test_of_few_clusters_the_interval_is_wider_and_of_one_there_is_none() -> None:
    assert of_few([(3, 10), (0, 0)]) is None
    assert of_few([]) is None
    assert of_few([(10, 10), (6, 10), (0, 0)]) == wilson(0.8 * 4, 4, student(1))
    assert of_few([(8, 10)] * 4, 0.01) == wilson(32, 40, student(3, 0.01))
