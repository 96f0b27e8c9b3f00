from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.graph import (
    MemoryGraph,
    Overlay,
    PageFacts,
    facts,
    resolved,
)
from gitops.wiki.layout import Layout
from gitops.wiki.names import Files
from gitops.wiki.page import parse
from gitops.wiki.walks import linked_from, linking_to, reachable

LAYOUT = Layout()


def graph(pages: Mapping[str, str], beside: Iterable[str] = ()) -> MemoryGraph:
    rows = {path: facts(parse(text.encode()), path, LAYOUT) for path, text in pages.items()}
    there = frozenset([*pages, *beside])
    return MemoryGraph(rows, there.__contains__, Files(lambda: there))


def test_facts_are_the_name_the_links_and_the_sources() -> None:
    text = '[[B#h|b]] [c](x/C.md) [d](#here)\n\nA claim.[^1]\n\n[^1]: raw/cafe\u0301.md, "x"; raw/b.md, "y"\n'
    found = facts(parse(text.encode()), "beta/wiki/A.md", Layout("beta"))
    assert found.names == ("a",)
    assert found.links == (("markdown", "x/C.md", "c"), ("wiki", "B", "b"))
    assert found.cites == ("b", "caf\u00e9")


def test_links_to_itself_and_to_files_are_links_to_no_page() -> None:
    one = graph({"wiki/a.md": "[[a]] [x](../raw/x.md) [gone](gone.md)\n"}, ["raw/x.md"])
    assert linked_from(one, LAYOUT, "wiki/a.md") == set()
    assert list(linking_to(one, LAYOUT, "wiki/a.md")) == []
    assert resolved(one, LAYOUT, "wiki/a.md", "markdown", "gone.md").status == "broken"


def test_an_ambiguous_link_counts_for_each_page_it_may_mean() -> None:
    one = graph({"wiki/index.md": "[[a]]\n", "wiki/x/a.md": "", "wiki/y/a.md": ""})
    assert linked_from(one, LAYOUT, "wiki/index.md") == {"wiki/x/a.md", "wiki/y/a.md"}
    assert list(linking_to(one, LAYOUT, "wiki/y/a.md")) == ["wiki/index.md"]


def test_a_name_alone_is_no_link_to_a_page_elsewhere() -> None:
    one = graph({"wiki/index.md": "[a](x/a.md)\n", "wiki/x/a.md": "", "wiki/y/a.md": ""})
    assert list(linking_to(one, LAYOUT, "wiki/y/a.md")) == []


def test_each_page_that_links_is_named_once() -> None:
    one = graph({"wiki/index.md": "[[a]] [a](a.md) ![[a]]\n", "wiki/a.md": ""})
    assert list(linking_to(one, LAYOUT, "wiki/a.md")) == ["wiki/index.md"]


def test_everything_is_reached_in_a_wiki_without_an_index() -> None:
    assert reachable(graph({"wiki/a.md": "[[b]]\n", "wiki/b.md": ""}), LAYOUT, "wiki/b.md")


def test_the_index_is_reached_and_a_ring_beside_it_is_not() -> None:
    one = graph({"wiki/index.md": "Home.\n", "wiki/a.md": "[[b]] [[index]]\n", "wiki/b.md": "[[a]]\n"})
    assert reachable(one, LAYOUT, "wiki/index.md")
    assert not reachable(one, LAYOUT, "wiki/a.md")


@pytest.mark.parametrize(("first", "is_reached"), [("[[p0]]", True), ("Home.", False)])
def test_a_long_chain_is_walked_to_its_end(first: str, is_reached: bool) -> None:
    chain = {f"wiki/p{n}.md": f"[[p{n + 1}]]\n" for n in range(1500)}
    one = graph({"wiki/index.md": first + "\n"} | chain)
    assert reachable(one, LAYOUT, "wiki/p1499.md") is is_reached


class Counting(MemoryGraph):
    asked = 0

    def linking(self, key: str) -> list[tuple[str, tuple[str, str, str]]]:
        Counting.asked += 1
        return list(super().linking(key))


def test_a_great_island_is_not_walked_through() -> None:
    count = 6000
    pages = {f"wiki/p{n}.md": PageFacts((f"p{n}",), tuple(("wiki", f"p{n + d}", f"p{n + d}") for d in (1, 2)))
             for n in range(count)}  # fmt: skip
    pages["wiki/index.md"] = PageFacts(("index",), ())
    Counting.asked = 0
    one = Counting(pages, lambda path: path in pages)
    assert not reachable(one, LAYOUT, f"wiki/p{count - 1}.md")
    assert Counting.asked < count / 2


EDGES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


def linked(edges: set[tuple[int, int]]) -> dict[str, str]:
    names = ["index", *(f"p{n}" for n in range(1, 8))]
    texts = {f"wiki/{name}.md": "" for name in names}
    for start, end in edges:
        texts[f"wiki/{names[start]}.md"] += f"[[{names[end]}]]\n"
    return texts


@given(EDGES)
def test_reaching_is_what_walking_forwards_reaches(edges: set[tuple[int, int]]) -> None:
    one = graph(linked(edges))
    seen, edge = {LAYOUT.index}, {LAYOUT.index}
    while edge:
        edge = {to for page in edge for to in linked_from(one, LAYOUT, page)} - seen
        seen |= edge
    assert {path for path in one.pages if reachable(one, LAYOUT, path)} == seen


@given(EDGES, EDGES, st.sets(st.integers(1, 7), max_size=3))
def test_a_graph_with_changes_laid_over_it_is_the_changed_graph(
    before: set[tuple[int, int]], after: set[tuple[int, int]], gone: set[int]
) -> None:
    old = linked(before)
    new = {path: text for path, text in linked(after).items() if path not in {f"wiki/p{n}.md" for n in gone}}
    base, whole = graph(old), graph(new)
    over = {path: whole.pages.get(path) for path in old if old[path] != new.get(path)}
    laid = Overlay(base, over, new.__contains__)
    for path in old:
        key = path.removeprefix("wiki/").removesuffix(".md")
        assert sorted(laid.named(key)) == sorted(whole.named(key))
        assert sorted(laid.links(path)) == sorted(whole.links(path))
        assert sorted(laid.linking(key)) == sorted(whole.linking(key))
        assert laid.exists(path) == whole.exists(path)


def test_a_changed_page_cites_what_it_cites_now() -> None:
    base = graph({"wiki/a.md": 'A.[^1]\n\n[^1]: raw/a.md, "x"\n', "wiki/b.md": 'B.[^1]\n\n[^1]: raw/a.md, "x"\n'})
    laid = Overlay(base, {"wiki/a.md": PageFacts(cites=("raw/c.md",)), "wiki/b.md": None}, lambda path: True)
    assert (list(laid.citing("raw/a.md")), list(laid.citing("raw/c.md"))) == ([], ["wiki/a.md"])
