from __future__ import annotations

from collections.abc import Sequence

import pytest
from rich.console import RenderableType

from gitops.eviction import calibrating
from gitops.eviction.calibrating import Calibrated, Part
from gitops.eviction.heuristic import BUILT_IN, Weights
from gitops.eviction.predicting import Measured
from gitops.eviction.rates import rates
from gitops.report.eviction import calibration_words, online_words, report_words
from gitops.report.text import show
from tests.eviction.resolutions import candidate, many, resolved


def printed(capsys: pytest.CaptureFixture[str], words: RenderableType) -> str:
    show(words)
    return capsys.readouterr().out


def calibrated(measures: Sequence[Measured] = ()) -> Calibrated:
    part = Part(1_200, 300, 90, 1)
    return Calibrated(BUILT_IN, Weights(memory=2.25), part, part, False, "proposal", 7, tuple(measures), (), ())


def test_the_report_has_a_table_for_each_way_of_telling_candidates_apart(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, report_words(rates([*many(60, 100), *many(1, 5, "memory", 0.4, scope="other")])))
    for heading in ("zone", "age in turns", "score", "scope"):
        assert f"\n{heading} " in out
    assert "kept back in 60 of 100 cases" in out
    assert "in no rate" not in out


def test_of_proposals_that_nobody_answered_there_is_no_rate(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, report_words(rates([resolved([candidate("a")], by="auto")])))
    assert out.splitlines() == [
        "1 proposal resolved: 1 by auto",
        "what nobody answered in time says nothing of need, and is in no rate",
    ]


def test_of_many_scopes_those_with_most_are_shown_and_how_many_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = [pair for number in range(25) for pair in many(1, 2 + number, scope=f"talk-{number:02d}")]
    out = printed(capsys, report_words(rates(pairs)))
    assert "talk-24" in out
    assert "talk-04" not in out
    assert "and 5 more scopes: --json has them" in out


def test_a_scope_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, report_words(rates([*many(1, 3, scope="\x1b[2Jevil\n"), *many(1, 2, scope="b")])))
    assert "\x1b" not in out
    assert "evil" in out


def test_a_long_scope_keeps_its_beginning_and_end_within_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"run-2026-11-22T17-40-00-{'x' * 150}/verifier-{number}" for number in (1, 2)]
    out = printed(capsys, report_words(rates([pair for name in names for pair in many(1, 120, scope=name)])))
    assert max(map(len, (line for line in out.splitlines() if "…" in line))) <= 80
    assert all(f"xx/verifier-{number} " in out for number in (1, 2))


def test_what_foretells_no_better_is_said_to_be_left(capsys: pytest.CaptureFixture[str]) -> None:
    same = Measured("brier", 0.2, 0.21, 0.01, (0.1, 0.3), (0.1, 0.3), (-0.02, 0.03))
    table = calibrating.toml(Weights(memory=2.25))
    out = printed(capsys, calibration_words(calibrated([same]), table))
    assert "leave those as they are" in out
    assert "difference  +0.010  -0.020 to +0.030  no difference shown" in out
    assert "memory         1.5      2.25    +0.75" in out
    assert table in out
    better = Measured("brier", 0.2, 0.1, -0.1, (0.1, 0.3), (0.05, 0.2), (-0.15, -0.05))
    out = printed(capsys, calibration_words(calibrated([same, better]), table, "w.toml"))
    assert "leave those" not in out
    assert "wrote w.toml" in out
    assert table not in out


def test_online_weights_stand_beside_those_of_the_policy(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, online_words(BUILT_IN, Weights(tokens=0.4), Part(900, 10, 80, 3), ["eviction", "words"]))
    assert out.startswith(
        "online, by 900 candidates, 10 of them kept back, of 80 proposals in 3 scopes; no harm is shown"
    )
    assert "tokens         -0.1     0.4   +0.50" in out
