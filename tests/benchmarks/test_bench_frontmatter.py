from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from benchmarks import frontmatter
from benchmarks.timing import Options


def test_a_page_without_frontmatter_is_no_measurement() -> None:
    with pytest.raises(ValueError, match="not read"):
        frontmatter.values(["# No frontmatter\n"])


def test_a_fault_is_no_measurement() -> None:
    with pytest.raises(ValueError, match="not read"):
        frontmatter.values(["---\na: 1\na: 2\n---\n"])


def test_both_sides_read_the_same_values_but_for_the_dates() -> None:
    pages = [frontmatter.page(number) for number in range(20)]
    for text, ours in zip(pages, frontmatter.values(pages), strict=True):
        theirs = yaml.load(text[4 : text.index("\n---\n")], yaml.CSafeLoader)
        assert ours == {key: str(value) if key in ("created", "updated") else value for key, value in theirs.items()}


def test_it_runs_and_says_how_large_it_was(tmp_path: Path) -> None:
    (ratio,) = frontmatter.run(Options(tmp_path, rounds=1, scale=0.01))
    assert (ratio.size, ratio.limit) == (10, 1.2)
