from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ID = "source_list"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        "## Open sources\n\n- raw/a.md\n",
        "## Data sources and what they lack\n\n- raw/a.md\n",
        "## What this source provides\n\n- raw/a.md\n",
        "# Sources: RAG\n\n- raw/a.md\n",
        "Sources\n\n- raw/a.md\n",
        "```\n## Sources\n- raw/a.md\n```\n",
        "## Sources\n\n- `raw/<file>`\n- raw/{slug}.md\n",
        "## Sources\n\n```\nraw/a.md\n```\n",
        "## Sources\n\n[^1]: [a](../raw/a.md)\n\nWords.[^1]",
        "# Sources\n\n- Words that say how sources are named.\n",
    ],
)
def test_what_cites_nothing(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


@pytest.mark.parametrize(
    "heading",
    """# Sources|## Sources|### SOURCES:|## 3. Sources|## 3.2 Sources|## IV. References|## 📚 Sources|## **Sources**
## Sources & References|## Sources and Bibliography|## Sources (raw)|## 参考|## 出处：|## 출처|## 참고 자료
## 참고 자료 (References)|## 出典|## Quellen|## 一、参考资料""".replace("\n", "|").split("|"),
)
def test_headings_of_lists_of_sources(read: Reader, heading: str) -> None:
    assert read(f"# T\n\n## A\n\n- raw/no.md\n\n{heading}\n\n- raw/a.md\n", ID).whole == ["raw/a.md"]


def test_the_headings_are_as_configured(read: Reader) -> None:
    text = "## Belege\n\n- raw/a.md\n\n## Sources\n\n- raw/b.md\n"
    assert read(text, ID, headings=("Belege",)).whole == ["raw/a.md"]


@pytest.mark.parametrize(
    ("item", "paths"),
    [
        ("[a](../raw/a.md)", ["../raw/a.md"]),
        ("[a](../raw/a.md) — used for [[concept]]", ["../raw/a.md"]),
        ("[[a]] (2024, updated 2025)", ["a"]),
        ("[[a]], [[b|B]]", ["a", "b"]),
        ("`raw/a.md`", ["raw/a.md"]),
        ("raw/My Report 2019.pdf, pp. 3-5", ["raw/My Report 2019.pdf"]),
        ("Smith, J. (2020). *A title*. https://doi.org/10.1/x", ["https://doi.org/10.1/x"]),
        ("Smith, [A title](https://example.org) and [another](https://example.com)", ["https://example.org"]),
        ("Smith (2020). [[smith-2020]]", ["smith-2020"]),
        ("A book by somebody, 1999", ["A book by somebody, 1999"]),
        ("arXiv:2503.13657", ["arXiv:2503.13657"]),
        ("A long description that mentions [[concept]] in the middle of it", []),
        ("[ ] [a](../raw/a.md)", ["../raw/a.md"]),
    ],
)
def test_what_an_item_cites(read: Reader, item: str, paths: list[str]) -> None:
    found = read(f"## Sources\n\n- {item}\n", ID)
    assert (found.whole, found.claims) == (paths, [])


def test_it_goes_on_to_the_next_heading_of_its_level_or_above(read: Reader) -> None:
    text = (
        "### Sources\n\n- raw/a.md\n\n#### More\n\n1. raw/b.md\n\n### Next\n\n- raw/no.md\n\n## Sources\n\nraw/c.md\n"
    )
    assert read(text, ID).whole == ["raw/a.md", "raw/b.md", "raw/c.md"]


def test_each_row_of_a_table_is_one_item(read: Reader) -> None:
    text = "## Sources\n\n| # | File | See |\n|---|---|---|\n| 1 | raw/a.md | [[b]] |\n| 2 | A book | |\n"
    assert read(text, ID).whole == ["raw/a.md"]


def test_where_in_the_source_and_in_the_page(read: Reader) -> None:
    found = read("## Sources\n\n- É raw/no.md\n- raw/x.pdf, pp. 3-5\n- [[a#Intro]] — so\n- [b](b.md), lines 1-2\n", ID)
    assert found.located[-3:] == [(3, 5), "Intro", (1, 2)]
    assert found.places[-3:] == ["raw/x.pdf, pp. 3-5", "[[a#Intro]]", "[b](b.md), lines 1-2"]
    assert [cite.how for cite in found.cites][-3:] == ["loose", "wiki", "link"]
