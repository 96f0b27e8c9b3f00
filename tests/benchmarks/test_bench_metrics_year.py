from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import metrics_year
from benchmarks.__main__ import registry

pytestmark = pytest.mark.slow


def test_it_is_found() -> None:
    assert registry()["metrics_year"] is metrics_year.run


def test_all_metrics_and_the_suite_are_told_of_the_last_day_whatever_is_cached(tmp_path: Path) -> None:
    folder = tmp_path / "wiki"
    metrics_year.build(folder, 9)
    last = metrics_year._BEGIN + 8 * metrics_year._DAY
    told = []
    for kept in ("", metrics_year._BEFORE, metrics_year._AFTER):
        metrics_year.printed(folder, kept)()
        path = os.fspath(Path(__file__).parents[2])
        done = subprocess.run(
            [sys.executable, "-m", "gitops", "metrics"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(done.stdout)
    assert told[0].count("_timestamp_seconds{") == 6
    assert told[0].count(f" {last}\n") == 6
    assert told[0] == told[1] == told[2]
