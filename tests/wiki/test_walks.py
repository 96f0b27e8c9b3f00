from __future__ import annotations

from collections.abc import Mapping

from gitops.config import Workspace
from gitops.wiki.conventions import Conventions
from gitops.wiki.graph import MemoryGraph, entries, facts
from gitops.wiki.layout import Layout
from gitops.wiki.names import Files
from gitops.wiki.page import parse
from gitops.wiki.walks import linking_to, reachable

LAYOUT = Layout()


def graph(pages: Mapping[str, str], layout: Layout = LAYOUT, dialects: tuple[str, ...] = ("canonical",)) -> MemoryGraph:
    rows = {path: facts(parse(text.encode(), Conventions(dialects)), path, layout) for path, text in pages.items()}
    return MemoryGraph(
        rows, lambda path: any((one + "/").startswith(path + "/") for one in pages), Files(lambda: pages)
    )


def linking(one: MemoryGraph, path: str, layout: Layout = LAYOUT) -> list[str]:
    return list(linking_to(one, layout, path))


def test_a_link_by_title_alias_heading_or_folder_is_a_link() -> None:
    one = graph(
        {
            "wiki/a.md": "[[The Title]]",
            "wiki/b.md": "[[an alias]]",
            "wiki/c.md": "[[Only Heading]]",
            "wiki/d.md": "[x](topics/) [[topics]]",
            "wiki/deep/e.md": "[up](../)",
            "wiki/t.md": "---\ntitle: The Title\naliases: An Alias\n---\n",
            "wiki/h.md": "# Only heading\n",
            "wiki/topics/index.md": "x",
            "wiki/index.md": "x",
        }
    )
    assert linking(one, "wiki/t.md") == ["wiki/a.md", "wiki/b.md"]
    assert linking(one, "wiki/h.md") == ["wiki/c.md"]
    assert linking(one, "wiki/topics/index.md") == ["wiki/d.md"]
    assert linking(one, "wiki/index.md") == ["wiki/deep/e.md"]


def test_a_citation_of_a_source_page_is_a_link_to_it() -> None:
    pages = {"wiki/a.md": "---\nsources: [talk]\n---\nx\n", "wiki/sources/talk.md": "x", "raw/other.md": "x"}
    one = graph(pages, dialects=("frontmatter",))
    assert linking(one, "wiki/sources/talk.md") == ["wiki/a.md"]


def test_a_citation_of_a_source_is_no_link_to_a_page_of_its_name() -> None:
    pages = {"wiki/a.md": "---\nsources: [raw/talk.md]\n---\nx\n", "wiki/sources/talk.md": "x", "raw/talk.md": "x"}
    assert linking(graph(pages, dialects=("frontmatter",)), "wiki/sources/talk.md") == []


def test_readers_come_in_at_the_index_of_every_folder() -> None:
    one = graph({"wiki/index.md": "x", "wiki/en/index.md": "[[a]]", "wiki/en/a.md": "[[b]]", "wiki/en/b.md": "[[a]]"})
    assert entries(one, LAYOUT) == {"wiki/index.md", "wiki/en/index.md"}
    assert reachable(one, LAYOUT, "wiki/en/b.md")


def test_a_wiki_that_is_the_whole_repository_is_walked_too() -> None:
    layout = Layout("", Workspace(wiki="."))
    one = graph({"index.md": "[t](tables/)", "tables/index.md": "[x](x.md)", "tables/x.md": "[home](/)"}, layout)
    assert reachable(one, layout, "tables/x.md")
    assert linking(one, "tables/x.md", layout) == ["tables/index.md"]
