from __future__ import annotations

import pytest

from gitops.extraction import metrics
from gitops.extraction.metrics import BY_NAME, NAMES, TABLE

BARE = (
    "atom_precision",
    "atom_recall",
    "atom_f1",
    "type_accuracy",
    "edge_precision",
    "edge_recall",
    "edge_f1",
    "stages_exact",
    "stages_lcs",
    "validity",
    "graph_errors",
    "graph_warnings",
    "faithfulness",
)


def test_a_name_that_no_metric_has_is_refused() -> None:
    for of in (metrics.direction, metrics.unit):
        with pytest.raises(KeyError):
            of("atom_f2")


def test_every_name_is_one_metrics_alone_and_the_bare_ones_come_first() -> None:
    assert len(set(NAMES)) == len(NAMES) == len(BY_NAME)
    assert NAMES[: len(BARE)] == BARE
    assert all(metric.name == metric.base for metric in TABLE[: len(BARE)])


def test_all_shares_have_a_mean_and_what_depends_on_ids_a_strict_variant() -> None:
    shares = set(BARE) - {"graph_errors", "graph_warnings"}
    assert {metric.base for metric in TABLE if metric.average == "macro"} == shares
    assert {metric.base for metric in TABLE if metric.variant == "strict"} == shares - {"validity", "faithfulness"}
    assert all(metric.name == f"{metric.base}_macro" for metric in TABLE if metric.average == "macro")
    assert all(metric.name == f"{metric.base}_strict" for metric in TABLE if metric.variant == "strict")


def test_less_is_better_of_faults_alone() -> None:
    assert {name for name in NAMES if metrics.direction(name) == "lower"} == {"graph_errors", "graph_warnings"}
    assert {name for name in NAMES if metrics.unit(name) == "faults"} == {"graph_errors", "graph_warnings"}


def test_meanings_are_one_line_and_no_two_are_the_same() -> None:
    meanings = [metric.meaning for metric in TABLE]
    assert len(set(meanings)) == len(meanings)
    assert all(0 < len(each) < 120 and "\n" not in each for each in meanings)
