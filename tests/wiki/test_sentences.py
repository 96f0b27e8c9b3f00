from __future__ import annotations

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.page import parse, sentences


def found(text: str) -> list[tuple[str, bool, bool]]:
    return [(one.text, one.cited, one.free) for one in sentences(parse(text.encode()))]


def test_a_block_is_cited_or_it_is_not() -> None:
    text = 'One. Two.[^1]\n\nThree. Four.\n\n[^1]: raw/a, "q. r."'
    assert found(text) == [
        ("One.", True, False),
        ("Two.", True, False),
        ("Three.", False, False),
        ("Four.", False, False),
    ]


def test_a_reference_without_definition_cites_nothing_and_is_no_word() -> None:
    assert found("One[^nope].") == [("One.", False, False)]


def test_a_definition_in_another_form_counts_as_cited() -> None:
    assert found("One[^1].\n\n[^1]: [a](b)") == [("One.", True, False)]


def test_frontmatter_code_and_definitions_are_no_sentences() -> None:
    assert found("---\na: 1\n---\n```\nx\n```\n\n[^1]: z") == []


@pytest.mark.parametrize(
    "html",
    [
        "<div>The mill was built\nin 1994 &amp; by giants.</div>",
        "<p>The mill <b>was</b> built in <!-- no --> 1994 &amp; by giants.</p>",
        "<div><a href='x'>a link of many more words than five</a>The mill was built in 1994 &amp; by giants.</div>",
    ],
)
def test_what_an_html_block_says_is_one_sentence_that_cites_nothing(html: str) -> None:
    assert found(f"One[^1].\n\n{html}\n\n[^1]: raw/a.md")[1:] == [
        ("The mill was built in 1994 & by giants.", False, False)
    ]


def test_chinese_in_an_html_block_is_no_caption() -> None:
    assert found("<div>这座磨坊建于一九八四年。</div>") == [("这座磨坊建于一九八四年。", False, False)]


@pytest.mark.parametrize(
    "html",
    [
        "<p>y</p>",
        "<div align='center'>Figure 1: the mill</div>",
        "<h2>A heading of more words than five, and all free</h2>",
        "<details>\n<summary>More than five words of a summary here</summary>\n</details>",
        "<pre>\nmore than five words of code in here\n</pre>",
        "<!-- a comment of more than five words in here -->",
        "<img src='a.png' alt='more than five words of a picture'>",
        "<div><a href='x'>a link of many more words than five</a></div>",
    ],
)
def test_captions_headings_links_and_code_in_html_owe_nothing(html: str) -> None:
    assert all(free for _, _, free in found(html))


@pytest.mark.parametrize(
    "text",
    [
        "# Heading",
        "Costs were:\n\n- ",
        "- [a](b.md)",
        "- [[a]], [[b|c]] · [d](e.md)",
        "See also: [a](b.md), [[c]]",
        "参考：[[c]]",
        "![[image.png]]",
        "![alt](image.png)",
        "…",
    ],
)
def test_what_is_free(text: str) -> None:
    assert all(free for _, _, free in found(text))


@pytest.mark.parametrize("text", ["Costs were:", "- [a](b.md) — a description", "word", "Costs fell.\n\n- [a](b)"])
def test_what_is_not(text: str) -> None:
    assert not found(text)[0][2]


def test_column_heads_are_free_and_cells_are_not() -> None:
    assert found("|a|b|\n|-|-|\n|c|d|") == [
        ("a", False, True),
        ("b", False, True),
        ("c", False, False),
        ("d", False, False),
    ]


@pytest.mark.parametrize("after", ["- item", "> quote", "|a|\n|-|"])
def test_a_lead_in_is_free_before_a_list_a_quote_or_a_table(after: str) -> None:
    assert found(f"As follows:\n\n{after}")[0] == ("As follows:", False, True)


def test_a_row_backed_by_a_cell_of_references_is_cited() -> None:
    text = '|a|b|\n|-|-|\n|c|[^1]|\n|d||\n\n[^1]: raw/a, "q"'
    assert [(words, cited) for words, cited, _ in found(text)] == [
        ("a", False),
        ("b", False),
        ("c", True),
        ("d", False),
    ]


def test_a_paragraph_backed_by_the_references_below_it_is_cited() -> None:
    assert found('One.\n\n[^1]\n\n[^1]: raw/a, "q"') == [("One.", True, False)]


def test_places_point_at_the_sentences() -> None:
    page = parse("---\né: 1\n---\nÜber *alles*. [[a|Zwei]] hier.".encode())
    assert [page.text[one.place.start : one.place.end] for one in sentences(page)] == ["Über *alles*.", "Zwei]] hier."]


def owing(text: str, *dialects: str, is_obsidian: bool = True) -> list[str]:
    page = parse(text.encode(), Conventions(dialects or ("canonical",)))
    return [one.text for one in sentences(page, is_obsidian=is_obsidian) if not one.cited and not one.free]


def test_a_footnote_that_is_a_remark_cites_nothing() -> None:
    text = "One.[^1]\n\nTwo.[^2]\n\n[^1]: it is well known\n[^2]: raw/a.md\n"
    assert owing(text, "canonical", "footnote_link", "remark") == ["One."]


def test_what_is_cited_counts_only_where_it_is_held_good() -> None:
    page = parse(b'One.[^1]\n\nTwo.[^2]\n\n[^1]: raw/a, "q"\n[^2]: raw/b, "q"\n')
    found = sentences(page, lambda cite: cite.path == "raw/b")
    assert [(one.text, one.cited) for one in found] == [("One.", False), ("Two.", True)]


@pytest.mark.parametrize("path", ["raw/a.md", "raw/b.md"])
def test_a_page_is_cited_as_a_whole_only_by_what_is_held_good(path: str) -> None:
    page = parse(b"---\nsources: [raw/a.md]\n---\nOne.\n", Conventions(("frontmatter",)))
    assert [one.cited for one in sentences(page, lambda cite: cite.path == path)] == [path == "raw/a.md"]


@pytest.mark.parametrize(
    "said", ["**Source**: knowledge", "## Sources\n\n- knowledge", "## Sources\n\n- [a book](https://example.org/a)"]
)
def test_the_entries_of_a_list_of_sources_owe_nothing_themselves(said: str) -> None:
    page = parse(f"One.\n\n{said}\n".encode(), Conventions(("source_line", "source_list")))
    found = sentences(page, lambda cite: False)
    assert [one.text for one in found if not one.free] == ["One."]


def test_a_sentence_that_is_a_citation_alone_owes_nothing_itself() -> None:
    page = parse(b"One. (source: knowledge)\n", Conventions(("inline_source",)))
    assert [one.text for one in sentences(page, lambda cite: False) if not one.free] == ["One."]


@pytest.mark.parametrize("text", ["%% One. %%", "%%\n\nOne.\n\n%%", "> [!note] One"])
def test_what_only_obsidian_hides_or_calls_a_title_is_said_elsewhere(text: str) -> None:
    assert owing(text) == []
    assert any("One" in sentence for sentence in owing(text, is_obsidian=False))


def test_the_first_line_of_a_callout_is_one_paragraph_with_the_next_to_other_readers() -> None:
    text = '> [!note] One\n> Two.[^1]\n\n> [!note] Three\n>\n> Four.[^1]\n\n[^1]: raw/a, "q"\n'
    assert owing(text, is_obsidian=False) == ["Three"]
