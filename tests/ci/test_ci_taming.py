from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitops.ci.taming import JOINER, code, cut, item, pasted, said
from gitops.report.visible import inline
from tests.ci.comment_results import html, needs_cmark, parsed, words

HOSTILE = [
    *"\\`*_[]()<>|~$!&#-+=.:@1a \n\t\r\x00\x1b",
    *[
        "@ada",
        "@org/team",
        "#12",
        "o/r#1",
        "GH-1",
        "gh-22",
        "@12",
        "@1a",
        "1a2b3c4d5e",
        "&#64;x",
        "&commat;x",
        "&lt;",
        "a@b.cd",
    ],
    *["http://a.bc", "www.a.bc", "ftp://a.bc", "mailto:a@b.cd", "xmpp:a@b.cd/c", "<a@b.cd>", "<http://a.bc>"],
    *["![i](http://a.bc/i.png)", "[l](javascript:x)", "[^1]", "[^1]: x", "[r]: /u", "[ ] ", "- [x] ", "[!CAUTION]"],
    *["</details>", "</td>", "-->", "<!--", "<script>", "<img src=x onerror=y>", "<b>", "::error::x", "##[group]x"],
    *[
        "```",
        "~~~",
        "``",
        "| a | b |\n|---|---|",
        "---",
        "===",
        "# ",
        "1. ",
        "> ",
        ":tada:",
        ":+1:",
        "$x$",
        "$$",
        "$`x`$",
    ],
    *["\u202e", "\u2066", "\u200b", "\u200f", "\u05d0\u05d1", "\u0645 1", "\u2028", "\ufeff", "\U000e0041", "é", "🙂"],
    *["==x==", "%%c%%", "~~x~~", "**x**", "__x__", "_x_", "H~2~O", "x^2^", "\\|", "\\\\|", "\\`"],
]
FOREIGN = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.lists(
    st.sampled_from(HOSTILE), max_size=12
).map("".join)
EXAMPLES = settings(max_examples=60, deadline=None)


def acted_on(markdown: str) -> Iterator[str]:
    """What a code host would act on: in the text between the elements, out of code; a name in code too."""
    yield from re.findall(r"(?<![0-9A-Za-z])@(?![0-9]+(?![0-9A-Za-z-]))[0-9A-Za-z]\S*", parsed(markdown).text())
    outside = re.sub(r"(?s)<(code|pre)\b.*?</\1>", " ", html(markdown))
    for node in re.split(r"<[^>]*>", outside):
        told = node.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
        yield from re.findall(r"\$[^$]|:[\w+-]+:|\b(?:https?|ftp)://|\bwww\.", told, re.ASCII)
    flat = re.sub(r"<[^>]*>", "", outside)
    yield from re.findall(r"@[0-9A-Za-z]\S*|#\d+|\b[Gg][Hh]-\d+|\b[0-9A-Fa-f]{7,40}\b", flat, re.ASCII)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@ada and @org/team", f"@{JOINER}ada and @{JOINER}org/team"),
        ("#12, o/r#1, # 3", f"#{JOINER}12, o/r#{JOINER}1, # 3"),
        ("GH-1, high-2", f"GH-{JOINER}1, high-2"),
        ("since 1a2b3c4d5e on", "since <code>1a2b3c4d5e</code> on"),
        ("costs $5 or $6", "costs <span>$</span>5 or <span>$</span>6"),
        ("https://example.org", "https<span>:</span>//example.org"),
        ("www.example.org", "www<span>.</span>example.org"),
        (":tada: at 12:30", "<span>:</span>tada: at 12:30"),
        ("a|b\n<b>", r"a\|b␊\<b\>"),
        ("\u05d0\u05d1 1", "\u2068\u05d0\u05d1 1\u2069"),
        ("plain_words, and (these) too.", "plain_words, and (these) too."),
    ],
)
def test_what_a_code_host_would_act_on_is_broken(text: str, told: str) -> None:
    assert said(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ""),
        (" \t", "`␉`"),
        ("wiki/a.md", "`wiki/a.md`"),
        ("hit@10", "`hit@10`"),
        ("wiki/@ada.md", f"`wiki/@{JOINER}ada.md`"),
        ("#12 1a2b3c4", "`#12 1a2b3c4`"),
        ('raw/a.md, "x" @12', '`raw/a.md, "x" @12`'),
        (
            "$ @12 @12a @a",
            f"<code><span>$</span> <span>@</span>12 <span>@</span>{JOINER}12a <span>@</span>{JOINER}a</code>",
        ),
        ("a|b", r"<code>a\|b</code>"),
        ("a\\b", r"<code>a\\b</code>"),
        ("a`b", r"<code>a\`b</code>"),
        ("a$b 1a2b3c4", "<code>a<span>$</span>b 1a2b3c4</code>"),
    ],
)
def test_a_name_is_code(text: str, told: str) -> None:
    assert code(text) == told


def test_what_is_too_long_is_cut_before_it_is_escaped() -> None:
    assert said("a" * 400) == "a" * 299 + "…"
    assert said("*" * 400, 5) == r"\*\*\*\*…"
    assert said("\u202e" * 400, 10) == r"\<U+202E\>\<…"
    assert code("`" * 9, 3) == r"<code>\`\`…</code>"
    assert cut("as it is", 8) == "as it is"


@pytest.mark.parametrize(
    "command",
    [
        "git assay ci check --base main; rm -rf .",
        "git assay ci check $(id)",
        "git assay ci check\nid",
        "git assay ci check > /etc/passwd",
        "git assay ci check --base 'main'",
        "git assay run finish x --push",
        "git -c core.pager=id assay ci check",
        "curl https://example.org | sh",
        "git assay ci check @ada",
        "git assay ci",
        "git assay ci land",
        "git assay ci check --result .bashrc",
        "git assay ci check --sum .bashrc",
        "git assay ci check --accept fine",
        "git assay ci check --base --result",
        "git assay ci check --base main\n",
        "",
    ],
)
def test_a_command_that_is_none_of_ours_is_not_to_be_pasted(command: str) -> None:
    assert pasted(command) == ""


def test_a_command_of_ours_is_to_be_pasted() -> None:
    command = "git assay ci check --base 1a2b3c4d --head HEAD~1 --metric M1,M2 --judge offline"
    assert pasted(command) == command


@needs_cmark
@pytest.mark.slow
@example("--")
@example("\\|")
@example("a\\")
@example("`|`\\`|")
@example("ada@example.org")
@example("&#35; &#0;")
@given(FOREIGN)
@EXAMPLES
def test_prose_is_read_as_it_stands_in_a_cell_an_item_and_a_quote_and_does_nothing(text: str) -> None:
    told = said(text)
    markdown = f"| a | b |\n| --- | --- |\n| {told} | end |\n\n- x {told}\n{item(text)}\n\n> [!NOTE]\n> x {told}\n"
    tree = parsed(markdown)
    assert [words(cell.text()) for cell in tree.css("td")] == [words(inline(text)), "end"]
    assert [words(item.text()) for item in tree.css("li")] == [words(f"x {inline(text)}"), words(inline(text))]
    assert [words(quote.text()) for quote in tree.css("blockquote > p")] == [words(f"[!NOTE] x {inline(text)}")]
    held = tree.css("td *, li *, blockquote p *")
    assert {node.tag for node in held} <= {"span", "code"}
    assert len(tree.css("body > *")) == 3
    assert not any(node.attributes for node in held)
    assert all(node.text() in "$:." for node in held if node.tag == "span")
    assert all(re.fullmatch("[0-9A-Fa-f]{7,64}", node.text()) for node in held if node.tag == "code")
    assert list(acted_on(markdown)) == []


@needs_cmark
@pytest.mark.slow
@example("\\|")
@example(" ` ")
@example("@ada`|")
@example("\\&#0; &#35;")
@given(FOREIGN)
@EXAMPLES
def test_a_name_is_read_as_it_stands_and_does_nothing(text: str) -> None:
    told = code(text)
    markdown = f"| a | b |\n| --- | --- |\n| {told} | end |\n\n- x {told} {told}\n"
    tree = parsed(markdown)
    assert [words(cell.text()) for cell in tree.css("td")] == [words(inline(text)), "end"]
    assert [words(item.text()) for item in tree.css("li")] == [words(f"x {inline(text)} {inline(text)}")]
    held = tree.css("td *, li *")
    assert {node.tag for node in held} <= {"span", "code"}
    assert not any(node.attributes for node in held)
    assert list(acted_on(markdown)) == []
