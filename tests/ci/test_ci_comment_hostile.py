from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from selectolax.lexbor import LexborHTMLParser

from gitops.ci.comment import MOST, marker, render_comment
from gitops.ci.result import Result
from gitops.ci.summary import MOST as MOST_OF_A_SUMMARY
from gitops.ci.summary import render_summary
from gitops.ci.taming import cut
from gitops.report.visible import inline
from tests.ci.comment_results import RUN, finding, html, metric, needs_cmark, parsed, result, words
from tests.ci.test_ci_taming import FOREIGN, acted_on

OURS = {
    "blockquote",
    "p",
    "strong",
    "em",
    "code",
    "span",
    "br",
    "ul",
    "li",
    "details",
    "summary",
    "pre",
    "sub",
    "a",
    "h2",
}
TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
WORST = ["$" * 1900, "|`" * 950, "@a" * 950, "1a2b3c4 " * 240, "\u202e" * 1900, "<" * 1900, "\\" * 1900, ":a:" * 600]

UNITS = ("share", "product")
"""Of these no unit is told."""
SOMETHING = FOREIGN.map(str.strip).filter(lambda text: 0 < len(inline(text)) <= 90 and text not in UNITS)
"""Whole within every limit but that of a cell."""


def hostile(text: str, count: int = 2) -> Result:
    """A result each of whose texts is the one."""
    row = metric(text, unit=text, limit=text, why=text, gated=True, verdict="regressed", trend=[0.1, None])
    said = {"check": text, "result": text, "path": text, "message": f"raw/a.md says {text}", "mend": text}
    texts: dict[str, Any] = dict.fromkeys(("version", "workspace", "cause", "reasoning", "judge", "trust"), text)
    lists: dict[str, Any] = dict.fromkeys(("policy_changed", "intakes", "overrides", "remarks"), [text] * count)
    return result(
        **texts,
        **lists,
        reproduce=text,
        outcome="failed",
        asked=1,
        metrics=[row, metric(text, why=text)] * (count // 2),
        findings=[finding(**said, line=line) for line in range(5, 5 + count)],
        accepted={"by": text, "reason": text, "label": text},
    )


def rows(tree: LexborHTMLParser) -> list[list[int]]:
    return [[len(row.css("th, td")) for row in table.css("tr")] for table in tree.css("table")]


@needs_cmark
@pytest.mark.slow
@example("--")
@example("- - -")
@example("1. x")
@given(SOMETHING)
@settings(max_examples=60, deadline=None)
def test_a_hostile_text_gets_out_of_nothing(text: str) -> None:
    markdown = render_comment(hostile(text), run_url=RUN)
    tree = parsed(markdown)
    assert tree.body is not None
    assert {node.tag for node in tree.body.css("*")} <= OURS | TABLE | {"body"}
    assert rows(tree) == [[8, 8], [6, 6, 6]]
    assert [node.attributes for node in tree.css("a")] == [{"href": RUN}]
    assert {tuple(node.attributes) for node in tree.css("body *") if node.tag not in ("a", "th", "td")} == {()}
    assert {tuple(node.attributes) for node in tree.css("th, td")} <= {(), ("align",)}
    assert len(tree.css("details")) == len(tree.css("summary")) == len(tree.css("blockquote")) == 1
    assert [len(each.css("li")) for each in tree.css("body > ul")] == [1, 2, 5], "reasons, findings, done by hand"
    assert list(acted_on(markdown)) == []


@needs_cmark
@pytest.mark.slow
@example("--")
@example("- - -")
@example("1. x")
@given(SOMETHING)
@settings(max_examples=40, deadline=None)
def test_a_hostile_text_is_read_as_it_stands(text: str) -> None:
    tree = parsed(render_comment(hostile(text), run_url=RUN))
    whole, short = words(inline(text)), words(cut(inline(text), 48))
    above, below = tree.css("table")
    assert [words(cell.text()) for cell in above.css("td")][6] == short
    assert [words(cell.text()) for cell in below.css("tr > td:first-child")] == [f"{short}, {short}", short]
    quoted, *_ = (words(quote.text()) for quote in tree.css("blockquote"))
    assert quoted == f"[!CAUTION] Failed. {whole}"
    reasons, findings, by_hand = ([words(item.text()) for item in each.css("li")] for each in tree.css("body > ul"))
    assert reasons == [f"{short}: {whole}"]
    assert findings[0] == f"error {whole}:5 {whole}: raw/a.md says {whole}mend: {whole}"
    assert by_hand[1] == f"Override: {whole}"


@pytest.mark.slow
def test_a_comment_is_never_longer_than_it_may_be() -> None:
    for text in WORST:
        told = render_comment(hostile(text, 50), run_url=RUN)
        assert len(told) <= MOST
        assert told.startswith(marker("wiki"))
        assert "more: see [the job's summary]" in told or "left out: see [the job's summary]" in told
        assert told.endswith("</sub>\n")


@pytest.mark.slow
def test_a_summary_is_never_longer_than_it_may_be() -> None:
    for text in WORST:
        told = render_summary(hostile(text, 50))
        assert len(told.encode()) <= MOST_OF_A_SUMMARY


@needs_cmark
@pytest.mark.parametrize("text", WORST, ids=[repr(text[:3]) for text in WORST])
def test_what_is_cut_is_cut_between_rows(text: str) -> None:
    tree = parsed(render_comment(hostile(text, 50), run_url=RUN))
    for table in rows(tree):
        assert set(table) in ({8}, {6})
    assert {tuple(sorted(node.attributes.items())) for node in tree.css("a")} == {(("href", RUN),)}
    assert len(tree.css("details")) == 1


def test_no_line_begins_with_what_is_foreign() -> None:
    told = render_comment(hostile("::error::pwned\n::add-mask::x\n##[group]x"), run_url=RUN)
    assert not re.search(r"(?m)^\s*(::|##\[)", told)
    assert "##[" not in told


@needs_cmark
def test_what_is_written_from_right_to_left_is_set_apart() -> None:
    told = render_comment(result(cause="\u05d0\u05d1 12"), run_url=RUN)
    assert "\u2068\u05d0\u05d1 12\u2069" in html(told)
    assert "\u202e" not in render_comment(hostile("\u202eevil"))
