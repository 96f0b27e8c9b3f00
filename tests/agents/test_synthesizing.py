from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.agents import synthesizing
from gitops.agents.synthesis import reviewing, since
from gitops.agents.synthesizing import Request, Synthesized, synthesize
from gitops.errors import Blocked, CannotRun, Refused, UsageError
from gitops.runs import abandoning, deciding, store
from gitops.runs.context import Context
from gitops.runs.judging import is_unverified
from gitops.runs.outcome import Options
from gitops.runs.workspace import find
from gitops.wiki.page import parse
from tests.agents.synthesis.wikis import ALDER, BEFORE, INDEX
from tests.runs.driving import MAIN, Wiki, branch, kept
from tests.runs.measuring import measure

POLICY = '[workspace]\nname = "mills"\n'
VISITS = (
    "# Visits\n\nVisitors may see the [mill](alder.md) on Sundays.[^1]\n\n"
    '[^1]: raw/news.md, "Visitors may see it on Sundays"\n'
)
LINKED = INDEX + "- [Visits](visits.md)\n"
FIRST = "wiki/synthesis/2024-01-02.md"
NEVER = "never employed 40"
DAY = timedelta(days=1)


@pytest.fixture
def make_mills(make_repository: Callable[..., Path]) -> Callable[..., Wiki]:
    def make(policy: str = "", name: str = "mills", **files: str) -> Wiki:
        changed = {path: text for path, text in {**BEFORE, **files}.items() if text}
        return Wiki(make_repository({**changed, "assay.toml": POLICY + policy}, name=name))

    return make


@pytest.fixture
def mills(make_mills: Callable[..., Wiki]) -> Wiki:
    return make_mills()


def synthesized(wiki: Wiki, policy_at: str = MAIN, **request: Any) -> Synthesized:
    asked = Request(MAIN, **request)
    return synthesize(wiki.context(), wiki.workspace(policy_at), asked, wiki.told.append)


def result(done: Synthesized) -> str:
    assert done.outcome is not None
    return done.outcome.result


def landed(wiki: Wiki, pages: dict[str, str | None]) -> None:
    outcome = wiki.finish(wiki.run(pages))
    assert outcome.result == "landed", outcome.verdict
    wiki.later(hours=1)


def test_a_policy_that_reads_no_canonical_citation_is_refused(make_mills: Callable[..., Wiki]) -> None:
    wiki = make_mills('[citations]\ndialects = ["remark"]\n')
    with pytest.raises(UsageError, match="lacks 'canonical'"):
        synthesized(wiki)


def test_a_second_synthesis_is_refused_while_one_is_pending_drafts_included(mills: Wiki) -> None:
    draft = synthesized(mills, options=Options(draft_only=True))
    assert result(draft) == "draft"
    assert draft.outcome is not None
    with pytest.raises(Refused, match=f"a draft of one waits: {draft.outcome.run.id}"):
        synthesized(mills)
    assert synthesized(mills, plan=True).state == "planned"
    abandoning.abandon(mills.context(), draft.outcome.run.id, "enough")
    assert result(synthesized(mills)) == "landed"


def test_a_second_synthesis_is_refused_while_one_that_was_killed_is_pending(mills: Wiki) -> None:
    run = mills.run({}, run_type="synthesis")
    with pytest.raises(Refused, match=f"one is pending: {run.id}"):
        synthesized(mills)


def meanwhile(wiki: Wiki, happen: Callable[[], object]) -> Context:
    """A context in whose first glance at the clock, when what is new is put together, something else happens."""
    happened: list[object] = []

    def clock() -> datetime:
        if not happened:
            happened.append(happen())
        return wiki.now

    return replace(wiki.context(), clock=clock)


def test_of_two_that_are_called_at_once_one_is_refused(mills: Wiki) -> None:
    context = meanwhile(mills, lambda: mills.run({}, run_type="synthesis"))
    with pytest.raises(Refused, match="one synthesis at a time"):
        synthesize(context, mills.workspace(), Request(MAIN), mills.told.append)
    assert len(store.all_runs(mills.context())) == 1


@pytest.mark.slow
def test_a_target_that_moves_meanwhile_leaves_nothing_pending(mills: Wiki) -> None:
    pages: dict[str, str | None] = {"wiki/visits.md": VISITS, "wiki/index.md": LINKED}
    context = meanwhile(mills, lambda: landed(mills, pages))
    with pytest.raises(CannotRun, match="moved before anything was written"):
        synthesize(context, mills.workspace(), Request(MAIN), mills.told.append)
    runs = store.all_runs(mills.context()).values()
    assert sorted(run.status for run in runs) == ["abandoned", "committed"]
    assert synthesized(mills).claims == 4


def test_what_conflicts_with_another_landing_leaves_nothing_pending(mills: Wiki) -> None:
    def say(message: str) -> None:
        if message.startswith("verifying"):
            with (mills.folder / "wiki/index.md").open("a") as index:
                index.write("\n## Synthesis\n\n- [Another](alder.md)\n")
            mills.git("commit", "-qam", "an entry at the same place")

    with pytest.raises(CannotRun, match="the target moved while it was written"):
        synthesize(mills.context(), mills.workspace(), Request(MAIN), say)
    (run,) = store.all_runs(mills.context()).values()
    assert run.status == "abandoned"
    assert result(synthesized(mills)) == "landed"
    assert "- [Another](alder.md)" in mills.show("wiki/index.md")


def test_another_workspace_has_syntheses_of_its_own(make_repository: Callable[..., Path]) -> None:
    files = {f"{name}/{path}": text for name in ("a", "b") for path, text in BEFORE.items()}
    policies = {f"{name}/assay.toml": f'[workspace]\nname = "{name}"\n' for name in ("a", "b")}
    wiki = Wiki(make_repository({**files, **policies}))
    done = {}
    for name in ("a", "b"):
        workspace = find(wiki.context().repository, MAIN, name)
        asked = Request(MAIN, options=Options(draft_only=True))
        done[name] = synthesize(wiki.context(), workspace, asked, wiki.told.append)
    assert [each.composed.path for each in done.values() if each.composed] == [f"{name}/{FIRST}" for name in ("a", "b")]


def test_a_wiki_without_claims_has_nothing_to_synthesize(make_mills: Callable[..., Wiki]) -> None:
    wiki = make_mills(**{"wiki/alder.md": "# Alder\n", "wiki/turbines.md": "# Turbines\n"})
    before = wiki.refs()
    assert synthesized(wiki).state == "nothing"
    assert wiki.refs() == before


def test_claims_whose_sources_cannot_be_read_are_counted_and_not_told(make_mills: Callable[..., Wiki]) -> None:
    gone = make_mills(**{"raw/report.md": ""})
    done = synthesized(gone)
    assert (done.state, done.claims) == ("nothing", 3)
    assert store.all_runs(gone.context()) == {}


def test_a_plan_writes_nothing(mills: Wiki) -> None:
    before = mills.refs()
    done = synthesized(mills, plan=True)
    assert done.state == "planned"
    assert done.composed is not None
    assert set(done.composed.pages) == {FIRST, "wiki/index.md"}
    assert mills.refs() == before


def test_the_first_synthesis_tells_all_there_is_by_a_run_of_its_own_type(mills: Wiki) -> None:
    done = synthesized(mills)
    assert done.outcome is not None
    assert (done.outcome.result, done.outcome.run.record.run_type) == ("landed", "synthesis")
    assert (done.since, done.claims) == ("", 3)
    claims = {claim.text for claim in parse(mills.show(FIRST).encode()).claims}
    assert claims == {
        "The Alder mill employs 40 people.",
        "It has burnt wood since 1950.",
        "The turbine of the Alder mill gives 12 kW.",
    }
    assert "- [Synthesis 2024-01-02](synthesis/2024-01-02.md)" in mills.show("wiki/index.md")
    assert "synthesis: wiki/index.md, +wiki/synthesis/2024-01-02.md" in mills.show("wiki/log.md")


def test_the_same_wiki_gives_the_same_bytes(make_repository: Callable[..., Path]) -> None:
    first, second = (Wiki(make_repository({**BEFORE, "assay.toml": POLICY}, name=name)) for name in ("one", "two"))
    made = [synthesized(wiki, plan=True).composed for wiki in (first, second)]
    assert made[0] is not None
    assert made[1] is not None
    assert made[0].pages == made[1].pages


def test_nothing_new_is_no_run_and_a_synthesis_is_no_news(mills: Wiki) -> None:
    synthesized(mills)
    mills.later(days=8)
    before = mills.refs()
    assert synthesized(mills).state == "nothing"
    assert mills.refs() == before


@pytest.mark.slow
def test_the_next_synthesis_tells_what_came_in_since(mills: Wiki) -> None:
    synthesized(mills)
    mills.later(days=1)
    landed(
        mills, {"wiki/visits.md": VISITS, "wiki/index.md": mills.show("wiki/index.md") + "\n- [Visits](visits.md)\n"}
    )
    done = synthesized(mills)
    assert (result(done), done.since, done.claims) == ("landed", "2024-01-02", 1)
    assert [claim.text for claim in parse(mills.show("wiki/synthesis/2024-01-03.md").encode()).claims] == [
        "Visitors may see the mill on Sundays."
    ]
    entries = mills.show("wiki/index.md")
    assert entries.index("2024-01-03.md") < entries.index("2024-01-02.md")


def test_what_landed_while_a_draft_waited_is_told_by_the_next_one(mills: Wiki) -> None:
    draft = synthesized(mills, options=Options(draft_only=True)).outcome
    assert draft is not None
    mills.later(hours=1)
    more = ALDER.replace("\n\n[^1]", " Visitors may see it on Sundays.[^3]\n\n[^1]", 1)
    landed(mills, {"wiki/alder.md": more + '[^3]: raw/news.md, "Visitors may see it on Sundays"\n'})
    assert mills.finish(draft.run).result == "landed"
    assert synthesized(mills).claims == 1


def test_a_wiki_without_an_index_gets_a_list_page_in_the_folder(make_mills: Callable[..., Wiki]) -> None:
    wiki = make_mills(**{"wiki/index.md": ""})
    assert result(synthesized(wiki)) == "landed"
    assert wiki.show("wiki/synthesis/index.md").endswith("## Synthesis\n\n- [Synthesis 2024-01-02](2024-01-02.md)")


@pytest.mark.slow
def test_a_second_one_on_a_day_has_a_number(mills: Wiki) -> None:
    synthesized(mills)
    mills.later(hours=1)
    landed(
        mills, {"wiki/visits.md": VISITS, "wiki/index.md": mills.show("wiki/index.md") + "\n- [Visits](visits.md)\n"}
    )
    done = synthesized(mills)
    assert done.composed is not None
    assert done.composed.path == "wiki/synthesis/2024-01-02-2.md"
    assert result(done) == "landed"


def test_due_waits_for_its_time(make_mills: Callable[..., Wiki]) -> None:
    wiki = make_mills('[synthesis]\nevery = "3d"\nfolder = "weekly"\n')
    with pytest.raises(Blocked, match="stays off until M1 is healthy"):
        synthesized(wiki, due=True)
    for metric in ("M1", "M2"):
        measure(wiki, metric, 1.0, "healthy")
    first = synthesized(wiki, due=True)
    assert result(first) == "landed"
    wiki.later(days=2)
    landed(wiki, {"wiki/visits.md": VISITS, "wiki/index.md": wiki.show("wiki/index.md") + "\n- [Visits](visits.md)\n"})
    early = synthesized(wiki, due=True)
    assert (early.state, early.due) == ("not_due", wiki.now.replace(hour=3) + DAY)
    wiki.later(days=1)
    late = synthesized(wiki, due=True)
    assert late.composed is not None
    assert late.composed.path == "wiki/weekly/2024-01-05.md"


def test_a_landing_that_was_taken_back_counts_for_nothing(mills: Wiki) -> None:
    before = mills.ref("main")
    synthesized(mills)
    mills.git("reset", "--quiet", "--hard", str(before))
    mills.later(days=1)
    again = synthesized(mills)
    assert (result(again), again.since, again.claims) == ("landed", "", 3)


@pytest.mark.slow
def test_what_the_verifier_would_refuse_is_left_out_before_it_is_asked(make_mills: Callable[..., Wiki]) -> None:
    wiki = make_mills(**{"wiki/alder.md": ALDER.replace("employs 40", NEVER, 1)})
    refused = synthesized(wiki, options=Options(draft_only=True)).outcome
    assert refused is not None
    assert wiki.finish(refused.run).result == "rejected"
    again = make_mills(**{"wiki/alder.md": ALDER.replace("employs 40", NEVER, 1)}, name="again")
    done = synthesized(again)
    assert result(done) == "landed"
    assert NEVER not in again.show(FIRST)
    assert "[Alder mill, 1 claim](../alder.md)" in again.show(FIRST)


def test_no_verify_lands_unverified(mills: Wiki) -> None:
    done = synthesized(mills, options=Options(no_verify=True))
    assert result(done) == "landed"
    assert done.outcome is not None
    assert done.outcome.verdict is not None
    assert is_unverified(done.outcome.verdict)


def test_a_program_answers_for_its_runs(mills: Wiki) -> None:
    done = synthesized(mills, options=Options(draft_only=True))
    assert done.outcome is not None
    assert done.outcome.run.record.triggered_by == "cli:synthesize offline"
    assert deciding.is_agent(done.outcome.run)


def test_disagreements_come_first_and_what_is_dated_last(make_mills: Callable[..., Wiki]) -> None:
    history = (
        "# History\n\nThe Alder mill was founded by Ada Brook in 1850.[^1] By others, the Alder mill was founded by"
        " Ada Brook in 1870.[^2] As of 2020-05-01, the mill had a wheel.[^1]\n\n"
        '[^1]: raw/a.md, "founded by Ada Brook in 1850, and had a wheel"\n'
        '[^2]: raw/b.md, "founded by Ada Brook in 1870"\n'
    )
    sources = {"raw/a.md": "The Alder mill was founded by Ada Brook in 1850, and had a wheel.\n"}
    sources["raw/b.md"] = "The Alder mill was founded by Ada Brook in 1870.\n"
    wiki = make_mills(**sources, **{"wiki/history.md": history, "wiki/index.md": INDEX + "- [History](history.md)\n"})
    done = synthesized(wiki, options=Options(no_verify=True))
    assert result(done) == "landed"
    text = wiki.show(FIRST)
    headings = [heading.text for heading in parse(text.encode()).headings]
    assert headings[1] == "To be settled"
    assert headings[headings.index("No longer holds") + 1] == "History"
    assert (
        text.index("in 1850") < text.index("in 1870") < text.index("## [Alder mill]") < text.index("As of 2020-05-01")
    )


@pytest.mark.slow
def test_review_tells_what_is_pending_and_what_came_to_nothing(mills: Wiki) -> None:
    draft = synthesized(mills, options=Options(draft_only=True)).outcome
    assert draft is not None
    (pending,) = _reviewed(mills)
    assert (pending.run.id, pending.pages) == (draft.run.id, ("wiki/index.md", FIRST))
    assert pending.next[-2:] == (f"git assay run finish {draft.run.id}", f"git assay run abandon {draft.run.id}")
    mills.later(hours=1)
    abandoning.abandon(mills.context(), draft.run.id, "no")
    assert mills.ref(kept(draft.run)) is not None
    synthesized(mills)
    (gone,) = _reviewed(mills)
    assert (gone.run.status, gone.pages) == ("abandoned", ("wiki/index.md", FIRST))
    assert gone.next[-1] == "git assay synthesize"


def test_review_puts_right_what_a_killed_landing_left(mills: Wiki) -> None:
    class Killed(BaseException):
        pass

    def stop(step: str) -> None:
        if step == "verdict":
            raise Killed

    run = mills.run({"wiki/visits.md": VISITS, "wiki/index.md": LINKED}, run_type="synthesis")
    with pytest.raises(Killed):
        mills.finish(run, stop)
    assert mills.find(run).status == "verifying"
    (left,) = _reviewed(mills)
    assert left.run.status == "pending"
    assert any("cut short" in told or "middle of its verification" in told for told in mills.told)


def test_review_has_the_findings_of_what_was_refused(mills: Wiki) -> None:
    wrong = VISITS.replace('"Visitors may see it', '"Nobody may see it')
    outcome = mills.finish(mills.run({"wiki/visits.md": wrong, "wiki/index.md": LINKED}, run_type="synthesis"))
    assert outcome.result == "rejected"
    (refused,) = _reviewed(mills)
    assert {finding.check for finding in refused.findings} == {"quote_anchor"}
    assert refused.as_json()["findings"][0]["check"] == "quote_anchor"


def _reviewed(wiki: Wiki) -> list[reviewing.Reviewed]:
    context: Context = wiki.context()
    runs = since.of_workspace(store.all_runs(context).values(), wiki.workspace())
    return reviewing.reviewed(context, runs, 10)


@pytest.mark.slow
def test_what_was_refused_before_is_not_said_again(mills: Wiki) -> None:
    said = "It has burnt wood since 1950."
    wrong = f'# Wood\n\n{said}[^1]\n\n[^1]: raw/report.md, "burnt coal since 1950 or so"\n'
    refused = mills.finish(
        mills.run({"wiki/wood.md": wrong, "wiki/index.md": INDEX + "- [W](wood.md)\n"}, run_type="synthesis")
    )
    assert refused.result == "rejected"
    done = synthesized(mills)
    assert result(done) == "landed"
    assert said not in mills.show(FIRST)
    assert "[Alder mill, 1 claim](../alder.md)" in mills.show(FIRST)


def test_the_run_stays_pending_when_it_is_interrupted(mills: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(message: str) -> None:
        if message.startswith("verifying"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        synthesize(mills.context(), mills.workspace(), Request(MAIN), interrupt)
    (run,) = store.all_runs(mills.context()).values()
    assert run.status == "pending"
    assert any(told.startswith(f"run {run.id} is pending: git assay run finish {run.id}") for told in mills.told)
    assert mills.ref(branch(run)) is not None
    assert synthesizing.TRIGGER in run.record.triggered_by
