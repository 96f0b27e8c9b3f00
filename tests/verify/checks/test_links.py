from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]
LookedAt = Callable[..., list[tuple[str, str]]]

WIKI = {"wiki/index.md": "[[coffee-guide]]\n", "wiki/coffee-guide.md": "# Grinding\n\nWords.\n"}


def test_links_that_lead_somewhere_say_nothing(results: Results) -> None:
    text = (
        "# Here\n\n[[coffee-guide]] [[coffee-guide#Grinding|g]] [x](coffee-guide.md) [y](#here) <https://a.example>\n"
    )
    assert results("links", WIKI, {"wiki/a.md": text}) == []


def test_broken(said_by: SaidBy) -> None:
    [found] = said_by("links", WIKI, {"wiki/a.md": "[[cofee-guide]]\n"})
    assert (found.result, found.level, found.line, found.column) == ("broken", "warning", 1, 1)
    assert found.repair == "did you mean coffee-guide.md?"


@pytest.mark.parametrize("target", ["tea", "nope.md", "cup", "guide"])
def test_nothing_near_is_suggested_where_nothing_is_near(said_by: SaidBy, target: str) -> None:
    [found] = said_by("links", WIKI, {"wiki/a.md": f"[x]({target})\n"})
    assert (found.result, found.repair) == ("broken", "")


def test_escapes(results: Results) -> None:
    told = results("links", WIKI, {"wiki/a.md": "[x](../../secret.md)\n"})
    assert told == [("escapes", "error", "wiki/a.md", 1, True)]


def test_broken_anchor_on_another_page_and_on_this_one(results: Results) -> None:
    told = results("links", WIKI, {"wiki/a.md": "[[coffee-guide#Brewing]]\n\n[x](#nowhere)\n"})
    assert told == [
        ("broken_anchor", "note", "wiki/a.md", 1, True),
        ("broken_anchor", "note", "wiki/a.md", 3, True),
    ]


def test_a_link_becomes_ambiguous_by_a_page_that_comes(results: Results) -> None:
    before = {"wiki/index.md": "[[mill]]\n", "wiki/x/mill.md": "Words.\n"}
    told = results("links", before, {"wiki/y/mill.md": "Words.\n"})
    assert told == [("ambiguous", "note", "wiki/index.md", 1, True)]


def test_a_deleted_page_breaks_the_links_of_untouched_pages(results: Results) -> None:
    told = results("links", WIKI, {"wiki/coffee-guide.md": None})
    assert told == [("broken", "warning", "wiki/index.md", 1, True)]


def test_a_moved_page_breaks_the_links_that_named_its_folder(results: Results) -> None:
    before = {"wiki/index.md": "[[mill]] [m](x/mill.md)\n", "wiki/x/mill.md": "Words.\n"}
    told = results("links", before, {"wiki/x/mill.md": None, "wiki/y/mill.md": "Words.\n"})
    assert told == [("broken", "warning", "wiki/index.md", 1, True)]


def test_a_folder_that_is_emptied_breaks_the_links_to_it(results: Results) -> None:
    before = {"wiki/index.md": "[topics](topics/)\n", "wiki/topics/a.md": "Words.\n"}
    told = results("links", before, {"wiki/topics/a.md": None})
    assert told == [("broken", "warning", "wiki/index.md", 1, True)]


def test_an_image_that_goes_breaks_the_page_that_shows_it(results: Results) -> None:
    before = {"wiki/index.md": "![plan](plan.png)\n", "wiki/plan.png": b"\x89PNG"}
    assert [one[:3] for one in results("links", before, {"wiki/plan.png": None})] == [
        ("broken", "warning", "wiki/index.md")
    ]


def test_old_broken_links_do_not_gate_and_a_second_one_does(results: Results) -> None:
    before = {"wiki/a.md": "[[gone]]\n"}
    told = results("links", before, {"wiki/a.md": "Moved.\n\n[[gone]] and [[gone]]\n"})
    assert [(one[0], one[3], one[4]) for one in told] == [("broken", 3, False), ("broken", 3, True)]


@pytest.mark.parametrize(
    "text",
    [
        "[a](b)", "[g_1,g_2](q)", "[[wikilinks]]", "[[page-name]]", "[x](<slug>.md)", "[x](url)", "[[...]]",
        "[x](../../issues/12)", "[x](../../../wiki/Home)", "[[ -f raw/a.md ]]", "[x](raw/YYYY-MM-DD.md)",
    ],
)  # fmt: skip
def test_what_is_no_link_says_nothing(results: Results, text: str) -> None:
    assert results("links", WIKI, {"wiki/a.md": f"So: {text}\n"}) == []


@pytest.mark.parametrize(
    "link",
    [
        "[[The Guide]]", "[[grinding]]", "[[Coffee_Guide]]", "[[ns:coffee-guide]]", "![[plan.png]]",
        "![x](../raw/plan.png)",
        "[x](../raw/a.md#L5)", "[x](topics/)", "[x](/wiki/coffee-guide.md)", "[x](/coffee-guide.md?plain=1#grinding)",
        "[[Title]](coffee-guide.md)", "[[coffee-guide#Grinding|so]]", "[[#Here]]", "[x](<../raw/x y.md>)",
        "[x](../raw/x%20y.md)", "[x](../LICENSE)", "[x](coffee%2Dguide.md)",
    ],
)  # fmt: skip
def test_links_of_every_kind_lead_somewhere(results: Results, link: str) -> None:
    before = WIKI | {
        "wiki/coffee-guide.md": "---\ntitle: The Guide\naliases: [Grinding]\n---\n# Grinding\n",
        "raw/plan.png": b"\x89PNG",
        "raw/a.md": "x",
        "raw/x y.md": "x",
        "wiki/topics/b.md": "x",
        "LICENSE": "x",
    }
    assert results("links", before, {"wiki/a.md": f"# Here\n\n{link}\n"}) == []


def test_a_title_or_alias_that_goes_breaks_the_links_of_untouched_pages(results: Results) -> None:
    named = {
        "wiki/index.md": "[[The Guide]]\n\n[[Brewing]]\n",
        "wiki/g.md": "---\ntitle: The Guide\nalias: Brewing\n---\n",
    }
    told = results("links", named, {"wiki/g.md": "---\ntitle: Other\n---\n"})
    assert [(one[0], one[2], one[3]) for one in told] == [
        ("broken", "wiki/index.md", 1),
        ("broken", "wiki/index.md", 3),
    ]


def test_a_picture_that_goes_breaks_the_page_that_embeds_it_by_its_bare_name(results: Results) -> None:
    before = {"wiki/index.md": "![[plan.png]]\n", "attic/plan.png": b"\x89PNG"}
    assert [one[:3] for one in results("links", before, {"attic/plan.png": None})] == [
        ("broken", "warning", "wiki/index.md")
    ]


def test_a_markdown_link_is_mended_from_its_page(said_by: SaidBy) -> None:
    [found] = said_by("links", WIKI, {"wiki/deep/a.md": "[x](coffee-guides.md)\n"})
    assert found.repair == "did you mean ../coffee-guide.md?"


def test_a_page_that_is_called_as_githubs_are_is_looked_up(results: Results) -> None:
    told = results("links", WIKI, {"wiki/a/b.md": "[x](../releases/gone.md)\n"})
    assert [one[0] for one in told] == ["broken"]


@pytest.mark.parametrize("mode", [0o120000, 0o160000])
@pytest.mark.parametrize("link", ["[x](../raw/mod/a.md)", "[[raw/mod/a]]", "![[raw/mod/x.png]]"])
def test_what_lies_behind_a_submodule_or_symbolic_link_is_not_judged(results: Results, link: str, mode: int) -> None:
    before = WIKI | {"raw/mod": "x"}
    assert results("links", before, {"wiki/a.md": link + "\n"}, modes_before={"raw/mod": mode}) == []


@pytest.mark.parametrize(
    ("target", "file", "right"),
    [
        ("old/mill", "wiki/new/mill.md", "new/mill"),
        ("old/mill.md", "wiki/new/mill.md", "new/mill.md"),
        ("x/mill", "wiki/x/y/mill.md", "x/y/mill"),
        ("../x/mill", "wiki/x/mill.md", "x/mill"),
        ("./x/mill", "wiki/y/x/mill.md", "y/x/mill"),
    ],
)
def test_a_stale_path_that_is_found_by_its_name_alone(said_by: SaidBy, target: str, file: str, right: str) -> None:
    files = {"wiki/index.md": "[[a]]\n", file: "Words.\n", "wiki/a.md": f"[[{target}|m]] and ![[{target}]]\n"}
    found = said_by("links", {}, files)
    assert [(one.result, one.level, one.repair) for one in found] == [("inexact", "note", f"write {right}")] * 2
    assert file in found[0].message


@pytest.mark.parametrize(
    ("target", "file", "content"),
    [
        ("RAG/Agentic", "wiki/x/RAG/Agentic.md", "x"),
        ("rag-Systems/the mill", "wiki/RAG systems/The_Mill.md", "x"),
        ("wiki/x/mill", "wiki/x/mill.md", "x"),
        ("x/../mill", "wiki/mill.md", "x"),
        ("x/mill", "wiki/x/mill/index.md", "x"),
        ("./x/mill", "wiki/x/mill/README.md", "x"),
        ("CI/CD", "wiki/pipelines.md", "---\ntitle: CI/CD\n---\nx"),
        ("CI/CD", "wiki/pipelines.md", "---\naliases: [CI/CD]\n---\nx"),
        ("CI/CD", "wiki/pipelines.md", "# CI/CD\n"),
        ("ns:x/mill", "wiki/mill.md", "x"),
        ("old/mill", "wiki/old/mill.md", "x"),
        ("cafe\u0301/mill", "wiki/caf\u00e9/mill.md", "x"),
        ("/x/mill", "wiki/x/mill.md", "x"),
    ],
)
def test_a_path_that_is_right_or_is_a_name_is_not_stale(results: Results, target: str, file: str, content: str) -> None:
    assert results("links", {}, {file: content, "wiki/a.md": f"[[{target}]]\n"}) == []


def test_a_page_whose_namesake_takes_over_leaves_stale_links_behind(results: Results) -> None:
    before = {
        "wiki/index.md": "[[ko/mill]]\n",
        "wiki/ko/mill.md": "x\n",
        "wiki/ko/a.md": "x\n",
        "wiki/en/mill.md": "x\n",
    }
    assert results("links", before, {"wiki/ko/mill.md": None}) == [("inexact", "note", "wiki/index.md", 1, True)]


def test_a_full_path_that_leads_into_another_part_of_the_wiki_is_stale(results: Results) -> None:
    before = {"wiki/ko/b.md": "[[ko/x/mill]]\n", "wiki/ko/x/mill.md": "x\n", "wiki/ko/x/a.md": "x\n"}
    other = {"wiki/en/ko/x/mill.md": "x\n"}
    assert results("links", before | other, {"wiki/ko/x/mill.md": None}) == [
        ("inexact", "note", "wiki/ko/b.md", 1, True)
    ]
    assert results("links", {}, {"wiki/en/b.md": "[[ko/x/mill]]\n", "wiki/ko/x/a.md": "x\n"} | other) == []


def test_a_heading_that_goes_breaks_the_links_of_untouched_pages(results: Results) -> None:
    before = WIKI | {"wiki/a.md": "[[coffee-guide#Grinding]]\n", "wiki/b.md": "[x](coffee-guide.md#other)\n"}
    told = results("links", before, {"wiki/coffee-guide.md": "# Milling\n\nWords.\n"})
    assert told == [("broken_anchor", "note", "wiki/a.md", 1, True)]


def test_a_heading_that_stays_costs_nothing_to_the_pages_that_link(looked_at: LookedAt) -> None:
    before = WIKI | {"wiki/a.md": "[[coffee-guide#Grinding]]\n"}
    looked = looked_at(before, {"wiki/coffee-guide.md": "# Grinding\n\n## New\n"})
    assert ("read", "wiki/a.md") not in looked


@pytest.mark.parametrize("anchor", ["wiki-extract", "wiki-extract source x"])
def test_a_wiki_link_names_a_heading_with_its_argument(results: Results, anchor: str) -> None:
    told = results("links", {}, {"wiki/a.md": f"[[#{anchor}]]\n\n## /wiki-extract <source>\n"})
    assert [one[0] for one in told] == ["broken_anchor"]


@pytest.mark.parametrize(
    "link", ["[[#wiki-extract source]]", "[[#/wiki-extract <source>]]", "[x](#wiki-extract)", "[[#wiki-init]]"]
)
def test_a_heading_with_an_argument_is_found(results: Results, link: str) -> None:
    text = f"{link}\n\n## /wiki-extract <source>\n\n## /wiki-init\n"
    assert results("links", {}, {"wiki/a.md": text}) == []


@pytest.mark.parametrize("path", ["wiki/changelog.md", "wiki/x/SCHEMA.md", "wiki/templates/a.md"])
def test_pages_about_the_wiki_tell_of_what_was_there_or_may_be(results: Results, path: str) -> None:
    told = results("links", {}, {path: "[[gone]] [x](../../../out.md)\n"})
    assert [one[:2] for one in told] == [("broken", "note"), ("escapes", "note")]


@pytest.mark.parametrize("here", ["wiki/ko/eng/index.md", "wiki/ko/eng/x/b.md"])
def test_a_path_from_a_folder_above_that_now_leads_into_another_tree_is_stale(results: Results, here: str) -> None:
    before = {here: "[[eng/mill]] [[x/mill]]\n", "wiki/ko/eng/mill.md": "x\n", "wiki/ko/eng/x/mill.md": "x\n"}
    other = {"wiki/ko/eng/x/z.md": "x\n", "wiki/en/eng/mill.md": "x\n", "wiki/en/eng/x/mill.md": "x\n"}
    told = results("links", before | other, {"wiki/ko/eng/mill.md": None, "wiki/ko/eng/x/mill.md": None})
    assert [one[0] for one in told] == ["inexact", "inexact"]


def test_a_path_into_another_part_of_the_wiki_is_right_where_no_folder_of_that_name_is_nearer(results: Results) -> None:
    files = {"wiki/ko/b.md": "[[eng/mill]]\n", "wiki/en/eng/mill.md": "x\n", "wiki/ko/c.md": "x\n"}
    assert results("links", {}, files) == []
