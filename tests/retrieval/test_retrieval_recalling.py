from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.retrieval.recalling import history, recall
from gitops.retrieval.results import lines
from gitops.retrieval.running import by_workflow, measured
from gitops.runs import evalruns, measurements
from gitops.runs.measurements import Measurement
from tests.retrieval.tide_wiki import FILES, Tides, results


@pytest.fixture
def tides(make_repository: Callable[..., Path]) -> Tides:
    return Tides(make_repository(FILES))


def kept(tides: Tides) -> Measurement:
    made = measured(tides.context, tides.workspace, tides.commit, by_workflow(tides.workflow(), tides.gold, 10))
    tides.later(seconds=10)
    return evalruns.record(tides.context, tides.workspace, made)


def recalled(tides: Tides, word: str) -> Measurement:
    return recall(tides.context, tides.folder, word, lambda commit: "tides")


def test_what_is_nothing_is_refused(tides: Tides) -> None:
    with pytest.raises(UsageError, match="'nothing' is no revision, no run, and no file") as refused:
        recalled(tides, "nothing")
    assert "git assay retrieval list" in refused.value.hint


def test_a_commit_that_was_never_measured_is_told_with_what_measures_it(tides: Tides) -> None:
    with pytest.raises(CannotRun, match="was never measured") as refused:
        recalled(tides, "HEAD")
    assert refused.value.hint == "git assay retrieval run --rev HEAD"


def test_a_commit_of_which_something_else_was_measured_has_no_retrieval(
    tides: Tides, commit_files: Callable[..., str]
) -> None:
    other = kept(tides).model_copy(update={"kind": "verifier_test", "run_id": "20240102-030405-00000000"})
    commit = commit_files(tides.folder, {"x": "x"})
    measurements.append(tides.context, other.model_copy(update={"commit": commit}))
    with pytest.raises(CannotRun, match="HEAD holds no measurement of retrieval") as refused:
        recalled(tides, "HEAD")
    assert refused.value.hint == "git assay retrieval run --rev HEAD"


def test_outside_of_a_repository_only_a_file_can_be_meant(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'HEAD' is no file, and here is no repository"):
        recall(None, tmp_path, "HEAD", str)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"schema": "assay/status/1"}')
    with pytest.raises(UsageError, match=r"x\.json: this is no measurement") as refused:
        recall(None, tmp_path, "x.json", str)
    assert refused.value.hint == "git assay retrieval run --json prints some"


def test_results_are_no_measurement_and_it_is_said_what_becomes_of_them(tides: Tides) -> None:
    (tides.folder / "mine.jsonl").write_text("".join(lines(results())))
    for context in (None, tides.context):
        with pytest.raises(UsageError, match=r"mine\.jsonl, line 1: this is no measurement") as refused:
            recall(context, tides.folder, "mine.jsonl", lambda commit: "tides")
        assert "--gold FILE --results FILE" in refused.value.hint


def test_a_run_is_found_by_its_id_its_beginning_and_its_commit(tides: Tides) -> None:
    first, second = kept(tides), kept(tides)
    for word, found in ((first.run_id, first), (second.run_id[:-2], second), ("HEAD", second), ("main", second)):
        assert recalled(tides, word) == found
    with pytest.raises(UsageError, match="may be any of"):
        recalled(tides, first.run_id[:9])


def test_a_file_has_the_measurement_as_it_was_printed(tides: Tides, tmp_path: Path) -> None:
    made = kept(tides)
    (tmp_path / "kept").write_text(json.dumps(made.record()))
    assert recall(None, tmp_path, "kept", str) == made
    assert recall(tides.context, tmp_path, "kept", str) == made
    with pytest.raises(UsageError, match="no measurement of other"):
        recall(None, tmp_path, "kept", str, "other")


def test_a_run_that_was_scored_again_is_known_by_all_of_its_measurements(tides: Tides) -> None:
    first = kept(tides)
    again = evalruns.record_again(tides.context, first.model_copy(update={"completed_at": "2024-01-02T03:09:00Z"}))
    assert recalled(tides, first.run_id) == again
    assert history(tides.context, again) == [first, again]
    assert history(tides.context, again.model_copy(update={"run_id": "20240102-030405-00000000"})) == []
    assert history(tides.context, again.model_copy(update={"commit": ""})) == []
