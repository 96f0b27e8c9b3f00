"""`git assay metrics` of extractions: the newest run of each extractor that has landed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gitops.runs import measurements
from gitops.runs.measurements import Measurement
from tests.cli.test_cli_metrics import context_of, head, metrics
from tests.extraction.compared_runs import DANGLING, NAMES, NO_AUDITOR, measured

Command = Callable[..., Any]
OF = ("git-assay", "offline", "extraction")
"""The labels extractor, preset and suite, in the order of their names; `metric` and `kind` come before the last two."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Measurement:
    """Three cases: one lacks an atom, one has an edge to nobody."""
    changed = {NAMES[0]: NO_AUDITOR, NAMES[1]: DANGLING}
    return measured(tmp_path_factory.mktemp("run"), changed, NAMES[:3])


def keep(wiki: Path, made: Measurement, **changed: Any) -> None:
    measurements.append(context_of(wiki), made.model_copy(update={"commit": head(wiki), **changed}))


def told(found: Mapping[tuple[str, ...], float], family: str) -> dict[str, float]:
    """The numbers of a family by its own label, which stands between the extractor and the preset."""
    mine = {key[1:]: value for key, value in found.items() if key[0] == family}
    assert all((key[0], *key[2:]) == OF for key in mine)
    return {key[1]: value for key, value in mine.items()}


def test_each_number_its_interval_and_its_bar(wiki: Path, assay: Command, run: Measurement) -> None:
    keep(wiki, run)
    found = metrics(wiki, assay)
    score = told(found, "assay_extraction_score")
    assert set(score) == {
        *("atom_precision", "atom_recall", "atom_f1", "type_accuracy", "edge_precision", "edge_recall", "edge_f1"),
        *("stages_exact", "stages_lcs", "validity", "faithfulness"),
    }
    assert score["atom_recall"] == pytest.approx(26 / 27, abs=1e-6)
    low, high = (told(found, f"assay_extraction_score_{end}") for end in ("low", "high"))
    assert low["atom_recall"] < score["atom_recall"] < high["atom_recall"]
    assert told(found, "assay_extraction_faults") == {"graph_errors": 1, "graph_warnings": 0}
    bars = {"atom_f1": 0.6, "edge_f1": 0.5, "validity": 1, "graph_errors": 0, "faithfulness": 0.8}
    assert told(found, "assay_extraction_bar") == bars
    assert told(found, "assay_extraction_bar_reached") == {**dict.fromkeys(bars, 1), "graph_errors": 0}
    wrong = told(found, "assay_extraction_problems")
    assert {kind: count for kind, count in wrong.items() if count} == {"missed": 1, "mislinked": 1, "graph": 1}
    assert found["assay_extraction_cases", *OF] == 3
    assert found["assay_extraction_run_timestamp_seconds", *OF] == 1704164646


def test_what_was_not_measured_has_no_number_and_reaches_no_bar(wiki: Path, assay: Command, run: Measurement) -> None:
    none = run.metrics["faithfulness"].model_copy(update={"value": None, "interval": None, "status": "not_measured"})
    keep(wiki, run, metrics={**run.metrics, "faithfulness": none})
    found = metrics(wiki, assay)
    for family in ("assay_extraction_score", "assay_extraction_score_low", "assay_extraction_score_high"):
        assert "faithfulness" not in told(found, family)
        assert "atom_f1" in told(found, family)
    assert "faithfulness" not in told(found, "assay_extraction_bar_reached")
    assert told(found, "assay_extraction_bar")["faithfulness"] == 0.8


def test_the_newest_of_each_extractor_that_has_landed(
    wiki: Path, assay: Command, git: Callable[..., str], run: Measurement
) -> None:
    keep(wiki, run)
    keep(wiki, run, completed_at="2024-01-02T03:04:09Z", samples=run.samples[:2])
    keep(wiki, run, subject={"extractor": "theirs"}, samples=run.samples[:1])
    git(wiki, "switch", "--quiet", "--create", "change")
    git(wiki, "commit", "--quiet", "--allow-empty", "--message", "Change")
    keep(wiki, run, completed_at="2024-01-02T03:04:10Z", samples=())
    git(wiki, "switch", "--quiet", "main")
    found = metrics(wiki, assay)
    assert found["assay_extraction_cases", *OF] == 2
    assert found["assay_extraction_cases", "theirs", "", "extraction"] == 1
    git(wiki, "merge", "--quiet", "--ff-only", "change")
    assert metrics(wiki, assay)["assay_extraction_cases", *OF] == 0


def test_a_record_of_anothers_making_holds_up_nothing(wiki: Path, assay: Command, run: Measurement) -> None:
    keep(wiki, run, details={"problem_counts": {"missed": "many"}}, subject={"extractor": 7})
    found = metrics(wiki, assay)
    assert found["assay_extraction_problems", "7", "missed", "", "extraction"] == 0
    assert found["assay_extraction_cases", "7", "", "extraction"] == 3


def test_of_another_workspace_nothing_is_told(wiki: Path, assay: Command, run: Measurement) -> None:
    keep(wiki, run, workspace="field")
    assert metrics(wiki, assay, "--workspace", "plant") == {}
