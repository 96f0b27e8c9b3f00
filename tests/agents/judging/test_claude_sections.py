"""A source divided: nothing between the pieces, none too long, sections by headings and pages."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.agents.judging import sections
from gitops.agents.judging.sections import divide

BEVERAGES = sorted((Path(__file__).parents[3] / "../shared/data/wikis/citadel-beverages/raw").glob("*.md"))


def assert_covered(text: str) -> None:
    divided = divide(text)
    places = [(piece.start, piece.end) for piece in divided.pieces]
    assert "".join(text[start:end] for start, end in places) == text
    assert all(end == start for (_, end), (start, _) in pairwise(places))
    assert [section.number for section in divided.sections] == list(range(1, len(divided.sections) + 1))
    for piece in divided.pieces:
        section = divided.sections[piece.section - 1]
        assert section.start <= piece.start < piece.end <= section.end


def test_an_empty_text_has_no_piece() -> None:
    assert (divide("").pieces, divide("").sections) == ((), ())


@settings(max_examples=200)
@given(st.text(alphabet="ab .\n\f#-。", max_size=3_000))
def test_pieces_cover_the_text(text: str) -> None:
    assert_covered(text)


@pytest.mark.parametrize("text", ["x" * 10_000, "word " * 5_000, "\n" * 3_000, "水" * 4_000, "a\n" * 4_000])
def test_a_text_without_paragraphs_is_cut_all_the_same(text: str) -> None:
    assert_covered(text)
    longest = max(piece.end - piece.start for piece in divide(text).pieces)
    assert longest <= sections.PIECE or not text.strip()


def test_sentences_are_not_cut_where_there_is_a_better_place() -> None:
    text = "The mill ground wheat in that year and the next. " * 40
    divided = divide(text)
    assert len(divided.pieces) > 3
    assert all(divided.of(index).rstrip().endswith(".") for index in range(len(divided.pieces)))


def test_headings_and_pages_begin_sections() -> None:
    divided = divide("Before.\n\n# One\n\nText.\n\n## Two\n\nText.\n")
    assert [section.title for section in divided.sections] == ["beginning", "One", "Two"]
    assert [section.title for section in divide("First.\fSecond.\fThird.").sections] == ["page 1", "page 2", "page 3"]


def test_a_long_section_is_parted_and_its_parts_are_called_by_their_first_words() -> None:
    words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    divided = divide("# Mill\n\n" + "\n\n".join(f"The {word} paragraph. " + "Wheat. " * 60 for word in words))
    titles = [section.title for section in divided.sections]
    assert titles[0] == "Mill"
    assert len(titles) > 1
    assert all(title.startswith("The ") for title in titles[1:])
    assert all(section.end - section.start <= sections.SECTION for section in divided.sections)


@pytest.mark.parametrize("path", BEVERAGES, ids=lambda path: path.stem)
def test_real_sources_are_covered(path: Path) -> None:
    assert_covered(path.read_text())
