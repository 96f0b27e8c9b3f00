from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import passages
from gitops.wiki.passages import LONGEST, Passage

LINES = [
    *("# Tides", "## Ebb", "The sea falls. It rises.", "- one item", "| a | b |", "|---|---|", "| 1 | 2 |", "", "```"),
    *("x = 1", "> quoted words", "[[page|alias]] and [link](x.md)", "A claim.[^1]", '[^1]: raw/a.md, "q"', "潮汐。"),
]
MARKDOWN = st.lists(st.sampled_from(LINES)).map("\n".join)


def texts(found: list[Passage]) -> list[str]:
    return [one.text for one in found]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "---", "***", "| |\n|---|\n| |", "[^1]: raw/a.md", "```\n```", "![](a.png)"]
)
def test_what_shows_no_word_has_no_passage(text: str) -> None:
    assert passages.of_markdown(text) == []


def test_footnote_definitions_and_marks_are_no_text() -> None:
    found = passages.of_markdown('The tide turns.[^1] Twice.\n\n[^1]: raw/tides.md, "twice a day"\n')
    assert texts(found) == ["The tide turns.", "Twice."]


def test_what_stands_before_the_body_is_no_text() -> None:
    text = "---\ntitle: Tides\n---\nThe sea falls.\n"
    assert texts(passages.of_markdown(text, text.index("The"))) == ["The sea falls."]


def test_links_show_their_words() -> None:
    found = passages.of_markdown("See [[tides|the tide]] and [the moon](moon.md) *now*.\n")
    assert texts(found) == ["See the tide and the moon now."]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("See [[tides]].", True),
        ("Topics: [Ebb](ebb.md), [Flood](flood.md)", True),
        ("The [tide](tides.md) falls twice a day on most coasts.", False),
        ("![The tide](tide.png) falls.", False),
        ("The tide falls.", False),
    ],
)
def test_a_line_that_is_mostly_links_points_elsewhere(text: str, points: bool) -> None:
    assert [one.points for one in passages.of_markdown(text)] == [points]


def test_a_row_says_its_heads() -> None:
    found = passages.of_markdown("| Coffee | Price |\n|---|---|\n| Midnight | €16 |\n| Blonde | €14 |\n")
    assert texts(found) == ["Coffee: Midnight; Price: €16", "Coffee: Blonde; Price: €14"]
    assert {one.block for one in found} == {"row"}
    assert len({one.unit for one in found}) == 1


def test_a_table_of_heads_alone_is_its_own_row() -> None:
    assert texts(passages.of_markdown("| Coffee | Price |\n|---|---|\n")) == ["Coffee; Price"]


def test_code_is_text_and_stands_in_its_place() -> None:
    found = passages.of_markdown("Before.\n\n```python\nx = tide()\n```\n\nAfter.\n")
    assert [(one.text, one.block) for one in found] == [
        ("Before.", "paragraph"),
        ("x = tide()", "code"),
        ("After.", "paragraph"),
    ]


def test_places_are_of_the_text_as_it_stands() -> None:
    text = "# Ebb\n\nThe **sea** falls. It\nrises again.\n"
    heading, first, second = passages.of_markdown(text)
    assert (heading.block, heading.level) == ("heading", 1)
    assert text[first.start : first.end] == "The **sea** falls."
    assert text[second.start : second.end] == "It\nrises again."
    assert second.text == "It rises again."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("潮は満ちる。潮は引く。", ["潮は満ちる。", "潮は引く。"]),
        ("潮水上涨。潮水退去。", ["潮水上涨。", "潮水退去。"]),
        ("밀물이 든다. 썰물이 진다.", ["밀물이 든다.", "썰물이 진다."]),
    ],
)
def test_sentences_of_other_scripts_end_where_they_end(text: str, said: list[str]) -> None:
    assert texts(passages.of_markdown(text)) == said
    assert texts(passages.of_plain(text)) == said


def test_a_plain_text_has_paragraphs_and_items() -> None:
    found = passages.of_plain("The sea\nfalls. It rises.\n\n- one\n- two\r\n\r\nThe end")
    assert texts(found) == ["The sea falls.", "It rises.", "- one", "- two", "The end"]
    assert found[0].unit == found[1].unit
    assert len({one.unit for one in found}) == 4


def test_a_sentence_runs_over_the_pages_of_a_pdf() -> None:
    text = "It rises\fand falls. It stands."
    assert texts(passages.of_plain(text)) == ["It rises and falls.", "It stands."]


@pytest.mark.parametrize("line", ["word " * 9, "x" * 9_000, "한" * 5_000, "no end here"])
def test_text_without_sentences_is_cut_and_nothing_is_lost(line: str) -> None:
    text = "\n".join([line] * 600)[:60_000]
    found = passages.of_plain(text)
    assert max(one.end - one.start for one in found) <= LONGEST
    assert "".join("".join(one.text.split()) for one in found) == "".join(text.split())


def test_a_long_line_of_markdown_is_cut_at_a_space() -> None:
    found = passages.of_markdown("tide " * 2_000)
    assert len(found) > 1
    assert all(one.text.startswith("tide") and one.text.endswith("tide") for one in found)


@given(MARKDOWN | st.text(max_size=200))
def test_passages_are_in_order_and_inside_the_text(text: str) -> None:
    for found in (passages.of_markdown(text), passages.of_plain(text)):
        assert all(0 <= one.start < one.end <= len(text) for one in found)
        assert [one.start for one in found] == sorted(one.start for one in found)
        assert all(one.text == " ".join(one.text.split()) != "" for one in found)
