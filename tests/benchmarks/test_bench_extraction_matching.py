from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import extraction_matching
from benchmarks.timing import Options
from gitops.errors import CannotRun
from gitops.extraction.matching import match
from gitops.wiki.snapshot import MemorySnapshot


def test_files_that_hold_no_valid_atom_are_no_measurement() -> None:
    with pytest.raises(CannotRun, match="no valid atom"):
        extraction_matching.read(MemorySnapshot({"a.md": b"# No frontmatter\n"}))
    with pytest.raises(CannotRun, match="no valid atom"):
        extraction_matching.read(MemorySnapshot({"a.md": b"---\ntype: team\ntitle: A\n---\n"}))


def test_the_cases_are_what_they_say() -> None:
    def matched(one: MemorySnapshot, other: MemorySnapshot) -> list[str]:
        found = match(extraction_matching.read(one), extraction_matching.read(other), "canonical")
        return [pair.by for pair in found.pairs]

    files, size = extraction_matching.files, 60
    plain = files(extraction_matching.plain(size))
    assert matched(plain, plain) == ["id"] * size
    first, second = (files(extraction_matching.titled(size, name)) for name in "ab")
    assert matched(first, second) == ["title"] * size
    kinds = matched(files(extraction_matching.contested(size, 1)), files(extraction_matching.contested(size, 2)))
    assert kinds.count("id") == size // 2
    assert kinds.count("title") > size // 4


def test_it_runs_and_says_how_large_it_was(tmp_path: Path) -> None:
    ratios = extraction_matching.run(Options(tmp_path, rounds=1, scale=0.005))
    assert len(ratios) == 4
    assert {(ratio.size, ratio.limit, ratio.floor) for ratio in ratios} == {(50, 3.0, "reading 50 files")}
