"""Bars: which number reaches which, and what several come to."""

from __future__ import annotations

import pytest

from gitops.config import Bars
from gitops.extraction import bars

DEFAULT = {"atom_f1": 0.6, "edge_f1": 0.5, "validity": 1.0, "graph_errors": 0.0, "faithfulness": 0.8}


def test_the_defaults_are_those_of_the_specification() -> None:
    told = {name: (bar.op, bar.value) for name, bar in bars.of(Bars()).items()}
    assert told == {
        "atom_f1": (">=", 0.6),
        "edge_f1": (">=", 0.5),
        "validity": ("==", 1.0),
        "graph_errors": ("==", 0.0),
        "faithfulness": (">=", 0.8),
    }


def test_what_may_be_better_than_its_bar_is_a_floor_or_a_ceiling() -> None:
    told = bars.of(Bars(validity=0.9, graph_errors=2))
    assert (told["validity"].op, told["graph_errors"].op) == (">=", "<=")


def test_a_share_of_which_nothing_is_wanted_has_no_bar_and_needs_no_number() -> None:
    limits = Bars(faithfulness=0)
    assert list(bars.of(limits)) == ["atom_f1", "edge_f1", "validity", "graph_errors"]
    without = {**DEFAULT, "faithfulness": None}
    assert bars.state(one.status for one in bars.held(without.get, limits)) == "passed"
    assert bars.state(one.status for one in bars.held(without.get, Bars())) == "not_measured"


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("atom_f1", 0.6, "pass"),
        ("atom_f1", 3 / 5, "pass"),
        ("atom_f1", 0.5999999, "fail"),
        ("validity", 1.0, "pass"),
        ("validity", 0.999, "fail"),
        ("graph_errors", 0.0, "pass"),
        ("graph_errors", 1.0, "fail"),
        ("faithfulness", None, "not_measured"),
    ],
)
def test_a_number_reaches_its_bar_or_not(name: str, value: float | None, status: str) -> None:
    [one] = [each for each in bars.held({**DEFAULT, name: value}.get, Bars()) if each.name == name]
    assert one.status == status


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        (["pass", "pass"], "passed"),
        (["pass", "fail", "not_measured"], "failed"),
        (["pass", "not_measured"], "not_measured"),
    ],
)
def test_one_that_fails_decides_and_no_number_is_no_pass(statuses: list[str], state: str) -> None:
    assert bars.state(statuses) == state
