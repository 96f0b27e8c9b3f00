from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.graph import MemoryGraph, PageFacts
from gitops.wiki.layout import Layout
from gitops.wiki.names import name_key
from gitops.wiki.reach import Standing, standing, standings
from gitops.wiki.walks import linked_from

NAMES = ("index", "a", "b", "c", "d", "e")


def test_without_a_page_to_start_from_what_is_linked_counts_as_reached() -> None:
    assert standings([[1], [0], []], []) == ["reached", "reached", "orphan"]


def test_a_page_that_only_links_to_itself_is_an_orphan() -> None:
    assert standings([[], [1]], [0]) == ["orphan", "orphan"]


def test_pages_that_link_to_one_another_are_an_island() -> None:
    assert standings([[3], [2], [1], [0]], [0]) == ["reached", "island", "island", "reached"]


@given(st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))), st.booleans())
def test_all_at_once_says_what_the_walk_from_each_page_says(edges: set[tuple[str, str]], has_index: bool) -> None:
    names = NAMES if has_index else NAMES[1:]
    layout = Layout()
    paths = [f"wiki/{name}.md" for name in names]
    facts = {
        f"wiki/{name}.md": PageFacts(
            (name_key(name),), tuple(("wiki", to, name_key(to)) for one, to in sorted(edges) if one == name)
        )
        for name in names
    }
    graph = MemoryGraph(facts, lambda path: path in facts)
    number = {path: place for place, path in enumerate(paths)}
    links = [[number[to] for to in linked_from(graph, layout, path)] for path in paths]
    starts = [number["wiki/index.md"]] if has_index else []
    found: dict[str, Standing] = dict(zip(paths, standings(links, starts), strict=True))
    assert found == {path: standing(graph, layout, path) for path in paths}
