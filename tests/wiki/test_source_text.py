from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.source_text import SourceText, from_bytes, page_of, page_span, to_bytes

TWO = SourceText("one\ftwo", (0, 4), "pdf", "1+pypdfium2-5")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"anything",
        b"assay-source-1\n" + zlib.compress(b"[]\n"),
        b"assay-source-2\n",
        b"assay-source-2\nnot deflated",
        b"assay-source-2\n" + zlib.compress(b"{}\ntext"),
        b"assay-source-2\n" + zlib.compress(b'["text","1","","",false,["x"]]\n'),
        to_bytes(TWO)[:-3],
    ],
)
def test_a_damaged_or_foreign_cache_entry_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cached source text"):
        from_bytes(data)


@given(st.text(), st.lists(st.integers(0, 10**7)).map(sorted), st.sampled_from(["", "utf16"]), st.text(max_size=9))
def test_a_cached_source_comes_back_equal(text: str, starts: list[int], problem: str, message: str) -> None:
    source = SourceText(text, tuple(starts), "pdf", "1", problem, message)
    assert from_bytes(to_bytes(source)) == source


def test_lone_surrogates_survive_the_cache() -> None:
    assert from_bytes(to_bytes(SourceText("a\ud800b"))).text == "a\ud800b"


def test_offsets_and_pages_lead_to_each_other() -> None:
    assert [page_of(TWO, offset) for offset in (-1, 0, 3, 4, 7, 8)] == [None, 1, 1, 2, 2, None]
    assert [page_span(TWO, number) for number in (0, 1, 2, 3)] == [None, (0, 4), (4, 7), None]


def test_a_source_without_pages_has_none() -> None:
    assert page_of(SourceText("text"), 1) is None
    assert page_span(SourceText("text"), 1) is None


def test_lower_case_keeps_every_code_point_in_place() -> None:
    assert SourceText("A  B").lowered == "a b"
    assert SourceText("İ B").lowered == "İ B"
