from __future__ import annotations

from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.runs import candidate, evallog, evalruns, health, measurements, standing, store, sweep
from gitops.runs.outcome import NotLanded
from gitops.runs.revisions import judge_revision
from tests.runs.driving import MAIN, Wiki, branch
from tests.runs.measuring import measure


def wrong(wiki: Wiki) -> list[str]:
    """What the doctor finds wrong, once git's settings are as it wants them."""
    health.examine(wiki.context(), mend=True)
    return [symptom.what for symptom in health.examine(wiki.context(), mend=False)]


@pytest.mark.slow
def test_an_eval_run_is_committed_at_once_and_nothing_is_wrong_with_it(wiki: Wiki) -> None:
    before = wiki.ref(MAIN)
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN)
    run = wiki.find(kept.run_id)
    assert (run.status, run.record.run_type, run.record.root) == ("committed", "eval", before)
    assert wiki.ref(MAIN) == before
    assert measurements.everything(wiki.context()) == [kept]
    assert wrong(wiki) == []
    assert standing.standing(wiki.context()).undone == ()
    with pytest.raises(UsageError, match="measured and wrote nothing"):
        wiki.finish(run)


def test_the_index_has_its_row_and_is_the_same_made_anew(wiki: Wiki, tmp_path: Path) -> None:
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN, used={"input_tokens": 100, "output_tokens": 20, "usd": 0.5})
    [row] = wiki.index()["eval_runs"]
    assert row[:8] == (kept.run_id, "tides", "M1", kept.completed_at, 0.97, "healthy", 120, 0.5)
    assert wiki.index() == wiki.rebuilt_index(tmp_path)


def test_what_was_not_measured_has_a_row_without_a_score(wiki: Wiki) -> None:
    measure(wiki, "M3", None, "not_measured", reason="no gold")
    [row] = wiki.index()["eval_runs"]
    assert row[4:6] == (None, "not_measured")


@pytest.mark.slow
def test_a_measurement_whose_run_was_cut_short_counts_and_breaks_no_index(wiki: Wiki) -> None:
    from tests.runs.measuring import made

    cut = measurements.append(wiki.context(), made(wiki, "M1", 0.97, "healthy"))
    measure(wiki, "M2", 0.97, "healthy")
    assert cut in measurements.everything(wiki.context())
    assert wrong(wiki) == []
    assert [row[2] for row in wiki.index()["eval_runs"]] == ["M2"]


@pytest.mark.slow
def test_its_line_lands_with_the_next_run_once(wiki: Wiki) -> None:
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN)
    done = wiki.finish(wiki.run())
    assert done.result == "landed"
    log = wiki.show("wiki/log.md")
    lines = [line for line in log.splitlines() if line.startswith("- ")]
    assert lines[0] == f"- 2024-01-02 eval: M1: healthy, at {kept.commit[:10]} (run {kept.run_id})"
    assert len(lines) == 2
    assert lines[1].endswith(f"(run {done.run.id})")
    assert wiki.git("log", "-1", "--format=%(trailers:key=Assay-Eval,valueonly)").strip() == kept.run_id
    wiki.finish(wiki.run({"wiki/p001.md": "# P\n"}))
    assert wiki.show("wiki/log.md").count(kept.run_id) == 1


@pytest.mark.slow
def test_the_line_is_recomputed_where_the_landing_is_judged_again(wiki: Wiki) -> None:
    before = str(wiki.ref(MAIN))
    measure(wiki, "M1", 0.97, "healthy", MAIN)
    wiki.finish(wiki.run())
    verdict = judge_revision(wiki.context(), wiki.workspace(before), before, str(wiki.ref(MAIN)), "main")
    assert verdict.verdict == "commit", verdict.reasoning


def test_a_line_that_nobody_measured_is_refused(wiki: Wiki) -> None:
    before = str(wiki.ref(MAIN))
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN)
    wiki.finish(wiki.run())
    (wiki.folder / "wiki/log.md").write_text(wiki.show("wiki/log.md").replace("M1: healthy", "M1: perfect") + "\n")
    wiki.git("commit", "-q", "-a", "--amend", "--no-edit")
    verdict = judge_revision(wiki.context(), wiki.workspace(before), before, str(wiki.ref(MAIN)), "main")
    assert verdict.verdict == "reject"
    assert kept.run_id in wiki.show("wiki/log.md")


@pytest.mark.slow
def test_the_line_is_recomputed_where_a_button_made_the_commit(wiki: Wiki) -> None:
    before = str(wiki.ref(MAIN))
    measure(wiki, "M1", 0.97, "healthy", MAIN)
    run = wiki.run()
    (wiki.folder / "wiki/log.md").write_text("# Log\n\nin the way\n")
    with pytest.raises(NotLanded) as waiting:
        wiki.finish(run)
    wiki.git("checkout", "-q", "wiki/log.md")
    wiki.git("merge", "-q", "--squash", waiting.value.outcome.commit)
    wiki.git("commit", "-q", "-m", "Squashed by a button")
    standing.standing(wiki.context())
    assert wiki.find(run).status == "committed"
    verdict = judge_revision(wiki.context(), wiki.workspace(before), before, str(wiki.ref(MAIN)), "main")
    assert verdict.verdict == "commit", verdict.reasoning


def test_what_has_no_branch_or_another_has_no_line(wiki: Wiki) -> None:
    measure(wiki, "M1", 0.97, "healthy", "")
    wiki.later(seconds=1)
    measure(wiki, "M2", 0.97, "healthy", "refs/heads/other")
    now, tip = wiki.context().now, str(wiki.ref(MAIN))
    assert evalruns.queued(wiki.context(), wiki.workspace(), MAIN, tip, b"", now) == []


@pytest.mark.slow
def test_waiting_lines_land_by_a_run_that_brings_nothing_else(wiki: Wiki) -> None:
    assert evallog.land(wiki.context(), wiki.workspace(), MAIN) is None
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN)
    before = str(wiki.ref(MAIN))
    done = evallog.land(wiki.context(), wiki.workspace(), MAIN)
    assert done is not None
    assert done.result == "landed"
    assert wiki.git("diff", "--stat", "--name-only", before, "main") == "wiki/log.md"
    added = [line for line in wiki.git("diff", before, "main").splitlines() if line.startswith("+- ")]
    assert len(added) == 1
    assert kept.run_id in added[0]
    assert evallog.land(wiki.context(), wiki.workspace(), MAIN) is None
    assert wrong(wiki) == []
    verdict = judge_revision(wiki.context(), wiki.workspace(before), before, str(wiki.ref(MAIN)), "main")
    assert verdict.verdict == "commit", verdict.reasoning


def test_lines_that_cannot_land_wait_and_leave_no_run_open(wiki: Wiki) -> None:
    measure(wiki, "M1", 0.97, "healthy", MAIN)
    (wiki.folder / "wiki/log.md").write_text("# Log\n\nsomebody's own edit\n")
    assert evallog.land(wiki.context(), wiki.workspace(), MAIN) is None
    assert any("wait for the next landing" in told for told in wiki.told)
    assert [run.status for run in store.all_runs(wiki.context()).values() if run.state.head != run.record.base] != []
    assert not [run for run in store.all_runs(wiki.context()).values() if run.status == "pending"]
    assert (wiki.folder / "wiki/log.md").read_text() == "# Log\n\nsomebody's own edit\n"
    wiki.git("checkout", "-q", "wiki/log.md")
    done = evallog.land(wiki.context(), wiki.workspace(), MAIN)
    assert done is not None
    assert done.result == "landed"


@pytest.mark.slow
def test_what_is_measured_between_two_attempts_makes_no_other_candidate(wiki: Wiki) -> None:
    measure(wiki, "M1", 0.97, "healthy", MAIN)
    run, moment = wiki.run(), wiki.context().now
    base, head = str(wiki.ref(MAIN)), str(wiki.ref(branch(run)))
    first = candidate.build(wiki.context(), run, wiki.workspace(), base, head, moment)
    wiki.later(minutes=5)
    late = measure(wiki, "M2", 0.97, "healthy", MAIN)
    assert candidate.build(wiki.context(), run, wiki.workspace(), base, head, moment) == first
    wiki.finish(run)
    assert late.run_id in wiki.show("wiki/log.md")


def test_a_verified_candidate_that_waits_is_taken_up_whatever_was_measured_since(wiki: Wiki) -> None:
    run = wiki.run()
    (wiki.folder / "wiki/log.md").write_text("# Log\n\nsomebody's own edit\n")
    with pytest.raises(NotLanded) as waiting:
        wiki.finish(run)
    late = measure(wiki, "M2", 0.97, "healthy", MAIN)
    wiki.git("checkout", "-q", "wiki/log.md")
    assert wiki.finish(run).commit == waiting.value.outcome.commit
    assert late.run_id not in wiki.show("wiki/log.md")
    wiki.finish(wiki.run({"wiki/p001.md": "# P\n"}))
    assert late.run_id in wiki.show("wiki/log.md")


@pytest.mark.slow
def test_no_line_is_lost_however_many_wait(wiki: Wiki) -> None:
    waiting = []
    for _ in range(61):
        waiting.append(measure(wiki, "M1", 0.97, "healthy", MAIN).run_id)
        wiki.later(seconds=1)
    wiki.finish(wiki.run())
    assert [run_id for run_id in waiting if run_id not in wiki.show("wiki/log.md")] == []


@pytest.mark.slow
def test_a_line_that_somebody_took_out_of_the_log_does_not_come_again(wiki: Wiki) -> None:
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN)
    wiki.finish(wiki.run())
    (wiki.folder / "wiki/log.md").write_text("# Log\n\n")
    wiki.git("commit", "-q", "-a", "-m", "Begin the log anew")
    wiki.finish(wiki.run({"wiki/p001.md": "# P\n"}))
    assert kept.run_id not in wiki.show("wiki/log.md")


class Killed(BaseException):
    """Ends a process where it stands."""


STEPS = ("verifying", "candidate", "publish", "published", "committed")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.slow
def test_killed_while_lines_land_they_land_with_the_next_attempt(wiki: Wiki, step: str) -> None:
    def kill(at: str) -> None:
        if at == step:
            raise Killed

    measure(wiki, "M1", 0.97, "healthy", MAIN)
    with pytest.raises(Killed):
        evallog.land(wiki.context(kill), wiki.workspace(), MAIN)
    sweep.quick(wiki.context())
    wiki.later(days=7)
    measure(wiki, "M1", 0.96, "healthy", MAIN)
    evallog.land(wiki.context(), wiki.workspace(), MAIN)
    assert wiki.show("wiki/log.md").count(" eval: M1") == 2
    assert standing.standing(wiki.context()).open == ()
    assert wrong(wiki) == []


def test_killed_between_notes_and_index_its_line_lands_all_the_same(wiki: Wiki, tmp_path: Path) -> None:
    measure(wiki, "M1", 0.97, "healthy", MAIN)
    database = wiki.context().folder / "index.sqlite3"
    before = database.read_bytes()
    wiki.later(seconds=1)
    cut = measure(wiki, "M2", 0.97, "healthy", MAIN)
    database.write_bytes(before)
    everything, _, measured, _ = store.everything(wiki.context())
    evallog.catch_up(wiki.context(), everything, measured)
    assert wiki.index() == wiki.rebuilt_index(tmp_path)
    evallog.land(wiki.context(), wiki.workspace(), MAIN)
    assert cut.run_id in wiki.show("wiki/log.md")


@pytest.mark.slow
def test_of_two_that_land_the_same_lines_one_does(wiki: Wiki) -> None:
    kept = measure(wiki, "M1", 0.97, "healthy", MAIN)
    others: list[object] = []

    def meanwhile(step: str) -> None:
        if step == "publish" and not others:
            others.append(wiki.finish(wiki.run()))

    assert evallog.land(wiki.context(meanwhile), wiki.workspace(), MAIN) is None
    assert wiki.show("wiki/log.md").count(kept.run_id) == 1
    assert not [told for told in wiki.told if "wait for the next landing" in told]
    assert standing.standing(wiki.context()).open == ()
