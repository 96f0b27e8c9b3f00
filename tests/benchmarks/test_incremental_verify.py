from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import incremental_verify
from benchmarks.timing import Options


@pytest.mark.slow
def test_warm_cold_and_landing_are_told_and_the_runs_have_landed(tmp_path: Path) -> None:
    ratios = incremental_verify.run(Options(tmp_path, rounds=1, scale=0.001))
    assert [(ratio.name, ratio.limit) for ratio in ratios] == [
        ("verify, warm", incremental_verify.LIMIT),
        ("verify, cold", None),
        ("run finish, warm", None),
    ]
    for name, pages in (("small", incremental_verify.FEWEST), ("large", 100)):
        command = ["git", "-C", str(tmp_path / name), "rev-list", "--merges", "--count", "main"]
        landed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert int(landed) == 2, f"a warm-up and a round in the wiki of {pages}"
