from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.retrieval import metrics
from gitops.retrieval.aggregate import Aggregate, made

COUNTS = ("total", "failed", "missing", "unknown", "unjudged")
NONE: dict[str, float | None] = dict.fromkeys(metrics.NAMES)


def aggregate(**numbers: float) -> Aggregate:
    counts = {f"{name}_queries": at for at, name in enumerate(COUNTS)} | {"duplicate_hits": 9}
    return made(NONE | {name.replace("_at_", "@"): number for name, number in numbers.items()}, counts)


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ({"mrr": "0.5"}, "mrr"),
        ({"mrr": True}, "mrr"),
        ({"mrr": float("nan")}, "mrr"),
        ({"hit_at_k": 0.5}, "hit_at_k"),
        ({"hit_at_k": {"3": []}}, "hit_at_k"),
        ({"total_queries": -1}, "total_queries"),
        ({"failed_queries": None}, "failed_queries"),
    ],
)
def test_a_record_that_is_none_names_the_field(record: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Aggregate.of(record)


def test_what_there_is_no_number_of_is_null_and_never_nan() -> None:
    told = json.dumps(aggregate().record(), allow_nan=False)
    assert json.loads(told)["mrr"] is None
    assert json.loads(told)["hit_at_k"] == {"1": None, "3": None, "5": None, "10": None}


def test_numbers_are_rounded_to_four_places() -> None:
    one = aggregate(mrr=1 / 3, hit_at_3=2 / 3)
    assert (one.mrr, one.hit_at_k[3]) == (0.3333, 0.6667)
    assert one.metric("hit@3") == 0.6667


def test_the_record_has_the_contract_s_fields() -> None:
    fields = "hit_at_k mrr recall_at_k_doc citation_coverage groundedness empty_result_rate refusal_correctness"
    assert [*fields.split(), "total_queries", "failed_queries"] == list(aggregate().record())[:9]


@pytest.mark.parametrize("name", metrics.NAMES)
def test_every_metric_is_found_by_its_name(name: str) -> None:
    one = aggregate(**{name.replace("@", "_at_"): 0.25})
    assert one.metric(name) == 0.25
    assert sum(one.metric(other) is not None for other in metrics.NAMES) == 1


@given(st.dictionaries(st.sampled_from(metrics.NAMES), st.floats(0, 1e6)))
def test_a_record_read_again_is_the_same_aggregate(numbers: dict[str, float]) -> None:
    one = aggregate(**{name.replace("@", "_at_"): number for name, number in numbers.items()})
    assert Aggregate.of(json.loads(json.dumps(one.record()))) == one


def test_an_older_record_lacks_numbers_and_a_later_one_has_more() -> None:
    one = Aggregate.of({"mrr": 0.5, "hit_at_k": {"1": 1}, "of_tomorrow": 1})
    assert (one.mrr, one.hit_at_k, one.over_refusal, one.missing_queries) == (
        0.5,
        {1: 1.0, 3: None, 5: None, 10: None},
        None,
        0,
    )
