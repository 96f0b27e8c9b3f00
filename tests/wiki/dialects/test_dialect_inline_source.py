from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BOOTSTRAP = Path(__file__).parents[3] / "../shared/data/wikis/llm-wiki-bootstrap/wiki"
ID = "inline_source"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        "So (source: raw/<file>#<anchor>) it is.",
        "`(source: raw/<file>#<anchor>)` is used in pages.",
        "and inline `(source: raw/...#timestamp)` citations point to where.",
        "So (source: raw/{slug}.md) and (source: raw/*.md) and (source: raw/…).",
        "Write `(source: raw/a.md#b)` behind a claim.",
        "Cite as: `(source: raw/a.md)`",
        "`(source: raw/a.md)` is what a citation looks like.",
        "```\nIt fell (source: raw/a.md).\n```",
        "    It fell (source: raw/a.md).",
        "<!-- It fell (source: raw/a.md). -->",
        "It fell (source: raw/a.md without an end.",
        "It is open source: see (the licence: MIT).",
        "f(source: int) takes one.",
        "(and `source: external` from his own writing)",
        "The file (note: raw) and (source:) and (source: ).",
        "![[raw/a.png]] and [[raw/a]] and [x](raw/a.md)",
        "It [source](raw/a.md) fell.",
    ],
)
def test_what_cites_nothing(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


@pytest.mark.parametrize("text", ["It fell (ref: Smith 2020).", "It fell (references: many)."])
def test_words_behind_a_soft_label_name_no_source(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("It fell (source: raw/a.md).", ["raw/a.md"]),
        ("It fell [source: raw/a.md].", ["raw/a.md"]),
        ("It fell (**Source:** raw/a.md).", ["raw/a.md"]),
        ("It fell (Sources: raw/a.md; raw/b.pdf, raw/c.txt and d.md).", ["raw/a.md", "raw/b.pdf", "raw/c.txt", "d.md"]),
        ("It fell (source: [the talk](../raw/a.md)).", ["../raw/a.md"]),
        ("It fell (source: [the talk](<../raw/a b.md>)).", ["../raw/a b.md"]),
        ("It fell (source: [the talk](../raw/a%20b.md)).", ["../raw/a b.md"]),
        ("It fell (source: [[talk|The Talk]]).", ["talk"]),
        ("It fell (source: `raw/a.md`).", ["raw/a.md"]),
        ("It fell (source: raw/My Report (1).pdf).", ["raw/My Report (1).pdf"]),
        ("它下降了（来源：[[访谈]]）。", ["访谈"]),
        ("它下降了（出处：raw/访谈 记录.md）。", ["raw/访谈 记录.md"]),
        ("하락했다 (출처: [[면담]]).", ["면담"]),
        ("下がった（出典: raw/面談.md）。", ["raw/面談.md"]),
        ("Es fiel (Quelle: raw/a.md).", ["raw/a.md"]),
        ("It fell [E: hooks/x.ts:67].", ["hooks/x.ts"]),
        ("It fell (raw/a.md, p. 3).", ["raw/a.md"]),
        ("It fell (see raw/a.md; raw/b.md).", ["raw/a.md", "raw/b.md"]),
        ("It fell (source: https://example.org/a_(b)).", ["https://example.org/a_(b)"]),
        ("It fell (Source: Li et al., 2023).", ["Li et al., 2023"]),
        ("It fell (source: analysis).", ["analysis"]),
        ("It fell (출처: Google 백서, [[소개]]).", ["소개"]),
    ],
)
def test_what_is_named_in_brackets(read: Reader, text: str, paths: list[str]) -> None:
    found = read(text, ID)
    assert found.paths == paths
    assert len({claim for claim, _ in found.claims}) == 1


def test_how_each_is_to_be_resolved(read: Reader) -> None:
    found = read("It fell (source: raw/a.md; [b](b.md); [[c]]; `raw/d.md`).", ID)
    assert [cite.how for cite in found.cites] == ["loose", "link", "wiki", "loose"]


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("raw/a.md#the-field", "the-field"),
        ("raw/a.md#Über uns", "Über uns"),
        ("raw/a.md#5:40", 340),
        ("raw/a.md#L5-L10", (5, 10)),
        ("raw/a.md:42-58", (42, 58)),
        ("raw/a.md, lines 3-4", (3, 4)),
        ("raw/a.pdf, p. 7", (7, 7)),
        ("raw/a.pdf (pp. 7-9)", (7, 9)),
        ("[b](raw/a.pdf), p. 2", (2, 2)),
        ("[[a]] § Intro", "Intro"),
        ("[[a#Intro]]", "Intro"),
        ("`raw/a.md`, p. 2", (2, 2)),
        ("raw/a.md", None),
    ],
)
def test_where_in_the_source(read: Reader, said: str, where: Any) -> None:
    assert read(f"It fell (source: {said}).", ID).located == [where]


def test_the_mark_is_cut_from_its_sentence_with_its_code_ticks(read: Reader) -> None:
    found = read("One. It fell (source: raw/a.md). *“Quoted.”* `(source: raw/b.md#5:40)` Next one.", ID)
    assert found.claims == [("It fell.", "raw/a.md"), ("“Quoted.”", "raw/b.md")]


def test_a_mark_alone_in_its_block_backs_the_block_before(read: Reader) -> None:
    assert read("> Quoted words.\n\n`(source: raw/a.md)`\n", ID).claims == [("Quoted words.", "raw/a.md")]


def test_marks_in_a_table(read: Reader) -> None:
    found = read("| What | Says |\n|---|---|\n| it | fell (source: raw/a.md) |\n| it rose | (source: raw/b.md) |\n", ID)
    assert found.claims == [("fell", "raw/a.md"), ("it rose", "raw/b.md")]


def test_the_place_is_the_pointer_as_written(read: Reader) -> None:
    found = read("---\na: 1\n---\n\nÉs fell (source: raw/a.md#x; [b](c.md), p. 3; [[d|e]]).", ID)
    assert found.places == ["raw/a.md#x", "[b](c.md), p. 3", "[[d|e]]"]


def test_a_link_in_a_mark_is_told_as_cited_and_one_elsewhere_is_not(read: Reader) -> None:
    links = read("It fell (source: [[a]]). See [[b]].", ID).page.links
    assert [(link.target, link.is_cited) for link in links] == [("a", True), ("b", False)]


@pytest.mark.skipif(not BOOTSTRAP.is_dir(), reason="the real wikis are not here")
def test_the_real_wiki_that_cites_so(read: Reader) -> None:
    texts = {path.name: path.read_text("utf-8") for path in BOOTSTRAP.glob("*.md")}
    found = {name: read(text, ID) for name, text in texts.items()}
    cites = [cite for one in found.values() for cite in one.cites]
    forms = 2  # to fill in: the glossary's and that of the page on sources
    assert len(cites) == sum(text.count("(source: raw/") for text in texts.values()) - forms + 1
    assert [cite.path for cite in cites if cite.locator is None] == ["analysis"]
    assert found["glossary.md"].cites == found["source-attribution.md"].cites == []


def test_brackets_behind_nothing_but_a_word_for_sources_are_left_to_the_line(read: Reader) -> None:
    text = "## Wheel\n\nCitation: (raw/mill.pdf p.3-5)\n\nIt turned.\n"
    both = read(text, ID, "source_line")
    assert (both.claims, both.whole, both.located) == ([], ["raw/mill.pdf"], [(3, 5)])
    assert read(text, ID).claims == [("Citation:", "raw/mill.pdf")]
    assert read("It fell: (raw/a.md).\n", ID, "source_line").claims == [("It fell:.", "raw/a.md")]


def test_marks_alone_below_a_list_back_the_page(read: Reader) -> None:
    text = "# Mill\n\n- [[weir]] it turned\n- [[wheel]] it stood\n\n[Source: raw/a b.md]\n[Source: raw/c.md]\n"
    found = read(text, ID)
    assert (found.claims, found.whole) == ([], ["raw/a b.md", "raw/c.md"])
    assert read("- It turned.\n\n  (source: raw/a.md)\n", ID).claims == [("It turned.", "raw/a.md")]
    assert read("- It turned.\n\nIt stood (source: raw/a.md).\n", ID).claims == [("It stood.", "raw/a.md")]


def test_names_of_one_word_are_each_a_source_and_what_follows_says_where(read: Reader) -> None:
    found = read('It fell [source: mill-2019, "Wheels"; weir_2020]. It rose (source: the mill, 2019).\n', ID)
    assert found.paths == ["mill-2019", "weir_2020", "the mill, 2019"]
    assert found.places == ["mill-2019", "weir_2020", "the mill, 2019"]
