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


def held(pages: dict[str, str]) -> Folders:
    (one,) = folders.find(pages, lambda path: pages[path].encode())
    return one


def test_an_index_beside_the_wiki_that_leads_elsewhere_is_none_of_it() -> None:
    (one,) = found("wiki/bees.md", "raw/a.md", "index.md")
    assert (one.wiki, one.has_index) == ("wiki", False)
    inside = held({"wiki/index.md": "# All", "wiki/bees.md": "# B", "index.md": "[Bees](wiki/bees.md)"})
    assert (inside.wiki, inside.index) == ("wiki", "index.md")
    assert held({"wiki/bees.md": "# B", "README.md": "[Bees](wiki/bees.md)"}).wiki == "wiki"


def test_an_index_beside_the_wiki_makes_one_of_both_and_of_nothing_else_there() -> None:
    pages = {"wiki/bees.md": "# B", "log.md": "# Log", "docs/x/y.md": "# D", "CLAUDE.md": "# C", "raw/a.md": "A"}
    for index in ("- [Bees](wiki/bees.md)", "- [[bees|Bees]]", "- [[wiki/bees]]"):
        one = held(pages | {"index.md": index})
        assert (one.wiki, one.index, one.has_index, one.log, one.raw) == (".", "index.md", True, "log.md", "raw")
        assert one.exclude == ("CLAUDE.md", "docs/**", "log.md")


def test_folders_kept_in_order_by_numbers_are_known_by_their_names() -> None:
    assert [one.raw for one in found("wiki/p.md", "00-Raw/a.pdf")] == ["00-Raw"]
    assert [one.raw for one in found("wiki/p.md", "2026-raw/a.pdf")] == ["raw"]


def test_where_all_is_one_wiki_untyped_files_among_typed_pages_are_sources() -> None:
    typed = {f"10-notes/{name}.md": "---\ntype: concept\n---\n" for name in ("wax", "honey")}
    one = held(typed | {"00-Sources/talk.md": "A talk."})
    assert (one.wiki, one.raw, one.has_raw) == (".", "00-Sources", True)
    paged = held(typed | {"00-Sources/talk.md": "---\ntype: source\n---\n"})
    assert (paged.raw, paged.has_raw) == ("raw", False)
    untyped = held({"sources/talk.md": "A talk.", "notes/wax.md": "# Wax"})
    assert (untyped.raw, untyped.has_raw) == ("raw", False)


def test_a_vault_is_a_wiki_and_what_lies_beside_it_is_not() -> None:
    (one,) = found("kb/.obsidian/app.json", "kb/en/bees.md", "kb/x/.obsidian/app.json", "kb/x/a.md", "docs/plan.md")
    assert (one.root, one.wiki) == ("", "kb")
    assert [one.wiki for one in found(".obsidian/app.json", "en/bees.md")] == ["."]
    assert [one.wiki for one in found("kb/.obsidian/app.json", "docs/plan.md")] == ["."]
    assert [one.wiki for one in found("kb/.obsidian/app.json", "kb/a.md", "wiki/bees.md")] == ["wiki"]
