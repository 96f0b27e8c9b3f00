from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import pre_receive
from benchmarks.timing import Options


@pytest.mark.slow
def test_a_small_wiki_is_pushed_to_a_gate_and_past_an_empty_hook(tmp_path: Path) -> None:
    [ratio] = pre_receive.run(Options(tmp_path, rounds=1, scale=0.0005))
    assert (ratio.size, ratio.limit) == (50, 2.0)
    assert len(ratio.seconds) == len(ratio.floor_seconds) == 1
    assert ratio.ratio > 0
    for name in ("gate-0", "idle-0"):
        tip = (tmp_path / f"{name}.git/refs/heads/main").read_text()
        assert tip.strip() != ""
