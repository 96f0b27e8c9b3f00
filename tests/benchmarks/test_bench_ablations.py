"""The study of simulated ablations: what it simulates, and that its levels are held to what it counted."""

from __future__ import annotations

import json

import pytest

from benchmarks.ablations.__main__ import Counted, broken, count, main
from benchmarks.ablations.simulated import WORLDS, ablation


def test_the_same_seed_gives_the_same_ablation() -> None:
    one, other = (ablation(WORLDS["alike"], seed=3) for _ in range(2))
    assert [each.p for each in one.comparison.compared] == [each.p for each in other.comparison.compared]
    assert [len(study.variants) for study in one.ablation.studies] == [3]


@pytest.mark.slow
def test_a_drift_fools_variants_that_are_run_one_after_the_other_and_not_those_side_by_side() -> None:
    assert count("alike, drifting", 30).shown <= 6  # of 30 at 5 %, more would come once in a thousand tries
    assert count("alike, drifting, one after the other", 10).shown >= 9


@pytest.mark.slow
def test_a_treatment_that_is_much_worse_is_found_out() -> None:
    found = count("worse by 0.2", 20)
    assert found.harm >= 19
    assert found.no_harm == 0


@pytest.mark.slow
def test_variants_that_are_alike_seldom_differ() -> None:
    assert count("alike", 60).shown <= 9  # more of 60 at 5 % would come once in two thousand tries


def test_a_level_that_is_not_kept_is_told() -> None:
    assert broken([Counted("alike", 1_000, 50, 0, 0), Counted("worse by the margin", 1_000, 0, 0, 25)]) == []
    told = broken([Counted("alike", 1_000, 80, 0, 0), Counted("worse by the margin", 1_000, 0, 0, 45)])
    assert told == [
        "alike: a difference is shown in 80 of 1000, more than 5.0%",
        "worse by the margin: no harm is shown in 45 of 1000, more than 2.5%",
    ]


@pytest.mark.slow
def test_it_prints_what_it_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--times", "1", "--json"]) == 0
    assert [one["world"] for one in json.loads(capsys.readouterr().out)] == list(WORLDS)
