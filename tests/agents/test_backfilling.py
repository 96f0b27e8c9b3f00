"""What ingests missed, mended by a run: M2 before and after, and what a judge that refuses makes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.agents import backfilling
from gitops.agents.backfilling import Backfilled, Request, backfill
from gitops.agents.writers.backfill_planning import Missed
from gitops.errors import CannotRun, UsageError
from gitops.evals.recent_ingests import week
from gitops.evals.subject import Subject
from gitops.runs import deciding, store
from gitops.runs.outcome import Options
from gitops.runs.views import Bench
from tests.agents.doubting import Doubter
from tests.agents.test_ingesting import context_of
from tests.evals.milling import ingest, measured
from tests.runs.driving import MAIN, Wiki

MILL = """# The Mill at Morrow

The turbine of the mill stands behind the sluice. The sluice was rebuilt in 1931 by the miller and his son.
The miller grinds barley every autumn, says Otto Brandt.
"""
FILES = {
    "assay.toml": '[workspace]\nname = "mill"\n',
    "raw/mill.md": MILL,
    "wiki/index.md": "# Index\n\n- [Water](water.md)\n- [Food](food.md)\n- [Old](old.md)\n",
    "wiki/log.md": "# Log\n",
    "wiki/water.md": "# Water\n\nIt runs through a sluice, and a turbine turns.\n",
    "wiki/food.md": "# Food\n\nBarley, and what becomes of it.\n",
    "wiki/old.md": "# Old\n\nThe miller knew.\n",
}


@pytest.fixture
def mill(make_repository: Callable[..., Path]) -> Wiki:
    """A wiki whose one ingest reached one page of three."""
    wiki = Wiki(make_repository(FILES))
    ingest(wiki, {"wiki/old.md": '# Old\n\nThe miller knew.[^1]\n\n[^1]: raw/mill.md, "the miller"\n'}, "raw/mill.md")
    wiki.later(hours=1)
    return wiki


def missed(wiki: Wiki) -> list[Missed]:
    with Bench(wiki.context(), wiki.workspace(), wiki.git("rev-parse", "main")) as bench:
        return [Missed(sources, pages) for sources, pages in week(Subject(bench, wiki.now)).missed().items()]


def mended(wiki: Wiki, judge: Doubter | None = None, **given: object) -> Backfilled:
    request = Request(MAIN, wiki.git("rev-parse", "main"), **given)  # type: ignore[arg-type]
    return backfill(context_of(wiki, judge), wiki.workspace(), missed(wiki), request, wiki.told.append)


def test_a_wiki_that_would_not_read_the_citations_is_refused(make_repository: Callable[..., Path]) -> None:
    policy = '[workspace]\nname = "mill"\n\n[citations]\ndialects = ["caret"]\n'
    wiki = Wiki(make_repository({**FILES, "assay.toml": policy}))
    with pytest.raises(UsageError, match="lacks 'canonical'"):
        mended(wiki)


@pytest.mark.slow
def test_nothing_missed_begins_no_run(mill: Wiki) -> None:
    request = Request(MAIN, mill.git("rev-parse", "main"))
    before = mill.refs()
    assert backfill(mill.context(), mill.workspace(), [], request, mill.told.append).state == "nothing"
    assert mill.refs() == before


@pytest.mark.slow
def test_a_target_that_moved_is_not_written_over(mill: Wiki, commit_files: Callable[..., str]) -> None:
    found, base = missed(mill), mill.git("rev-parse", "main")
    commit_files(mill.folder, {"notes.txt": "meanwhile\n"})
    with pytest.raises(CannotRun, match="moved"):
        backfill(mill.context(), mill.workspace(), found, Request(MAIN, base), mill.told.append)
    assert [run.status for run in store.all_runs(mill.context()).values() if run.record.run_type == "lint"] == [
        "abandoned"
    ]


@pytest.mark.slow
def test_a_rehearsal_writes_nothing(mill: Wiki) -> None:
    before = mill.refs()
    done = mended(mill, plan=True)
    assert (done.state, mill.refs()) == ("planned", before)
    assert done.plan is not None
    assert "wiki/water.md" in {step.path for step in done.plan.steps}


@pytest.mark.slow
def test_a_draft_waits(mill: Wiki) -> None:
    done = mended(mill, options=Options(draft_only=True))
    assert done.outcome is not None
    assert (done.outcome.result, measured(mill).score) == ("draft", 1 / 3)


@pytest.mark.slow
def test_what_was_missed_is_touched_and_m2_rises(mill: Wiki) -> None:
    assert measured(mill).score == 1 / 3
    done = mended(mill)
    assert done.outcome is not None
    assert done.outcome.result == "landed", done.outcome.verdict
    record = done.outcome.run.record
    assert (record.run_type, record.sources) == ("lint", ("raw/mill.md",))
    assert record.triggered_by == f"cli:lint {backfilling.OPTION} offline"
    assert deciding.is_agent(done.outcome.run)
    assert 'raw/mill.md, "The turbine of the mill stands behind the sluice." @' in mill.show("wiki/water.md")
    assert "## See also" in mill.show("wiki/food.md")
    assert measured(mill).score == 1.0
    assert missed(mill) == []


def test_claims_that_a_judge_refuses_are_left_out(mill: Wiki) -> None:
    done = mended(mill, Doubter("turbine", "does_not_support"))
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    assert "stands behind" not in mill.show("wiki/water.md")
    assert measured(mill).score == 1.0
