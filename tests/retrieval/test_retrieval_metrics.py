from __future__ import annotations

import pytest

from gitops.retrieval import metrics
from gitops.stats.intervals import wilson


def test_a_metric_that_there_is_not_has_no_direction() -> None:
    with pytest.raises(KeyError):
        metrics.direction("hit@2")


def test_names_are_unique_and_so_are_their_places_in_an_aggregate() -> None:
    assert len(set(metrics.NAMES)) == len(metrics.NAMES)
    places = {(metric.field, metric.cut) for metric in metrics.TABLE}
    assert len(places) == len(metrics.NAMES)


@pytest.mark.parametrize("name", metrics.NAMES)
def test_every_metric_says_what_it_means_and_whose_it_is(name: str) -> None:
    assert metrics.BY_NAME[name].meaning
    assert metrics.BY_NAME[name].source
    assert metrics.unit(name) in ("share", "ms", "tokens")


def test_less_is_better_of_what_costs_or_is_not_found() -> None:
    lower = [name for name in metrics.NAMES if metrics.direction(name) == "lower"]
    assert lower == ["empty_result_rate", "over_refusal", "p50_latency_ms", "p95_latency_ms", "tokens"]


def test_of_no_score_there_is_no_interval() -> None:
    assert metrics.interval("mrr", 0.0, 0) is None


@pytest.mark.parametrize("name", ["p50_latency_ms", "p95_latency_ms", "tokens"])
def test_what_is_no_share_has_no_such_interval(name: str) -> None:
    assert metrics.interval(name, 0.75, 2) is None


def test_the_interval_of_a_share_is_wilson_s_and_of_other_scores_takes_their_sum_for_hits() -> None:
    assert metrics.interval("hit@1", 2 / 3, 3) == wilson(2, 3)
    assert metrics.interval("mrr", 1.25 / 3, 3) == wilson(1.25, 3)


def test_rounding_does_not_make_more_hits_than_queries() -> None:
    assert metrics.interval("ndcg@10", 1.0 + 2**-52, 3) == wilson(3, 3)
