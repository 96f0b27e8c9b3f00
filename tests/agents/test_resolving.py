from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.disagreements import Contradiction
from gitops.agents.resolving import Request, Resolved, resolve
from gitops.errors import CannotRun, UsageError
from gitops.git import refs
from gitops.runs import deciding, store
from gitops.runs.outcome import Options
from tests.agents.mills import BOTH, FILES, NEW, PEOPLE, WHEEL
from tests.runs.driving import MAIN, Wiki

Go = Callable[..., Resolved]


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(FILES))


@pytest.fixture
def go(wiki: Wiki) -> Go:
    def settle(contradictions: Sequence[Contradiction] = BOTH, base: str = "", **request: Any) -> Resolved:
        context = wiki.context()
        tip = base or refs.read(context.repository, MAIN) or ""
        return resolve(context, wiki.workspace(), contradictions, Request(MAIN, tip, **request), wiki.told.append)

    return settle


def runs(wiki: Wiki) -> list[Any]:
    return list(store.all_runs(wiki.context()).values())


def test_nothing_found_begins_no_run(wiki: Wiki, go: Go) -> None:
    done = go(())
    assert (done.state, done.contradictions, done.is_refused) == ("nothing", 0, False)
    assert runs(wiki) == []


def test_what_cannot_be_settled_begins_no_run_and_is_told(wiki: Wiki, go: Go) -> None:
    done = go([Contradiction(PEOPLE.a, PEOPLE.a.__class__("wiki/gone.md", "Gone.", 1))])
    assert (done.state, len(done.left), runs(wiki)) == ("nothing", 1, [])
    assert done.left[0][1] == "wiki/gone.md is not there any more"


def test_a_wiki_that_reads_no_canonical_citations_is_a_usage_error(make_repository: Callable[..., Path]) -> None:
    policy = f'{FILES["assay.toml"]}[citations]\ndialects = ["footnote_link"]\n'
    made = Wiki(make_repository({**FILES, "assay.toml": policy}, name="other"))
    tip = refs.read(made.context().repository, MAIN) or ""
    with pytest.raises(UsageError, match="canonical"):
        resolve(made.context(), made.workspace(), BOTH, Request(MAIN, tip), made.told.append)


def test_a_target_that_moved_is_written_to_by_nobody(wiki: Wiki, go: Go, commit_files: Callable[..., str]) -> None:
    before = wiki.git("rev-parse", "main")
    commit_files(wiki.folder, {"wiki/town.md": "# Town\n"})
    with pytest.raises(CannotRun, match="moved"):
        go(base=before)
    assert [run.status for run in runs(wiki)] == ["abandoned"]
    assert wiki.show("wiki/town.md") == "# Town"


def test_a_rehearsal_writes_nothing(wiki: Wiki, go: Go) -> None:
    done = go(plan=True)
    assert (done.state, [one.how for one in done.mends], runs(wiki)) == ("planned", ["dated", "disputed"], [])


def test_it_lands_by_its_verdict_as_one_run_of_type_lint(wiki: Wiki, go: Go) -> None:
    done = go()
    assert done.outcome is not None
    run = done.outcome.run
    assert (done.state, done.outcome.result, done.is_refused) == ("finished", "landed", False)
    assert (run.record.run_type, run.record.triggered_by) == ("lint", "cli:lint --resolve-contradictions offline")
    assert deciding.is_agent(run)
    assert done.outcome.verdict is not None
    assert [one for one in done.outcome.verdict.findings if one.new and one.level in ("error", "warning")] == []
    assert "As of 2019-05-01, the mill" in wiki.show("wiki/mill.md")
    assert "[!disputed]" in wiki.show("wiki/town.md")


def test_a_draft_waits(wiki: Wiki, go: Go) -> None:
    done = go([WHEEL], options=Options(draft_only=True))
    assert done.outcome is not None
    assert (done.outcome.result, done.outcome.run.status) == ("draft", "pending")
    assert "[!disputed]" not in wiki.show("wiki/mill.md")


def test_again_there_is_nothing_to_do_about_the_dated_one(wiki: Wiki, go: Go) -> None:
    go([PEOPLE])
    done = go([PEOPLE])
    assert (done.state, [why for _, why in done.left]) == (
        "nothing",
        ["wiki/mill.md:3 cites no source for itself: 'As of …' and notes keep a claim with its citation"],
    )


LIE = {
    NEW: FILES[NEW].replace("60", "50"),
    "wiki/town.md": FILES["wiki/town.md"].replace('"employs 60 people"', '"people in two halls"'),
}


def test_what_the_verifier_would_refuse_is_left_out_and_told(make_repository: Callable[..., Path]) -> None:
    """The town's page says 60 where its source says 50: put beside the older claim, that is a new claim and refused."""
    made = Wiki(make_repository({**FILES, **LIE}, name="lie"))
    tip = refs.read(made.context().repository, MAIN) or ""
    done = resolve(made.context(), made.workspace(), BOTH, Request(MAIN, tip), made.told.append)
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    assert [one.disagreement.contradiction for one in done.mends] == [WHEEL]
    assert done.left == ((PEOPLE, "a judge or a check refuses what would be written"),)
    assert "As of" not in made.show("wiki/mill.md")
    assert "[!disputed]" in made.show("wiki/mill.md")


def test_where_all_of_it_would_be_refused_the_verdict_says_why(make_repository: Callable[..., Path]) -> None:
    made = Wiki(make_repository({**FILES, **LIE}, name="lie"))
    tip = refs.read(made.context().repository, MAIN) or ""
    done = resolve(made.context(), made.workspace(), [PEOPLE], Request(MAIN, tip), made.told.append)
    assert done.outcome is not None
    assert (done.outcome.result, done.is_refused) == ("rejected", True)
