from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.metric import MetricResult
from gitops.evals.metrics.m6 import METRIC
from gitops.evals.registry import registry
from gitops.evals.subject import Subject
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.runs.workspace import find
from tests.runs.driving import Wiki, first_files, name, page

NOW = datetime(2024, 3, 20, 12, tzinfo=UTC)
THEN = int((NOW - timedelta(days=8)).timestamp())
TODAY = int((NOW - timedelta(hours=1)).timestamp())
REPORT = "The mill employs 40 people. The river is 9 km long. A ferry crosses at noon. The bridge was built in 1910.\n"
MILL = """# Mill

The mill has 40 workers.[^1]

The river runs for 9 km.[^2] At noon there is a ferry.[^3]

[^1]: raw/report.md, "employs 40 people"
[^2]: raw/report.md, "The river is 9 km long"
[^3]: raw/report.md, "crosses at noon"
"""
BRIDGE = '# Bridge\n\nThe bridge dates from 1910.[^1]\n\n[^1]: raw/report.md, "built in 1910"\n'
FILES = {
    "assay.toml": "",
    "raw/report.md": REPORT,
    "raw/other.md": "Nothing of the kind.\n",
    "wiki/index.md": "# Index\n\n- [Mill](mill.md)\n- [Bridge](bridge.md)\n",
    "wiki/mill.md": MILL,
    "wiki/bridge.md": BRIDGE,
}
Change = Mapping[str, str | None]


@pytest.fixture
def since(make_repository: Callable[..., Path], commit_files: Callable[..., str]) -> Callable[[Change], MetricResult]:
    """since(files) -> M6 of a wiki with four anchors of which files were changed today, and the rest a week ago."""

    def measure(files: Change, **first: str) -> MetricResult:
        folder = make_repository()
        commit_files(folder, {**FILES, **first}, when=THEN)
        commit_files(folder, files, when=TODAY)
        return measured(folder)

    return measure


def measured(folder: Path, moment: datetime = NOW, **around: Any) -> MetricResult:
    context = Context(open_repository(folder), lambda: NOW, **around)
    commit = resolve(context.repository, "HEAD")
    with Bench(context, find(context.repository, commit), commit) as bench:
        return METRIC.compute(Subject(bench, moment))


def lost(result: MetricResult) -> list[tuple[Any, ...]]:
    return [tuple(one[field] for field in ("path", "line", "cited", "why")) for one in result.details["lost"]]


def test_a_history_younger_than_a_week_without_a_run_has_no_baseline(make_repository: Callable[..., Path]) -> None:
    found = measured(make_repository(FILES), datetime(2024, 1, 3, tzinfo=UTC))
    assert (found.score, found.status) == (None, "not_measured")
    assert "younger than a week" in found.reason


def test_where_no_anchor_stood_nothing_is_measured(since: Callable[..., MetricResult]) -> None:
    found = since({"wiki/mill.md": MILL}, **{"wiki/mill.md": "# Mill\n", "wiki/bridge.md": "# Bridge\n"})
    assert (found.score, found.status) == (None, "not_measured")
    assert "no anchor stood at" in found.reason


def test_a_quotation_that_never_stood_in_its_source_is_not_lost(since: Callable[..., MetricResult]) -> None:
    invented = BRIDGE.replace("built in 1910", "built in 1905")
    found = since({"wiki/bridge.md": "# Bridge\n"}, **{"wiki/bridge.md": invented})
    assert (found.score, found.n) == (1.0, 3)


def test_a_dropped_citation_is_lost_by_page_and_line(since: Callable[..., MetricResult]) -> None:
    shorter = MILL.replace(" At noon there is a ferry.[^3]", "").replace('[^3]: raw/report.md, "crosses at noon"\n', "")
    found = since({"wiki/mill.md": shorter})
    # Of the four anchors one is gone.
    assert (found.score, found.n, found.status, found.interval) == (0.75, 4, "healthy", None)
    assert lost(found) == [("wiki/mill.md", 5, "crosses at noon", "it is no longer cited there")]
    assert dict(found.counts) == {"stood": 4, "untouched": 1, "verified": 2, "moved": 0, "dated": 0, "lost": 1}
    [sample] = found.samples
    assert (sample.status, sample.details["claim"]) == ("fail", "At noon there is a ferry.")
    assert found.details["baseline"]["why"] == "the newest commit of 2024-03-13 or before"
    assert sample.details["baseline"] == found.details["baseline"]["commit"] != found.details["commit"]


def test_a_page_that_is_gone_takes_its_anchors_along(since: Callable[..., MetricResult]) -> None:
    found = since({"wiki/mill.md": None})
    assert (found.score, found.n) == (0.25, 4)
    assert {why for *_, why in lost(found)} == {"its page is gone"}


def test_a_source_that_says_otherwise_now_loses_the_anchors_of_pages_that_nobody_touched(
    since: Callable[..., MetricResult],
) -> None:
    found = since({"raw/report.md": REPORT.replace("1910", "1911").replace("9 km", "11 km")})
    assert found.score == 0.5
    assert lost(found) == [
        ("wiki/bridge.md", 3, "built in 1910", "its source no longer says it"),
        ("wiki/mill.md", 5, "The river is 9 km long", "its source no longer says it"),
    ]


def test_a_source_that_is_gone_is_said_to_be(since: Callable[..., MetricResult]) -> None:
    found = since({"raw/report.md": None})
    assert found.score == 0.0
    assert {why for *_, why in lost(found)} == {"its source is gone"}


def test_a_page_that_the_source_s_change_does_not_concern_keeps_its_anchors(since: Callable[..., MetricResult]) -> None:
    found = since({"raw/report.md": REPORT + "More is said.\n", "raw/other.md": "Else.\n"})
    assert (found.score, found.counts["verified"], found.counts["untouched"]) == (1.0, 4, 0)


@pytest.mark.parametrize(
    "now",
    [
        MILL.replace("The mill has 40 workers.", "At the mill work 40."),
        MILL.replace('"employs 40 people"', '"The mill employs 40 people"'),
        MILL.replace('"employs 40 people"', '"Employs 40  people"'),
        MILL.replace("[^1]", "[^mill]"),
    ],
    ids=["reworded claim", "longer quotation", "spelling", "label"],
)
def test_an_anchor_lives_on_though_its_claim_is_reworded_or_its_quotation_grows(
    since: Callable[..., MetricResult], now: str
) -> None:
    found = since({"wiki/mill.md": now})
    assert (found.score, found.counts["verified"]) == (1.0, 3)


def test_a_quotation_that_is_cut_short_is_another(since: Callable[..., MetricResult]) -> None:
    found = since({"wiki/mill.md": MILL.replace('"employs 40 people"', '"40 people"')})
    assert (found.score, lost(found)[0][2]) == (0.75, "employs 40 people")


def test_what_another_page_has_taken_over_has_moved(since: Callable[..., MetricResult]) -> None:
    found = since({"wiki/mill.md": None, "wiki/the-mill.md": MILL})
    assert (found.score, found.counts["moved"]) == (1.0, 3)


def test_an_anchor_that_another_page_has_too_is_lost_all_the_same(since: Callable[..., MetricResult]) -> None:
    copied = {"wiki/also.md": BRIDGE.replace("# Bridge", "# Also")}
    found = since({"wiki/bridge.md": "# Bridge\n"}, **copied)
    assert (found.n, found.score) == (5, 0.8)


def test_a_renamed_source_loses_nothing(since: Callable[..., MetricResult]) -> None:
    found = since(
        {
            **{"raw/report.md": None, "raw/annual.md": REPORT},
            **{path: FILES[path].replace("report.md", "annual.md") for path in ("wiki/mill.md", "wiki/bridge.md")},
        }
    )
    assert found.score == 1.0


def test_an_undated_claim_goes_down_with_what_its_source_said(since: Callable[..., MetricResult]) -> None:
    found = since({"raw/report.md": REPORT.replace("40", "35")})
    assert (found.score, found.details["dated"]) == (0.75, [])


def test_a_dated_survivor_is_no_loss(since: Callable[..., MetricResult]) -> None:
    dated = MILL.replace("The mill has 40 workers.[^1]", "As of 2024-03-12, the mill has 40 workers.[^1]")
    found = since({"wiki/mill.md": dated, "raw/report.md": REPORT.replace("40", "35")})
    assert (found.score, found.counts["dated"], found.counts["lost"]) == (1.0, 1, 0)
    assert found.details["dated"][0]["cited"] == "employs 40 people"


def test_places_are_anchors_too(since: Callable[..., MetricResult], make_pdf: Callable[..., bytes]) -> None:
    page = "# Fish\n\nSalmon return in autumn.[^1]\n\n[^1]: raw/fish.pdf, p.2\n"
    first: dict[str, Any] = {"raw/fish.pdf": make_pdf("One.", "Salmon return."), "wiki/fish.md": page}
    found = since({"raw/fish.pdf": make_pdf("One.")}, **first)
    assert (found.n, found.score) == (5, 0.8)
    assert lost(found) == [("wiki/fish.md", 3, "p. 2", "its source no longer says it")]


@pytest.mark.slow
def test_pages_that_cannot_be_affected_are_read_once_and_not_again(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository()
    commit_files(folder, FILES, when=THEN)
    commit_files(folder, {"wiki/mill.md": "# Mill\n"}, when=TODAY)
    read: list[int] = []

    def progress(what: str, items: Iterable[Any], total: int) -> Iterator[Any]:
        read.extend([total] if what == "reading anchors" else [])
        return iter(items)

    first, again = measured(folder, progress=progress), measured(folder, progress=progress)
    assert again == first
    assert first.score == 0.25
    assert read == [3]


@pytest.mark.slow
def test_in_a_young_history_the_newest_run_is_the_baseline(make_repository: Callable[..., Path]) -> None:
    wiki = Wiki(make_repository(first_files()))
    wiki.finish(wiki.run({name(0): page(0), name(1): page(1)}))
    before = wiki.ref("main")
    run = wiki.run({name(0): None}, run_type="lint", reason="nobody needs it")
    assert wiki.finish(run, no_verify=True).result == "landed"
    context = wiki.context()
    with Bench(context, wiki.workspace(), wiki.ref("main") or "") as bench:
        found = METRIC.compute(Subject(bench, wiki.now))
    assert (found.score, found.n) == (0.5, 2)
    assert found.details["baseline"] == {"commit": before, "why": f"the commit before run {run.id}", "run": run.id}


def test_where_nothing_changed_in_a_week_all_stand(make_repository: Callable[..., Path]) -> None:
    found = measured(make_repository(FILES))
    assert (found.score, found.n, found.counts["untouched"]) == (1.0, 4, 4)


def test_it_is_found_by_its_file_alone_and_blocks_nothing() -> None:
    assert registry()["M6"] is METRIC
    assert METRIC.cuts is None
