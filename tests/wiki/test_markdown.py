from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import markdown
from gitops.wiki.blocks import Block, Body


def blocks(text: str) -> list[Block]:
    return list(markdown.read(text, 0).blocks)


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks(text)]


def seen(block: Block, text: str) -> list[str]:
    """What stands in the page for each visible character."""
    return [text[block.start_of(at) : block.end_of(at + 1)] for at in range(len(block.text))]


def test_code_blocks_html_blocks_and_comments_are_no_prose() -> None:
    text = "```\nfence\n```\n\n    indented\n\n<div>\nhtml\n</div>\n\n<!-- comment -->\n\nwords <!-- c --> <b>on</b>"
    assert kinds(text) == [("paragraph", "words  on")]


def test_html_blocks_are_reported_with_their_place() -> None:
    text = "a\n\n<div>\nhtml\n</div>\n"
    (span,) = markdown.read(text, 0).html
    assert text[span.start : span.end] == "<div>\nhtml\n</div>\n"


def test_a_later_pair_of_rules_hides_no_reference() -> None:
    found = blocks("a\n\n---\nb[^1]\n---\n\n[^1]: x")
    assert [reference.label for block in found for reference in block.references] == ["1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# one\n\ntwo\n===", [("heading", "one"), ("heading", "two")]),
        ("- a\n- b\n", [("item", "a"), ("item", "b")]),
        ("- a\n\n- b\n", [("item", "a"), ("item", "b")]),
        ("- [x] a\n", [("item", "a")]),
        ("- a\n  - b\n", [("paragraph", "a"), ("item", "b")]),
        ("- a\n\n  more\n", [("paragraph", "a"), ("paragraph", "more")]),
        ("- a\n  > q\n", [("paragraph", "a"), ("quote", "q")]),
        ("> q\n>\n> - i\n", [("quote", "q"), ("item", "i")]),
        ("> [!NOTE]\n> q\n", [("quote", "q")]),
        ("|a|b|\n|-|-|\n|c|d|\n", [("cell", "a"), ("cell", "b"), ("cell", "c"), ("cell", "d")]),
        ("a<br>b<sup>2</sup>", [("paragraph", "ab2")]),
        ("a  \nb\nc", [("paragraph", "a b c")]),
    ],
)
def test_kinds_of_blocks(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_a_footnote_definition_is_marked_with_its_index() -> None:
    text = "a[^1][^2]\n\n[^1]: one\n\n> [^2]: two\n"
    found = markdown.read(text, 0)
    assert [(block.text, block.definition) for block in found.blocks] == [("a", -1), ("one", 0), ("two", 1)]
    assert [text[span.start : span.end].strip() for span in found.definitions] == ["[^1]: one", "[^2]: two"]


def test_cells_know_their_table_row_and_column() -> None:
    found = blocks("|a|b|\n|-|-|\n|c|d|\n\nx\n\n|e|\n|-|\n")
    assert [(block.table, block.row, block.column) for block in found if block.kind == "cell"] == [
        (1, 0, 0),
        (1, 0, 1),
        (1, 1, 0),
        (1, 1, 1),
        (2, 0, 0),
    ]


def test_a_list_knows_what_leads_in_to_it_through_all_its_levels() -> None:
    found = {block.text: block for block in blocks("Costs:\n\n- 2019:\n  - fell\n\nrest\n\n---\n\n- alone\n")}
    assert [lead.text for lead in found["fell"].leads] == ["Costs:", "2019:"]
    assert found["alone"].leads == ()
    assert [text for text, block in found.items() if block.is_lead] == ["Costs:", "2019:"]


def test_every_visible_character_knows_its_place_among_escapes_entities_and_code() -> None:
    text = "é *b* \\* x&amp;y `c|d`\n> z"
    block = blocks(text)[0]
    assert block.text == "é b * x&y c|d"
    assert seen(block, text)[-9:] == ["*", " ", "x", "&amp;", "y", " ", "c", "|", "d"]


def test_code_whose_text_is_not_as_written_is_one_place() -> None:
    text = "|a|\n|-|\n|`x\\|y`|\n"
    assert seen(blocks(text)[1], text) == ["`x\\|y`"] * 3


def test_an_item_that_begins_with_a_reference_or_code_counts_from_its_own_start() -> None:
    first, second, third = blocks("- long words\n- [^1] a\n- `c` b\n\n[^1]: x")[:3]
    assert (second.text, second.references[0].at) == (" a", 0)
    assert (third.text, third.codes) == ("c b", [(0, 1)])
    assert first.codes == []


def test_code_with_two_ticks_and_padding() -> None:
    text = "`` a`b ``"
    (block,) = blocks(text)
    assert block.text == "a`b"
    assert text[block.start_of(0) : block.end_of(3)].strip("` ") == "a`b"
    assert block.is_code(0)


def test_links_and_images_know_their_text_and_extent() -> None:
    text = "a [t *u*](<a b> 'c') ![alt](i.png) <http://x> [r][Ref]\n\n[ref]: d"
    (block,) = blocks(text)
    assert block.text == "a t u  http://x r"
    found = [(text[link.start : link.end], block.text[link.at : link.until], link.dest) for link in block.links]
    assert found == [
        ("[t *u*](<a b> 'c')", "t u", "a b"),
        ("![alt](i.png)", "", "i.png"),
        ("<http://x>", "http://x", "http://x"),
        ("[r][Ref]", "r", "d"),
    ]
    assert text[block.links[0].text_end :].startswith("](<")


def test_positions_count_from_the_start_of_the_text_not_of_the_body() -> None:
    text = "---\nä: 1\n---\nö *x*"
    (block,) = markdown.read(text, text.index("ö")).blocks
    assert seen(block, text) == ["ö", " ", "x"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_any_line_end_does(newline: str) -> None:
    text = newline.join(("a", "b[^1]", "", "[^1]: x", ""))
    found: Body = markdown.read(text, 0)
    assert found.blocks[0].text == "a b"
    assert text[found.blocks[0].references[0].start :].startswith("[^1]")


PIECES = (
    "a",
    "é",
    " ",
    "\n",
    "\n\n",
    "\\*",
    "\\\\",
    "\\a",
    "&amp;",
    "&ngE;",
    "&#65;",
    "&#0;",
    "&x;",
    "&",
    "|",
    "\\|",
    "`",
    "*",
)


@given(
    st.lists(st.sampled_from((*PIECES, "[^1]", "[b](c)", "![d](e)", "> ", "- ", "|a|b|\n|-|-|\n|", "~~", "[^1]: x")))
)
def test_merged_texts_say_the_same_at_the_same_places(pieces: list[str]) -> None:
    text = "".join(pieces)
    merged = markdown.read(text, 0).blocks
    single = markdown._Reader(text, 0, is_merged=False, is_blotted=False).read().blocks
    assert [(block.kind, block.text, seen(block, text), block.codes) for block in merged] == [
        (block.kind, block.text, seen(block, text), block.codes) for block in single
    ]
    assert [(mark.label, mark.at) for block in merged for mark in block.references] == [
        (mark.label, mark.at) for block in single for mark in block.references
    ]


def test_trimming_a_block_keeps_every_place_true() -> None:
    text = "ab `cd` ~~ef~~ [gh](i) jk"
    (block,) = markdown.read(text, 0).blocks
    block.trim(3, block.text.index(" jk"))
    assert block.text == "cd ef gh"
    assert seen(block, text) == list("cd ef gh")
    assert (block.codes, block.struck, [(link.at, link.until) for link in block.links]) == (
        [(0, 2)],
        [(3, 5)],
        [(6, 8)],
    )
