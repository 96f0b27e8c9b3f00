"""Rationales offline, counted: labelled claims, planted errors, sentences that their source turns, invented reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.judge import rationales
from benchmarks.judge.labelled import SETS

ROWS = [
    ("Birds nest in the tall grass in June.", "Birds nest in the tall grass in June.", "supports"),
    ("The mill was paid for by the king.", "A barge brought coal to the harbour on most days.", "does_not_support"),
    (
        "The harbour was dug out in 1875.",
        "The harbour was dug out by hand in 1874 after the flood.",
        "partially_supports",
    ),
]
SHARED = Path(__file__).parents[2] / "../shared/data/claims"


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    for at, name in enumerate(SETS):
        rows = [
            {"id": f"{at}-{number}", "claim": claim, "source_sentences": [source], "label": label}
            for number, (claim, source, label) in enumerate(ROWS[at:] + ROWS[:at])
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return tmp_path


def test_each_set_is_counted_and_what_readers_said_is_held_against_it(
    claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rationales.main([str(claims)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sets"]["readers, supports"] == {"n": 3, "grounded": 3}
    assert found["sets"]["readers, does_not_support"] == {"n": 3, "fabricated": 3}
    assert found["sets"]["turned, denied"]["n"] == found["sets"]["turned, denied"]["fabricated"]
    assert "grounded" not in found["sets"]["turned, a critic's"]
    assert "grounded" not in found["sets"]["turned, avoided"]
    assert found["grounded and supported"]["right"] == found["grounded and supported"]["of"] == 3
    assert found["made up and not wholly supported"]["of"] == 6


def test_a_folder_without_claims_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rationales.main([str(tmp_path)]) == 3
    assert "wice-dev.jsonl" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the labelled claims are not beside the project")
def test_of_readers_claims_what_is_decided_is_right_as_often_as_the_documentation_says() -> None:
    found = rationales.of_readers(SHARED)
    assert found["grounded and supported"] == {"right": 90, "of": 91, "share": 0.989, "interval": [0.94, 0.998]}
    assert found["made up and not wholly supported"]["right"] == 95
    assert found["made up and not wholly supported"]["of"] == 98
