from __future__ import annotations

import pytest

from gitops.wiki import written


@pytest.mark.parametrize(
    "text",
    [
        "words and words",
        "Node.js and Vue.js",
        "either/or, and/or, 2024/2025, A/B",
        "version 2.0.1, e.g. this, U.S.A.",
        "a/b/c without a suffix",
        "@raw/a.md and ~/raw/a.md",
        "",
    ],
)
def test_words_are_no_paths(text: str) -> None:
    assert list(written.scan(text)) == []


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("see raw/a.md.", ["raw/a.md"]),
        ("raw/a.md, raw/b.md;raw/c.md", ["raw/a.md", "raw/b.md", "raw/c.md"]),
        ("../raw/a.tar.gz", ["../raw/a.tar.gz"]),
        ("/raw/a.md", ["/raw/a.md"]),
        ("raw/issue-3644", ["raw/issue-3644"]),
        ("raw/bees/hive_1/ and raw/bees/wax", ["raw/bees/hive_1", "raw/bees/wax"]),
        ("raw/My Report (1).pdf and raw/x.md", ["raw/My Report (1).pdf", "raw/x.md"]),
        ("My Report 2019.pdf", ["My Report 2019.pdf"]),
        ("notes.md", ["notes.md"]),
        ("hooks/x.ts:67", ["hooks/x.ts"]),
        ("raw/访谈 记录.md参照", ["raw/访谈 记录.md"]),
        ("raw/e\u0301.md", ["raw/é.md"]),
        ("talk_(v1).md", ["talk_(v1).md"]),
        ("raw/磨坊：水车 History/article.md，Ch1", ["raw/磨坊：水车 History/article.md"]),
        ("raw/books/磨坊：水车.md", ["raw/books/磨坊：水车.md"]),
        ("raw/a.md：引自 b.md", ["raw/a.md", "b.md"]),
        ("raw/磨坊： raw/b.md", ["raw/磨坊", "raw/b.md"]),
    ],
)
def test_paths(text: str, paths: list[str]) -> None:
    found = list(written.scan(text))
    assert [one.path for one in found] == paths
    assert not any(one.is_url for one in found)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("at https://example.org/a.md.", "https://example.org/a.md"),
        ("(https://example.org/a_(b))", "https://example.org/a_(b)"),
        ("www.example.org/a", "www.example.org/a"),
        ("example.com/a/b.html", "example.com/a/b.html"),
        ("arXiv:2503.13657", "arXiv:2503.13657"),
        ("doi:10.1000/182.pdf", "doi:10.1000/182.pdf"),
        ("10.1000/182.pdf", "10.1000/182.pdf"),
    ],
)
def test_addresses_are_no_paths(text: str, address: str) -> None:
    (found,) = written.scan(text)
    assert (found.path, found.is_url) == (address, True)
    assert written.is_address(address)


@pytest.mark.parametrize("target", ["https://a.example", "mailto:a@b", "arXiv:2402.1", "doi:10.1/2", "notion:page"])
def test_a_scheme_makes_an_address(target: str) -> None:
    assert written.has_scheme(target)
    assert written.is_address(target)


@pytest.mark.parametrize("target", ["C:/a.md", "Note: words", "a:", "10.1000/182", "ns", "raw/a:b.md"])
def test_what_has_no_scheme(target: str) -> None:
    assert not written.has_scheme(target)


@pytest.mark.parametrize("path", ["raw/a.md", "notes.md", "analysis", "Li et al. (2023)", "raw/example.com.md", ""])
def test_paths_and_words_are_no_addresses(path: str) -> None:
    assert not written.is_address(path)


@pytest.mark.parametrize(
    ("text", "end"),
    [(", p. 3 of it", 6), (" (lines 3-4)", 11), (", 5:40", 6), (" § Two (so)", 6), (" p3m", 0), ("p. 3", 0), ("", 0)],
)
def test_locators_in_words_behind_a_path(text: str, end: int) -> None:
    located, at = written.following(text, 0, len(text))
    assert (located is not None, at) == (end > 0, end)


def test_a_long_word_is_searched_in_good_time() -> None:
    assert list(written.scan("a+b" * 100_000)) == []
    assert list(written.scan("a/" * 100_000)) == []
