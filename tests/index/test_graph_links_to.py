from __future__ import annotations

from pathlib import Path

from gitops.index.graph import GraphIndex, PageRow

TREE = "a" * 40


def test_only_the_links_of_that_page_to_that_name_in_their_order(tmp_path: Path) -> None:
    links = (("wiki", "b", "b"), ("wiki", "c", "c"), ("markdown", "x/b.md", "b"))
    rows = [
        PageRow("wiki/a.md", "1" * 40, ("a",), links, ()),
        PageRow("wiki/c.md", "2" * 40, ("c",), (("wiki", "B", "b"),), ()),
    ]
    index = GraphIndex(tmp_path / "cache.sqlite3", ".", "1")
    with index.at(TREE, lambda stored: [(row.path, row) for row in rows]) as graph:
        assert graph.links_to("wiki/a.md", "b") == [("wiki", "b"), ("markdown", "x/b.md")]
        assert graph.links_to("wiki/c.md", "b") == [("wiki", "B")]
        assert graph.links_to("wiki/a.md", "none") == graph.links_to("wiki/none.md", "b") == []


def test_another_workspace_in_the_same_file_is_apart(tmp_path: Path) -> None:
    row = PageRow("wiki/a.md", "1" * 40, ("a",), (("wiki", "b", "b"),), ())
    path = tmp_path / "cache.sqlite3"
    with GraphIndex(path, "one", "1").at(TREE, lambda stored: [(row.path, row)]):
        pass
    with GraphIndex(path, "two", "1").at(TREE, lambda stored: []) as graph:
        assert graph.links_to("wiki/a.md", "b") == []
