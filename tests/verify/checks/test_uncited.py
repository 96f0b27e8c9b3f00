from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.wiki.snapshot import SUBMODULE

Results = Callable[..., list[tuple[str, str, str, int, bool]]]

NOTE = '\n\n[^1]: raw/a.md, "the words"\n'


def test_cited_sentences_headings_and_link_lists_owe_nothing(results: Results) -> None:
    text = f"# Title\n\nOne.[^1] Two in the same paragraph.\n\nSee also:\n\n- [[b]]\n- [C](c.md)\n{NOTE}"
    assert results("uncited", {}, {"wiki/a.md": text}) == []


def test_the_index_the_log_and_exempt_pages_owe_nothing(results: Results) -> None:
    files = {"wiki/index.md": "Plain.\n", "wiki/log.md": "Plain.\n", "wiki/meta/about.md": "Plain.\n"}
    assert results("uncited", {}, files, toml='[pages]\nexempt = ["meta/*"]\n') == []


def test_a_new_uncited_sentence_warns(results: Results) -> None:
    told = results("uncited", {"wiki/a.md": f"One.[^1]{NOTE}"}, {"wiki/a.md": f"One.[^1]\n\nMade up.{NOTE}"})
    assert told == [("uncited", "warning", "wiki/a.md", 3, True)]


def test_a_sentence_that_loses_its_citation_is_new(results: Results) -> None:
    told = results("uncited", {"wiki/a.md": f"One.[^1]{NOTE}"}, {"wiki/a.md": "One.\n"})
    assert told == [("uncited", "warning", "wiki/a.md", 1, True)]


def test_what_stood_there_before_does_not_gate_even_on_a_renamed_page(results: Results) -> None:
    told = results("uncited", {"wiki/a.md": "Plain.\n"}, {"wiki/a.md": None, "wiki/b.md": "Plain.\n"})
    assert told == [("uncited", "warning", "wiki/b.md", 1, False)]


def test_a_page_that_is_moved_and_edited_keeps_its_old_debt(results: Results) -> None:
    old = "One line.\n\nAnother line.\n\nA third line.\n"
    told = results("uncited", {"wiki/x/a.md": old}, {"wiki/x/a.md": None, "wiki/y/a.md": old + "\nA fourth line.\n"})
    assert [(one[3], one[4]) for one in told] == [(1, False), (3, False), (5, False), (7, True)]


def test_a_page_that_comes_from_outside_the_wiki_is_all_new(results: Results) -> None:
    told = results("uncited", {"notes/a.md": "Plain.\n"}, {"notes/a.md": None, "wiki/a.md": "Plain.\n"})
    assert [one[4] for one in told] == [True]


def test_the_second_copy_of_a_moved_page_is_all_new(results: Results) -> None:
    change = {"wiki/a.md": None, "wiki/b.md": "Plain.\n", "wiki/c.md": "Plain.\n"}
    told = results("uncited", {"wiki/a.md": "Plain.\n"}, change)
    assert [(one[2], one[4]) for one in told] == [("wiki/b.md", False), ("wiki/c.md", True)]


def test_off_silences_and_error_raises(results: Results) -> None:
    change = {"wiki/a.md": "Plain.\n"}
    assert results("uncited", {}, change, toml='[checks.uncited]\nlevel = "off"\n') == []
    told = results("uncited", {}, change, toml='[checks.uncited.results]\nuncited = "error"\n')
    assert [one[1] for one in told] == ["error"]


ADOPTED = """[citations]
dialects = ["canonical", "footnote_link", "footnote_page", "frontmatter", "source_line", "source_list", "remark"]
require = []
"""
OLD = {"raw/a.md": "The words.\n", "wiki/a.md": "# A\n", "wiki/b.md": "# B\n"}


def _added(results: Results, text: str, old: dict[str, str] = OLD, **settings: object) -> list[tuple[str, int]]:
    told = results("uncited", old, {"wiki/a.md": text}, toml=ADOPTED, **settings)
    return [(one[1], one[3]) for one in told]


@pytest.mark.parametrize(
    "said",
    [
        "[^1]: LLM - model knowledge",
        "[^1]: it is well known",
        "[^1]: https://example.org/a",
        "[^1]: [[b]]",
        "[^1]: [[index]]",
    ],
)
def test_a_footnote_that_names_no_source_is_no_citation(results: Results, said: str) -> None:
    assert _added(results, f"# A\n\nMade up.[^1]\n\n{said}\n", {**OLD, "wiki/index.md": "- [[a]]\n"}) == [
        ("warning", 3)
    ]


@pytest.mark.parametrize(
    "said", ["knowledge", '"https://example.org/a"', "arXiv:2402.1", "raw/", '"[[b]]"', "wiki/a.md"]
)
def test_a_page_is_not_cited_by_what_is_no_source(results: Results, said: str) -> None:
    assert _added(results, f"---\nsources: [{said}]\n---\nMade up.\n") == [("warning", 4)]


@pytest.mark.parametrize("said", ["**Source**: knowledge", "## Sources\n\n- https://example.org/a"])
def test_lines_and_lists_of_what_is_no_source_cite_nothing_and_owe_nothing(results: Results, said: str) -> None:
    assert _added(results, f"# A\n\nMade up.\n\n{said}\n") == [("warning", 3)]


@pytest.mark.parametrize("said", ["raw/a.md", "a.md", "raw/nowhere.md"])
def test_a_page_is_cited_by_its_source_and_by_one_whose_absence_is_told(results: Results, said: str) -> None:
    assert _added(results, f"---\nsources: [{said}]\n---\nAs it says.\n") == []


def test_a_source_whose_content_is_kept_elsewhere_is_one(results: Results) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 9\n"
    old = {**OLD, "raw/big.pdf": pointer, "wiki/sources/big.md": "---\nsource_file: raw/big.pdf\n---\n# Big\n"}
    assert _added(results, "---\nsources: [raw/big.pdf]\n---\nAs it says.\n", old) == []
    assert _added(results, '---\nsources: ["[[sources/big]]"]\n---\nAs it says.\n', old) == []
    module = {**OLD, "raw/sub": ""}
    is_module = {"raw/sub": SUBMODULE}
    said = "---\nsources: [raw/sub/x.md]\n---\nAs it says.\n"
    assert _added(results, said, module, modes=is_module, modes_before=is_module) == []


def test_a_comment_that_only_obsidian_hides_owes_a_citation_where_nobody_uses_it(results: Results) -> None:
    change = {"wiki/a.md": "# A\n\n%% Made up. %%\n"}
    assert [one[3] for one in results("uncited", OLD, change)] == [3]
    assert results("uncited", OLD, change, toml=ADOPTED) == []
