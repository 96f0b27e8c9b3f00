from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.names import Files, called, ending_in, fold, name_key, source_key
from gitops.wiki.page import parse


def names(text: str, path: str = "wiki/a/The Page.md") -> tuple[str, ...]:
    return called(parse(text.encode()), path, "wiki/index.md")


def test_a_page_without_frontmatter_is_called_by_its_file_and_its_first_heading() -> None:
    assert names("# Great *Mill*\n\n## More\n") == ("the page", "heading:great mill")
    assert names("## No first\n") == ("the page",)


def test_a_title_takes_the_place_of_the_heading() -> None:
    assert names("---\ntitle: CI/CD_Guide\n---\n# Other\n") == ("the page", "title:ci/cd guide")


@pytest.mark.parametrize("key", ["aliases", "alias"])
def test_aliases_are_a_list_or_a_text_with_commas(key: str) -> None:
    assert names(f"---\ntitle: T\n{key}: [One, 2, null, {{}}]\n---\n") == (
        "the page",
        "title:t",
        "alias:one",
        "alias:2",
    )
    assert set(names(f"---\ntitle: T\n{key}: One, Two\n---\n")) == {
        "the page", "title:t", "alias:one, two", "alias:one", "alias:two",
    }  # fmt: skip


def test_an_index_page_is_called_by_its_folder_but_for_the_wikis_own() -> None:
    assert names("x", "wiki/topics/index.md") == ("index", "folder:topics")
    assert names("x", "wiki/Some_Topic/README.md") == ("readme", "folder:some topic")
    assert names("x", "wiki/index.md") == ("index",)


@pytest.mark.parametrize("name", ["title:CI/CD", "alias:a: b", "heading:x"])
def test_a_stored_name_has_the_key_of_links_by_it(name: str) -> None:
    assert name_key(name) == name_key(name.partition(":")[2])


@pytest.mark.parametrize("path", ["raw/v1.2.pdf", "v1.2", "V1.2.md", "a/v1.tar.gz"])
def test_a_source_has_one_key_with_and_without_its_suffixes(path: str) -> None:
    assert source_key(path) == "v1"


@given(st.text(max_size=12))
def test_every_unicode_form_folds_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(st.text(max_size=12))
def test_keys_raise_on_nothing(text: str) -> None:
    assert isinstance(source_key(text + name_key(text)), str)


def test_files_are_listed_once_and_not_before_they_are_asked_for() -> None:
    asked = 0

    def listed() -> Iterator[str]:
        nonlocal asked
        asked += 1
        yield from ("raw/a.pdf", "raw/A.md", "raw/.hidden/a.md", "b.md")

    files = Files(listed)
    assert asked == 0
    assert (list(files.named("a")), list(files.named("c"))) == (["raw/a.pdf", "raw/A.md"], [])
    assert asked == 1


def test_a_path_ends_in_whole_segments() -> None:
    assert ending_in(["raw/x/a.md", "raw/xa.md", "a.md"], "A.md") == ("raw/x/a.md", "a.md")


def test_a_title_may_be_a_number() -> None:
    assert names("---\ntitle: 1984\n---\n") == ("the page", "title:1984")
