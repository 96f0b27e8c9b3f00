from __future__ import annotations

from pathlib import Path

import pytest

from gitops.index.terms import TermIndex, Terms

DOCUMENTS: dict[str, Terms] = {
    "wiki/a.md": ("b1", ["cold", "brew", "café"]),
    "wiki/b.md": ("b2", ["cold", "snap"]),
    "wiki/c.md": ("b3", ["brew", "cold", "東京", "京都"]),
    "wiki/d.md": ("b4", []),
}


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        ([], []),
        (["tea"], []),
        (["cold"], ["a", "b", "c"]),
        (["cold", "brew"], ["a", "c"]),
        (["brew", "cold", "brew"], ["a", "c"]),
        (["cold", "tea"], []),
        (["東京", "京都"], ["c"]),
        (["Cold"], []),
        (['cold" OR "brew'], []),
        (["café"], ["a"]),
    ],
)
def test_documents_that_hold_every_one_of_some_terms(tmp_path: Path, terms: list[str], found: list[str]) -> None:
    index = TermIndex(tmp_path / "cache.sqlite3", "main", "wiki", "1")
    with index.at("t1", lambda _: DOCUMENTS.items()) as reader:
        assert sorted(reader.holding(terms)) == [f"wiki/{name}.md" for name in found]
