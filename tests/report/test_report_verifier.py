from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gitops.report.verifier import words
from gitops.runs.measurements import Measurement, Metric

NAMES = ("refused", "by_checks", "by_judge", "noted", "unjudged", "not_applicable")


def share(n: int, *counts: int, direction: Any = "higher") -> Metric:
    refused = counts[0] if counts else 0
    return Metric(
        value=refused / n if n else None,
        n=n,
        interval=(0.1, 0.9) if n else None,
        direction=direction,
        unit="share",
        average="micro",
        status="measured" if n else "not_measured",
        counts=dict(zip(NAMES, counts or (0,) * 6, strict=False)),
    )


def spent(value: float) -> Metric:
    return Metric(value=value, n=3, direction="lower", unit="tokens", status="measured")


def measured(**changed: Any) -> Measurement:
    metrics = {
        "digit": share(40, 30, 0, 30, 6, 2, 11),
        "page_number": share(0),
        "swapped_source": share(5, 5, 5, 0, 0, 0, 0),
        "caught": share(45, 35, 5, 30, 6, 2),
        "wrongly_refused": share(50, 1, 0, 1, 4, 0, 0, direction="lower"),
        "input_tokens": spent(0),
        "output_tokens": spent(0),
        "usd": spent(0),
    }
    return Measurement(
        summary="",
        kind="verifier_test",
        id="a" * 40,
        run_id="r",
        commit="c" * 40,
        workspace="plant",
        subject={"judges": [{"id": "offline", "version": "2"}, {"id": "claude", "version": "opus"}]},
        instrument={"sample": {"seed": 3, "size": 50, "sound_claims": 1234}},
        started_at="",
        completed_at="",
        metrics={**metrics, **changed},
    )


def test_kinds_are_told_with_share_and_interval_and_all_together(in_pipe: Callable[..., str]) -> None:
    lines = in_pipe(words(measured(), is_kept=True)).splitlines()
    assert lines[0] == "judge offline/2+claude/opus"
    assert lines[2].split() == "kind planted caught share 95 % by checks by judges noted unjudged".split()  # noqa: SIM905
    assert lines[3].split() == ["digit", "40", "30", "0.75", "0.10–0.90", "0", "30", "6", "2"]
    assert lines[4].split() == ["swapped", "source", "5", "5", "1.00", "0.10–0.90", "5", "0", "0", "0"]
    assert lines[5].split() == ["all", "45", "35", "0.78", "0.10–0.90", "5", "30", "6", "2"]


def test_controls_and_what_could_not_be_planted_are_told(in_pipe: Callable[..., str]) -> None:
    told = in_pipe(words(measured(), is_kept=True))
    assert "untouched: 1 of 50 sound claims wrongly refused, 0.02 (0.10–0.90); 4 more doubted in a note" in told
    assert "not applicable to any claim here: page number" in told
    assert "cannot be planted in them: digit 11" in told
    assert "1,234 sound claims; up to 50 of each kind, seed 3" in told
    assert told.rstrip().endswith("kept in the notes of cccccccccc (refs/notes/assay/evals) as aaaaaaaaaa")
    assert "tokens" not in told


def test_what_was_spent_is_told_where_anything_was(in_pipe: Callable[..., str]) -> None:
    spending = measured(input_tokens=spent(12_000), output_tokens=spent(300), usd=spent(0.0451))
    told = in_pipe(words(spending, is_kept=False))
    assert "12,000 tokens read, 300 written, 0.0451 USD" in told
    assert "not kept (--no-keep)" in told


def test_without_controls_nothing_is_known_of_wrong_refusals(in_pipe: Callable[..., str]) -> None:
    told = in_pipe(words(measured(wrongly_refused=share(0, direction="lower")), is_kept=True))
    assert "no sound claim could be written anew" in told


def test_a_judge_cannot_steer_the_terminal(on_terminal: Callable[..., str]) -> None:
    hostile = measured().model_copy(update={"subject": {"judges": [{"id": "\x1b[2J", "version": "1"}]}})
    assert "\x1b[2J" not in on_terminal(words(hostile, is_kept=True))
