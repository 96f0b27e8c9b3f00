from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import folders
from gitops.wiki.folders import Folders

TYPED = b"---\ntype: Metric\n---\n\nWords.\n"


def found(*paths: str, typed: bool = False) -> list[Folders]:
    return folders.find(paths, lambda path: TYPED if typed else b"# Words\n")


def test_a_repository_without_a_page_has_no_wiki() -> None:
    assert found() == []
    assert found("raw/a.pdf", "README.txt", ".github/x.md", ".obsidian/y.md") == []


def test_wiki_and_raw_beside_each_other() -> None:
    assert found("wiki/index.md", "wiki/log.md", "wiki/a.md", "raw/a.pdf", "README.md") == [
        Folders("", "wiki", has_raw=True, has_index=True, has_log=True)
    ]


def test_several_workspaces_of_one_repository() -> None:
    every = found("wikis/b/raw/x.md", "wikis/b/wiki/p.md", "wikis/a/raw/y.md", "wikis/a/wiki/q.md", "README.md")
    assert [(one.root, one.wiki, one.raw, one.has_raw) for one in every] == [
        ("wikis/a", "wiki", "raw", True),
        ("wikis/b", "wiki", "raw", True),
    ]


def test_a_wiki_below_a_folder_has_its_sources_further_up() -> None:
    (one,) = found("content/wiki/p.md", "raw/a.md")
    assert (one.root, one.wiki, one.raw, one.has_raw) == ("", "content/wiki", "raw", True)


def test_sources_may_have_another_name_or_lie_in_the_wiki_or_be_missing() -> None:
    assert [one.raw for one in found("wiki/p.md", "sources/a.pdf")] == ["sources"]
    assert [one.raw for one in found("My Subject/wiki/p.md", "My Subject/Clippings/a.md")] == ["Clippings"]
    assert [one.raw for one in found("wiki/p.md", "wiki/raw/a.pdf")] == ["wiki/raw"]
    (one,) = found("wiki/p.md", "wiki/sources/a.md")
    assert (one.raw, one.has_raw) == ("raw", False)


def test_names_are_found_whatever_their_case_and_kept_as_they_are() -> None:
    (one,) = found("Wiki/Home.md", "Raw/a.md")
    assert (one.wiki, one.raw, one.index, one.has_index) == ("Wiki", "Raw", "Home.md", True)


def test_a_wiki_inside_a_wiki_or_below_sources_is_none_of_its_own() -> None:
    every = found("wiki/p.md", "wiki/x/wiki/q.md", "raw/copy/wiki/r.md")
    assert [one.wiki_path for one in every] == ["wiki"]


def test_bundles_of_typed_pages_are_wikis_whole() -> None:
    every = found("bundles/a/index.md", "bundles/a/m/x.md", "bundles/a/m/index.md", "bundles/b/index.md",
                  "bundles/b/y.md", "SPEC.md", typed=True)  # fmt: skip
    assert [(one.root, one.wiki) for one in every] == [("bundles/a", "."), ("bundles/b", ".")]


def test_untyped_pages_under_an_index_are_one_wiki_of_the_whole_repository() -> None:
    (one,) = found("index.md", "concepts/a.md", "raw/x.md")
    assert (one.root, one.wiki, one.wiki_path, one.raw, one.has_raw) == ("", ".", "", "raw", True)


@given(st.lists(st.text(alphabet="awik/.RX m", min_size=1, max_size=20)))
def test_no_paths_raise(paths: list[str]) -> None:
    for one in folders.find(paths, lambda path: TYPED):
        assert one.wiki


def test_rules_logs_templates_and_packages_are_no_pages_and_the_index_is() -> None:
    inside = ("README.md", "SCHEMA.md", "AI/log.md", "x/templates/[a]/b.md", "node_modules/p/q.md", "notes/a.md")
    assert folders.apart(inside, "README.md") == ("SCHEMA.md", "AI/log.md", "x/templates/[[]a]/**", "node_modules/**")
    assert folders.apart(("log.md", "changelog.md"), "log.md") == ("changelog.md",)
