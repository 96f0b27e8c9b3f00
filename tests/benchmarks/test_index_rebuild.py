from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import index_rebuild, recorded
from benchmarks.timing import Options
from gitops.errors import CannotRun
from gitops.index.database import open_index
from gitops.index.records import dump


def test_a_run_that_gets_lost_is_no_measurement(tmp_path: Path) -> None:
    repository = recorded.opened(tmp_path / "records.git")
    recorded.fill(repository, 3)
    with pytest.raises(CannotRun, match="3 runs and 3 verdicts of 4"):
        index_rebuild.rebuilding(repository, 4)()


def test_the_index_holds_every_run_verdict_and_claim(tmp_path: Path) -> None:
    ratio, signed = index_rebuild.run(Options(tmp_path, rounds=1, scale=0.001))
    assert (ratio.size, ratio.name) == (10, "index rebuild, 5 runs and 5 verdicts")
    assert (signed.size, signed.name) == (10, f"{ratio.name}, signed")
    for name in ("records.git", "signed.git"):
        tables = dump(open_index(tmp_path / name / "assay/index.sqlite3"))
        assert len(tables["runs"]) == len(tables["verdicts"]) == 5
        assert len(tables["wiki_claim_provenance"]) == 10


def test_the_floor_prints_every_record(tmp_path: Path) -> None:
    repository = recorded.opened(tmp_path / "records.git")
    recorded.fill(repository, 3)
    command = ["sh", "-c", index_rebuild._printing()]
    printed = subprocess.run(command, cwd=repository.git_dir, capture_output=True, text=True, check=True).stdout
    assert printed.count('"kind":"state"') == 9
    assert printed.count('"kind":"verdict"') == 3
