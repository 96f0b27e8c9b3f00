from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ID = "source_link"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        "See [the folder](../raw/) and [it](../raw) and [one](raw/sub) and [[raw/]].",
        "![a figure](../raw/a.png) and ![[raw/a.png]]",
        "[there](https://example.org/raw/a.md) and <https://example.org/raw/a.md>",
        "[[sources/index]] and [all](sources/README.md)",
        "[[concepts/a]] and [b](../concepts/b.md) and [[a]]",
        "`[[raw/a]]` and `[a](raw/a.md)`",
        "```\n[[raw/a]]\n```\n<!-- [[raw/a]] -->",
        "$[g](raw/q.md)$ is no matter, [x](#raw/a.md) neither",
        "[form](raw/{slug}.md) and [[raw/…]]",
        "[drawn](drawings/a.md)",
    ],
)
def test_what_cites_nothing(read: Reader, text: str) -> None:
    assert [path for path in read(text, ID).paths if path != "raw/q.md"] == []


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("As [the talk](../raw/talk.md) says.", ["../raw/talk.md"]),
        ("As [the talk](/raw/a%20b.md#x) says.", ["/raw/a b.md"]),
        ("As [[raw/talk]] says.", ["raw/talk"]),
        ("As [[sources/talk|the talk]] says.", ["sources/talk"]),
        ("As [[AI/sources/talk_(1)|it]] says.", ["AI/sources/talk_(1)"]),
        ("As [[Talk]](../raw/talk.md) says.", ["../raw/talk.md"]),
        ("As [it](../papers/x.md 'title') says.", ["../papers/x.md"]),
        ("As [it][1] says.\n\n[1]: ../raw/x.md\n", ["../raw/x.md"]),
        ("如[[raw/访谈]]所说。", ["raw/访谈"]),
    ],
)
def test_a_link_in_a_sentence_backs_it_and_stays_in_it(read: Reader, text: str, paths: list[str]) -> None:
    found = read(text, ID)
    assert found.paths == paths
    assert [claim for claim, _ in found.claims] == [found.page.claims[0].text]
    assert found.whole == []
    assert all(link.is_cited for link in found.page.links)


def test_the_raw_folder_and_the_source_pages_are_as_configured(read: Reader) -> None:
    text = "As [a](../kb/in/a.md) and [b](../raw/b.md) and [[notes/c]] say."
    assert read(text, ID, raw="kb/in", source_pages=("notes",)).paths == ["../kb/in/a.md", "notes/c"]


def test_source_pages_may_be_told_by_their_names(read: Reader) -> None:
    text = "As [[SRC-bees|it]] and [b](src-wax.md) say ([[ticket-12]]), not [[sourdough]], [[ticket-x]], ![[src-map]]."
    found = read(text, ID, source_pages=("src-*", "ticket-[0-9]*"))
    assert found.paths == ["SRC-bees", "src-wax.md", "ticket-12"]
    assert found.claims[0][0].startswith("As it and b say, not sourdough")
    assert read(text, ID).paths == []


@pytest.mark.parametrize("front", ['sources: ["[[Bee Talk]]"]', "sources: [[Bee Talk]], [[wax]]", "source: bee-talk"])
@pytest.mark.parametrize(
    "text",
    [
        "As {} says, it fell.",
        "- {} — what it is about",
        "See {}, then go on.",
        "{}",
        "## {}",
        "| {} |\n|---|\n| {} |",
        "It fell ([[honey]]). [[brood|It]]",
        "下降了。{} 因此上升。",
        "It fell. {} says so.",
    ],
)
def test_a_name_of_the_pages_own_source_is_no_citation_among_words(read: Reader, front: str, text: str) -> None:
    name = "[[bee talk|the talk]]" if "Bee" in front else "[[bee-talk]]"
    assert read(f"---\n{front}\n---\n{text.replace('{}', name)}\n", ID).paths == []


@pytest.mark.parametrize("front", ["sources: [bee-talk.md]", 'source: "[[Bee-Talk|a talk]]"', "sources:\n- bee-talk"])
def test_a_link_beside_a_claim_to_what_the_page_names_as_its_source(read: Reader, front: str) -> None:
    text = "It fell ([[bee-talk]]). It rose. [[bee-talk|the talk]]\n\n- 下降了。[[Bee-talk|访谈]]\n"
    claims = [("It fell.", "bee-talk"), ("It rose.", "bee-talk"), ("下降了。", "Bee-talk")]
    assert read(f"---\n{front}\n---\n{text}", ID).claims == claims
    assert read(text, ID).claims == []


def test_a_list_of_sources_names_them_too(read: Reader) -> None:
    text = "It fell ([[bee-talk]]). It rose ([[wax]]).\n\n## Sources\n\n- [[Bee-talk]] — of 2019, unlike [[wax]]\n"
    assert read(text, ID).claims == [("It fell.", "bee-talk")]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("It fell. [Talk](../raw/t.md)", [("It fell.", "../raw/t.md")]),
        ("It fell. [A](../raw/a.md), [B](../raw/b.md).", [("It fell.", "../raw/a.md"), ("It fell.", "../raw/b.md")]),
        ("It fell ([talk](../raw/t.md)). Next.", [("It fell.", "../raw/t.md")]),
        ("It fell. See [talk](../raw/t.md). Next.", [("It fell.", "../raw/t.md")]),
        ("它下降了。[[raw/访谈]]", [("它下降了。", "raw/访谈")]),
        ("> It fell.\n\n— [[sources/t]], p. 3", [("It fell.", "sources/t")]),
        ("> It fell.\n>\n> [[sources/t]]", [("It fell.", "sources/t")]),
        ("It fell.\n\n([[sources/t]])", [("It fell.", "sources/t")]),
        ("| Claim | Source |\n|---|---|\n| It fell | [t](../raw/t.md) |\n", [("It fell", "../raw/t.md")]),
    ],
)
def test_a_link_beside_a_sentence_backs_it_and_is_no_part_of_it(
    read: Reader, text: str, claims: list[tuple[str, str]]
) -> None:
    assert read(text, ID).claims == claims


@pytest.mark.parametrize(
    "text",
    [
        "## See also\n\n- [[sources/a]]\n- [[b]]\n",
        "- [[sources/a|A]] — what it says\n",
        "**Related**: [[sources/a]] · [[b]]\n",
        "## On [[sources/a]]\n\nWords.\n",
        "- [A](sources/a.md): the talk\n",
    ],
)
def test_what_only_lists_links_backs_the_page(read: Reader, text: str) -> None:
    found = read(text, ID)
    assert [path.removesuffix(".md") for path in found.whole] == ["sources/a"]
    assert found.claims == []


def test_where_in_the_source(read: Reader) -> None:
    text = "As [a](../raw/a.md#L3-L5), [b](../raw/b.pdf), p. 3, [c](../raw/c.pdf#page=4) and [[raw/d#Intro]] § say."
    assert read(text, ID).located == [(3, 5), (3, 3), (4, 4), "Intro"]


def test_a_heading_is_not_guessed_from_the_rest_of_a_sentence(read: Reader) -> None:
    assert read("As [a](../raw/a.md) § Two of it says.", ID).located == [None]


def test_the_place_is_the_whole_link(read: Reader) -> None:
    assert read("É [a *b*](../raw/a.md#x) and [[raw/c|d]], p. 3.", ID).places == [
        "[a *b*](../raw/a.md#x)",
        "[[raw/c|d]], p. 3",
    ]


def test_a_list_of_sources_is_left_to_its_own_dialect(read: Reader) -> None:
    text = "As [[raw/a]] says.\n\n## Sources\n\n- It is [[raw/b]]\n"
    assert read(text, ID).claims[-1] == ("It is raw/b", "raw/b")
    found = read(text, ID, "source_list")
    assert [(cite.dialect, cite.path) for cite in found.cites] == [(ID, "raw/a"), ("source_list", "raw/b")]


def test_what_another_dialect_reads_is_read_once(read: Reader) -> None:
    for order in ((ID, "inline_source"), ("inline_source", ID)):
        found = read("It fell (source: [[raw/a]]).", *order)
        assert [(cite.dialect, cite.path) for cite in found.cites] == [("inline_source", "raw/a")]
        assert found.claims == [("It fell.", "raw/a")]


@pytest.mark.parametrize(
    "text",
    [
        "It turned ([[raw/a]]; [[raw/b]]).",
        "It turned. ([[raw/a|A 2019]], [[raw/b|B 2020]])",
        "It turned (*[a](raw/a.md), [b](raw/b.md)*).",
    ],
)
def test_several_links_in_one_pair_of_brackets_back_the_sentence(read: Reader, text: str) -> None:
    found = read(text, ID)
    assert {claim for claim, _ in found.claims} == {"It turned."}
    assert [path.removesuffix(".md") for path in found.paths] == ["raw/a", "raw/b"]


def test_links_in_brackets_among_words_stay_in_their_sentence(read: Reader) -> None:
    assert read("It turned ([a](raw/a.md) and so did [b](raw/b.md)).", ID).claims == [
        ("It turned (a and so did b).", "raw/a.md"),
        ("It turned (a and so did b).", "raw/b.md"),
    ]


def test_a_sentence_that_only_sees_the_source_is_an_attribution(read: Reader) -> None:
    assert read("It turned. See the [plan](raw/a.md).", ID).claims == [("It turned.", "raw/a.md")]
