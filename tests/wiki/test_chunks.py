from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import chunks, page, passages, sources
from gitops.wiki.chunks import LONGEST, Chunk
from gitops.wiki.source_text import SourceText

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"
PAGE = """---
title: Tides
aliases: [ebb]
---
The sea falls and rises.[^1]

## Ebb

It falls.

### At night

It falls unseen.

## Nothing below

## Flood

It rises.

[^1]: raw/tides.md, "twice a day"
"""


def of(text: str, path: str = "wiki/tides.md") -> list[Chunk]:
    return chunks.of_page(path, page.parse(text.encode()))


def source(text: str, path: str = "raw/tides.md") -> list[Chunk]:
    return chunks.of_source(path, sources.extract(path, text.encode()))


@pytest.mark.parametrize(
    "text", ["", "---\ntitle: Tides\n---\n", "# Tides\n", "# Tides\n\n## Ebb\n", "[^1]: raw/a.md\n"]
)
def test_a_page_without_text_has_no_chunk(text: str) -> None:
    assert of(text) == []


def test_sections_are_chunks_with_the_headings_above_them() -> None:
    found = of(PAGE)
    assert [(one.heading, one.text, one.line) for one in found] == [
        ("", "The sea falls and rises.", 5),
        ("Ebb", "It falls.", 7),
        ("Ebb › At night", "It falls unseen.", 11),
        ("Flood", "It rises.", 17),
    ]
    assert {one.title for one in found} == {"Tides"}


def test_spans_hold_what_is_read_and_its_marks() -> None:
    text = page.parse(PAGE.encode()).text
    assert [text[one.start : one.end] for one in of(PAGE)] == [
        "The sea falls and rises.[^1]",
        "## Ebb\n\nIt falls.",
        "### At night\n\nIt falls unseen.",
        "## Flood\n\nIt rises.",
    ]


def test_short_neighbours_stay_on_their_own() -> None:
    assert len(of("## A\n\none\n\n## B\n\ntwo\n")) == 2


@pytest.mark.parametrize(
    ("text", "path", "title"),
    [
        ("# The sea\n\nIt falls.\n", "wiki/x.md", "The sea"),
        ("It falls.\n", "wiki/low_water-mark.md", "low water mark"),
        ("---\ntitle: 1984\n---\n# Other\n\nIt falls.\n", "wiki/x.md", "1984"),
        ("---\ntitle: []\n---\n# Other\n\nIt falls.\n", "wiki/x.md", "Other"),
    ],
)
def test_a_title_is_the_frontmatters_the_first_headings_or_the_files(text: str, path: str, title: str) -> None:
    assert {one.title for one in of(text, path)} == {title}


@pytest.mark.parametrize(
    "data", [PAGE.encode(), b"\xef\xbb\xbf# T\r\n\r\nIt falls.\r\n", b"---\nnever: closed\nIt \xff falls."]
)
def test_a_pages_bytes_have_the_chunks_of_the_page(data: bytes) -> None:
    assert chunks.of_page_data("wiki/x.md", data) == chunks.of_page("wiki/x.md", page.parse(data)) != []


def test_a_source_is_called_as_its_chunks_are() -> None:
    text = sources.extract("raw/x.md", b"---\ntitle: Tides\n---\n# Other\n\nIt falls.\n")
    assert chunks.title_of("raw/x.md", text) == chunks.of_source("raw/x.md", text)[0].title == "Tides"


def test_ids_are_of_the_path_and_the_span() -> None:
    [one], [other], [longer] = of("It falls."), of("It falls.", "wiki/ebb.md"), of("It falls. Again.")
    assert len({one.id, other.id, longer.id}) == 3
    assert of("It falls.\n\n")[0].id == one.id == chunks.chunk_id("wiki/tides.md", 0, 9)
    assert one.id == "fa47dea7936758d5f677"


def test_a_long_section_is_split_at_paragraphs() -> None:
    paragraph = "The sea falls and rises. " * 10
    found = of("## Ebb\n\n" + "\n\n".join([paragraph] * 12))
    assert len(found) > 1
    assert {one.heading for one in found} == {"Ebb"}
    assert all(len(one.text.replace("\n", "")) <= LONGEST for one in found)
    assert all(one.text.count("The sea falls and rises.") % 10 == 0 for one in found)


def test_a_long_paragraph_is_split_between_sentences() -> None:
    text = " ".join(f"Sentence number {n} says that the sea falls." for n in range(200))
    found = of(text)
    assert len(found) > 5
    assert all(one.text.startswith("Sentence") and one.text.endswith("falls.") for one in found)
    assert all(text[one.start :].startswith("Sentence number") for one in found)


def test_a_long_table_is_split_between_rows() -> None:
    rows = "\n".join(f"| tide {n} | {'high ' * 20} |" for n in range(60))
    found = of(f"| a | b |\n|---|---|\n{rows}\n")
    assert len(found) > 1
    assert all(line.startswith("a: tide") for one in found for line in one.text.split("\n"))


def test_a_pdf_chunk_tells_its_page() -> None:
    first, second = "The sea falls. " * 100, "It rises again. " * 100
    text = SourceText(f"{first}\f{second}", (0, len(first) + 1), "pdf", "1")
    found = chunks.of_source("raw/tides.pdf", text)
    assert [one.page for one in found if "falls" in one.text] == [1] * sum("falls" in one.text for one in found)
    assert found[-1].page == 2


def test_html_and_plain_text_have_chunks_too() -> None:
    assert [one.text for one in source("<p>The sea falls.</p><p>It rises.</p>", "raw/a.html")] == [
        "The sea falls.\nIt rises."
    ]
    assert [one.text for one in source("The sea falls.\n\nIt rises.", "raw/a.txt")] == ["The sea falls.\nIt rises."]


def test_frontmatter_of_a_source_is_no_text() -> None:
    assert [one.text for one in source("---\ntitle: Tides\n---\nIt falls.\n")] == ["It falls."]


@given(
    st.lists(st.sampled_from(["# A", "## B", "Words of a text. More words.", "- item", "潮。", "", "x" * 700])).map(
        "\n\n".join
    )
)
def test_spans_are_apart_in_order_and_hold_every_passage(text: str) -> None:
    found = of(text)
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    said = [one for one in passages.of_markdown(text) if one.block != "heading"]
    assert all(sum(one.start <= each.start and each.end <= one.end for one in found) == 1 for each in said)
    assert found == of(text)


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the shared wikis are not here")
@pytest.mark.parametrize("name", ["citadel-beverages", "citadel-gazette", "llm-wiki-bootstrap"])
def test_real_pages_and_sources_are_cut_so_that_nothing_is_lost(name: str) -> None:
    folder = WIKIS / name
    ids: list[str] = []
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if not file.is_file() or not path.startswith(("raw/", "wiki/")):
            continue
        if path.startswith("raw/"):
            text = sources.extract(path, file.read_bytes())
            found, said = chunks.of_source(path, text), chunks.source_passages(text)
        elif file.suffix == ".md":
            parsed = page.parse(file.read_bytes())
            found, said = chunks.of_page(path, parsed), passages.of_markdown(parsed.text, parsed.body)
        else:
            continue
        ids += (one.id for one in found)
        spans = [(one.start, one.end) for one in found]
        for one in said:
            if one.block != "heading":
                assert sum(start <= one.start and one.end <= end for start, end in spans) == 1, (path, one)
    assert len(ids) == len(set(ids)) > 10
