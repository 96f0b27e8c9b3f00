from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.decode import OVERSIZED, decode
from gitops.wiki.terms import tokens
from gitops.wiki.wordscan import WordScan

# Characters that fold, compose, part words or look like what does; and bytes that are no UTF-8.
ODD = "aeiou AEIOU_-–—’“”…\u200b\u200d\u203f\u0301\u0338\u0307\u00adßſKİŉﬁﬂéÉΣςйЙ东京都ｱア한국0١٢²½\ufeff\0\n.,;<>="
TEXTS = st.one_of(
    st.text(ODD, max_size=60), st.text(max_size=60), st.lists(st.sampled_from(["fi", "ß", "café"])).map("-".join)
)


def expected(terms: set[str], data: bytes) -> set[str]:
    return terms.intersection(tokens(decode(data).text))


@given(TEXTS, st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]), st.lists(st.text(ODD, max_size=4)))
@settings(max_examples=400)
@pytest.mark.slow
def test_it_finds_exactly_the_words_of_the_text(text: str, encoding: str, others: list[str]) -> None:
    data = text.encode(encoding, "surrogatepass")
    terms = {*tokens(decode(data).text), *tokens(" ".join(others))}
    assert WordScan(terms).held(data) == expected(terms, data)


@given(st.binary(max_size=80), st.binary(max_size=20))
@settings(max_examples=400)
def test_it_finds_exactly_the_words_of_any_bytes(data: bytes, other: bytes) -> None:
    terms = {*tokens(decode(data).text), *tokens(decode(other).text)}
    assert WordScan(terms).held(data) == expected(terms, data)


def test_no_character_of_the_general_punctuation_is_part_of_a_word() -> None:
    for code in range(0x2000, 0x2040):
        text = f"sea{chr(code)}shore sea{chr(code)}\u0301"
        assert WordScan(tokens(text)).held(text.encode()) == set(tokens(text)) == {"sea", "shore"}


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (b"hydroturbines, turbines", set()),
        (b"The TURBINE.", {"turbine"}),
        (b"gas_turbine", {"turbine"}),
        ("Straße".encode(), {"strasse"}),
        ("cafe\u0301".encode(), {"café"}),
        ("«Café»—turbine".encode(), {"café", "turbine"}),
        ("東京都".encode(), {"東京"}),
        ("베팅은 베팅".encode(), {"베팅"}),
        ("turbine".encode("utf-16"), {"turbine"}),
        (b"turbine \xff caf\xe9", {"turbine"}),
    ],
)
def test_words_are_whole_in_any_script(page: bytes, found: set[str]) -> None:
    assert WordScan(["turbine", "strasse", "café", "東京", "베팅"]).held(page) == found


def test_of_an_oversized_page_only_what_is_read_counts() -> None:
    data = b"sluice\n" + b"x " * (OVERSIZED // 2) + b"turbine"
    assert WordScan(["sluice", "turbine"]).held(data) == expected({"sluice", "turbine"}, data) == {"sluice"}


def test_terms_are_counted_the_most_frequent_first() -> None:
    assert WordScan(["a1", "sluice", "turbine"]).counted(b"Sluice, turbine; TURBINE.") == {"turbine": 2, "sluice": 1}
    assert list(WordScan(["sluice", "turbine"]).counted(b"Sluice, turbine; TURBINE.")) == ["turbine", "sluice"]
    assert Counter(WordScan([]).counted(b"x")) == Counter()
