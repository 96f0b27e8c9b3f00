from __future__ import annotations

import pytest

from gitops.wiki.model import Link
from gitops.wiki.page import parse


def links(text: str) -> list[Link]:
    return list(parse(text.encode()).links)


@pytest.mark.parametrize(
    "text",
    [
        "`[[x]]`",
        "```\n[[x]]\n```",
        "    [[x]]",
        "<!-- [[x]] -->",
        "\\[[x]]",
        "[[]]",
        "[[ ]]",
        "[[a\nb]]",
        "[[1,2],[3,4]]",
        "[[https://example.org]]",
        "$[[a]]$",
        "$$\nx [[a]]\n$$",
        "[[x]",
    ],
)
def test_what_is_no_wiki_link(text: str) -> None:
    assert links(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "target", "anchor", "shown"),
    [
        ("[[t]]", "wiki", "t", "", "t"),
        ("[[t|alias]]", "wiki", "t", "", "alias"),
        ("[[t#A heading|alias]]", "wiki", "t", "A heading", "alias"),
        ("[[folder/t]]", "wiki", "folder/t", "", "folder/t"),
        ("![[image.png|200]]", "embed", "image.png", "", "200"),
        ("[[#^id]]", "wiki", "", "^id", "^id"),
        ("[[ spaced name | shown ]]", "wiki", "spaced name", "", "shown"),
        ("[[a_b_c|*em*]]", "wiki", "a_b_c", "", "*em*"),
        ("[[도시 농업|농업]]", "wiki", "도시 농업", "", "농업"),
        ("**[[bold]]**", "wiki", "bold", "", "bold"),
        ("[[a\\|b]]", "wiki", "a", "", "b"),
        ("costs $5 [[t]] and $6", "wiki", "t", "", "t"),
    ],
)
def test_forms(text: str, kind: str, target: str, anchor: str, shown: str) -> None:
    (link,) = links(text)
    assert (link.kind, link.target, link.anchor, link.text) == (kind, target, anchor, shown)
    assert text[link.target_place.start : link.target_place.end] == target


def test_an_escaped_bar_in_a_table() -> None:
    text = "|ä|b|\n|-|-|\n|[[a\\|b]]|[[c]]|\n"
    assert [(link.target, link.text, text[link.place.start : link.place.end]) for link in links(text)] == [
        ("a", "b", "[[a\\|b]]"),
        ("c", "c", "[[c]]"),
    ]


def test_a_wiki_link_before_a_word_in_brackets_is_a_wiki_link() -> None:
    text = "é [[AI/MCP|*the* MCP]](MCP) [[b]](c)"
    assert [(link.kind, link.target, text[link.place.start : link.place.end]) for link in links(text)] == [
        ("wiki", "AI/MCP", "[[AI/MCP|*the* MCP]]"),
        ("wiki", "b", "[[b]]"),
    ]


def test_a_titled_wiki_link_with_a_destination_is_one_markdown_link() -> None:
    (link,) = links("[[Title]](path.md)")
    assert (link.kind, link.target, link.text) == ("markdown", "path.md", "[Title]")
