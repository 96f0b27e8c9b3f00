from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from gitops.evals.metric import MetricResult
from gitops.evals.registry import registry
from gitops.runs.views import Bench
from tests.evals.milling import FILES, MILL, ingest, measured
from tests.runs.driving import Wiki


@pytest.fixture
def mill(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(FILES))


def samples(result: MetricResult) -> dict[str, str]:
    return {sample.id.partition(":")[2]: sample.status for sample in result.samples}


def test_a_wiki_without_an_ingest_is_not_measured(mill: Wiki) -> None:
    found = measured(mill)
    assert (found.score, found.status, found.samples) == (None, "not_measured", ())
    assert found.reason == "no ingest landed in the 7 days before 2024-01-02; there was none before either"


def test_no_ingest_in_seven_days_is_not_measured_and_says_when_the_last_was(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    mill.later(days=7)
    assert measured(mill).score == 0.5
    mill.later(seconds=1)
    found = measured(mill)
    assert (found.score, found.status) == (None, "not_measured")
    assert found.reason == "no ingest landed in the 7 days before 2024-01-09; the last was on 2024-01-02"


def test_an_empty_wiki_is_not_measured(make_repository: Callable[..., Path]) -> None:
    files = {path: text for path, text in FILES.items() if not path.startswith("wiki/")}
    wiki = Wiki(make_repository({**files, "wiki/index.md": "# Index\n"}))
    ingest(wiki, {"wiki/new.md": "The turbine.\n"}, "raw/mill.md")
    found = measured(wiki)
    assert (found.score, found.status, found.n) == (None, "not_measured", 0)
    assert found.reason == "no page that was there mentions a key term of the 1 ingest of the last 7 days"
    assert found.details["nothing_to_measure"] is True


def test_a_run_that_is_no_ingest_is_not_asked(mill: Wiki) -> None:
    ingest(mill, MILL, run_type="cascade")
    assert measured(mill).status == "not_measured"


def test_an_ingest_that_did_not_land_is_not_asked(mill: Wiki) -> None:
    run = mill.run(MILL, run_type="ingest", sources=("raw/mill.md",))
    assert measured(mill).status == "not_measured"
    mill.finish(run, no_verify=True)
    assert measured(mill).score == 0.5


def test_an_ingest_outside_the_history_measured_is_not_asked(mill: Wiki) -> None:
    before = mill.git("rev-parse", "main")
    ingest(mill, MILL, "raw/mill.md")
    assert measured(mill, rev=before).status == "not_measured"


@pytest.mark.parametrize(
    ("sources", "why"),
    [
        ((), "it names no source"),
        (("raw/scan.pdf",), "raw/scan.pdf holds no word that can be read"),
    ],
)
def test_an_ingest_without_words_to_go_by_is_left_out_and_told(mill: Wiki, sources: tuple[str, ...], why: str) -> None:
    outcome = ingest(mill, MILL, *sources)
    found = measured(mill)
    assert (found.score, found.status) == (None, "not_measured")
    assert found.reason == f"ingest {outcome.run.id}: {why}"
    assert "nothing_to_measure" not in found.details
    assert f"M2 leaves out ingest {outcome.run.id}: {why}" in mill.told


def test_an_ingest_dated_after_the_moment_is_left_out_and_told(mill: Wiki) -> None:
    outcome = ingest(mill, MILL, "raw/mill.md")
    assert measured(mill, mill.now - timedelta(hours=23)).score == 0.5
    found = measured(mill, mill.now - timedelta(days=2))
    assert found.score is None
    assert found.reason == f"ingest {outcome.run.id}: dated 2024-01-02, after the moment measured"


@pytest.mark.slow
def test_an_ingest_whose_commit_a_shallow_clone_lacks_is_left_out_and_told(mill: Wiki, tmp_path: Path) -> None:
    first = ingest(mill, MILL, "raw/mill.md")
    mill.later(hours=1)
    ingest(mill, {"wiki/e.md": "Flour and grain.\n"}, "raw/other.md")
    shallow = tmp_path / "shallow"
    mill.git("clone", "-q", "--depth", "1", f"file://{mill.folder}", str(shallow))
    clone = Wiki(shallow, mill.now)
    clone.git("fetch", "-q", "origin", "refs/notes/assay/runs:refs/notes/assay/runs")
    found = measured(clone)
    assert (found.score, found.n, found.counts["left_out"]) == (1.0, 1, 1)
    told = f"its commit {first.run.state.candidate[:10]} is not in this clone"
    assert found.details["left_out"] == [{"run": first.run.id, "why": told}]
    assert f"M2 leaves out ingest {first.run.id}: {told}" in clone.told


def test_an_ingest_whose_pages_a_partial_clone_lacks_is_left_out_and_told(mill: Wiki, tmp_path: Path) -> None:
    outcome = ingest(mill, MILL, "raw/mill.md")
    mill.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    mill.git("clone", "-q", "--bare", "--filter=blob:limit=58", f"file://{mill.folder}", str(partial))
    clone = Wiki(partial, mill.now)
    clone.git("fetch", "-q", "--no-filter", "origin", "refs/notes/assay/runs:refs/notes/assay/runs")
    clone.git("remote", "set-url", "origin", "file:///nowhere")
    found = measured(clone)
    assert found.score is None
    assert found.reason.startswith(f"ingest {outcome.run.id}: this clone lacks what has to be read")


def test_a_page_that_the_index_could_not_read_makes_no_wrong_number_and_counts_once_it_is_there(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    for file in (mill.folder / ".git/assay").glob("cache.sqlite3*"):
        file.unlink()
    blob = mill.git("rev-parse", "main:wiki/d.md")
    loose = mill.folder / ".git/objects" / blob[:2] / blob[2:]
    data = loose.read_bytes()
    loose.unlink()
    with Bench(mill.context(), mill.workspace(), mill.git("rev-parse", "main")) as bench:
        bench.page_terms()
    assert "this clone lacks" in measured(mill).reason
    loose.write_bytes(data)
    assert measured(mill).score == 0.5


def test_the_share_of_the_pages_that_mention_a_term_and_were_touched(mill: Wiki) -> None:
    """Turbine: a, d. Sluice: b, d. Miller: c. Touched: a and b of these four."""
    run = ingest(mill, MILL, "raw/mill.md").run
    found = measured(mill)
    assert (found.score, found.status, found.n, found.interval) == (2 / 4, "broken", 4, None)
    pages = {"wiki/a.md": "pass", "wiki/b.md": "pass", "wiki/c.md": "fail", "wiki/d.md": "fail"}
    assert [(sample.id, sample.status) for sample in found.samples] == [
        (f"{run.id}:{page}", status) for page, status in pages.items()
    ]
    assert found.counts == {"ingests": 1, "mentioning": 4, "reached": 2, "missed": 2, "idle": 1, "left_out": 0}
    [told] = found.details["ingests"]
    assert told["terms"] == ["turbine", "sluice", "miller"]
    assert told["worst"] == [
        {"page": "wiki/d.md", "terms": ["turbine", "sluice"], "times": {"turbine": 2, "sluice": 1}},
        {"page": "wiki/c.md", "terms": ["miller"], "times": {"miller": 1}},
    ]
    assert told["idle"] == ["wiki/e.md"]


@pytest.mark.slow
def test_every_page_weighs_the_same_and_the_mean_of_the_ingests_stands_beside(mill: Wiki) -> None:
    """2 of 4 pages, then 1 of 1: 3/5 over all, and (1/2 + 1) / 2 on the average."""
    ingest(mill, MILL, "raw/mill.md")
    mill.later(days=1)
    ingest(mill, {"wiki/e.md": "Flour and grain.\n"}, "raw/other.md")
    found = measured(mill)
    assert (found.score, found.n, found.status) == (3 / 5, 5, "broken")
    assert found.details["macro"] == 0.75


def test_of_very_many_pages_the_same_samples_are_kept_and_all_are_counted(
    mill: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(mill, MILL, "raw/mill.md")
    every = measured(mill)
    monkeypatch.setattr("gitops.evals.metrics.m2.SAMPLES_KEPT", 3)
    kept = measured(mill)
    assert (kept.score, kept.n, kept.counts) == (every.score, every.n, every.counts)
    assert len(kept.samples) == 3
    assert set(samples(kept).items()) < set(samples(every).items())
    assert measured(mill).samples == kept.samples


def test_the_cuts_are_the_specifications() -> None:
    cuts = registry()["M2"].cuts
    assert cuts is not None
    scores = {0.9: "healthy", 0.8999: "degraded", 0.7: "degraded", 0.6999: "broken"}
    assert {score: cuts.status(score) for score in scores} == scores
    assert registry()["M2"].when == "ingest"


def test_the_same_number_comes_off_the_index_and_without_it(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    cold = measured(mill)
    (mill.folder / ".git/assay/cache.sqlite3").unlink()
    with Bench(mill.context(), mill.workspace(), mill.git("rev-parse", "main")) as bench:
        before = bench.has_page_terms
        bench.page_terms()
        assert (before, bench.has_page_terms) == (False, True)
    assert measured(mill) == cold


def test_what_was_found_once_is_remembered(mill: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(mill, MILL, "raw/mill.md")
    before = measured(mill)
    monkeypatch.setattr("gitops.runs.source_mentions._pages", None)
    assert measured(mill) == before


def test_pages_that_a_later_run_touches_for_the_same_source_count_as_touched(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    mill.later(days=1)
    ingest(mill, {"wiki/d.md": "The turbine, mended.\n"}, "raw/mill.md", run_type="lint")
    found = measured(mill)
    assert (found.score, samples(found)["wiki/d.md"]) == (3 / 4, "pass")


@pytest.mark.slow
def test_pages_touched_for_another_content_of_the_source_do_not_count(
    mill: Wiki, commit_files: Callable[..., str]
) -> None:
    ingest(mill, {"wiki/d.md": "The turbine and the sluice.\n"}, "raw/mill.md")
    commit_files(mill.folder, {"raw/mill.md": "turbine turbine turbine sluice sluice miller miller"})
    mill.later(days=8)
    ingest(mill, MILL, "raw/mill.md")
    assert measured(mill).score == 0.5


def test_of_a_run_for_several_sources_only_pages_that_lead_to_this_one_count(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    pages = {
        "wiki/c.md": "The miller.[^1]\n\n[^1]: raw/mill.md\n",
        "wiki/d.md": "The turbine, and bread.[^1]\n\n[^1]: raw/other.md\n",
    }
    ingest(mill, pages, "raw/mill.md", "raw/other.md", run_type="lint")
    assert samples(measured(mill))["wiki/c.md"] == "pass"
    assert samples(measured(mill))["wiki/d.md"] == "fail"
    ingest(mill, {"wiki/d.md": "See [[new]].\n"}, "raw/mill.md", "raw/other.md", run_type="lint")
    assert samples(measured(mill))["wiki/d.md"] == "pass"


@pytest.mark.slow
def test_pages_that_lead_to_another_content_of_the_source_do_not_count(
    mill: Wiki, commit_files: Callable[..., str]
) -> None:
    ingest(mill, MILL, "raw/mill.md")
    commit_files(mill.folder, {"raw/mill.md": "turbine turbine turbine sluice sluice miller miller"})
    ingest(mill, {"wiki/d.md": "See [[new]].\n"}, "raw/mill.md", "raw/other.md", run_type="lint")
    assert samples(measured(mill))["wiki/d.md"] == "fail"


def test_an_adopted_branch_is_measured_by_its_diff(mill: Wiki) -> None:
    mill.git("switch", "-q", "-c", "run/by-hand")
    (mill.folder / "wiki/a.md").write_text("The turbine turns.\n")
    mill.git("commit", "-q", "-a", "-m", "By hand\n\nAssay-Source: raw/mill.md")
    mill.git("switch", "-q", "main")
    assert mill.finish("by-hand", no_verify=True).result == "landed"
    found = measured(mill)
    assert (found.score, found.counts["reached"]) == (1 / 4, 1)
