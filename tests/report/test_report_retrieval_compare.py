from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyromark import Options, html
from selectolax.lexbor import LexborHTMLParser

from gitops.report.retrieval_compare import counted, findings, of_kind, own_note, ranks, told_draws, words
from gitops.report.retrieval_compare_md import render_report_md
from gitops.report.retrieval_compare_page import MOST, page
from gitops.retrieval.comparing import CompareReport, compare_runs
from gitops.retrieval.model import GoldenQuery, Results, Versions
from tests.report.test_evalpage import CHROMIUM, measured
from tests.retrieval.comparable import ONE, answered, golden, relabelled, results, side, without

Print = Callable[..., str]
HOSTILE = "<script>alert(1)</script> | a *b* `c` [d](http://e)\n# f \u202e\x1b[31m"


@pytest.fixture(scope="module")
def report() -> CompareReport:
    """Thirty queries: fifteen regressions, one of them missing, a loss, two wins, a refusal that one alone made."""
    a: list[int | None] = [at % 5 + 1 for at in range(30)]
    b = [None if at % 2 else rank for at, rank in enumerate(a)]
    a[0], b[2], b[4] = None, 1, 7
    queries = [*golden(30), GoldenQuery("q030", "who knows?", should_refuse=True)]
    first = answered(results([*a, None]), {"q030": False})
    second = answered(without(results([*b, None], versions=replace(ONE, model="m-2")), "q029"), {})
    return compare_runs(
        side("20260102-030405-a", queries, first, commit="a" * 40),
        side("20260103-030405-b", queries, second, commit="b" * 40),
    )


@pytest.fixture(scope="module")
def apart() -> CompareReport:
    return compare_runs(side("a", golden(3), results([1, 2, 3])), side("b", golden(2), results([1, 2])))


def hostile() -> CompareReport:
    queries = [replace(one, query=HOSTILE, query_id=f"{HOSTILE}{at}") for at, one in enumerate(golden(3))]

    def run(*ranks: int | None, model: str) -> Results:
        found = results(ranks, versions=Versions("1", model=model))
        by_query = zip(queries, found.by_query.values(), strict=True)
        return replace(found, by_query={query.query_id: one for query, one in by_query})

    a, b = run(1, 2, None, model="m"), run(None, 1, 3, model=HOSTILE)
    return compare_runs(side(HOSTILE, queries, a), side("b", queries, without(b, queries[0].query_id)))


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def rendered(text: str) -> LexborHTMLParser:
    return LexborHTMLParser(html(text, options=Options.ENABLE_TABLES))


def test_one_of_a_kind_is_told_in_the_singular(report: CompareReport) -> None:
    assert counted(report) == "2 wins · 1 loss · 15 regressions · 13 draws of 31 queries"


def test_what_is_more_than_chance_is_told_by_its_metrics(report: CompareReport) -> None:
    [told] = findings(report)
    assert told.startswith("worse by more than chance: ")
    assert "hit@10" in told
    assert "refusal_correctness" not in told


def test_where_nothing_is_more_than_chance_that_is_told(apart: CompareReport) -> None:
    same = compare_runs(side("a", golden(3), results([1, 2, 3])), side("b", golden(3), results([1, 2, 3])))
    assert list(findings(same)) == ["no metric differs by more than chance"]
    assert list(findings(apart)) == []


def test_queries_that_moved_furthest_come_first(report: CompareReport) -> None:
    found = of_kind(report, "Regression")
    assert [one.a_hit_rank for one in found] == sorted(one.a_hit_rank or 0 for one in found)
    assert ranks(found[0]) == "1 → miss"
    assert [ranks(one) for one in of_kind(report, "Win")] == ["miss → 1", "3 → 1"]


def test_causes_that_are_the_same_for_all_are_not_told_with_each(report: CompareReport) -> None:
    notes = {one.query_id: own_note(report, one) for one in report.per_query}
    assert (notes["q001"], notes["q029"]) == ("", "not in the results of B")
    assert all("model m-1 → m-2" in one.note for one in report.per_query if one.kind != "Draw")


def test_a_draw_is_shown_where_something_is_to_be_said_of_it(report: CompareReport) -> None:
    assert [(one.query_id, ranks(one), one.note) for one in told_draws(report)] == [
        ("q030", "–", "A refused it, B did not")
    ]


def test_a_terminal_shows_counts_table_queries_and_remarks_in_this_order(
    on_terminal: Print, report: CompareReport
) -> None:
    shown = on_terminal(words(report), width=200, colour=False)
    told = [
        "A  reference  20260102-030405-a  chunker 1 · embedding e5-small · prompt 7 · model m-1 · at aaaaaaaaaa ",
        "B  compared   20260103-030405-b",
        "2 wins · 1 loss · 15 regressions · 13 draws of 31 queries",
        "worse by more than chance: ",
        "\nmetric  ",
        "\nhit@1  ",
        "what was measured differs in model m-1 → m-2",
        "\n15 regressions\n",
        "1 → miss  what of",
        "and 5 more: --json, --report and --html have them",
        "1 loss\n",
        "5 → 7 ",
        "\n2 wins\n",
        "1 draw to look at",
        "A refused it, B did not",
        "B: golden queries that the results lack",
        "better, worse: p ≤ 0.05",
    ]
    places = [shown.find(each) for each in told]
    assert -1 not in places, told[places.index(-1)]
    assert places == sorted(places)


def test_runs_that_were_not_compared_say_why(on_terminal: Print, apart: CompareReport) -> None:
    shown = on_terminal(words(apart), width=400, colour=False)
    assert "another instrument: gold " in shown
    assert "--gold FILE scores both by the same" in shown
    assert "draws" not in shown
    assert "Nothing was compared." in render_report_md(apart)
    assert "Nothing could be compared." in page(apart)
    assert "No query moved" not in page(apart)


def test_foreign_text_steers_no_terminal(in_pipe: Print) -> None:
    shown = in_pipe(words(hostile()))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not any(line.startswith("# f") for line in lines(shown))


def test_markdown_holds_all_that_moved(report: CompareReport) -> None:
    told = render_report_md(report)
    assert told.startswith("# Retrieval: 20260102-030405-a → 20260103-030405-b\n\n| ")
    assert told.endswith("\n")
    assert not told.endswith("\n\n")
    assert "\n**2 wins · 1 loss · 15 regressions · 13 draws of 31 queries**\n" in told
    made = rendered(told)
    assert [each.text() for each in made.css("h2")] == [
        "Metrics",
        "Wins, losses, regressions",
        "Draws to look at",
        "Remarks",
    ]
    runs, metrics, moved, draws = made.css("table")
    assert len(runs.css("tbody tr")) == 2
    assert len(metrics.css("tbody tr")) == len(report.comparison.compared)
    kinds = [row.css("td")[0].text() for row in moved.css("tbody tr")]
    assert kinds == ["Regression"] * 15 + ["Loss"] + ["Win"] * 2
    assert len(draws.css("tbody tr")) == 1


def test_markdown_says_that_no_query_moved() -> None:
    queries, found = golden(3), results([1, 2, 3])
    told = render_report_md(compare_runs(side("a", queries, found), side("b", queries, relabelled(found))))
    assert "3 draws of 3 queries, hits matched by document and span" in told
    assert "\nNo query moved.\n" in told
    assert "the chunkers differ (1 → 2)" in told


def test_foreign_text_is_no_markdown() -> None:
    told = render_report_md(hostile())
    made = rendered(told)
    for tag in ("script", "em", "code", "a"):
        assert not made.css(tag), tag
    assert len(made.css("h1")) == 1
    assert [len(row.css("td")) for row in made.css("table")[-1].css("tbody tr")] == [5, 5, 5]
    assert "\x1b" not in told
    assert "\u202e" not in told


def test_foreign_text_is_no_html() -> None:
    made = page(hostile())
    assert "<script" not in made
    assert "\u202e" not in made
    assert made.count("&lt;script&gt;") > 5


def test_the_page_loads_nothing_and_runs_nothing(report: CompareReport) -> None:
    made = page(report)
    read = LexborHTMLParser(made)
    assert not read.css("script, link, img, iframe, object, embed, base, form, [onload], [onclick], [src], [href]")
    style = read.css("style")[0].text()
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in made.replace("http-equiv", "")
    assert "default-src 'none'" in made


def test_the_page_has_every_part_once(report: CompareReport) -> None:
    read = LexborHTMLParser(page(report))
    ids = [each.attributes["id"] for each in read.css("[id]")]
    assert ids == ["runs", "remarks", "metrics", "regression", "loss", "win", "draw"]
    assert {each.attributes["aria-labelledby"] for each in read.css("section")} == set(ids)
    assert [len(each.css("tbody tr")) for each in read.css("table.queries")] == [15, 1, 2, 1]
    assert "broken" in (read.css(".verdict")[0].attributes["class"] or "")


def test_the_verdict_is_good_where_something_got_better_and_nothing_worse() -> None:
    queries = golden(20)
    worse, better = side("a", queries, results([None] * 20)), side("b", queries, results([1] * 20))
    assert 'class="verdict healthy"' in page(compare_runs(worse, better))
    assert 'class="verdict not_measured"' in page(compare_runs(better, better))


def test_the_page_shows_no_more_of_a_kind_than_a_browser_bears() -> None:
    queries = golden(MOST + 2)
    made = page(
        compare_runs(
            side("a", queries, results([1] * len(queries))), side("b", queries, results([None] * len(queries)))
        )
    )
    assert len(LexborHTMLParser(made).css("table.queries tbody tr")) == MOST
    assert "2 more: --json and --report have them" in made


def test_what_a_person_sees_fits_a_narrow_terminal(on_terminal: Print, report: CompareReport) -> None:
    shown = lines(on_terminal(words(report), width=80, colour=False))
    assert max(map(len, shown)) <= 80
    rows = [line.split() for line in shown if line.startswith("empty_result_rate")]
    assert [row[-2:] for row in rows] == [["none", "shown"]]  # on its line, and not cut


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(tmp_path: Path, width: int) -> None:
    assert CHROMIUM is not None
    queries = [replace(one, query="n" * 300) for one in golden(20)]
    long = side("z" * 200, queries, results([1] * 20), commit="a" * 40)
    made = page(compare_runs(long, side("b", queries, results([None] * 20, versions=replace(ONE, model="m" * 200)))))
    found = measured(CHROMIUM, tmp_path, made, width)
    assert found == {"window": str(width), "page": str(width), "wider": ""}


def test_every_table_of_the_page_can_be_read_on_a_phone(report: CompareReport) -> None:
    for table in LexborHTMLParser(page(report)).css("table"):
        assert "stack" in (table.attributes["class"] or "")
        assert all("data-label" in cell.attributes for cell in table.css("tbody td, tbody th"))
    assert re.search(r"<meta name=\"viewport\"", page(report))
