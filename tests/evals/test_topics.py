from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gitops.evals.topics import KEPT, drawn, topic
from gitops.verify.view import Library, View
from gitops.wiki.model import Page
from gitops.wiki.snapshot import Snapshot

Make = Callable[..., View]


def pages(view: View, seed: int = 0) -> list[str]:
    return [one.path.removeprefix("wiki/") for one in drawn(view, seed)]


def wiki(make_view: Make, index: str, **more: str) -> View:
    files = {f"wiki/{name.replace('__', '/')}.md": text for name, text in more.items()}
    return make_view({"assay.toml": "", "wiki/index.md": index, **files})


@pytest.mark.parametrize(
    "index",
    [
        "# Index\n",
        "# Index\n\n- [Gone](gone.md)\n- [Report](../raw/report.md)\n- [Log](log.md)\n- [Web](https://example.org)\n",
    ],
)
def test_an_index_that_leads_to_no_page_has_no_topics(make_view: Make, index: str) -> None:
    assert pages(wiki(make_view, index, mill="# Mill\n", log="# Log\n")) == []


def test_each_page_is_drawn_once_however_it_is_linked(make_view: Make) -> None:
    index = "- [[mill]]\n- [the mill](mill.md)\n- [harbour](harbour.md#depth)\n"
    assert sorted(pages(wiki(make_view, index, mill="# Mill\n", harbour="# Harbour\n"))) == ["harbour.md", "mill.md"]


def test_the_index_of_a_folder_leads_to_its_pages(make_view: Make) -> None:
    more = {
        "a__index": "- [[one]]\n- [[index]]\n",
        "a__one": "# One\n",
        "b__index": "- [two](two.md)\n",
        "b__two": "# Two\n",
    }
    found = pages(wiki(make_view, "- [a](a/index.md)\n- [b](b/)\n- [[a/index]]\n", **more))
    assert sorted(found) == ["a/one.md", "b/two.md"]


def test_without_an_index_readers_come_in_by_the_folders_own(make_view: Make) -> None:
    view = make_view({"assay.toml": "", "wiki/README.md": "- [[mill]]\n", "wiki/mill.md": "# Mill\n"})
    assert pages(view) == ["mill.md"]


def test_the_order_goes_by_the_seed_and_stays_when_pages_come(make_view: Make) -> None:
    names = [f"p{number}" for number in range(30)]
    few = wiki(make_view, "".join(f"- [[{name}]]\n" for name in names[:20]), **dict.fromkeys(names[:20], "# P\n"))
    many = wiki(make_view, "".join(f"- [[{name}]]\n" for name in names), **dict.fromkeys(names, "# P\n"))
    before = pages(few)
    assert [path for path in pages(many) if path in before] == before
    assert pages(few, seed=1) != before
    assert sorted(pages(few, seed=1)) == sorted(before)


class Counting(Library):
    """Writes down which pages are asked for."""

    asked: list[str]

    def page(self, snapshot: Snapshot, path: str) -> Page:
        self.asked.append(path)
        return super().page(snapshot, path)


def test_nothing_is_read_that_is_not_asked_for(make_view: Make) -> None:
    plain = wiki(make_view, "- [[a]]\n- [[b]]\n- [[c]]\n", a="# A\n", b="# B\n", c="# C\n")
    counting = Counting(plain.config)
    counting.asked = []
    first = next(drawn(replace(plain, library=counting), 0))
    assert counting.asked == [first.path]


@pytest.mark.parametrize(
    ("text", "title", "names"),
    [
        ("# Cold Brew\n", "Cold Brew", ("cold brew 2", "cold brew")),
        ("---\ntitle: Cold-Brew coffee\naliases: [CB, 'kalter Kaffee']\n---\n", "Cold-Brew coffee",
         ("cold brew 2", "cold brew coffee", "cb", "kalter kaffee")),
        ("No heading.\n", "cold-brew-2.md", ("cold brew 2",)),
        ("# The\n", "The", ("cold brew 2",)),
        ("---\ntitle: 2024\n---\n", "2024", ("cold brew 2",)),
    ],
)  # fmt: skip
def test_a_topic_is_called_by_title_aliases_and_file(
    make_view: Make, text: str, title: str, names: tuple[str, ...]
) -> None:
    found = topic(wiki(make_view, "", **{"cold-brew-2": text}), "wiki/cold-brew-2.md")
    assert (found.title, found.names) == (title, names)


class Held:
    """A cache in memory."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str, str], bytes] = {}

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        return self.values.get((kind, version, key))

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        self.values[kind, version, key] = value


def test_an_index_of_many_links_is_ranked_once_and_drawn_to_its_end(make_view: Make) -> None:
    names = [f"p{number}" for number in range(KEPT + 50)]
    view = wiki(make_view, "".join(f"- [[{name}]]\n" for name in names), **dict.fromkeys(names, "# P\n"))
    held = Held()
    keeping = replace(view, library=Library(view.config, held))
    assert pages(keeping) == pages(keeping) == pages(view)
    assert len(pages(view)) == KEPT + 50
    assert len(held.values) == 1
    assert pages(keeping, seed=1) == pages(view, seed=1)
    assert len(held.values) == 2


def test_an_order_that_was_damaged_is_made_anew(make_view: Make) -> None:
    view = wiki(make_view, "- [[a]]\n- [[b]]\n", a="# A\n", b="# B\n")
    held = Held()
    keeping = replace(view, library=Library(view.config, held))
    before = pages(keeping)
    for key in held.values:
        held.values[key] = b'{"leads": [' if key[2].endswith("0") else b"[]"
    assert pages(keeping) == before
