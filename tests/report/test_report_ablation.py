"""An ablation as it is told: in words, in Markdown, as a page and as a picture, hostile names among its variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from gitops.report.ablation import words
from gitops.report.ablation_chart import picture, svg
from gitops.report.ablation_md import markdown
from gitops.report.ablation_page import page
from gitops.report.ablation_values import overview, verdict
from gitops.suites.ablations import put_together
from gitops.suites.concluding import Conclusion, concluded
from tests.suites.ablated import Answer, measured, passing

HOSTILE = '<script>alert("|")</script>\x1b[31m [x](http://e) \n# h'


def conclusion(variants: Mapping[str, Answer], cases: int = 20, repeats: int = 4) -> Conclusion:
    [found] = put_together(measured(variants, cases, repeats))
    return concluded(found, 0.05)


def failing(case: int, repeat: int) -> Mapping[str, Any]:
    return {"status": "fail" if case < 8 or case == 8 + repeat else "pass", "latency_ms": 700 + case}


def skipped(case: int, repeat: int) -> Mapping[str, Any]:
    return {"status": "skipped"}


@pytest.fixture
def found() -> Conclusion:
    return conclusion({"main": passing, "HEAD": failing})


def told(shown: Conclusion, width: int) -> str:
    console = Console(width=width, record=True, color_system=None, force_terminal=False)
    with console.capture() as captured:
        console.print(words(shown, ["kept"]))
    return captured.get()


def test_variants_stand_side_by_side(found: Conclusion) -> None:
    columns, rows = overview(found)
    assert columns == ("metric", "main (control)", "HEAD")
    assert rows[0] == ("pass rate", "1.000 ± 0.000", "0.550 ± 0.000")
    assert [row[0] for row in rows] == ["pass rate", "latency (ms)", "tokens"]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_words_fit_and_say_what_it_comes_to(found: Conclusion, width: int) -> None:
    text = told(found, width)
    assert max(map(len, text.splitlines())) <= width
    flat = " ".join(text.split())
    assert "HEAD does harm." in flat
    assert "worse" in flat
    assert "kept" in flat


def test_what_no_variant_has_a_number_for_is_in_no_picture() -> None:
    found = conclusion({"main": skipped, "HEAD": skipped})
    assert found.scores
    assert {one.mean for one in found.scores} == {None}
    assert picture(found).panels == ()
    assert ElementTree.fromstring(svg(found)).tag.endswith("svg")


def test_markdown_is_a_table_of_variants_and_what_differs(found: Conclusion) -> None:
    text = markdown(found, "x.svg")
    assert (
        "| metric | main (control) | HEAD |\n| --- | ---: | ---: |\n| pass rate | 1.000 ± 0.000 | 0.550 ± 0.000 |\n"
        in text
    )
    assert "**HEAD does harm.**" in text
    assert "**worse**" in text
    assert "![Means of the variants with their 95 % intervals](<x.svg>)" in text
    assert "svg" not in markdown(found)


def test_the_picture_is_drawn_within_its_frame_and_says_its_numbers(found: Conclusion) -> None:
    drawn = picture(found)
    assert [panel.title for panel in drawn.panels] == ["pass rate", "latency (ms)", "tokens"]
    for panel in drawn.panels:
        for bar in panel.bars:
            assert all(150 <= place <= 510 for place in (bar.x, bar.low, bar.high) if place is not None)
            assert panel.top < bar.y < panel.bottom <= drawn.height
    assert [bar.style for bar in drawn.panels[0].bars] == ["control", "treatment"]
    root = ElementTree.fromstring(svg(found))
    assert "0.550 ± 0.000" in "".join(root.itertext())


def test_where_all_are_alike_there_is_still_a_picture() -> None:
    root = ElementTree.fromstring(svg(conclusion({"a": passing, "b": passing}, repeats=1)))
    assert "pass rate" in "".join(root.itertext())


def test_names_do_nothing_wherever_they_are_shown() -> None:
    shown = conclusion({"main": passing, HOSTILE: failing})
    html = page(shown)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in html
    assert "\x1b" not in html
    text = markdown(shown)
    assert "\n# h" not in text
    assert "\\<script" in text
    assert "\x1b" not in told(shown, 100)
    drawing = svg(shown)
    ElementTree.fromstring(drawing)
    assert "<script" not in drawing
    assert "\x1b" not in drawing


def test_the_page_has_the_picture_and_all_tables(found: Conclusion) -> None:
    html = page(found)
    assert html.count("<svg") == 1
    for expected in ("HEAD does harm.", "0.550 ± 0.000", "no difference shown", "worse by more than chance"):
        assert expected in html
    assert "src=" not in html


@pytest.mark.parametrize(
    ("answer", "cases", "tone", "said"),
    [
        (
            passing,
            40,
            "healthy",
            "every treatment was shown to do no harm: no more than 0.05 worse than the control in pass rate",
        ),
        (passing, 3, "degraded", "whether b does harm cannot be told"),
        (failing, 40, "broken", "b does harm"),
    ],
)
def test_what_it_comes_to_in_a_sentence(answer: Answer, cases: int, tone: str, said: str) -> None:
    assert verdict(conclusion({"a": passing, "b": answer}, cases)) == (tone, said)


def test_of_several_suites_each_row_says_of_which_it_is() -> None:
    every = [
        *measured({"main": passing, "HEAD": failing}, 20, 2, suite="planner"),
        *measured({"main": passing, "HEAD": passing}, 40, 2, suite="words"),
    ]
    [both] = put_together(every)
    shown = concluded(both, 0.05)
    _, rows = overview(shown)
    assert [row[0] for row in rows[:4:3]] == ["planner: pass rate", "words: pass rate"]
    text = " ".join(told(shown, 120).split())
    assert "2 suites, 60 cases, 2 repeats of each of 2 variants" in text
    assert "planner: pass rate: passed and fails now: case-00" in text.replace(
        "planner: latency (ms), planner: tokens, ", ""
    )
    assert "HEAD words: pass rate +0.000 -0.046 … +0.046 no harm" in text
