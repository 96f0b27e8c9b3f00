"""The study of simulated regressions: what it simulates, and that its level is held to what it counted."""

from __future__ import annotations

import json

import pytest

from benchmarks.regressions.__main__ import Counted, broken, count, main
from benchmarks.regressions.simulated import CHANGED, UNCHANGED, compared


def test_the_same_seed_gives_the_same_runs() -> None:
    one, other = (compared(UNCHANGED["flaky, five repeats"], seed=3) for _ in range(2))
    assert one == other
    assert one.flaky


@pytest.mark.slow
@pytest.mark.parametrize("world", [name for name in UNCHANGED if "five" in name and "held" not in name])
def test_a_system_that_did_not_change_is_seldom_called_worse(world: str) -> None:
    assert count(world, 40).found <= 7  # more of 40 at 5 % would come once in a thousand tries


@pytest.mark.slow
def test_an_unchanged_system_over_twenty_repeats_is_seldom_called_worse() -> None:
    assert count("flaky, twenty repeats", 20).found <= 5
    assert count("all flaky, twenty repeats", 20).found <= 5


@pytest.mark.slow
@pytest.mark.parametrize("world", [name for name in CHANGED if "one time of ten" not in name or "twenty" in name])
def test_what_is_planted_is_found(world: str) -> None:
    assert count(world, 15).planted >= 13


def test_a_level_that_is_not_kept_is_told() -> None:
    kept = [Counted("flaky, five repeats", 1_000, 50, 0), Counted("flaky, one repeat", 1_000, 900, 0)]
    assert broken(kept) == []
    assert broken([Counted("flaky, five repeats", 1_000, 80, 0)]) == [
        "flaky, five repeats: something is found in 80 of 1000, more than 5%"
    ]


def test_it_prints_lines_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--times", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["world"] for one in told] == [*UNCHANGED, *CHANGED]
    assert {one["times"] for one in told} == {1}
