"""`git assay eval report`: from the notes of a real repository, in words, as JSON and as a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.git.repository import open_repository
from gitops.runs import measurements
from gitops.runs.context import Context
from tests.report.eval_reports import NOW, series

Command = Callable[..., Any]
STEERED = str(int(NOW.timestamp()))


@pytest.fixture
def measured(wiki: Path, git: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small wiki with four weeks of measurements, and a clock that stands at their end."""
    monkeypatch.setenv("ASSAY_CLOCK", STEERED)
    commit = git(wiki, "rev-parse", "HEAD")
    context = Context(open_repository(wiki), lambda: NOW)
    for one in series():
        measurements.append(context, one.model_copy(update={"commit": commit, "workspace": "plant"}))
    return wiki


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("M8",), "there is no metric 'M8'"),
        (("--details", "M12"), "there is no metric 'M12'"),
        (("M1", "--details", "M2"), "one metric at a time: M1 or M2"),
        (("M1,M2",), "one metric at a time: M1 or M2"),
        (("--workspace", "other"), "other"),
        (("--since", "soon"), "'soon' is neither a span of time nor a date: 30d, 12w, 48h, or 2026-03-01"),
        (("--since", "0d"), "'0d' is neither"),
        (("--since", "2026-02-30"), "'2026-02-30' is neither"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    assay: Command, refused: Command, wiki: Path, words: tuple[str, ...], said: str
) -> None:
    refused(assay(wiki, "eval", "report", *words), 2, said)


def test_a_repository_without_a_commit_has_nothing_to_report(
    assay: Command, refused: Command, make_repository: Command
) -> None:
    refused(assay(make_repository(), "eval", "report"), 3, "no commit yet")


def test_a_page_that_cannot_be_written_is_refused(assay: Command, refused: Command, measured: Path) -> None:
    done = assay(measured, "eval", "report", "--html", "no/such/folder.html")
    refused(done, 3, "cannot write no/such/folder.html: No such file or directory")


def test_where_nothing_was_measured_it_says_how_to_and_that_is_no_error(assay: Command, wiki: Path) -> None:
    done = assay(wiki, "eval", "report")
    assert done.code == 0
    assert done.out == "Workspace: plant\n\nNo metric has been measured here yet: git assay eval run\n"
    assert "No metric has been measured" in assay(wiki, "eval", "report", "M1").out


def test_the_whole_report(assay: Command, measured: Path) -> None:
    done = assay(measured, "eval", "report")
    assert done.code == 0
    head = "Workspace: plant\nEval runs in the last 30 days:\n\n"
    assert done.out.startswith(f"{head}M1  citation fidelity       0.81  (BROKEN)")
    assert "last run 2026-04-15, next 2026-04-22" in done.out
    assert "Scheduled synthesis BLOCKED by M1." in done.out
    assert "the capability floor of preset 'offline' has not been tested: git assay eval floor" in done.out
    assert "failing claims:" not in done.out
    assert "failing claims: 2" in assay(measured, "eval", "report", "--details").out


@pytest.mark.parametrize("words", [("M1",), ("M1", "--details"), ("--details", "M1"), ("--details", "m1"), ("m1",)])
def test_one_metric_with_its_cases_however_it_is_asked(assay: Command, measured: Path, words: tuple[str, ...]) -> None:
    done = assay(measured, "eval", "report", *words)
    assert done.code == 0
    assert "wiki/coffee/cold-brew.md:24  does not support" in done.out
    assert "M2" not in done.out


def test_the_workspace_may_be_named_before_and_after(assay: Command, measured: Path) -> None:
    whole = assay(measured, "eval", "report").out
    assert assay(measured, "eval", "report", "--workspace", "plant").out == whole
    assert assay(measured, "--workspace", "plant", "eval", "report").out == whole


@pytest.mark.parametrize(("since", "count"), [("30d", 4), ("2w", 2), ("48h", 1), ("2026-04-01", 3), ("2026-04-16", 0)])
def test_how_far_back_is_said_as_a_span_or_a_day(assay: Command, measured: Path, since: str, count: int) -> None:
    told = json.loads(assay(measured, "eval", "report", "--since", since, "--json").out)
    assert len(told["metrics"][0]["series"]) == count
    assert told["metrics"][0]["score"] == 0.81


def test_json_has_details_where_they_are_asked_for(assay: Command, measured: Path) -> None:
    assert json.loads(assay(measured, "eval", "report", "--json").out)["details"] == {}
    told = json.loads(assay(measured, "eval", "report", "M5", "--json").out)
    assert set(told["details"]) == {"M5"}
    assert len(told["metrics"]) >= 6
    every = json.loads(assay(measured, "eval", "report", "--details", "--json").out)
    assert set(every["details"]) >= {"M1", "M6", "M9"}


def test_a_metric_that_only_notes_know_can_be_asked_for(assay: Command, measured: Path) -> None:
    done = assay(measured, "eval", "report", "M9", "--details")
    assert (done.code, "\nM9 " in done.out) == (0, True)


def test_the_page_is_written_where_it_is_said(assay: Command, measured: Path) -> None:
    done = assay(measured, "eval", "report", "--html", "report.html")
    assert (done.code, done.out, done.err) == (0, "", "wrote report.html\n")
    made = (measured / "report.html").read_text("utf-8")
    assert made.startswith("<!doctype html>")
    assert "<title>plant: eval report of 2026-04-16</title>" in made
    quiet = assay(measured, "-q", "eval", "report", "--html", "report.html", "--json")
    assert quiet.err == ""
    assert json.loads(quiet.out)["workspace"] == "plant"


def test_a_note_that_is_none_is_told_and_skipped(assay: Command, measured: Path, git: Command) -> None:
    git(measured, "notes", "--ref=assay/evals", "append", "-m", '{"half a line')
    done = assay(measured, "eval", "report")
    assert done.code == 0
    assert "0.81  (BROKEN)" in done.out
    assert done.err.count("skipped") == 1


def test_what_is_really_measured_is_reported_case_by_case(
    assay: Command, make_wiki: Command, commit_files: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "# Solvents\n\nSolvent use fell by two fifths.[^1]\n\n"
    page += 'Emissions rose.[^2]\n\n[^1]: raw/report.md, "never said by anyone here at all"\n[^2]: raw/gone.md\n'
    wiki = make_wiki({"wiki/solvents.md": page, "wiki/index.md": "# Index\n\n- [Solvents](solvents.md)\n"})
    assert assay(wiki, "eval", "run", "--metric", "M1").code == 0
    told = assay(wiki, "eval", "report", "M1").out
    assert "M1  citation fidelity       0.00  (BROKEN)" in told
    assert "failing claims: 2" in told
    assert "wiki/solvents.md:3  does not support" in told
    assert "wiki/solvents.md:5  source missing" in told
    monkeypatch.setenv("ASSAY_CLOCK", str(1_704_164_645 + int(timedelta(days=8).total_seconds())))
    assert "due now" in assay(wiki, "eval", "report").out
    assert assay(wiki, "eval", "report", "--html", "r.html").code == 0
    assert "wiki/solvents.md:3" in (wiki / "r.html").read_text("utf-8")
