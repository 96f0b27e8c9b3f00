"""What looks like a link, a claim or a citation and is none, and what is one though it hardly looks like it.

Each trap is a page of its own with, behind it, a footnote `[^1]` that is defined, so that a reference in the wrong
place would make a claim; the footnote is used once, so that nothing else is wrong.
"""

from __future__ import annotations

import time

import pytest

from gitops.wiki.model import Page
from gitops.wiki.page import parse, sentences
from gitops.wiki.slugs import anchor_exists

USED = '\n\nUsed.[^1]\n\n[^1]: raw/a.md, "q"\n'


def read(text: str, tail: str = USED) -> Page:
    return parse((text + tail).encode())


def targets(page: Page) -> list[str]:
    return [link.target + (f"#{link.anchor}" if link.anchor else "") for link in page.links]


def claims(page: Page) -> list[str]:
    return [claim.text for claim in page.claims if claim.text != "Used."]


def problems(page: Page) -> list[str]:
    return [problem.result for problem in (*page.problems, *page.schema_problems)]


def prose(page: Page) -> list[str]:
    return [line for line in page.prose.split("\n") if line != "Used."]


SILENT = {
    "TeX in dollars": "Let $[a](b)$ and $f[g_1,g_2](q)$ be.",
    "TeX in dollars with a reference": "Let $x[^9]$ and $\\sqrt[^n]{x}$ be.",
    "TeX on display": "$$\n[g_1,g_2](q) [[a]] [^7]\n$$",
    "TeX in round brackets": "Let \\([a](b)\\) and \\(f[g_1,g_2](q)\\) be.",
    "TeX in square brackets": "\\[ [g_1,g_2](q) [[a]] [^7] \\]",
    "TeX in square brackets over lines": "\\[\n[a](b)\n= [0,T](\\omega)\n\\]",
    "a code span": "Write `[[page]]`, `[text](page.md)` and `word.[^1]` so.",
    "a code span of two ticks": "Write `` `[[page]]` [a](b) [^9] `` so.",
    "a code span over lines": "Write `[[page]]\n[a](b) [^9]` so.",
    "a template in a code span": "Cite `raw/<file>` as `(source: raw/<file>#<anchor>)`.",
    "a template in prose": "Cite raw/<file> as (source: raw/<file>).",
    "a fence": "```md\nClaim.[^1] [[page]] [a](b)\n\n[^9]: raw/x\n```",
    "a fence of tildes in a list": "- one\n\n  ~~~\n  Claim.[^1] [[page]]\n  ~~~",
    "a fence in a quote": "> ```\n> [[page]] [^9]\n> ```",
    "a fence never closed": "Text.\n\n    [[page]] [^9]\n\n<!-- ``` -->",
    "indented code": "Text.\n\n    Claim.[^1] [[page]] [a](b)\n\n    [^9]: raw/x",
    "an HTML comment": "<!-- Claim.[^1] [[page]] [a](b) -->",
    "an HTML comment of several blocks": "<!--\nClaim.[^1]\n\n[[page]]\n\n[^9]: raw/x\n-->",
    "an HTML comment in a line": "Text <!-- [[page]] [^9] --> goes on.",
    "a task list": "- [ ] to do\n- [x] done\n- [X] done\n- [-] dropped\n- [>] moved",
    "brackets of a person": "He said [sic] and [the war] ended [1, p. 3].",
    "array indices": "The value a[0] is in m[[1,2],[3,4]].",
    "an autolink": "See <https://example.org/[[a]]>, https://example.org/x_(y) and <who@example.org>.",
    "an escaped bracket": "A \\[text](page.md), \\[[page]] and word.\\[^9]",
    "a character class": "Match `x` with [^a-z] or [^\\d].",
    "an Obsidian comment": "Text %%Claim.[^1] [[page]] [a](b) `%` %% goes on.",
    "an Obsidian comment that ends its line": "Text %%[[page]] [^9]%%\ngoes on.",
    "an Obsidian comment over lines": "Text %%\n[[page]] [^9]\n%% goes on.",
    "an Obsidian comment of several blocks": "Text.\n\n%%\nClaim.[^1] [[page]]\n\n- [a](b)\n\n[^9]: raw/x\n%%\n\nMore.",
    "an Obsidian comment that holds a fence": "%%\n```\n[[page]]\n```\n\n[a](b)\n%%",
    "an Obsidian comment in a cell": "| a | b |\n|-|-|\n| %%[[page]]%% | c%%[^9]%% |",
    "an Obsidian comment in a list": "- one %%[[page]]%%\n- %%[^9]%% two",
    "an image from elsewhere": "![alt [[a]]](https://example.org/x.png)",
    "raw HTML with attributes": 'A <span title="[[page]] [^9]">word</span> here.',
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_what_passes_in_silence(text: str) -> None:
    page = read(text)
    assert (targets(page), claims(page), problems(page)) == ([], [], [])
    assert [claim.text for claim in page.claims] == ["Used."]


LINKS = {
    "a title": ("[t](a.md \"Title\") [u](<b c.md> (Title)) [v](d.md 'T')", ["a.md", "b c.md", "d.md"]),
    "angle brackets": ("[t](<a (b).md#c d>)", ["a (b).md#c d"]),
    "an image": ("![alt](img/a b.png) ![alt](<img/a b.png>) ![[b.png]]", ["img/a b.png", "b.png"]),
    "an image in a link": ("[![i](i.png)](p.md)", ["p.md", "i.png"]),
    "an anchor in Hangul": ("[t](a.md#제목-하나)", ["a.md#제목-하나"]),
    "an anchor in Chinese, encoded": ("[t](a.md#%E6%A0%87%E9%A2%98)", ["a.md#标题"]),
    "an anchor with accents": ("[[Café#Été 2019]]", ["Café#Été 2019"]),
    "a reference link": ("[t][r], [r][] and [r].\n\n[r]: a.md 'T'", ["a.md", "a.md", "a.md"]),
    "a bar in a table": ("|a|b|\n|-|-|\n|[[a\\|b]]|[t\\|u](c.md)|\n|`[[x\\|y]]`|d|", ["a", "c.md"]),
    "a link beside dollars": ("It cost $5 [[a]] and $6 [b](c.md).", ["a", "c.md"]),
    "a link in escaped brackets": ("See \\[[1](a.md)\\] and \\[see [b](c/d)\\].", ["a.md", "c/d"]),
    "a link between comments": ("%%a%% [[b]] %%c%% [d](e.md) %%f%%", ["b", "e.md"]),
    "a link in a callout's title": ("> [!note] See [[a]]\n> and [b](c.md).", ["a", "c.md"]),
    "a folder": ("[t](notes/) and [u](../)", ["notes/", "../"]),
    "per cent signs doubled": ("It rose 50%% [[a]] and 30%% after.", ["a"]),
    "per cent signs that never pair": ("%% [[a]]\n\n[b](c.md)", ["a", "c.md"]),
    "per cent signs in two blocks": ("So %% is\n\n[[a]]\n\nand %% too.", ["a"]),
    "per cent signs in code": ("`%%` [[a]] `%%`\n\n```mermaid\n%% x\n```\n\n[[b]]\n\n    %%", ["a", "b"]),
    "per cent signs escaped": ("\\%% [[a]] \\%%", ["a"]),
}


@pytest.mark.parametrize(("text", "expected"), LINKS.values(), ids=LINKS.keys())
def test_what_is_a_link_all_the_same(text: str, expected: list[str]) -> None:
    page = read(text)
    assert (targets(page), claims(page), problems(page)) == (expected, [], [])


CLAIMS = {
    "a definition in a list": ('- One.[^2]\n\n  [^2]: raw/b.md, "q"', ["One."]),
    "a definition in a quote": ('> One.[^2]\n>\n> [^2]: raw/b.md, "q"', ["One."]),
    "a task": ('- [x] It is done.[^2]\n\n[^2]: raw/b.md, "q"', ["It is done."]),
    "a block id behind a claim": ('It fell. ^fall-1\n\nIt rose.[^2] ^rise\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a block id on a line of its own": ('- It rose.[^2]\n\n^list\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a comment in a claim": ('It rose %%in 2019%% fast.[^2] %%check%%\n\n[^2]: raw/b.md, "q"', ["It rose fast."]),
    "a comment within a word": ('It ro%%x%%se.[^2]\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a comment at a line's start": ('%%check this one%% It rose.[^2]\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a callout of one paragraph": ('> [!note] Title\n> It rose.[^2]\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a callout that folds": ('> [!faq|wide]- Why\n>\n> It rose.[^2]\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a callout whose title is the text": ('> [!TODO] It rose\n> fast.[^2]\n\n[^2]: raw/b.md, "q"', ["fast."]),
    "a callout without title": ('> [!NOTE]\n> It rose.[^2]\n\n[^2]: raw/b.md, "q"', ["It rose."]),
    "a cell with a bar": ('|a|\n|-|\n|x \\| y[^2]|\n\n[^2]: raw/b.md, "q"', ["x | y"]),
    "a formula in a claim": ('So $a \\% b$ is \\(c\\).[^2]\n\n[^2]: raw/b.md, "q"', ["So $a % b$ is (c)."]),
}


@pytest.mark.parametrize(("text", "expected"), CLAIMS.values(), ids=CLAIMS.keys())
def test_what_is_claimed_and_nothing_more(text: str, expected: list[str]) -> None:
    page = read(text)
    assert (targets(page), claims(page), problems(page)) == ([], expected, [])
    for claim in page.claims:
        words = iter(page.text[claim.place.start : claim.place.end])
        assert all(letter in words for letter in claim.text if not letter.isspace())


PROSE = {
    "a comment": ("%%a%%\n\nb %%c%% d\n\n%%\ne\n\nf\n%%", ["b  d"]),
    "a block id": ("a ^b-1\n\n- c ^d\n\n^e\n\n# f ^g", ["a", "c", "f"]),
    "no block id": ("a^2\n\nb ^c d\n\n`e ^f`\n\ng ^h.\n\n[i ^j](k.md)", ["a^2", "b ^c d", "", "g ^h.", "i ^j"]),
    "a callout": ("> [!note]- Title\n> Text.\n\n> [!x] T", ["Title", "Text.", "T"]),
    "no callout": ("[!note] a\n\n> b\n>\n> [!note] c\n\n> [note] d", ["[!note] a", "b", "[!note] c", "[note] d"]),
    "a callout of prose": ("> [!X] It fell.\n> It rose.", ["It fell. It rose."]),
}


@pytest.mark.parametrize(("text", "expected"), PROSE.values(), ids=PROSE.keys())
def test_what_is_prose(text: str, expected: list[str]) -> None:
    assert prose(read(text)) == [line for line in expected if line]


def test_a_block_id_is_a_target_wherever_it_stands() -> None:
    page = read("It fell. ^fall-1\n\n- item ^item\n\n> quote\n\n^quote")
    assert all(anchor_exists(page, anchor) for anchor in ("^fall-1", "^item", "^quote"))
    assert not anchor_exists(page, "^fall")


def test_the_title_of_a_callout_owes_no_citation_and_its_text_does() -> None:
    page = read("> [!note] Title\n> It rose.\n\n> [!note] It fell.")
    assert [(one.text, one.free) for one in sentences(page)][:3] == [
        ("Title", True),
        ("It rose.", False),
        ("It fell.", False),
    ]


def test_a_heading_is_named_without_its_block_id_and_comment() -> None:
    page = read("# Costs %%really%% ^cost\n\n## Été ^2019")
    assert [(heading.text, heading.slug) for heading in page.headings] == [("Costs", "costs"), ("Été", "été")]


HOSTILE = {
    "open comments": "%% a\n\n" * 10_000,
    "comments in one line": "%%a%% b " * 10_000,
    "comments in many blocks": "%%a\n\nb%%\n\n" * 6_000,
    "open brackets of TeX": "\\[ [a](b) " * 6_000,
    "open round brackets of TeX": "\\( [a](b) \\[ " * 6_000,
    "dollars": "$a [b](c) " * 6_000,
    "block ids": "a ^b\n\n" * 10_000,
    "carets": "^" * 60_000,
    "spaces before an id": "a" + " " * 60_000 + "b ^c",
    "callouts": "> [!a] b\n\n" * 6_000,
    "a callout without end": "> [!a" + "\n> b" * 10_000,
    "a callout with a long title": "> [!a] " + "word " * 4_000 + "\n> b" * 4_000,
    "a row of references": "|" + "a|" * 1_000 + "\n|" + "-|" * 1_000 + "\n|" + "[^1]|" * 1_000,
    "a row of words and references": "|" + "a|" * 600 + "\n|" + "-|" * 600 + "\n|" + "b|[^1]|" * 300,
    "references": "Word.[^1] " * 4_000,
    "a lead-in for many": "Long " * 4_000 + "lead-in:\n\n" + "- a[^1]\n" * 1_000,
    "struck words": "~~Struck~~ words.[^1] " * 2_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_pages_that_would_be_slow_are_read_in_good_time(text: str) -> None:
    begin = time.process_time()
    read(text)
    assert time.process_time() - begin < 5
