from __future__ import annotations

import pytest

from gitops.agents.synthesis.writing import count, link, style_of, title_of
from gitops.wiki.graph import resolved
from gitops.wiki.page import parse
from tests.agents.shelves import view_of

FILES = {
    "wiki/index.md": "# Index\n",
    "wiki/a/mill (old).md": "# Mill\n",
    "wiki/a/x.md": "# X\n",
    "wiki/b/x.md": "# X\n",
}


def test_links_as_the_wiki_has_them() -> None:
    markdown, wiki = parse(b"[a](b.md) [c](d.md) [[e]]"), parse(b"[[a]] [[b]] [c](d.md)")
    assert (style_of([markdown]), style_of([wiki]), style_of([])) == ("markdown", "wiki", "markdown")
    view = view_of(FILES)
    old, x = "wiki/a/mill (old).md", "wiki/a/x.md"
    assert link(view, "markdown", "wiki/s/p.md", old, "Mill [old]") == r"[Mill \[old\]](<../a/mill (old).md>)"
    assert link(view, "wiki", "wiki/s/p.md", x, "X") == "[[a/x|X]]"
    assert link(view, "wiki", "wiki/s/p.md", x, "a|b") == r"[a\|b](../a/x.md)"


def test_titles_and_counts() -> None:
    assert title_of(parse(b"---\ntitle: The  mill\n---\n# Other\n"), "wiki/x.md") == "The mill"
    assert title_of(parse(b"# Heading\n"), "wiki/x.md") == "Heading"
    assert title_of(parse(b"no heading\n"), "wiki/a/x.md") == "x"
    assert (count(1, "claim"), count(1_200, "claim")) == ("1 claim", "1,200 claims")


@pytest.mark.parametrize("name", ["a b.md", "a(b).md", "a<b>.md", "a%20b.md", "a\\b.md", "a\nb.md", "é.md", "[x].md"])
def test_a_link_leads_to_its_page_whatever_that_is_called(name: str) -> None:
    path = f"wiki/a/{name}"
    view = view_of({"wiki/index.md": "# Index\n", path: "# X\n"})
    text = f"# T\n\n- {link(view, 'markdown', 'wiki/s/p.md', path, 'X')}\n"
    (found,) = parse(text.encode()).links
    assert resolved(view.graph, view.layout, "wiki/s/p.md", found.kind, found.target).paths == (path,)
