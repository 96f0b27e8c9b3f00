"""Two extractions compared, as they are told: on a terminal, in Markdown, in HTML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyromark import Options, html
from selectolax.lexbor import LexborHTMLParser

from gitops.config import Bars
from gitops.extraction.comparing import CompareReport, compare_runs
from gitops.report import extraction_compare_values as values
from gitops.report.benchmark_md import markdown
from gitops.report.benchmark_page import page
from gitops.report.extraction_compare import words
from gitops.runs.measurements import Measurement
from tests.extraction.compared_runs import DANGLING, MADE_UP, MISTYPED, NAMES, NO_AUDITOR, measured
from tests.report.test_evalpage import CHROMIUM
from tests.report.test_evalpage import measured as laid_out

Print = Callable[..., str]
HOSTILE = "<script>alert(1)</script> | a *b* `c` [d](http://e)\n# f \u202e\x1b[31m"


@pytest.fixture(scope="module")
def perfect(tmp_path_factory: pytest.TempPathFactory) -> Measurement:
    return measured(tmp_path_factory.mktemp("first"), {NAMES[11]: MISTYPED}, commit="a" * 40)


@pytest.fixture(scope="module")
def worse(tmp_path_factory: pytest.TempPathFactory) -> Measurement:
    changed = {**dict.fromkeys(NAMES[:11], NO_AUDITOR), NAMES[0]: {**NO_AUDITOR, **MADE_UP}, NAMES[10]: DANGLING}
    return measured(tmp_path_factory.mktemp("second"), changed, commit="b" * 40)


@pytest.fixture(scope="module")
def report(perfect: Measurement, worse: Measurement) -> CompareReport:
    return compare_runs(("before", "after"), perfect, worse)


@pytest.fixture(scope="module")
def hostile(perfect: Measurement, worse: Measurement) -> CompareReport:
    """What a foreign record may say: names, cases and words that would steer whatever shows them."""
    problems = [{**each, "what": HOSTILE, "path": HOSTILE} for each in worse.details["problems"]]
    changed = {
        "details": {**worse.details, "problems": problems},
        "subject": {"extractor": HOSTILE, "preset": HOSTILE, "model": HOSTILE},
        "run_id": HOSTILE,
        "suite": HOSTILE,
    }
    return compare_runs((HOSTILE, "after"), perfect, worse.model_copy(update=changed))


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_bars_chance_and_counts_are_told_first(report: CompareReport) -> None:
    assert list(values.sentences(report)) == [
        "below its bar now: graph_errors 0 → 1 (= 0)",
        "worse by more than chance: atom_recall, atom_f1",
        "newly wrong: 10 atoms missed, 1 edge mislinked, 1 reason made up, 1 fault of the graph",
        "no longer wrong: 1 atom mistyped",
    ]
    assert values.of_comparison(report).tone == "broken"


def test_the_other_way_round_it_is_better(perfect: Measurement, worse: Measurement) -> None:
    report = compare_runs(("after", "before"), worse, perfect)
    assert next(values.sentences(report)) == "reaches its bar now: graph_errors 1 → 0 (= 0)"
    assert values.of_comparison(report).tone == "healthy"


def test_a_bar_that_was_moved_is_told_with_both(tmp_path: Path) -> None:
    loose, strict = (
        measured(tmp_path / name, {NAMES[0]: NO_AUDITOR}, NAMES[:1], bars=bars)
        for name, bars in (("loose", Bars()), ("strict", Bars(atom_f1=0.99)))
    )
    report = compare_runs(("a", "b"), loose, strict)
    assert next(values.sentences(report)) == "below its bar now: atom_f1 0.9412 → 0.9412 (≥ 0.6 → ≥ 0.99)"


def test_where_nothing_moved_that_is_told(perfect: Measurement) -> None:
    report = compare_runs(("a", "b"), perfect, perfect)
    assert list(values.sentences(report)) == ["no metric differs by more than chance", "no case moved"]
    assert values.of_comparison(report).tone == "not_measured"


def test_of_other_gold_nothing_is_told_but_that(perfect: Measurement, worse: Measurement, on_terminal: Print) -> None:
    other = worse.model_copy(update={"instrument": {**worse.instrument, "gold": "0" * 64}})
    report = compare_runs(("a", "b"), perfect, other)
    assert list(values.sentences(report)) == ["nothing could be compared"]
    said = lines(on_terminal(words(report), width=400, colour=False))
    assert any(
        line.startswith("not compared: atom_precision, ") and "another instrument: gold" in line for line in said
    )
    assert "the runs were measured otherwise: nothing is compared case by case" in said


@pytest.mark.parametrize("width", [80, 120, 200])
def test_a_terminal_of_any_width_shows_what_moved(report: CompareReport, on_terminal: Print, width: int) -> None:
    text = on_terminal(words(report), width=width, colour=False)
    said = lines(text)
    assert max(map(len, said)) <= width
    assert said[0] == "Below its bar now: graph_errors 0 → 1 (= 0)"
    assert "reference  before · 20240102-030405-" in text
    assert "12 cases moved" in said
    [row] = [line.split() for line in said if line.startswith("atom_recall ")]
    assert row[1:4] == ["1.000", "0.907", "-0.093"]
    assert row[-1] == "worse"
    assert "  and 2 more: --json has them, --report FILE.md and --html FILE show them" in said
    assert "  + case-00  atom missed: role auditor (Auditor)" in said
    assert "  − case-11  atom mistyped: role auditor (Auditor) was extracted as system" in said


def test_a_row_has_the_numbers_that_moved_and_those_that_did_not(report: CompareReport) -> None:
    assert values.cells(report.moves[0]) == ("case-00", "1.00 → 0.94", "1.00", "1.00", "0", "1.00 → 0.67", "+2", "")
    assert values.cells(report.moves[11]) == ("case-11", "1.00", "1.00", "1.00", "0", "1.00", "", "−1")


def test_markdown_has_every_row(report: CompareReport) -> None:
    tree = LexborHTMLParser(html(markdown(values.of_comparison(report)), options=Options.ENABLE_TABLES))
    assert [each.text() for each in tree.css("h2")] == [
        "Metrics",
        "Cases that moved",
        "Newly wrong: wrong in the compared run alone",
        "No longer wrong: wrong in the reference alone",
    ]
    assert len(tree.css("table")[3].css("tbody tr")) == 13


def test_what_files_say_does_nothing_in_any_form(hostile: CompareReport, on_terminal: Print) -> None:
    told = values.of_comparison(hostile)
    tree = LexborHTMLParser(html(markdown(told), options=Options.ENABLE_TABLES))
    assert not tree.css("script, em, a, h3, code")
    whole = LexborHTMLParser(page(told))
    assert not whole.css("script")
    [title] = whole.css("h1")
    assert "<script>alert(1)</script>" in title.text()
    text = on_terminal(words(hostile), width=120, colour=False)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_very_much_is_cut_and_told(report: CompareReport, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST", 4)
    sections = {each.title.partition(":")[0]: each for each in values.of_comparison(report).sections}
    assert (len(sections["Newly wrong"].rows), sections["Newly wrong"].more) == (4, "9 more: --json has them")
    assert sections["No longer wrong"].more == ""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(tmp_path: Path, report: CompareReport, width: int) -> None:
    assert CHROMIUM is not None
    found: Any = laid_out(CHROMIUM, tmp_path, page(values.of_comparison(report)), width)
    assert found == {"window": str(width), "page": str(width), "wider": ""}
