from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from jinja2 import Environment, PackageLoader, StrictUndefined
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser

from gitops.comparing.measured import Comparison, compared
from gitops.comparing.recalling import Recalled, key
from gitops.report.deltas import COLUMNS, Deltas, deltas, legend, markdown, table
from gitops.runs.measurements import Measurement, Metric, Sample
from tests.evals.scores import passing, scored, share


def of(*sides: Measurement) -> Comparison:
    made = (
        Recalled(name, {key(one, metric): (one,) for metric in one.metrics})
        for name, one in zip("ABC", sides, strict=False)
    )
    return compared(list(made))


def suite(passed: int, names: int, kind: str = "retrieval") -> Measurement:
    """Ten queries, the first of which pass, with as many metrics of the same scores."""
    scores = {f"m{at}": 1.0 for at in range(names)}
    samples = tuple(
        Sample(
            id=f"q{at}",
            status="pass" if at < passed else "fail",
            scores={name: float(at < passed) for name in scores},
            details={"query": f"What is {at}?"},
        )
        for at in range(10)
    )
    number = Metric(value=passed / 10, n=10, direction="higher", unit="share", status="measured")
    return scored("m0", passed / 10, samples, kind=kind, metrics=dict.fromkeys(scores, number))


def html(shown: Deltas, told: tuple[str, ...] = ()) -> LexborHTMLParser:
    loaded = Environment(loader=PackageLoader("gitops.report"), autoescape=True, undefined=StrictUndefined)
    made = loaded.from_string('{% from "deltas.html.j2" import deltas %}{{ deltas(shown, told) }}')
    return LexborHTMLParser(made.render(shown=shown, told=told))


def test_nothing_compared_is_no_table(on_terminal: Callable[..., str]) -> None:
    [shown] = deltas(of(passing(1, 2), scored("M1", None, reason="no judge")))
    assert shown.rows == ()
    assert shown.not_compared == ("not compared: M1: has no score at B: no judge",)
    assert not html(shown).css("table")
    assert "no judge" in html(shown).css(".not-compared")[0].text()
    assert legend(of(passing(1, 2), scored("M1", None))) == ()


def test_what_one_side_does_not_tell_of_itself_is_named() -> None:
    sides = (passing(1, 2, subject={"embedding": told}) for told in ("", "e5"))
    assert deltas(of(*sides))[0].subjects == "embedding none → e5"


def test_what_neither_side_tells_of_itself_is_no_difference() -> None:
    sides = (passing(1, 2, subject=told) for told in ({"model": "", "preset": "a"}, {"preset": "b"}))
    assert deltas(of(*sides))[0].subjects == "preset a → b"


def test_each_further_side_has_its_deltas() -> None:
    told = [(each.reference, each.compared) for each in deltas(of(passing(1, 2), passing(1, 2), passing(0, 2)))]
    assert told == [("A", "B"), ("A", "C")]


def test_the_table_says_the_same_wherever_it_is_shown(on_terminal: Callable[..., str]) -> None:
    [shown] = deltas(of(passing(18, 20), passing(10, 20)))
    cells = ["M1", "0.900", "0.500", "-0.400", "-0.602 … -0.141", "0.008", "0.008", "20", "0.383", "worse"]
    [row] = shown.rows
    assert [*row.cells, row.told] == cells
    assert (row.tone, shown.columns) == ("bad", (*COLUMNS, "reading"))
    lines = on_terminal(table(shown), width=200, colour=False).splitlines()
    assert [cell.strip() for cell in lines[1].split("  ") if cell.strip()] == cells
    head, aligned, line = markdown(shown).splitlines()
    assert [cell.strip() for cell in line.strip("|").split("|")] == [*cells[:-1], "**worse**"]
    assert (head.count("|"), aligned.count("---:")) == (11, 8)
    found = html(shown).css("tbody th, tbody td")
    assert [each.text() for each in found] == cells
    assert [each.attributes["data-label"] for each in found] == list(shown.columns)
    assert html(shown).css(".reading")[0].attributes["class"] == "reading bad"


@pytest.mark.parametrize(
    ("names", "who"),
    [(1, "retrieval.m0"), (3, "retrieval.m0, retrieval.m1, retrieval.m2"), (4, "retrieval.m0 and 3 more")],
)
def test_what_is_said_of_several_metrics_is_said_once(names: int, who: str) -> None:
    [shown] = deltas(of(suite(9, names), suite(8, names)))
    assert shown.remarks == (f"{who}: passed and fails now: What is 8?",)


def test_names_from_files_do_nothing_in_markdown_and_in_html() -> None:
    evil = "<script>a|b\n*c*</script>"
    sides = (scored(evil, value, (Sample(id=evil, status="pass", scores={evil: value}),)) for value in (0.5, 0.25))
    [shown] = deltas(of(*sides))
    assert markdown(shown).splitlines()[2].startswith(r"| \<script\>a\|b␊\*c\*\</script\> | 0.500 | 0.250 |")
    page = html(shown, ("a <b>",))
    assert not page.css("script, b")
    assert page.css("tbody th")[0].text() == evil.replace("\n", "␊")


def test_remarks_and_legend_are_told_in_html_too() -> None:
    made = of(share({"a": True, "b": True}), share({"a": True, "b": False}))
    [shown] = deltas(made)
    page = html(shown, legend(made))
    assert [each.text() for each in page.css(".remarks li")] == ["M1: passed and fails now: wiki/b.md:3 Claim b."]
    assert [each.text() for each in page.css(".legend-line")] == list(legend(made))


def test_a_narrow_terminal_does_without_the_columns_that_can_best_be_spared() -> None:
    [shown] = deltas(of(suite(8, 2), suite(2, 2)))
    spared = [_spared(shown, width) for width in (160, 115, 100, 95, 79)]
    assert spared[0] == []
    assert spared[-1] == ["95 %", "p", "pairs", "detectable"]
    assert all(set(wide) <= set(narrow) for wide, narrow in pairwise(spared))
    assert len(set(map(len, spared))) > 2


def _spared(shown: Deltas, width: int) -> list[str]:
    console = Console(width=width, color_system=None, highlight=False)
    with console.capture() as captured:
        console.print(table(shown))
    heading, *rows = captured.get().splitlines()
    assert len(rows) == 2, "a row goes over several lines"
    return [column for column in COLUMNS if column not in re.split(r"\s{2,}", heading)]
