from __future__ import annotations

from itertools import islice

import pytest

from gitops.wiki.occurrences import exactly, loosely, stands, verbatim
from gitops.wiki.source_text import SourceText


def exact(source: SourceText, quote: str) -> list[str]:
    return [source.text[o.start : o.end] for o in verbatim(quote, source, 0, len(source.text) + 1)]


def loose(source: SourceText, quote: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(source.text[o.start : o.end], o.kinds) for o in loosely(quote, source, 0, len(source.text) + 1)]


@pytest.mark.parametrize("quote", ["", " \n", "art", "ART", "180 particles", "par"])
def test_what_is_not_there_from_word_to_word_does_not_occur(quote: str) -> None:
    source = SourceText("the party saw 1,180 particles")
    assert exact(source, quote) == []
    assert loose(source, quote) == []


def test_white_space_is_all_that_verbatim_folds() -> None:
    source = SourceText("Black\n  Tarn and\u00a0Glass Tarn, black tarn")
    assert exact(source, "Black Tarn") == ["Black\n  Tarn"]
    assert exact(source, "and Glass") == ["and\u00a0Glass"]
    assert exact(source, "Tarn") == ["Tarn", "Tarn"]


def test_loosely_names_what_it_overlooked() -> None:
    source = SourceText("Black\n  Tarn and black tarn")
    assert loose(source, "black Tarn") == [("Black\n  Tarn", ("case",)), ("black tarn", ("case",))]


def test_a_pdf_line_without_spaces_is_found_inside_a_longer_one() -> None:
    text = "TheresultsoftheBlackTarnsurvey"
    assert loose(SourceText(text), "results of the Black Tarn") == []
    assert loose(SourceText(text, page_starts=(0,)), "results of the Black Tarn") == [
        ("resultsoftheBlackTarn", ("white space",))
    ]


def test_only_what_begins_in_the_range_counts() -> None:
    source = SourceText("tarn tarn tarn")
    assert [o.start for o in verbatim("tarn", source, 1, 10)] == [5]
    assert [o.start for o in verbatim("tarn", source, 5, 6)] == [5]
    assert [o.start for o in loosely("TARN", source, 1, 10)] == [5]


def test_overlapping_occurrences_all_count() -> None:
    assert exact(SourceText("ha ha ha"), "ha ha") == ["ha ha", "ha ha"]


@pytest.mark.parametrize("quote", ["a", "A", "aaa bbb", "a" * 10_000, "A" * 10_000])
@pytest.mark.parametrize("text", ["a" * 1_000_000, "ab cd " * 150_000, "ba dc " * 150_000])
@pytest.mark.slow
def test_a_source_of_near_misses_ends_without_an_occurrence(text: str, quote: str) -> None:
    assert exact(SourceText(text), quote) == []
    assert loose(SourceText(text), quote) == []


def test_a_source_of_hits_can_be_asked_for_some() -> None:
    source = SourceText("。" * 100_000)
    assert len(list(islice(verbatim("。。", source, 0, 100_000), 10))) == 10


def test_exactly_folds_nothing_and_finds_what_verbatim_finds() -> None:
    source = SourceText("the mill, the mills, a mill\nand a  mill; " + "mill " * 50)
    for quote in ("mill", "the mill", "a mill", "mills", "mil", "a mill and", " the\nmill "):
        found = list(exactly(quote, source, 0, len(source.text)))
        assert set(found) <= set(verbatim(quote, source, 0, len(source.text)))
        assert [one.start for one in found] == sorted({one.start for one in found})
    assert len(list(exactly("mill", source, 0, 999))) == 53
    assert "spaced" not in vars(source_searched_exactly())


def source_searched_exactly() -> SourceText:
    source = SourceText("the mill")
    assert [one.start for one in exactly("mill", source, 0, 9)] == [4]
    return source


def test_exactly_keeps_to_its_range() -> None:
    source = SourceText("a mill, a mill, a mill")
    assert [one.start for one in exactly("mill", source, 3, 18)] == [10]
    assert list(exactly("", source, 0, 99)) == []


@pytest.mark.parametrize(
    ("quote", "offset", "is_there"),
    [
        ("", None, False),
        (" ", None, False),
        ("dog", None, False),
        ("at sat", None, False),
        ("cat sa", None, False),
        ("cat  sat", 5, False),
        ("cat\nsat", 4, True),
        ("cat sat", None, True),
    ],
)
def test_what_plainly_stands_there(quote: str, offset: int | None, is_there: bool) -> None:
    assert stands(quote, "The cat sat.", offset) is is_there
