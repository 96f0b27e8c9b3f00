from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import retrieval_scoring
from benchmarks.timing import Options, Unavailable
from gitops.errors import CannotRun


def test_without_pytrec_eval_there_is_nothing_to_be_held_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pytrec_eval", None)
    with pytest.raises(Unavailable, match="not installed"):
        retrieval_scoring.run(Options(tmp_path, rounds=1, scale=0.001))


def test_a_side_that_comes_to_other_numbers_is_no_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pytrec_eval")
    monkeypatch.setattr(retrieval_scoring, "in_memory", lambda *_: {"map": 0.0})
    with pytest.raises(CannotRun, match=r"map is 0\.0 here"):
        retrieval_scoring.run(Options(tmp_path, rounds=1, scale=0.001))


def test_files_and_dictionaries_come_to_the_same(tmp_path: Path) -> None:
    qrels, rankings = retrieval_scoring.corpus(20)
    files = tmp_path / "qrels", tmp_path / "ranking"
    retrieval_scoring.write(qrels, rankings, *files)
    assert retrieval_scoring.from_files(*files) == retrieval_scoring.in_memory(qrels, rankings)


def test_it_runs_and_says_how_large_it_was(tmp_path: Path) -> None:
    pytest.importorskip("pytrec_eval")
    memory, files = retrieval_scoring.run(Options(tmp_path, rounds=1, scale=0.002))
    assert (memory.size, memory.limit, files.limit) == (20, 1.0, 1.0)
