from __future__ import annotations

from gitops.agents.synthesis.topics import MOST, topics

MILL = ("Mill", ["The mill grinds rye with a wheel.", "Its wheel is of oak."])
WHEEL = ("Wheel", ["The wheel of the mill is of oak and turns slowly."])
BREAD = ("Bread", ["Loaves are baked at dawn."])


def test_what_shares_nothing_stays_apart() -> None:
    assert topics({"mill.md": MILL, "bread.md": BREAD}, []) == [("mill.md",), ("bread.md",)]


def test_pages_that_share_their_terms_are_one_topic_the_fullest_page_first() -> None:
    found = topics({"bread.md": BREAD, "mill.md": MILL, "wheel.md": WHEEL}, [])
    assert found == [("mill.md", "wheel.md"), ("bread.md",)]


def test_links_both_ways_bring_pages_together() -> None:
    pages = {"mill.md": ("Mill", ["It grinds rye."]), "bread.md": BREAD}
    assert topics(pages, [("mill.md", "bread.md")]) == [("bread.md",), ("mill.md",)]
    assert topics(pages, [("mill.md", "bread.md"), ("bread.md", "mill.md")]) == [("bread.md", "mill.md")]


def test_no_topic_is_the_whole_wiki() -> None:
    pages = {f"{number}.md": ("Mill wheel", ["The mill has an oak wheel."]) for number in range(3 * MOST)}
    links = [(a, b) for a in pages for b in pages if a != b]
    found = topics(pages, links)
    assert max(map(len, found)) <= MOST
    assert sorted(path for group in found for path in group) == sorted(pages)


def test_the_order_of_pages_and_links_changes_nothing() -> None:
    pages = {"bread.md": BREAD, "mill.md": MILL, "wheel.md": WHEEL}
    links = [("bread.md", "mill.md"), ("mill.md", "wheel.md")]
    backwards = dict(reversed(pages.items()))
    assert topics(pages, links) == topics(backwards, links[::-1])


def test_nothing_has_no_topics() -> None:
    assert topics({}, []) == []
