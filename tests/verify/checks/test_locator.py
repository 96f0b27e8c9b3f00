from __future__ import annotations

from collections.abc import Callable

import pytest
from fpdf import FPDF

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

TOML = '[citations]\ndialects = ["inline_source", "frontmatter", "canonical"]\nrequire = []\n'
RAW: dict[str, str | bytes] = {
    "raw/mill.md": "# The mill\n\nIt was built in 1911.\n\n## Who works there\n\nForty people.\n",
    "raw/talk.md": "0:00\nWe begin.\n0:20\nWe go on.\n0:40\nWe end.\n",
    "raw/empty.md": "",
    "raw/scan.bin": b"\0\1\2",
}


def pdf() -> bytes:
    document = FPDF()
    document.set_font("helvetica")
    for text in ("first words", "second words"):
        document.add_page()
        document.cell(text=text)
    return bytes(document.output())


def said(said_by: SaidBy, path: str, before: dict[str, str | bytes] | None = None) -> list[Finding]:
    return said_by("locator", before or RAW, {"wiki/a.md": f"Plain.\n\nA claim (source: {path}).\n"}, toml=TOML)


@pytest.mark.parametrize(
    ("path", "result", "message", "repair"),
    [
        (
            "raw/mill.md#L8-L9",
            "no_line",
            "raw/mill.md has no lines 8-9: the source has 7 lines",
            "cite lines from 1 to 7",
        ),
        (
            "raw/mill.md#who-works-here",
            "no_heading",
            "raw/mill.md has no § who-works-here: no heading of the source is called so",
            "cite 'Who works there'",
        ),
        (
            "raw/talk.md#9:99".replace("99", "59"),
            "no_moment",
            "raw/talk.md has no 9:59: the source's last time stamp is 0:40",
            "cite a moment up to 0:40",
        ),
        ("raw/mill.md#5:40", "no_moment", "raw/mill.md has no 5:40: the source has no time stamps", "cite a heading"),
        (
            "raw/mill.pdf#page=3",
            "no_page",
            "raw/mill.pdf has no p. 3: the source has 2 pages",
            "cite a page from 1 to 2",
        ),
    ],
)
def test_a_locator_that_leads_nowhere(said_by: SaidBy, path: str, result: str, message: str, repair: str) -> None:
    [found] = said(said_by, path, RAW | {"raw/mill.pdf": pdf()})
    assert (found.result, found.level, found.line, found.message) == (result, "error", 3, message)
    assert found.repair.startswith(repair)


@pytest.mark.parametrize(
    "path",
    [
        "raw/mill.md",
        "raw/mill.md#L3",
        "raw/mill.md#L1-L7",
        "raw/mill.md#who-works-there",
        "raw/mill.md#Who%20works%20there",
        "raw/talk.md#0:41",
        "raw/talk.md#1:30",
        "raw/mill.pdf#page=2",
        "raw/empty.md#L3",
        "raw/scan.bin#L3",
        "raw/gone.md#L3",
    ],
)
def test_what_is_there_or_cannot_be_read_says_nothing(said_by: SaidBy, path: str) -> None:
    assert said(said_by, path, RAW | {"raw/mill.pdf": pdf()}) == []


def test_a_page_number_beside_a_quote_is_left_to_quote_anchor(results: Results) -> None:
    page = {"wiki/a.md": 'A claim.[^1]\n\n[^1]: raw/mill.pdf, p.3, "first words"\n'}
    before = {"raw/mill.pdf": pdf()}
    assert results("locator", before, page, toml=TOML) == []
    assert [one[0] for one in results("quote_anchor", before, page, toml=TOML)] == ["misattributed"]


def test_every_claim_that_leans_on_a_wrong_locator_is_named(said_by: SaidBy) -> None:
    page = "One (source: raw/mill.md#L70). Two (source: raw/mill.md#L70).\n"
    found = said_by("locator", RAW, {"wiki/a.md": page}, toml=TOML)
    assert [one.claim for one in found] == ["One.", "Two."]


def test_a_wrong_locator_is_not_new_when_lines_move(results: Results) -> None:
    wrong = "A claim (source: raw/mill.md#L70).\n"
    told = results("locator", RAW | {"wiki/a.md": wrong}, {"wiki/a.md": "# Title\n\n" + wrong}, toml=TOML)
    assert told == [("no_line", "error", "wiki/a.md", 3, False)]


def test_a_finding_stays_the_same_one_however_its_claim_is_typed(said_by: SaidBy) -> None:
    before = 'It was "a claim" - so (source: raw/mill.md#L8-L9).\n'
    typed = before.replace('"a claim" - so', "“a  claim” — so")
    [found] = said_by("locator", {**RAW, "wiki/a.md": before}, {"wiki/a.md": typed}, toml=TOML)
    assert (found.result, found.new) == ("no_line", False)
    other = before.replace("L8-L9", "L28-L29")
    [found] = said_by("locator", {**RAW, "wiki/a.md": before}, {"wiki/a.md": other}, toml=TOML)
    assert (found.result, found.new) == ("no_line", True)
