"""Sentences of sources of every kind: each stands, word for word, where it says it does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.agents.writers.document import Unreadable, shown
from gitops.agents.writers.passages import demand_text, read
from gitops.wiki.folding import fold
from tests.agents.writers.drafting import source_of

MARKDOWN = """---
title: "Notes on Tides"
---
# 1. Tides 🌊

Spring tides are **high**, and
they come twice a month. They follow the [Moon](https://example.org).

| hour | metres |
|------|--------|
| 3    | 7.2    |

```
not prose. at all.
```

**Q: What is a neap tide?**

- A neap tide is low.
> Quoted words count too.

[^1]: A footnote is none of the prose.
"""


def test_a_source_without_text_is_named() -> None:
    with pytest.raises(Unreadable, match=r"raw/a\.md: the file is empty"):
        demand_text(source_of(""), "raw/a.md")


def test_code_tables_and_footnotes_are_no_prose() -> None:
    said = " ".join(one.text for one in read(source_of(MARKDOWN), "raw/a.md").sentences)
    assert "not prose" not in said
    assert "7.2" not in said
    assert "footnote" not in said


def test_what_is_partly_struck_out_is_left_out() -> None:
    text = "Tea costs ~~never~~ rarely less than three pounds. Coffee costs more than that."
    assert [one.text for one in read(source_of(text), "raw/a.md").sentences] == ["Coffee costs more than that."]


def test_markdown_gives_sentences_without_marks_and_their_places() -> None:
    document = read(source_of(MARKDOWN), "raw/a.md")
    first, second, third, fourth = document.sentences
    assert first.text == "Spring tides are high, and they come twice a month."
    assert first.quote == "Spring tides are **high**, and they come twice a month."
    assert MARKDOWN[first.start : first.end] == "Spring tides are **high**, and\nthey come twice a month."
    assert (first.section, first.ordinal, second.ordinal) == ("Tides", 0, 1)
    assert (third.text, third.section, third.block) == ("A neap tide is low.", "What is a neap tide?", "item")
    assert fourth.block == "quote"


def test_a_title_is_the_frontmatters_then_the_first_headings_then_the_files() -> None:
    assert read(source_of(MARKDOWN), "raw/a.md").title == "Notes on Tides"
    assert read(source_of("# Tides\n\nThey rise.\n"), "raw/a.md").title == "Tides"
    assert read(source_of("they rise and fall.\n", "raw/low_water-marks.txt"), "raw/low_water-marks.txt").title == (
        "Low water marks"
    )


def test_plain_text_is_joined_over_its_lines() -> None:
    text = "THE HARBOUR\n\nThe quay is long\nand made of stone. It is old.\n\n- One crane works.\n- Two are broken.\n"
    document = read(source_of(text, "raw/a.txt"), "raw/a.txt")
    assert document.headings == ("THE HARBOUR",)
    assert [one.text for one in document.sentences] == [
        "The quay is long and made of stone.",
        "It is old.",
        "One crane works.",
        "Two are broken.",
    ]


def test_words_broken_at_the_end_of_a_line_are_whole_again() -> None:
    text = "The lighthouse of Morrow is old. The last keeper left the light-\nhouse in a long-\nterm plan of 1978."
    last = read(source_of(text, "raw/a.txt"), "raw/a.txt").sentences[-1]
    assert last.text == "The last keeper left the lighthouse in a long-term plan of 1978."
    assert last.quote == "The last keeper left the light- house in a long- term plan of 1978."


def test_html_has_a_block_a_line() -> None:
    links = "<nav><a href=a>Home</a> <a href=b>About us all.</a></nav><footer>All rights are reserved.</footer>"
    html = f"<html><body>{links}<h1>The quay</h1><p>It is <b>long</b>.</p><li>Cranes<p>It is old.</p></body></html>"
    source = source_of(html, "raw/a.html")
    document = read(source, "raw/a.html", html.encode())
    assert (document.title, document.headings) == ("The quay", ("The quay",))
    assert [one.text for one in document.sentences] == ["It is long.", "Cranes", "It is old."]
    assert all(source.text[one.start : one.end] == one.text for one in document.sentences)


def test_a_transcript_is_read_without_its_stamps() -> None:
    lines = "".join(f"0:0{n}\nthe tide turned {n} times and\n0:1{n}\nnobody saw it {n} times.\n" for n in range(4))
    assert "0:" not in " ".join(one.text for one in read(source_of(lines, "raw/talk.txt"), "raw/talk.txt").sentences)


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("2.1. The quay", "The quay"),
        ("Q: Is it old?", "Is it old?"),
        ("Intro (0:51)", "Intro"),
        ("Harbour ☕ news 🚢", "Harbour news"),
        ("x " * 90, "x " * 55 + "…"),
    ],
)
def test_headings_are_cleaned(heading: str, title: str) -> None:
    assert shown(heading) == title


@given(st.text(st.sampled_from("ab. \n*_#->[](`|\u3042\uac00\t\"'^~<&"), max_size=120), st.sampled_from(["md", "txt"]))
def test_every_sentence_stands_where_it_says(text: str, suffix: str) -> None:
    source = source_of(text, f"raw/a.{suffix}")
    for one in read(source, f"raw/a.{suffix}").sentences:
        assert one.text
        assert one.quote == " ".join(source.text[one.start : one.end].split())
        assert one.quote in fold(source.text).text
