from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.decode import OVERSIZED, READ_OF_OVERSIZED, decode


def results(data: bytes) -> list[str]:
    return [problem.result for problem in decode(data).problems]


def test_invalid_utf8_is_told_at_the_first_bad_byte_and_replaced() -> None:
    found = decode("é\nab \ud800".encode("utf-8", "surrogatepass") + b"\xff")
    (problem,) = found.problems
    assert (problem.result, problem.place.line, problem.place.column) == ("invalid_utf8", 2, 4)
    assert found.text.startswith("é\nab \ufffd")


def test_a_byte_order_mark_is_told_and_is_no_part_of_the_text() -> None:
    found = decode(codecs.BOM_UTF8 + b"a")
    assert found.text == "a"
    assert results(codecs.BOM_UTF8 + b"a") == ["byte_order_mark"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_told_and_decoded_with_or_without_its_mark(encoding: str) -> None:
    data = "Kaffee für zwei\nlines".encode(encoding)
    assert decode(data).text == "Kaffee für zwei\nlines"
    assert results(data) == ["utf16"]


def test_half_a_surrogate_pair_does_not_stay_in_the_text() -> None:
    decode(codecs.BOM_UTF16_LE + b"a\0\x00\xd8").text.encode()


def test_a_stray_nul_is_not_utf16() -> None:
    assert results(b"some text with one \0 in it") == []


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb"])
def test_crlf_is_told_at_the_first_and_kept(text: str) -> None:
    found = decode(text.encode())
    assert found.text == text
    assert [(problem.result, problem.place.start) for problem in found.problems] == [("crlf", 1)]


def test_of_an_oversized_page_the_beginning_is_read_up_to_a_line_end() -> None:
    found = decode(b"0123456\n" * (OVERSIZED // 8 + 9))
    assert [problem.result for problem in found.problems] == ["oversized"]
    assert len(found.text) == READ_OF_OVERSIZED
    assert found.problems[0].message.endswith(f"its first {READ_OF_OVERSIZED} characters was not read")


def test_an_oversized_page_of_one_line_is_cut_within_it() -> None:
    found = decode("語".encode() * (OVERSIZED // 3 + 1))
    assert [problem.result for problem in found.problems] == ["oversized"]
    assert len(found.text) == READ_OF_OVERSIZED


def test_a_plain_page_has_no_problem() -> None:
    assert decode("Grüße\n".encode()).problems == ()


@given(st.binary())
def test_no_bytes_raise_and_the_text_encodes_again(data: bytes) -> None:
    decode(data).text.encode()
