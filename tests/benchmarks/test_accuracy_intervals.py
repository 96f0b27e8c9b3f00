from __future__ import annotations

from benchmarks.accuracy.intervals import told


def test_of_nothing_nothing_is_told() -> None:
    assert told(0, 0) == "–"


def test_a_share_is_told_with_its_interval() -> None:
    assert told(49, 50) == "0.980 (0.90–1.00)"
