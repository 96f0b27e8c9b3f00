from __future__ import annotations

import pytest

from gitops.wiki.placeholders import has_argument, has_placeholder, is_formula, is_placeholder


@pytest.mark.parametrize(
    "target",
    [
        "coffee-guide",
        "raw/a.md",
        "C++",
        "Node.js",
        "max-width",
        "pages/links.md",
        "2024-05-01",
        "f-strings",
        "제목",
        "Xxx",
        "foods",
        "page-1",
        "raw/bar-chart.md",
        "my-page-two",
    ],
)
def test_names_name_something(target: str) -> None:
    assert not is_placeholder(target)


@pytest.mark.parametrize(
    "target",
    [
        "<slug>", "raw/<file>.md", "{slug}", "raw/*.md", "...", "wikilinks", "Page Name", "page-name.md", "url", "…",
        "$HOME/x", "-f x", "raw/YYYY-MM-DD.md", "notes/xxx.md", "a && b", "link", "foo", "raw/foo.md", "wiki/Foo-Bar",
        "your-page", "raw/my_file.pdf", "other page", "path/to/page.md", "Entity Name", "raw/file.md",
    ],
)  # fmt: skip
def test_templates_and_words_about_links_name_nothing(target: str) -> None:
    assert is_placeholder(target)


@pytest.mark.parametrize(("text", "target"), [("g_1,g_2", "q"), ("a", "b"), ("x_i", "y1"), ("g_1, g_2", "q")])
def test_a_formula_looks_like_a_link(text: str, target: str) -> None:
    assert is_formula(text, target)


@pytest.mark.parametrize(("text", "target"), [("the guide", "q"), ("a", "bcd"), ("a", "b."), ("Mill", "c")])
def test_words_are_no_formula(text: str, target: str) -> None:
    assert not is_formula(text, target)


@pytest.mark.parametrize(
    "text",
    ["raw/<file>#<anchor>", "raw/...", "raw/…", "raw/{slug}.md", "raw/*.md", "raw/**/x", "${RAW}/a.md", "raw/YYYY.md",
     "path/to/file.md", "raw/...#timestamp", "<source>", "raw/xxx.md".upper()],
)  # fmt: skip
def test_forms_to_fill_in(text: str) -> None:
    assert has_placeholder(text)


@pytest.mark.parametrize(
    "text",
    ["raw/a.md", "*raw/a.md*", "**Title**. raw/a.md", "a <br> raw/b.md", "[a](<b c.md>)", "<https://example.org>",
     "5 % of $10", "Smith … 2020", "x_{1}".replace("{1}", "1"), "*Title*.md"],
)  # fmt: skip
def test_what_is_no_form(text: str) -> None:
    assert not has_placeholder(text)


@pytest.mark.parametrize("text", ["/wiki-extract <source>", "cp <from> <to dir>"])
def test_arguments_in_a_heading(text: str) -> None:
    assert has_argument(text)


@pytest.mark.parametrize("text", ["Words <br>", "a < b > c", "<font color=red>x</font>", "<center>x</center>", "<T1>"])
def test_tags_and_signs_in_a_heading(text: str) -> None:
    assert not has_argument(text)
