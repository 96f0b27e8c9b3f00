from __future__ import annotations

from typing import Any

import pytest

from gitops.comparing.sample_rows import Rows, Taken, alike, clusters, readings, statuses
from gitops.runs.measurements import Measurement, Metric, Sample
from gitops.stats.statistic import MEANS, RATIO, TOTAL
from tests.evals.scores import product, scored, share


def rows_of(measurement: Measurement, name: str) -> dict[str, Rows]:
    """The rows of each way, all of which are means."""
    found = readings(measurement, name)
    assert all(taken.statistic is MEANS for taken in found.values())
    return {way: taken.rows for way, taken in found.items()}


def verifier_test(*trials: tuple[str, bool, str]) -> Measurement:
    """A test of the verifier: of each trial its kind, whether it was refused, and its status."""
    samples = tuple(
        Sample(id=f"{at}", status=status, tags=(kind,), details={"refused_by": ["support"]} if refused else {})  # type: ignore[arg-type]
        for at, (kind, refused, status) in enumerate(trials)
    )

    def number(kinds: tuple[str, ...], direction: Any = "higher") -> Metric:
        mine = [refused for kind, refused, _ in trials if kind in kinds]
        value = round(sum(mine) / len(mine), 6)
        return Metric(value=value, n=len(mine), direction=direction, unit="share", status="measured")

    found = {
        "caught": number(("digit", "name")),
        "digit": number(("digit",)),
        "wrongly_refused": number(("untouched",), "lower"),
        "usd": Metric(value=0.5, n=0, direction="lower", unit="USD", status="measured"),
    }
    return scored("caught", None, samples, kind="verifier_test").model_copy(update={"metrics": found})


def test_a_score_that_its_samples_do_not_give_has_no_rows() -> None:
    lost = (Sample(id="a", status="fail"), Sample(id="b", status="fail"))
    assert readings(scored("M6", 0.9, lost), "M6") == {}
    assert readings(scored("M4", 12.0), "M4") == {}


def test_what_was_not_measured_has_no_rows() -> None:
    assert readings(share({"a": None}), "M1") == {}
    assert alike([share({"a": None}), share({"a": None})], "M1") == [Taken(), Taken()]


def test_a_share_is_that_of_those_that_were_tried() -> None:
    [rows] = rows_of(share({"a": True, "b": False, "c": None}), "M1").values()
    assert rows == {"a": (1.0,), "b": (0.0,)}


def test_a_share_may_count_the_unjudged_as_failed() -> None:
    samples = (Sample(id="a", status="pass"), Sample(id="b", status="abstained"))
    [rows] = rows_of(scored("caught", 0.5, samples), "caught").values()
    assert rows == {"a": (1.0,), "b": (0.0,)}


def named(name: str, values: dict[str, float]) -> tuple[Sample, ...]:
    """Queries with a score by the metric's name, all failed, and one to which it does not apply."""
    each = tuple(Sample(id=at, status="fail", scores={name: value, "other": 1.0}) for at, value in values.items())
    return (*each, Sample(id="without", status="pass", scores={"other": 1.0}))


@pytest.mark.parametrize("told", [0.0, 0.25, 0.3752])
def test_samples_whose_scores_by_its_name_do_not_give_it_are_not_read_otherwise(told: float) -> None:
    # All but one failed: a share of 0 of 2, 1 of 3, which nobody told.
    assert readings(scored("ndcg@10", told, named("ndcg@10", {"a": 0.5, "b": 0.25})), "ndcg@10") == {}


@pytest.mark.parametrize("unit", ["share", "ms", "tokens", "rank"])
def test_a_score_that_samples_bear_by_its_name_is_taken_and_no_other_way(unit: str) -> None:
    values = {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0}
    samples = tuple(
        Sample(id=at, status="pass" if at == "d" else "fail", scores={"ndcg@10": value}) for at, value in values.items()
    )
    # A quarter is the share of those that passed, too.
    assert rows_of(scored("ndcg@10", 0.25, samples, unit=unit), "ndcg@10") == {
        "ndcg@10": {at: (value,) for at, value in values.items()}
    }


def test_a_score_that_is_stored_with_four_digits_is_near_enough() -> None:
    values = {"a": 0.333333, "b": 1.0, "c": 0.5}
    assert readings(scored("mrr", 0.6111, named("mrr", values)), "mrr")
    assert not readings(scored("mrr", 0.6112, named("mrr", values)), "mrr")


def test_a_percentile_is_not_taken_for_a_share_of_those_that_passed() -> None:
    samples = tuple(Sample(id=str(at), status="pass") for at in range(4))
    assert readings(scored("p50_latency_ms", 1.0, samples, unit="ms"), "p50_latency_ms") == {}


def test_a_product_is_that_of_the_scores_that_give_it() -> None:
    measurement = product({"a": (1.0, 0.5), "b": (0.25, 0.75)})
    [rows] = rows_of(measurement, "M3").values()
    assert {tuple(sorted(row)) for row in rows.values()} == {(0.5, 1.0), (0.25, 0.75)}


def test_the_same_scores_are_taken_on_all_sides() -> None:
    # On the first side one tool call each looks like a factor too; on the second it does not.
    first, second = product({"a": (1.0, 0.5), "b": (1.0, 0.25)}), product({"a": (0.5, 0.5), "b": (1.0, 0.25)})
    assert len(readings(first, "M3")) > 1
    one, other = (taken.rows for taken in alike([first, second], "M3"))
    assert one == {"a": (0.5, 1.0), "b": (0.25, 1.0)}
    assert other == {"a": (0.5, 0.5), "b": (0.25, 1.0)}


def test_a_side_without_a_score_does_not_hinder_the_others() -> None:
    every = alike([share({"a": True}), share({"a": None}), share({"a": False})], "M1")
    one, none, other = (taken.rows for taken in every)
    assert (one, none, other) == ({"a": (1.0,)}, {}, {"a": (0.0,)})


def test_of_a_test_of_the_verifier_a_refusal_is_a_hit() -> None:
    measurement = verifier_test(
        ("digit", True, "pass"),
        ("digit", False, "abstained"),
        ("name", False, "fail"),
        ("untouched", True, "fail"),
        ("untouched", False, "pass"),
    )
    assert rows_of(measurement, "digit") == {"refused": {"0": (1.0,), "1": (0.0,)}}
    assert rows_of(measurement, "caught") == {"refused": {"0": (1.0,), "1": (0.0,), "2": (0.0,)}}
    assert rows_of(measurement, "wrongly_refused") == {"refused": {"3": (1.0,), "4": (0.0,)}}
    assert readings(measurement, "usd") == {}
    assert statuses(measurement, "caught") == {"0": "pass", "1": "fail", "2": "fail"}
    assert statuses(measurement, "wrongly_refused") == {"3": "fail", "4": "pass"}


@pytest.mark.parametrize(("name", "found"), [("M5", {"a": "wiki/tea.md"}), ("M1", {})])
def test_pairs_of_statements_were_drawn_by_topic(name: str, found: dict[str, str]) -> None:
    samples = (Sample(id="a", status="pass", tags=("wiki/tea.md",)),)
    assert clusters(scored(name, 1.0, samples), name) == found


def pooled(value: float | None, ratios: dict[str, Any], name: str = "atom_f1") -> Measurement:
    """A score pooled over cases, each with what it adds above and below the line."""
    samples = tuple(
        Sample(id=at, status="pass", scores={f"{name}_macro": 1.0}, details={"ratios": {name: pair}})
        for at, pair in ratios.items()
    )
    return scored(name, value, samples, kind="extraction")


def test_a_pooled_score_is_a_ratio_of_sums_and_no_mean_of_ratios() -> None:
    # 1/2 and 8/8 are 9/10 together; their mean is 3/4.
    [(way, taken)] = readings(pooled(0.9, {"a": [1, 2], "b": [8, 8], "empty": [0, 0]}), "atom_f1").items()
    assert (way, taken.statistic) == ("ratio of sums", RATIO)
    assert taken.rows == {"a": (1.0, 2.0), "b": (8.0, 8.0), "empty": (0.0, 0.0)}
    assert readings(pooled(0.75, {"a": [1, 2], "b": [8, 8]}), "atom_f1") == {}


def test_a_count_is_a_total_on_both_sides_though_one_of_none_looks_like_a_ratio_too() -> None:
    one, other = pooled(0, {"a": [0, 1], "b": [0, 1]}, "errors"), pooled(3, {"a": [0, 1], "b": [3, 1]}, "errors")
    assert list(readings(one, "errors")) == ["ratio of sums", "total"]
    assert [taken.statistic for taken in alike([one, other], "errors")] == [TOTAL, TOTAL]
    assert alike([one, other], "errors")[1].rows == {"a": (0.0,), "b": (3.0,)}


def test_of_nothing_below_the_line_there_is_no_score_to_be_given() -> None:
    assert readings(pooled(1.0, {"a": [0, 0]}), "atom_f1") == {}
    assert readings(pooled(None, {"a": [0, 0]}), "atom_f1") == {}


@pytest.mark.parametrize("odd", [3, [1], [1, 2, 3], ["1", "2"], [1, None], [-1, 2], {"over": 1}, [float("nan"), 1]])
def test_ratios_of_another_shape_are_not_read_and_nothing_else_is_tried(odd: Any) -> None:
    # All passed, which is no way to read a score of 1 that has parts of its own.
    assert readings(pooled(1.0, {"a": [1, 1], "b": odd}), "atom_f1") == {}


def test_less_than_nothing_is_no_part_of_a_ratio() -> None:
    assert readings(pooled(0.0, {"a": [1, 1], "b": [-1, 2]}), "atom_f1") == {}
