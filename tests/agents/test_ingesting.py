"""One source through a whole run, and what a judge that refuses or doubts makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest

from gitops.agents import ingesting, revising
from gitops.agents.ingesting import Ingested, Request, ingest
from gitops.agents.writers.offline import OfflineWriter, ground
from gitops.agents.writers.planning import plan
from gitops.errors import CannotRun, OutOfBudget
from gitops.runs import landing, staging, store
from gitops.runs.context import Context
from gitops.runs.outcome import NotLanded, Options
from gitops.runs.records import Run
from gitops.runs.seating import Seat
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import Judge
from gitops.verify.verdict import Verdict
from tests.agents.doubting import Doubter
from tests.runs.driving import MAIN, Wiki, first_files

HARBOUR = """# The Harbour

Morrow harbour was dredged in 1987 to nine metres. Ships enter Morrow two hours before high water.
The pilots of Morrow wait at the outer buoy. Spring tides at Morrow reach 7.2 metres.
"""
SOURCE = "raw/harbour.md"
PILOTS = "The pilots of Morrow wait at the outer buoy."


@pytest.fixture
def harbour(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository({**first_files(pages=0), SOURCE: HARBOUR}, name="harbour"))


def context_of(wiki: Wiki, judge: Judge | None = None) -> Context:
    def seated(name: str, seat: Seat) -> Judge:
        assert judge is not None
        return judge

    made = replace(wiki.context(), triggered_by="cli:ingest")
    return replace(made, seating=seated) if judge is not None else made


def ingested(wiki: Wiki, judge: Judge | None = None) -> Ingested:
    request = Request(MAIN)
    return ingest(context_of(wiki, judge), wiki.workspace(), SOURCE, request, wiki.told.append)


def all_runs(wiki: Wiki) -> list[Run]:
    return sorted(store.all_runs(wiki.context()).values(), key=lambda run: (run.record.started_at, run.state.number))


def pages(wiki: Wiki) -> str:
    names = wiki.git("ls-tree", "-r", "--name-only", "main", "wiki/").splitlines()
    return "".join(wiki.show(name) for name in names)


def test_a_source_that_is_no_source(harbour: Wiki) -> None:
    with pytest.raises(KeyError):
        plan_of(harbour, "raw/none.md")


@pytest.mark.slow
def test_claims_that_a_judge_refuses_are_left_out_of_a_second_run(harbour: Wiki) -> None:
    done = ingested(harbour, Doubter("pilots", "does_not_support"))
    assert done.outcome is not None
    assert sorted(run.status for run in all_runs(harbour)) == ["committed", "rejected"]
    assert any("is rejected for 1 claims; writing again without them" in told for told in harbour.told)
    assert PILOTS not in pages(harbour)
    assert "7.2 metres" in pages(harbour)


def test_a_judge_that_refuses_everything_lets_nothing_land(harbour: Wiki) -> None:
    with pytest.raises(CannotRun, match="no sentence that could stand as a claim"):
        ingested(harbour, Doubter("", "does_not_support"))
    assert [run.status for run in all_runs(harbour)] == ["rejected"]
    assert harbour.git("ls-tree", "--name-only", "main", "wiki/").split() == ["wiki/index.md", "wiki/log.md"]


def test_claims_that_a_judge_doubts_are_taken_back_in_the_same_run(harbour: Wiki) -> None:
    done = ingested(harbour, Doubter("pilots", "partially_supports"))
    assert done.outcome is not None
    assert (done.outcome.result, len(all_runs(harbour))) == ("landed", 1)
    assert len(done.outcome.run.revised_heads) == 1
    assert PILOTS not in pages(harbour)


def test_what_the_offline_writer_cannot_mend_stays_pending(harbour: Wiki) -> None:
    policy = harbour.folder / "assay.toml"
    policy.write_text(policy.read_text() + '[checks.orphan]\nlevel = "warning"\n[checks.links]\nlevel = "warning"\n')
    harbour.git("commit", "-qam", "Policy")
    context = context_of(harbour)
    run, writer = begun(harbour)
    staging.write(context, run, harbour.workspace(), "wiki/alone.md", b"# Alone\n\nNobody said so.\n")
    outcome = revising.carry_through(context, run, writer, Options(), harbour.told.append)
    assert (outcome.result, outcome.run.status) == ("revise", "pending")


def test_the_run_says_which_preset_wrote_it_and_lands(harbour: Wiki) -> None:
    done = ingested(harbour)
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    record = done.outcome.run.record
    assert (record.run_type, record.sources, record.triggered_by) == ("ingest", (SOURCE,), "cli:ingest offline")


def test_again_is_nothing_until_the_source_or_the_target_changes(harbour: Wiki) -> None:
    first = ingested(harbour)
    again = ingested(harbour)
    assert first.outcome is not None
    assert again.before is not None
    assert (again.outcome, again.before.id) == (None, first.outcome.run.id)
    harbour.git("reset", "-q", "--hard", f"{first.outcome.commit}^")
    assert ingested(harbour).outcome is not None


def entered(wiki: Wiki, entry: str) -> None:
    """Somebody else adds a line to the index, and commits it."""
    with (wiki.folder / "wiki/index.md").open("a") as index:
        index.write(f"{entry}\n")
    wiki.git("commit", "-qam", "an entry")


def test_what_landed_between_plan_and_run_is_not_undone(harbour: Wiki) -> None:
    context = context_of(harbour)
    waiting = ["- [Quays](https://example.org/quays)"]

    def clock() -> datetime:
        """The plan asks for its day once it has read the wiki."""
        if "reading raw/harbour.md" in harbour.told and waiting:
            entered(harbour, waiting.pop())
        return harbour.now

    context = replace(context, clock=clock)
    done = ingest(context, harbour.workspace(), SOURCE, Request(MAIN), harbour.told.append)
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    assert "main moved while raw/harbour.md was ingested; reading it again" in harbour.told
    assert sorted(run.status for run in all_runs(harbour)) == ["abandoned", "committed"]
    index = harbour.show("wiki/index.md")
    assert "- [Quays](https://example.org/quays)" in index
    assert "(topics/morrow.md)" in index


def test_what_conflicts_with_another_landing_is_planned_anew(harbour: Wiki) -> None:
    def say(message: str) -> None:
        harbour.told.append(message)
        if message.startswith("verifying") and sum(told.startswith("verifying") for told in harbour.told) == 1:
            entered(harbour, "## Sources\n\n- [Quays](https://example.org/quays)")

    done = ingest(context_of(harbour), harbour.workspace(), SOURCE, Request(MAIN), say)
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    assert sorted(run.status for run in all_runs(harbour)) == ["abandoned", "committed"]
    index = harbour.show("wiki/index.md")
    assert "- [Quays](https://example.org/quays)" in index
    assert "(sources/harbour.md)" in index


@pytest.mark.slow
def test_who_is_always_too_slow_is_told_and_leaves_nothing_pending(harbour: Wiki) -> None:
    def say(message: str) -> None:
        if message.startswith("verifying"):
            entered(harbour, f"- [Quay](https://example.org/{message[-8:]})")

    with pytest.raises(ingesting.Moved, match=r"main moved while raw/harbour\.md was ingested"):
        ingest(context_of(harbour), harbour.workspace(), SOURCE, Request(MAIN), say)
    assert {run.status for run in all_runs(harbour)} == {"abandoned"}


def test_of_two_ingests_of_one_source_the_second_has_nothing_to_do(harbour: Wiki) -> None:
    def say(message: str) -> None:
        if message.startswith("verifying"):
            ingested(harbour)

    done = ingest(context_of(harbour), harbour.workspace(), SOURCE, Request(MAIN), say)
    assert done.before is not None
    assert sorted(run.status for run in all_runs(harbour)) == ["abandoned", "committed"]


def test_what_cannot_land_names_the_run_that_waits_and_how_to_finish_it(harbour: Wiki) -> None:
    (harbour.folder / "wiki/index.md").write_text("my own words\n")
    with pytest.raises(NotLanded) as told:
        ingested(harbour)
    (run,) = all_runs(harbour)
    assert told.value.outcome.run.id == run.id
    assert str(told.value) == told.value.message
    assert told.value.message.endswith(f"(run {run.id} is pending)")
    assert told.value.hint.endswith(f"; then git assay run finish {run.id}")
    assert (harbour.folder / "wiki/index.md").read_text() == "my own words\n"


def test_a_page_that_is_taken_back_is_as_the_base_has_it(harbour: Wiki) -> None:
    run, writer = begun(harbour)
    writer.draft()
    verdict = finding_fault(harbour, run, writer)
    assert writer.revise(verdict)
    assert not writer.revise(verdict)
    head = staging.head_tree(harbour.context(), run)
    touched = {step.path for step in writer.plan.steps}
    base = harbour.context().tree(run.record.base)
    assert {path for path in head.paths("wiki") if head.blob(path) != base.blob(path)} == touched


def test_without_room_in_the_budget_the_run_is_abandoned_and_kept(harbour: Wiki) -> None:
    run, _ = begun(harbour)
    context = context_of(harbour)
    with pytest.raises(OutOfBudget) as told:
        revising.carry_through(context, run, Failing(context, run, OutOfBudget("no room")), Options(), print)
    assert str(told.value) == told.value.message == f"run {run.id} is abandoned, its content is kept: no room"
    ended = harbour.find(run)
    assert (ended.status, ended.state.reason) == ("abandoned", "the writer's budget ran out: no room")
    assert ended.state.used == {"input_tokens": 70, "output_tokens": 7, "usd": 0.5}
    assert "half a page" in harbour.show("wiki/half.md", f"refs/assay/kept/{run.id}")


def test_interrupted_the_run_stays_and_it_is_said_how_to_go_on(harbour: Wiki) -> None:
    run, _ = begun(harbour)
    context = context_of(harbour)
    with pytest.raises(KeyboardInterrupt):
        revising.carry_through(context, run, Failing(context, run, KeyboardInterrupt()), Options(), print)
    assert harbour.find(run).status == "pending"
    assert f"run {run.id} is pending: git assay run finish {run.id}, or git assay run abandon {run.id}" in harbour.told


def test_what_a_writer_spends_is_on_the_runs_record(harbour: Wiki) -> None:
    run, _ = begun(harbour)
    context = context_of(harbour)
    with pytest.raises(CannotRun) as told:
        revising.carry_through(context, run, Failing(context, run, CannotRun("no answer", "wait")), Options(), print)
    known = harbour.find(run)
    assert known.state.spent["writer"] == {
        "input": 40.0,
        "output": 7.0,
        "cache_read": 20.0,
        "cache_write": 10.0,
        "usd": 0.5,
        "calls": 2.0,
    }
    assert told.value.message == f"no answer (run {run.id} is pending)"
    assert told.value.hint == f"wait; then git assay run finish {run.id}, or git assay run abandon {run.id}"


@dataclass
class Failing:
    """A writer that stages half a page, spends something, and then cannot go on."""

    context: Context
    run: Run
    error: BaseException
    used: Usage = NOTHING

    def draft(self) -> None:
        workspace = Wiki(Path(self.context.repository.worktree or "")).workspace()
        staging.write(self.context, self.run, workspace, "wiki/half.md", b"half a page\n")
        self.used = Usage(40, 7, 20, 10, 0.5, 2)
        raise self.error

    def revise(self, verdict: Verdict) -> bool:
        raise AssertionError("nothing was judged")


def plan_of(wiki: Wiki, source: str) -> object:
    with ground(wiki.context(), wiki.workspace(), wiki.ref("main") or "") as at:
        return plan(at, source)


def begun(wiki: Wiki) -> tuple[Run, OfflineWriter]:
    context, workspace = context_of(wiki), wiki.workspace()
    with ground(context, workspace, wiki.ref("main") or "") as at:
        made = plan(at, SOURCE)
    run = ingesting.start(context, workspace, SOURCE, Request(MAIN))
    return run, OfflineWriter(context, run, workspace, made)


def finding_fault(wiki: Wiki, run: Run, writer: OfflineWriter) -> Verdict:
    """The verdict of a judge that doubts what is said of pilots, on what the writer staged."""
    context = context_of(wiki, Doubter("pilots", "partially_supports"))
    verdict = landing.finish(context, run.id, Options(dry_run=True)).verdict
    assert verdict is not None
    return verdict
