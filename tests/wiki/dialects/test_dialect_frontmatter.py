from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ID = "frontmatter"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "yaml",
    [
        "sources:",
        "sources: []",
        'sources: ""',
        'sources: ["``", "- -"]',
        "sources: 3",
        "raw: true",
        "source: none",
        "source: n/a",
        "source: raw/<slug>.md",
        "source_path: raw/{slug}.md",
        "sources: [{}]",
        "sources: {path: }",
        "title: raw/a.md",
        "related: [[a]]",
    ],
)
def test_what_cites_nothing(read: Reader, yaml: str) -> None:
    assert read(f"---\n{yaml}\n---\nsources: raw/a.md\n", ID).cites == []


@pytest.mark.parametrize(
    ("yaml", "paths", "how"),
    [
        ("source: raw/a.md", ["raw/a.md"], "loose"),
        ("Source: raw/a.md", ["raw/a.md"], "loose"),
        ("raw_paths: [raw/a.md, raw/b.md]", ["raw/a.md", "raw/b.md"], "loose"),
        ("sources:\n  - raw/a.md\n  - 'raw/My File (1).md'", ["raw/a.md", "raw/My File (1).md"], "loose"),
        ("sources:\n- raw/a.md\n- raw/b.md", ["raw/a.md", "raw/b.md"], "loose"),
        ("sources: raw/a.md, raw/b.md", ["raw/a.md", "raw/b.md"], "loose"),
        ("sources: [a.md]", ["a.md"], "loose"),
        ("related_sources:\n- talk-on-bees", ["talk-on-bees"], "loose"),
        ("sources: [raw/a.md]\nrelated: [[b]], [[c]]", ["raw/a.md"], "loose"),
        ("sources: [[b]], [[c]]", ["b", "c"], "wiki"),
        ("source: video", ["video"], "loose"),
        ("source: closed-issues", ["closed-issues"], "loose"),
        ("source: arXiv:2503.13657", ["arXiv:2503.13657"], "loose"),
        ("resource: https://example.org/a.md", ["https://example.org/a.md"], "loose"),
        ("sources:\n  - resource: raw/a.md\n    id: x\n    title: A", ["raw/a.md"], "loose"),
        ("sources:\n  - {title: A talk, path: raw/a.md}", ["raw/a.md"], "loose"),
        ("sources: {url: 'https://example.org'}", ["https://example.org"], "loose"),
        ("sources: [{title: A talk}]", ["A talk"], "loose"),
        ("source: '[[a]]'", ["a"], "wiki"),
        ("source: [[a]]", ["a"], "wiki"),
        ("sources:\n  - '[[a|A]]'\n  - [[b]]", ["a", "b"], "wiki"),
        ("source: '[[a]], [[sources/b#c]]'", ["a", "sources/b"], "wiki"),
        ("source: '[The talk](../raw/a%20b.md)'", ["../raw/a b.md"], "link"),
        ("source: 'raw/a.md — the talk'", ["raw/a.md"], "loose"),
        ("source: 'raw/访谈 记录.md'", ["raw/访谈 记录.md"], "loose"),
    ],
)
def test_what_is_named(read: Reader, yaml: str, paths: list[str], how: str) -> None:
    found = read(f"---\ntype: x\n{yaml}\ntags: [a]\n---\nWords.\n", ID)
    assert (found.whole, found.claims) == (paths, [])
    assert {cite.how for cite in found.cites} == ({how} if paths else set())


def test_the_keys_are_as_configured(read: Reader) -> None:
    assert read("---\nsource: raw/a.md\nbelege: raw/b.md\n---\n", ID, fields=("Belege",)).whole == ["raw/b.md"]


@pytest.mark.parametrize(
    ("said", "where"),
    [("raw/a.pdf, p. 3", (3, 3)), ("raw/a.md#L3-L5", (3, 5)), ("raw/a.pdf#page=2", (2, 2)), ("'[[a#Intro]]'", "Intro")],
)
def test_where_in_the_source(read: Reader, said: str, where: Any) -> None:
    found = read(f"---\nsource: {said}\n---\n", ID)
    assert found.located == [where]
    assert found.paths[0] in ("raw/a.pdf", "raw/a.md", "a")


def test_each_value_is_placed_where_it_stands(read: Reader) -> None:
    found = read(
        "---\ntitle: raw/a.md\nsources:\n  - raw/a.md\n  - x: 1\n    path: 'raw/b.md'\n  - '[[c]]'\n  - [[d]]\n---\n",
        ID,
    )
    assert found.places == ["raw/a.md", "raw/b.md", "[[c]]", "[[d]]"]
    assert [cite.place.line for cite in found.cites] == [4, 6, 7, 8]


def test_equal_values_stand_one_behind_the_other(read: Reader) -> None:
    found = read("---\nsource: raw/a.md\nsource_file: raw/a.md\n---\n", ID)
    assert [cite.place.line for cite in found.cites] == [2, 3]


def test_a_value_that_is_written_otherwise_is_placed_at_its_key(read: Reader) -> None:
    found = read('---\ntype: x\nsource: "raw/\\u00e4.md"\nsources: >\n  raw/b\n  c.md\n---\n', ID)
    assert found.whole == ["raw/ä.md", "raw/b c.md"]
    assert found.places == ['source: "raw/\\u00e4.md"', "sources: >"]


def test_a_second_frontmatter_block_is_read_too(read: Reader) -> None:
    found = read("---\nsource: raw/a.md\n---\n\n---\nsource_file: raw/b.md\nsource: raw/no.md\n---\nWords.\n", ID)
    assert [(cite.path, cite.place.line) for cite in found.cites] == [("raw/a.md", 2), ("raw/b.md", 6)]


def test_a_page_without_frontmatter(read: Reader) -> None:
    assert read("source: raw/a.md\n", ID).cites == []
