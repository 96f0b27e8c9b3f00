from __future__ import annotations

from typing import Any

from rich.console import Console

from gitops.report.floor import words
from gitops.runs.measurements import Measurement


def shown(kept: str = "", **details: Any) -> str:
    number = {"n": 50, "direction": "higher", "unit": "share", "status": "measured"}
    made = Measurement.model_validate(
        {
            **{"summary": "", "kind": "floor", "run_id": "r", "commit": "c" * 40, "workspace": "w", "instrument": {}},
            **{"subject": {"preset": "small"}, "started_at": "", "completed_at": ""},
            "metrics": {
                "M1": number | {"value": 0.96, "interval": (0.87, 0.99), "uncertain": {"cut": 0.95}},
                "M2": number | {"value": None, "status": "not_measured"},
                "tool_call_count": number | {"value": 3.5, "n": 2},
                "landed": number | {"value": 0.5, "n": 2, "counts": {"landed": 1, "refused": 0, "failed": 1}},
            },
            "reason": "M2: no ingest landed",
            "details": {
                "verdict": "not_measured",
                "ingests": [
                    {"source": "a.md", "result": "landed", "runs": 2, "tool_calls": 7},
                    {"source": "b.md", "result": "failed", "runs": 0, "tool_calls": 0, "error": "no \x1b[31manswer"},
                ],
                "failing": {"M1": [], "M2": []},
                **details,
            },
            "used": {"input_tokens": 1200, "output_tokens": 30, "usd": 0.25},
        }
    )
    console = Console(width=120, no_color=True)
    with console.capture() as captured:
        console.print(words(made, kept))
    return captured.get()


def test_what_was_not_measured_and_not_kept_is_said_so() -> None:
    told = shown()
    assert "preset small: not measured" in told
    assert "M2: no ingest landed" in told
    assert "not kept (--no-keep)" in told
    assert "M1: uncertain, for 0.95 lies within the interval" in told


def test_each_source_with_what_came_of_it_and_no_escape_of_an_error_reaches_the_terminal() -> None:
    told = shown()
    assert "landed, in 2 runs" in told
    assert "failed: no " in told
    assert "\x1b" not in told
    assert "3.5 tool calls per ingest; 1 of 2 sources landed" in told
    assert "models used 1,200 tokens in, 30 out, $0.2500" in told


def test_the_cuts_stand_beside_the_scores_and_the_place_where_it_is_kept() -> None:
    told = shown("floor-small.json", verdict="supported")
    assert "0.96" in told
    assert "0.87–0.99" in told
    assert "≥ 0.95" in told
    assert "≥ 0.80" in told
    assert "kept in the notes of cccccccccc (refs/notes/assay/evals) and in floor-small.json" in told


def test_a_few_of_what_was_wanting_are_shown() -> None:
    claims = [{"path": "wiki/a.md", "line": number, "claim": "So it is."} for number in range(1, 8)]
    told = shown(failing={"M1": claims, "M2": [{"page": "wiki/b.md", "terms": ["tide", "moon"]}]})
    assert "M1: wiki/a.md:5: So it is." in told
    assert "wiki/a.md:6" not in told
    assert "M1: and others; --json has more" in told
    assert "M2: wiki/b.md: untouched, and mentions tide, moon" in told
