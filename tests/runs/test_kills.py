"""A landing that is stopped before each of its steps, by a seam; the sweep with real kills is `test_kill_sweep`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import refs
from gitops.runs import deciding, names, overriding, settling, staging, sweep
from gitops.runs.context import Context
from gitops.runs.outcome import Options
from gitops.runs.records import Run
from tests.runs.driving import MAIN, Wiki, candidate, kept, name, page
from tests.runs.soundness import MINE, assert_converges, assert_sound, verdict_count

pytestmark = pytest.mark.slow

STEPS = ("verifying", "candidate", "verify", "verdict", "publish", "swap", "published", "committed", "recorded")


class Killed(BaseException):
    """Nobody catches it, so nothing is tidied up; what the kernel would free is freed."""


def killing(step: str) -> Callable[[str], None]:
    def at_step(reached: str) -> None:
        if reached == step:
            raise Killed(step)

    return at_step


def _begun(wiki: Wiki) -> tuple[Run, str]:
    run = wiki.run()
    base = wiki.ref(MAIN)
    assert base is not None
    (wiki.folder / "notes.txt").write_text(MINE)
    return run, base


def test_the_steps_are_all_there_are(wiki: Wiki) -> None:
    run, _ = _begun(wiki)
    reached: list[str] = []
    wiki.finish(run, reached.append)
    assert tuple(reached) == STEPS


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("style", ["merge", "squash"])
def test_after_a_kill_before_any_step_all_is_sound_and_the_run_lands(
    make_wiki: Callable[..., Wiki], tmp_path: Path, step: str, style: str
) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    run, base = _begun(wiki)
    with pytest.raises(Killed):
        wiki.finish(run, killing(step))
    assert_sound(wiki, base)
    wiki.later(days=1)
    assert_converges(wiki, run.id, base, tmp_path)
    assert verdict_count(wiki) == 1


def test_the_candidate_comes_out_the_same_after_a_kill(wiki: Wiki) -> None:
    run, _ = _begun(wiki)
    with pytest.raises(Killed):
        wiki.finish(run, killing("publish"))
    first = wiki.ref(candidate(run))
    wiki.later(days=1)
    assert wiki.finish(run).commit == first


def naive(context: Context, run: Run, options: Options) -> None:
    """The order that must not be: the target first, its verdict after it."""
    base, workspace = deciding.base_of(context, run)
    run, made = deciding.prepare(context, run, workspace, base, staging.head_of(context, run), options)
    refs.publish(context.repository, MAIN, made.commit, base, names.candidate(run.id), made.commit)
    context.at_step("published")
    outcome = deciding.judge(context, run, workspace, made, options)
    assert outcome.verdict is not None
    settling.take_up(context, run, made.commit, outcome.verdict)


def test_a_landing_in_the_naive_order_fails_the_same_assertion(wiki: Wiki) -> None:
    run, base = _begun(wiki)
    with pytest.raises(Killed):
        naive(wiki.context(killing("published")), run, Options())
    with pytest.raises(AssertionError, match="stands without a verdict"):
        assert_sound(wiki, base)


def test_the_sweep_alone_puts_right_what_was_cut_short_behind_the_commit_point(wiki: Wiki) -> None:
    run, base = _begun(wiki)
    with pytest.raises(Killed):
        wiki.finish(run, killing("published"))
    assert wiki.ref(MAIN) != base
    assert "D  wiki/p000.md" in wiki.git("status", "--porcelain")
    assert sweep.quick(wiki.context()) == [
        f"run {run.id} had landed as {str(wiki.ref(MAIN))[:10]}; its record now says so"
    ]
    assert wiki.git("status", "--porcelain") == " M notes.txt"
    assert wiki.find(run).status == "committed"


def test_the_sweep_leaves_a_file_alone_that_was_edited_since(wiki: Wiki) -> None:
    run, _ = _begun(wiki)
    with pytest.raises(Killed):
        wiki.finish(run, killing("published"))
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    sweep.quick(wiki.context())
    assert (wiki.folder / "wiki/log.md").read_text() == "mine\n"
    assert wiki.find(run).status == "committed"
    assert any("could not follow" in told for told in wiki.told)


def test_a_file_that_the_killed_checkout_had_written_already_is_in_nobodys_way(wiki: Wiki) -> None:
    run, _ = _begun(wiki)
    with pytest.raises(Killed):
        wiki.finish(run, killing("published"))
    (wiki.folder / name(0)).write_text(page(0))
    (wiki.folder / "wiki/log.md").write_text(wiki.show("wiki/log.md") + "\n")
    sweep.quick(wiki.context())
    assert wiki.git("status", "--porcelain") == " M notes.txt"


def test_a_run_left_in_its_verification_is_pending_again(wiki: Wiki) -> None:
    run, base = _begun(wiki)
    with pytest.raises(Killed):
        wiki.finish(run, killing("verdict"))
    assert wiki.find(run).status == "verifying"
    assert sweep.quick(wiki.context()) == [
        f"run {run.id} was left in the middle of its verification; it is pending again"
    ]
    assert (wiki.find(run).status, wiki.ref(MAIN)) == ("pending", base)
    assert sweep.quick(wiki.context()) == []


def test_a_run_that_is_being_verified_is_not_swept(wiki: Wiki) -> None:
    run, _ = _begun(wiki)
    swept: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "publish":
            swept.extend(sweep.quick(wiki.context()) + sweep.full(wiki.context(), [wiki.find(run)]))

    assert wiki.finish(run, meanwhile).result == "landed"
    assert swept == []


def test_a_rejection_that_was_cut_short_is_rejected_again(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0, "the sea never falls back")})
    with pytest.raises(Killed):
        wiki.finish(run, killing("rejected"))
    sweep.quick(wiki.context())
    assert wiki.find(run).status == "pending"
    assert wiki.finish(run).result == "rejected"
    assert wiki.ref(kept(run)) is not None
    assert verdict_count(wiki) == 1


@pytest.mark.parametrize("step", ["candidate", "verdict", "publish", "swap", "published", "committed", "recorded"])
def test_an_override_that_was_cut_short_is_whole_or_nothing(wiki: Wiki, tmp_path: Path, step: str) -> None:
    run = wiki.run({name(0): page(0, "the sea never falls back")})
    wiki.finish(run)
    base = wiki.ref(MAIN)
    with pytest.raises(Killed):
        overriding.override(wiki.context(killing(step)), run.id, "I know better")
    sweep.quick(wiki.context())
    if wiki.ref(MAIN) == base:
        assert wiki.find(run).status == "rejected"
        overriding.override(wiki.context(), run.id, "I know better")
    assert wiki.find(run).state.verdict == "commit_override"
    assert wiki.find(run).status == "committed"
    assert wiki.git("status", "--porcelain") == ""
    assert wiki.index() == wiki.rebuilt_index(tmp_path)


def test_two_processes_do_not_finish_one_run(wiki: Wiki) -> None:
    run = wiki.run()
    refused: list[CannotRun] = []

    def meanwhile(step: str) -> None:
        if step == "verify":
            done = wiki.assay("run", "finish", run.id)
            assert (done.returncode, done.stdout) == (3, "")
            refused.append(CannotRun(done.stderr))

    assert wiki.finish(run, meanwhile).result == "landed"
    assert f"run {run.id} is being written to or verified by another process" in refused[0].message


def test_who_writes_while_a_run_is_verified_is_told_to_wait(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "WRITER_WAITS_S", 0.1)
    run = wiki.run()
    tried: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "verify":
            with pytest.raises(CannotRun, match="by another process"):
                staging.write(wiki.context(), run, wiki.workspace(), name(1), b"# One\n")
            tried.append(step)

    assert wiki.finish(run, meanwhile).result == "landed"
    assert tried == ["verify"]
