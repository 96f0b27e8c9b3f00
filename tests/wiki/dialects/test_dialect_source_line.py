from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ID = "source_line"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        "Source: raw/<file>",
        "**Source**: raw/{slug}.md",
        "Sources:\n\nWords.",
        "Source code: raw/a.md",
        "The source: raw/a.md",
        "```\nSource: raw/a.md\n```",
        "<!--\nSource: raw/a.md\n-->",
        "`Source: raw/a.md`",
        "# Source: raw/a.md",
        "- **Source**: A material that a concept derives from, external\n  or internal to it",
        "Raw sources: notes and logs. Wiki pages: what is made of them.",
        "Source: Smith said it. Then he said it again.",
        "**Reference**: as people say",
        "**参考**: words that are a remark",
        "Source://example.org",
    ],
)
def test_what_cites_nothing(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("**Source**: raw/a.md", ["raw/a.md"]),
        ("**Source:** raw/a.md", ["raw/a.md"]),
        ("*Source: raw/a.md*", ["raw/a.md"]),
        ("> Source: raw/a.md", ["raw/a.md"]),
        ("> **Source**: raw/a.md", ["raw/a.md"]),
        ("- **Sources**: raw/a.md, raw/b.md", ["raw/a.md", "raw/b.md"]),
        ("📄 **Source:** `raw/a.md`", ["raw/a.md"]),
        ("Sources: [a](../raw/a.md); [[b]]", ["../raw/a.md", "b"]),
        ("**Source**: raw/a.md | **Date**: 2020-01-01", ["raw/a.md"]),
        ("**Source file**: raw/a.pdf", ["raw/a.pdf"]),
        ("**출처**: [[면담]]", ["면담"]),
        ("**来源**：raw/访谈.md、raw/b.md", ["raw/访谈.md", "raw/b.md"]),
        ("**出典**: raw/面談.md", ["raw/面談.md"]),
        ("**Quelle**: raw/a.md", ["raw/a.md"]),
        ("**Reference**: raw/a.md", ["raw/a.md"]),
        ("**Source**: https://example.org/a", ["https://example.org/a"]),
        ("**Source**: Li et al. (2023)", ["Li et al. (2023)"]),
        ("**Source**: Smith (2020), *Title*. [PDF](../raw/a.pdf)", ["../raw/a.pdf"]),
        ("**Source**: raw/a.md — notes on [[concept]]", ["raw/a.md"]),
    ],
)
def test_a_line_at_the_head_of_a_page_backs_the_page(read: Reader, line: str, paths: list[str]) -> None:
    for text in (f"# Title\n\n{line}\n\nWords.\n", f"{line}\n", f"---\na: 1\n---\n{line}\n"):
        found = read(text, ID)
        assert (found.whole, found.claims) == (paths, [])


def test_the_items_below_a_line_that_ends_with_its_colon(read: Reader) -> None:
    found = read("**Sources:**\n\n- raw/a.md\n- [[b]]\n  - raw/no.md\n\nWords.\n\n- raw/no.md\n", ID)
    assert found.whole == ["raw/a.md", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "## A\n\nIt fell.\n\nSource: raw/a.md\n",
        "## A\n\nIt fell.\nSource: raw/a.md\n",
        "> It fell.\n> Source: raw/a.md\n",
        "> It fell.\n\nSource: raw/a.md\n",
        "> It fell.\n>\n> — Source: raw/a.md\n",
        "- It fell.\n  - Source: raw/a.md\n",
    ],
)
def test_a_line_right_behind_a_claim_backs_it(read: Reader, text: str) -> None:
    found = read(text, ID)
    assert (found.claims, found.whole) == ([("It fell.", "raw/a.md")], [])


@pytest.mark.parametrize(
    "text",
    [
        "## A\n\n**Author**: Li\n**Source**: raw/a.md\n**Date**: 2020\n",
        "## A\n\n- **Author**: Li\n- **Source**: raw/a.md\n",
        "## A\n\nSource: raw/a.md\n\nIt fell.\n",
        "## A\n\n- It fell.\n- It rose.\n\nSource: raw/a.md\n",
        "# A\n\nIt fell.\n\nSource: raw/a.md\n",
    ],
)
def test_a_line_among_the_data_of_a_page_or_section_backs_the_page(read: Reader, text: str) -> None:
    found = read(text, ID)
    assert (found.claims, found.whole) == ([], ["raw/a.md"])


@pytest.mark.parametrize(
    "text",
    [
        "It fell. Source: raw/a.md",
        "- It fell. Source: [a](raw/a.md), p. 3\n",
        "It fell. — *Source: raw/a.md*",
        "It fell — source: `raw/a.md`",
        "> It fell. — raw/a.md\n",
        "It fell. 출처: raw/a.md",
        "| Claim | Source |\n|---|---|\n| It fell. | raw/a.md |\n",
        "| Claim | 出处 |\n|---|---|\n| It fell. | [a](raw/a.md) p. 3 |\n",
    ],
)
def test_a_label_behind_a_sentence_or_over_a_column_backs_what_stands_beside_it(read: Reader, text: str) -> None:
    found = read(text, ID)
    assert [(claim.rstrip("."), path) for claim, path in found.claims] == [("It fell", "raw/a.md")]
    assert found.whole == []


@pytest.mark.parametrize(
    "text",
    [
        "It fell. Source: raw/a.md says so in plain words.",
        "It fell — notes/a.md",
        "It fell. Note: raw/a.md",
        "It fell. `Source: raw/a.md`",
        "| Claim | Count |\n|---|---|\n| It fell. | raw/a.md |\n",
        "| Claim | Source |\n|---|---|\n| It fell. | Smith |\n",
    ],
)
def test_what_goes_on_with_words_is_no_source_behind_a_sentence(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


def test_where_in_the_source_and_in_the_page(read: Reader) -> None:
    found = read("É\n\n**Source**: [a](../raw/a.pdf), p. 3; raw/b.md#L3-L5\r\n", ID)
    assert found.located == [(3, 3), (3, 5)]
    assert found.places == ["[a](../raw/a.pdf), p. 3", "raw/b.md#L3-L5"]


def test_what_another_dialect_reads_is_read_once(read: Reader) -> None:
    for order in ((ID, "source_link", "code_path"), ("code_path", "source_link", ID)):
        found = read("## A\n\nIt fell.\n\nSource: [[raw/a]], `raw/b.md`\n", *order)
        assert found.claims == [("It fell.", "raw/a"), ("It fell.", "raw/b.md")]
        assert {cite.dialect for cite in found.cites} == {ID}


def test_names_in_brackets_as_yaml_has_them_are_each_a_source(read: Reader) -> None:
    found = read("# Mill\n\nsources: [the-mill-2019, old ledger]\nconfidence: high\n", ID)
    assert (found.whole, found.places) == (["the-mill-2019", "old ledger"], ["the-mill-2019", "old ledger"])


def test_an_address_behind_a_word_for_it(read: Reader) -> None:
    assert read("# Mill\n\nRaw URL: https://example.org/mill.pdf\n", ID).whole == ["https://example.org/mill.pdf"]


def test_a_line_over_a_list_of_quotations_backs_each(read: Reader) -> None:
    items = '- "The wheel turned all day."\n- “It stood at night.”\n'
    both = [('"The wheel turned all day."', "sources/mill"), ("“It stood at night.”", "sources/mill")]
    assert read(f"## Mentions\n\n**Source: [[sources/mill|Mill]]**\n{items}", ID).claims == both
    quoted = "".join(f"> {line}\n" for line in ["**Source: [[sources/mill|Mill]]**", *items.splitlines()])
    assert read(f"## Mentions\n\n{quoted}", ID).claims == both
    other = read("## Facts\n\n**Source**: [[sources/mill]]\n\n- It turned.\n- It stood.\n", ID)
    assert (other.claims, other.whole) == ([], ["sources/mill"])


@pytest.mark.parametrize("label", ["Джерело", "Fonti", "Zdroj", "Bronnen", "Källa", "Kilde", "Lähde"])
def test_labels_in_other_languages(read: Reader, label: str) -> None:
    assert read(f"# Mill\n\n**{label}:** [[mill]]\n", ID).whole == ["mill"]
