"""What the comment, the summary and the terminal say of extraction."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from pydantic import ValidationError
from rich.console import Console

from gitops.canonical import dumps
from gitops.ci.comment import MOST, is_resolved, render_comment, wanted
from gitops.ci.outcome import Checked
from gitops.ci.result import Result, parse
from gitops.ci.summary import MOST as MOST_OF_A_SUMMARY
from gitops.ci.summary import render_summary
from gitops.ci.words import words as in_terminal
from gitops.report.visible import inline
from tests.ci.comment_results import RUN, needs_cmark, parsed, result, words
from tests.ci.test_ci_comment_hostile import WORST
from tests.ci.test_ci_taming import FOREIGN


def bar(name: str = "atom_f1", **changes: Any) -> dict[str, Any]:
    made = {"metric": name, "unit": "share", "op": ">=", "bar": 0.6, "before": 0.8, "after": 0.8, "verdict": "met"}
    return {**made, **changes}


def below(name: str = "atom_f1", **changes: Any) -> dict[str, Any]:
    return bar(name, **{"after": 0.5, "verdict": "below", "gated": True, **changes})


def wrong(**changes: Any) -> dict[str, Any]:
    made = {"kind": "missed", "case": "tea", "what": "process brew", "source": "gold/extraction/tea/sources/a.md"}
    return {**made, "source_line": 3, "gold": "gold/extraction/tea/atoms/brew.md", "is_new": True, **changes}


def answer(**changes: Any) -> dict[str, Any]:
    made = {"because": "extracted/tea/brew.md changed", "extracted": "extracted/", "judge": "offline/2", "cases": 4}
    return {**made, "bars": [bar(), bar("edge_f1", bar=0.5)], **changes}


def with_(**changes: Any) -> Result:
    return result(extraction=answer(**changes))


def failing(**changes: Any) -> Result:
    made = {"wrong": [wrong()], "kinds": {"missed": 1}, "new_wrong": 1, "bars": [below(), bar("edge_f1", bar=0.5)]}
    return with_(**{**made, **changes})


def test_each_bar_has_a_row_with_both_numbers_and_each_wrong_thing_its_places() -> None:
    told = render_comment(failing())
    about = "**Extraction** of extracted/, 4 cases of gold, judge `offline/2`, because extracted/tea/brew.md changed\n"
    assert about in told
    assert "| `atom_f1` | \\>=\xa00.6 | 0.800 | 0.500\xa0▼\xa0worse | **below** |" in told
    assert "| `edge_f1` | \\>=\xa00.5 | 0.800 | 0.800 | met |" in told
    assert "**1 thing wrong, all since this change: 1 missed**\n" in told
    places = "source `gold/extraction/tea/sources/a.md:3`, gold `gold/extraction/tea/atoms/brew.md`"
    assert f"- **missed** `tea`: process brew<br>{places}\n" in told


def test_what_was_extracted_is_told_with_its_own_place_and_what_was_wrong_before_says_so() -> None:
    made = wrong(kind="made_up", what="because it is cheap", path="extracted/tea/d.md", line=9, is_new=False)
    told = render_comment(failing(wrong=[made], new_wrong=0, kinds={"made_up": 1}))
    assert "- made up, as before `tea`: because it is cheap<br>in `extracted/tea/d.md:9`, source `" in told
    assert "**1 thing wrong, none since this change: 1 made up**" in told
    warned = wrong(kind="graph", level="warning", what="an orphan")
    assert "- **graph warning** `tea`: an orphan<br>" in render_comment(failing(wrong=[warned]))


def test_a_bar_says_whether_it_was_below_before_and_whether_somebody_accepted_that() -> None:
    told = render_comment(with_(bars=[below(before=0.4, was_below=True)]))
    assert "| 0.400 | 0.500\xa0▲\xa0better | **below,\xa0as\xa0before** |" in told
    accepted = below(gated=False, accepted=True, why="accepted by Ada")
    told = render_comment(with_(bars=[accepted]))
    assert "**below,\xa0accepted**" not in told, "what somebody let pass is not shouted"
    assert "below,\xa0accepted" in told
    assert "- atom_f1: accepted by Ada\n" in told


def test_what_is_counted_is_told_as_a_count_and_fewer_errors_are_better() -> None:
    row = bar("graph_errors", unit="faults", direction="lower", op="==", bar=0, before=3, after=2, verdict="below")
    assert "| `graph_errors` | \\=\\=\xa00 | 3 | 2\xa0▼\xa0better | **below** |" in render_comment(with_(bars=[row]))


def test_a_share_that_rounds_to_its_bar_shows_on_which_side_it_lies() -> None:
    told = render_comment(with_(bars=[below(after=0.5999)]))
    assert "0.599900" in told


def test_the_changes_own_gold_has_a_column_and_gold_that_is_new_gates_nothing() -> None:
    told = render_comment(with_(bars=[bar(by_own_gold=0.7)]))
    assert "| by the change's gold | verdict |" in told
    assert "| 0.800 | 0.800 | 0.700 | met |" in told
    new = render_comment(with_(is_shown=True, bars=[bar(before=None, verdict="shown")]))
    assert "Only the change has gold: this is shown, and gates nothing" in new


def test_at_most_ten_things_are_told_and_the_rest_counted() -> None:
    many = [wrong(what=f"atom {number}", kind=("missed", "spurious")[number % 2]) for number in range(14)]
    one = failing(wrong=many, more_wrong=3, kinds={"missed": 9, "spurious": 8}, new_wrong=17)
    told = render_comment(one)
    assert "**17 things wrong, all since this change: 9 missed, 8 spurious**" in told
    assert (told.count("- **missed**"), told.count("- **spurious**")) == (5, 5), "some of each kind"
    assert told.index("- **missed**") < told.index("- **spurious**")
    assert "*and 7 more: see the job's summary*" in told
    assert render_summary(one).count("<br>source ") == 14


def test_notes_and_reasons_are_told() -> None:
    row = bar("faithfulness", after=None, verdict="not measured", why="no vote")
    told = render_comment(with_(bars=[row], notes=["belongs to no case: tee"]))
    assert "| **not\xa0measured** |" in told
    assert "- faithfulness: no vote\n- belongs to no case: tee\n" in told


def test_without_extraction_nothing_is_said_of_it() -> None:
    assert "xtract" not in render_comment(result()) + render_summary(result())


@pytest.mark.parametrize(
    "changes",
    [
        {"bars": [below()]},
        {"bars": [bar(after=0.9)]},
        {"bars": [bar(after=None, verdict="not measured")]},
        {"notes": ["a"]},
        {"is_shown": True},
        {"wrong": [wrong()], "new_wrong": 1},
    ],
)
def test_what_somebody_should_look_at_is_commented(changes: dict[str, Any]) -> None:
    assert wanted(with_(**changes), "on-change", False)
    assert not is_resolved(with_(**changes))


def test_an_extraction_that_stayed_as_it_was_asks_for_no_comment() -> None:
    one = with_(wrong=[wrong(is_new=False)], kinds={"missed": 1})
    assert not wanted(one, "on-change", False)
    assert is_resolved(one)


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_shows_the_same(width: int) -> None:
    out = io.StringIO()
    Console(file=out, width=width).print(in_terminal(Checked(failing(notes=["a note"], more_wrong=2))))
    told = " ".join(out.getvalue().split())
    place = "gold/extraction/tea/sources/a.md:3, gold/extraction/tea/atoms/brew.md"
    for shown in ("extraction of extracted/", "0.500 below (gates)", "a note", f"+ missed tea: process brew {place}"):
        assert shown in told
    assert "and 2 more: see the summary" in told


# Hostile


def hostile(text: str, count: int = 2) -> Result:
    """A result with the same text wherever an extraction has one."""
    rows = [below(text, unit=text, why=text, bar=1e300, before=1e300, after=-1e300)] * min(count, 10)
    kinds = ("missed", "made_up", "graph")
    lines = [
        wrong(kind=kind, case=text, what=text, path=text, line=10**30, source=text, gold=text) for kind in kinds
    ] * min(count, 60)
    more = {"more_wrong": 10**30, "new_wrong": 10**30, "kinds": dict.fromkeys(kinds, 10**30), "notes": [text] * 2}
    return with_(because=text, extracted=text, judge=text, cases=10**30, bars=rows, wrong=lines, gold=text, **more)


@needs_cmark
@pytest.mark.slow
@given(FOREIGN.map(str.strip).filter(lambda text: 0 < len(inline(text)) <= 90))
@settings(max_examples=30, deadline=None)
def test_a_hostile_text_is_read_as_it_stands(text: str) -> None:
    tree = parsed(render_comment(hostile(text), run_url=RUN))
    [table] = [each for each in tree.css("table") if len(each.css("tr:first-child th")) == 5 and "bar" in each.text()]
    cells = [words(cell.text()) for cell in table.css("td")]
    assert cells[0] == words(inline(text))
    assert {len(row.css("td, th")) for row in table.css("tr")} == {5}
    assert {tuple(sorted(node.attributes.items())) for node in tree.css("a")} == {(("href", RUN),)}
    assert not tree.css("img, h1, h2, h3")
    shown = words(inline(text))
    lines = [words(each.text()) for each in tree.css("li")]
    assert f"missed {shown}: {shown}in {shown}, source {shown}:3, gold {shown}" in lines


@pytest.mark.slow
@pytest.mark.parametrize("text", WORST, ids=[repr(text[:3]) for text in WORST])
def test_neither_comment_nor_summary_is_longer_than_it_may_be(text: str) -> None:
    worst = hostile(text, 60)
    told = render_comment(worst, run_url=RUN)
    assert len(told) <= MOST
    assert told.endswith("</sub>\n")
    assert len(render_summary(worst).encode()) <= MOST_OF_A_SUMMARY


@pytest.mark.parametrize(
    "changes",
    [
        {"bars": [bar(verdict="fine")]},
        {"bars": [bar(op="<")]},
        {"bars": [bar(bar=float("inf"))]},
        {"bars": [bar()] * 11},
        {"wrong": [wrong(kind="odd")]},
        {"wrong": [wrong(line=-1)]},
        {"wrong": [wrong()] * 201},
        {"wrong": [wrong(what="x" * 2_001)]},
        {"kinds": {"odd": 1}},
        {"kinds": {"missed": -1}},
        {"notes": ["a"] * 21},
        {"cases": -1},
        {"more": 1},
    ],
)
def test_what_is_no_answer_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        with_(**changes)


def test_a_result_comes_back_from_its_bytes() -> None:
    one = failing(notes=["n"])
    assert parse(dumps(one.record()).encode(), "result.json") == one
