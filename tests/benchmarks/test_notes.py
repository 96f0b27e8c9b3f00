from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import notes
from benchmarks.timing import Options
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot

pytestmark = pytest.mark.slow


def test_both_sides_write_the_notes_they_are_timed_for(tmp_path: Path) -> None:
    (ratio,) = notes.run(Options(tmp_path, rounds=1, scale=0.03))
    repository = open_repository(tmp_path / "notes.git")
    ours, theirs = (list(TreeSnapshot.at(repository, ref).paths()) for ref in (notes.OURS, notes.THEIRS))
    assert (ratio.size, len(ours), len(theirs)) == (300, 300, notes.LOOP)


def test_the_floor_says_how_it_was_extrapolated(tmp_path: Path) -> None:
    (ratio,) = notes.run(Options(tmp_path, rounds=1, scale=0.03))
    assert ratio.floor == "git notes add (200 in a loop, times 1.5)"
