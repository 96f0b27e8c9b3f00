from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import eval_cascade
from benchmarks.timing import Options

pytestmark = pytest.mark.slow


def test_it_measures_an_ingest_with_and_without_the_index_and_a_growing_corpus(tmp_path: Path) -> None:
    ratios = eval_cascade.run(Options(tmp_path, rounds=1, scale=0.002))
    assert [(ratio.limit, ratio.size) for ratio in ratios] == [(1.1, 20), (0.1, 20), (0.01, 20)]
    assert all(seconds > 0 for ratio in ratios for seconds in (*ratio.seconds, *ratio.floor_seconds))


def test_what_it_measures_is_the_same_with_the_index(tmp_path: Path) -> None:
    mill = eval_cascade.Mill(tmp_path / "mill.git")
    eval_cascade._build(mill, 40, 5)
    eval_cascade._ingest(mill)
    cold = eval_cascade._compute(mill)
    eval_cascade._forget(mill)
    eval_cascade._count_pages(mill)
    assert eval_cascade._compute(mill) == cold
    assert len(cold.details["ingests"][0]["terms"]) == 20
