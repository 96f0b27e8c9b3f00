from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Cite, Page
from gitops.wiki.page import parse

ONLY = Conventions(("numbered",))
KOREAN = Path(__file__).parents[3] / "../shared/data/wikis/ai-engineering-ko/wiki"
LIST = "\n\n## Sources\n\n1. [A](../raw/a.md)\n2. [B](https://b.c)\n3. Doe, J. (2020) Words\n"


def page(text: str) -> Page:
    return parse(f"---\né: 1\n---\n{text}".encode(), ONLY)


def cited(text: str) -> list[tuple[str, list[str]]]:
    return [(claim.text, [cite.path for cite in claim.cites]) for claim in page(text).claims]


def problems(text: str) -> list[str]:
    return [problem.message for problem in page(text).problems]


@pytest.mark.parametrize(
    "prose",
    [
        "`a [1]`",
        "```\na [1]\n```",
        "<!-- a [1] -->",
        "[1](x.md)",
        "[a [1]](x.md)",
        "[[1]]",
        "[words][1]",
        "$x [1] y$",
        "a[0] and [0, 1]",
        "x[1], users_list[1], a.b[1] and data[1].name",
        "in the range [1, 3]",
        "[2020] and [1234]",
        "- [1] an item of some other list",
        "- [x] done\n- [ ] open",
        "| [1] | a |\n|---|---|\n| [2] | b |",
        "| a | [1], [2] |\n|---|---|\n| b | [1, 2, 3] [4] |",
        "![1] [^1]",
        "[1.5] [-1] [1 of 3]",
    ],
)
def test_what_is_no_citation(prose: str) -> None:
    found = parse(f"{prose}{LIST}".encode(), Conventions(("numbered",)))
    assert found.claims == ()
    assert [problem for problem in found.problems if problem.message.startswith("[")] == []


@pytest.mark.parametrize(
    "text", ["a [1] b", "a [1]\n\n## Sources\n\n- [A](a.md)\n- [B](b.md)", "a [1]\n\n## Steps\n\n1. b"]
)
def test_without_a_numbered_list_of_sources_it_is_text(text: str) -> None:
    assert (cited(text), problems(text)) == ([], [])


@pytest.mark.parametrize(
    "prose", ["a [9]", "A [1]. The scale is [1, 5]. Error [404]. See list[7].", "A [1]. B [8, 9]."]
)
def test_what_may_be_no_citation_is_not_missed(prose: str) -> None:
    assert problems(f"{prose}{LIST}") == []


@pytest.mark.parametrize(
    ("prose", "said"),
    [("A [1]. B [9].", "[9]"), ("A [1]. B [2, 9].", "[2, 9]"), ("A [1]. B[9].", None), ("가 [1] 나[9]다", "[9]")],
)
def test_a_number_without_an_entry_is_told_beside_one_that_has(prose: str, said: str | None) -> None:
    found = page(f"{prose}{LIST}")
    assert [found.text[one.place.start : one.place.end] for one in found.problems] == ([said] if said else [])
    assert {one.result for one in found.problems} <= {"undefined"}


@pytest.mark.parametrize(
    ("prose", "paths"),
    [
        ("Words [1].", ["../raw/a.md"]),
        ("Words[2].", ["https://b.c"]),
        ("Words.[1]", ["../raw/a.md"]),
        ("In 2019[1] it fell.", ["../raw/a.md"]),
        ("값이 줄었다[1].", ["../raw/a.md"]),
        ("数值下降了【1】。", ["../raw/a.md"]),
        ("数值下降了【1†L5】。", ["../raw/a.md"]),
        ("Words <sup>[1]</sup>.", ["../raw/a.md"]),
        (r"Words \[1\].", ["../raw/a.md"]),
        ("Words [1, 3].", ["../raw/a.md", "Doe, J. (2020) Words"]),
        ("Words [1][2].", ["../raw/a.md", "https://b.c"]),
        ("Words [1-3].", ["../raw/a.md", "https://b.c", "Doe, J. (2020) Words"]),
        ("Words [1–2].", ["../raw/a.md", "https://b.c"]),
        ("According to [1]: words", ["../raw/a.md"]),
        ("| a | words [1] |\n|---|---|", ["../raw/a.md"]),
        ("| words | [1] |\n|---|---|", ["../raw/a.md"]),
        ("## Words [1]", ["../raw/a.md"]),
    ],
)
def test_numbers_lead_to_their_entries(prose: str, paths: list[str]) -> None:
    found = cited(f"{prose}{LIST}")
    assert [path for _, cites in found for path in cites] == paths
    assert problems(f"{prose}{LIST}") == []


def test_the_number_is_cut_from_the_claim() -> None:
    assert cited(f"It fell by 40 % [1][2]. Then it rose.{LIST}") == [
        ("It fell by 40 %.", ["../raw/a.md", "https://b.c"])
    ]


@pytest.mark.parametrize(
    ("entry", "how", "path", "place"),
    [
        ("[A](../raw/a%20b.md), p. 3", "link", "../raw/a b.md", "[A](../raw/a%20b.md), p. 3"),
        ('Doe (2020) "Title" — [a.org](https://a.org/x)', "link", "https://a.org/x", "[a.org](https://a.org/x)"),
        ("Doe — `raw/a/b.pdf`", "loose", "raw/a/b.pdf", "`raw/a/b.pdf`"),
        ("raw/a.md, lines 3-5", "loose", "raw/a.md", "raw/a.md, lines 3-5"),
        ("[[sources/a|A]] — long", "wiki", "sources/a", "[[sources/a|A]]"),
        ("https://a.org/x.", "link", "https://a.org/x", "https://a.org/x"),
        ("[web](https://a.org) ([copy](../raw/a.pdf))", "link", "../raw/a.pdf", "[copy](../raw/a.pdf)"),
        ("**Doe**, *Words* (2020).", "loose", "**Doe**, *Words* (2020)", "**Doe**, *Words* (2020)"),
    ],
)
def test_what_an_entry_names(entry: str, how: str, path: str, place: str) -> None:
    found = page(f"Words [1].\n\n## 参考文献\n\n1. {entry}\n2. other\n")
    (cite,) = found.claims[0].cites
    assert (cite.dialect, cite.how, cite.path, cite.quotations) == ("numbered", how, path, ())
    assert found.text[cite.place.start : cite.place.end] == place


@pytest.mark.parametrize(
    "entries",
    [
        "## Sources\n1. raw/a.md\n2. raw/b.md",
        "### 3. References:\n\n[1] raw/a.md\n\n[2] raw/b.md",
        "## 참고 문헌\n[1] raw/a.md\n[2] raw/b.md",
        "## Sources\n- [1] raw/a.md\n- [2] raw/b.md",
        "## Sources\n1. raw/a.md\n1. raw/b.md",
        "## Sources\n- other\n1) raw/a.md\n2) raw/b.md",
        "## Sources\n> [1]: A, raw/a.md\n> [2]: B, raw/b.md",
        "## Sources\n| # | Source |\n|---|---|\n| 1 | raw/a.md |\n| 2 | raw/b.md |",
        "---\n\n[1] raw/a.md\n\n[2] raw/b.md",
        "## Sources\n### A\n1. raw/a.md\n### B\n2. raw/b.md\n## Notes\n2. raw/c.md",
    ],
)
def test_the_forms_of_a_list(entries: str) -> None:
    assert cited(f"Words [2].\n\n{entries}\n") == [("Words.", ["raw/b.md"])]
    assert problems(f"Words [2].\n\n{entries}\n") == []


def test_a_number_that_stands_twice_means_both() -> None:
    assert cited("Words [1].\n\n## Sources\n1. raw/a.md\n\n## References\n1. raw/b.md\n") == [
        ("Words.", ["raw/a.md", "raw/b.md"])
    ]


def test_the_link_of_an_entry_is_a_citation() -> None:
    found = page(f"Words [1].{LIST}")
    assert [(link.target, link.is_cited) for link in found.links] == [("../raw/a.md", True)]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="a1[2]【】,-. |\n#`\\(*é"), st.text(alphabet="1.[2]) -a|\n/`é"))
def test_no_page_raises_and_every_place_is_on_it(prose: str, entries: str) -> None:
    found = page(f"{prose}\n\n## Sources\n\n{entries}")
    cites: list[Cite] = [cite for claim in found.claims for cite in claim.cites]
    for place in (*(cite.place for cite in cites), *(problem.place for problem in found.problems)):
        assert 0 <= place.start < place.end <= len(found.text)


@pytest.mark.skipif(not KOREAN.exists(), reason="needs the wikis")
def test_a_real_wiki_is_read_without_a_word() -> None:
    pages = [parse(path.read_bytes(), ONLY) for path in sorted(KOREAN.rglob("*.md"))]
    assert [problem for one in pages for problem in one.problems] == []
    assert sum(len(claim.cites) for one in pages for claim in one.claims) > 100
