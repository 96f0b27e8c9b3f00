from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import logsync, revisions, staging
from gitops.runs.records import Run
from gitops.runs.workspace import find
from tests.runs.driving import MAIN, Wiki, candidate, first_files, name, page


def merged_by_button(wiki: Wiki, number: int = 0, run: Run | None = None) -> str:
    """A run that was judged and then merged by a button, as it was staged: its line is not in the log."""
    run = verified(wiki, run or wiki.run({name(number): page(number)}))
    wiki.git("merge", "--quiet", "--no-ff", "--message", "Merge pull request #1", f"run/{run.id}")
    return run.id


def squashed_landing(wiki: Wiki) -> str:
    """A landing whose tree a button squashed: nothing is left out."""
    run = wiki.run({name(5): page(5)})
    base = wiki.ref(MAIN)
    outcome = wiki.finish(run)
    wiki.git("update-ref", MAIN, str(base))
    wiki.git("reset", "--quiet", "--hard", str(base))
    wiki.git("merge", "--quiet", "--squash", outcome.commit)
    wiki.git("commit", "--quiet", "--message", "Squashed (#2)")
    return run.id


def verified(wiki: Wiki, run: Run) -> Run:
    """A run that was judged sound and not landed, as where a pull request is to do that."""

    def at_step(step: str) -> None:
        if step == "swap":
            raise CannotRun("the branch is protected", "merge the pull request")

    with pytest.raises(CannotRun, match="protected"):
        wiki.finish(run, at_step)
    return run


def by_hand(wiki: Wiki, path: str, text: str) -> None:
    (wiki.folder / path).write_text(text)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", f"Write {path} by hand")


def judged(wiki: Wiki, base: str, head: str) -> str:
    context = wiki.context()
    verdict = revisions.judge_revision(context, wiki.workspace(base), base, head, head)
    return f"{verdict.verdict}: {verdict.reasoning}"


def test_nothing_lacks_after_landings_of_our_own(wiki: Wiki) -> None:
    wiki.finish(wiki.run())
    before = wiki.refs()
    assert logsync.sync(wiki.context(), MAIN).lacking == ()
    assert wiki.refs() == before


def test_a_branch_without_a_commit_has_no_log(wiki: Wiki) -> None:
    with pytest.raises(CannotRun, match="has no commit yet"):
        logsync.sync(wiki.context(), "refs/heads/nothing")


def test_a_rejected_run_is_no_landing_although_somebody_merged_it(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0, "the sea never falls back")})
    head = wiki.git("rev-parse", f"run/{run.id}")
    assert wiki.finish(run).result == "rejected"
    wiki.git("merge", "--quiet", "--no-ff", "--message", "All the same", head)
    assert logsync.sync(wiki.context(), MAIN).lacking == ()


def test_a_worktree_that_cannot_follow_stops_it(wiki: Wiki) -> None:
    merged_by_button(wiki)
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    before = wiki.refs()
    with pytest.raises(CannotRun, match="cannot follow"):
        logsync.sync(wiki.context(), MAIN)
    assert wiki.refs() == before
    assert (wiki.folder / "wiki/log.md").read_text() == "mine\n"


def test_a_dry_run_tells_and_writes_nothing(wiki: Wiki) -> None:
    run_id = merged_by_button(wiki)
    before = wiki.refs()
    done = logsync.sync(wiki.context(), MAIN, dry_run=True)
    assert [run.id for each in done.lacking for run in each.runs] == [run_id]
    assert done.commit == ""
    assert wiki.refs() == before


def test_the_line_is_the_one_that_the_landing_would_have_written(wiki: Wiki) -> None:
    run_id = merged_by_button(wiki)
    expected = wiki.show("wiki/log.md", at=candidate(wiki.find(run_id))).splitlines()[-1]
    done = logsync.sync(wiki.context(), MAIN)
    assert wiki.ref(MAIN) == done.commit
    assert wiki.show("wiki/log.md").splitlines()[-1] == expected
    assert wiki.git("status", "--porcelain") == ""
    assert wiki.git("log", "-1", "--format=%(trailers:key=Assay-Log,valueonly)").strip() == run_id


def test_it_is_written_once(wiki: Wiki) -> None:
    merged_by_button(wiki)
    assert logsync.sync(wiki.context(), MAIN).commit
    before = wiki.refs()
    assert logsync.sync(wiki.context(), MAIN) == logsync.LogSynced(MAIN, ())
    assert wiki.refs() == before


def test_several_lines_stand_in_the_order_of_their_merges(wiki: Wiki) -> None:
    second = merged_by_button(wiki, 2)
    wiki.later(days=1)
    first = merged_by_button(wiki, 1)
    logsync.sync(wiki.context(), MAIN)
    lines = wiki.show("wiki/log.md").splitlines()[-2:]
    assert [second in lines[0], first in lines[1]] == [True, True]


def test_a_squashed_landing_lacks_nothing(wiki: Wiki) -> None:
    run_id = squashed_landing(wiki)
    assert run_id in wiki.show("wiki/log.md")
    assert logsync.sync(wiki.context(), MAIN).lacking == ()


TWO = {name(3): page(3), name(4): page(4)}


@pytest.mark.parametrize("moved", [False, True])
def test_a_squash_of_the_runs_own_branch_lacks_its_line(wiki: Wiki, moved: bool) -> None:
    run = verified(wiki, wiki.run(TWO))
    if moved:
        by_hand(wiki, name(9), page(9))
    wiki.git("merge", "--quiet", "--squash", f"run/{run.id}")
    wiki.git("commit", "--quiet", "--message", "Two pages (#3)")
    by_hand(wiki, name(8), page(8))
    base = str(wiki.ref(MAIN))
    written = logsync.sync(wiki.context(), MAIN).commit
    assert wiki.show("wiki/log.md").splitlines()[-1] == logsync.line_of(wiki.find(run.id))
    assert judged(wiki, base, written).startswith("commit: ")
    assert logsync.sync(wiki.context(), MAIN).lacking == ()


@pytest.mark.parametrize("empty", ["--no-keep-empty", "--keep-empty"])
def test_a_rebase_of_the_runs_own_branch_lacks_its_line(wiki: Wiki, empty: str) -> None:
    run = verified(wiki, wiki.run(TWO))
    by_hand(wiki, name(9), page(9))
    wiki.git("branch", "--quiet", "copy", f"run/{run.id}")
    wiki.git("rebase", "--quiet", empty, "main", "copy")
    wiki.git("switch", "--quiet", "main")
    wiki.git("merge", "--quiet", "--ff-only", "copy")
    by_hand(wiki, name(8), page(8))
    [lacking] = logsync.sync(wiki.context(), MAIN).lacking
    assert [each.id for each in lacking.runs] == [run.id]


@pytest.mark.parametrize("how", ["merge", "squash"])
def test_a_run_that_was_merged_before_anybody_verified_it_lacks_its_line(wiki: Wiki, how: str) -> None:
    run = wiki.run(TWO)
    if how == "merge":
        wiki.git("merge", "--quiet", "--no-ff", "--message", "Merge pull request #4", f"run/{run.id}")
    else:
        wiki.git("merge", "--quiet", "--squash", f"run/{run.id}")
        wiki.git("commit", "--quiet", "--message", "Two pages (#4)")
    base, before = str(wiki.ref(MAIN)), wiki.refs()
    would = logsync.sync(wiki.context(), MAIN, dry_run=True)
    assert wiki.refs() == before
    done = logsync.sync(wiki.context(), MAIN)
    assert [each.lines for each in would.lacking] == [each.lines for each in done.lacking]
    assert wiki.show("wiki/log.md").splitlines()[-1] == logsync.line_of(wiki.find(run.id))
    assert f"+{name(3)}, +{name(4)} (run {run.id})" in wiki.show("wiki/log.md")
    assert judged(wiki, base, done.commit).startswith("commit: ")
    assert logsync.sync(wiki.context(), MAIN).lacking == ()


def test_a_run_that_nobody_merged_has_no_line_and_no_plan(wiki: Wiki) -> None:
    empty, waits = wiki.run({}), wiki.run(TWO)
    wiki.git("commit", "--quiet", "--allow-empty", "--message", "Nothing")
    before = wiki.refs()
    assert logsync.sync(wiki.context(), MAIN).lacking == ()
    assert wiki.refs() == before
    assert [wiki.find(run).plan for run in (empty, waits)] == [None, None]


def test_a_squash_that_somebody_altered_is_not_what_the_run_wrote(wiki: Wiki) -> None:
    run = verified(wiki, wiki.run(TWO))
    wiki.git("merge", "--quiet", "--squash", f"run/{run.id}")
    (wiki.folder / name(3)).write_text(page(3) + "\nAnd more.\n")
    wiki.git("commit", "--quiet", "--all", "--message", "Two pages (#3)")
    assert logsync.sync(wiki.context(), MAIN).lacking == ()


def test_a_run_that_waits_has_no_line_yet(wiki: Wiki) -> None:
    verified(wiki, wiki.run(TWO))
    by_hand(wiki, name(3), page(3))
    assert logsync.sync(wiki.context(), MAIN).lacking == ()


def test_nobody_writes_the_line_of_a_rejected_run(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0, "the sea never falls back")})
    assert wiki.finish(run).result == "rejected"
    base = str(wiki.ref(MAIN))
    log = wiki.folder / "wiki/log.md"
    log.write_text(log.read_text() + logsync.line_of(wiki.find(run.id)) + "\n")
    wiki.git("commit", "--quiet", "--all", "--message", f"Mine\n\nAssay-Log: {run.id}")
    assert judged(wiki, base, str(wiki.ref(MAIN))).startswith("reject: ")


def test_verification_takes_exactly_these_lines(wiki: Wiki) -> None:
    run_id = merged_by_button(wiki)
    base = str(wiki.ref(MAIN))
    written = logsync.sync(wiki.context(), MAIN).commit
    assert judged(wiki, base, written).startswith("commit: ")
    log = wiki.folder / "wiki/log.md"
    log.write_text(log.read_text() + f"- 2024-01-02 cascade: +wiki/p009.md (run {run_id})\n")
    wiki.git("commit", "--quiet", "--all", "--message", f"Mine\n\nAssay-Log: {run_id}")
    assert judged(wiki, written, str(wiki.ref(MAIN))).startswith("reject: ")


def test_a_line_of_another_run_than_the_trailer_names_is_foreign(wiki: Wiki) -> None:
    run_id = merged_by_button(wiki)
    base = str(wiki.ref(MAIN))
    line = logsync.line_of(wiki.find(run_id))
    log = wiki.folder / "wiki/log.md"
    log.write_text(log.read_text() + line + "\n")
    wiki.git("commit", "--quiet", "--all", "--message", "Mine\n\nAssay-Log: some-other-run")
    assert judged(wiki, base, str(wiki.ref(MAIN))).startswith("reject: ")


def test_the_log_of_each_workspace_gets_its_own(make_repository: Callable[..., Path]) -> None:
    files = {f"{folder}/{path}": text for folder in ("one", "two") for path, text in first_files().items()}
    files |= {f"{folder}/assay.toml": f'[workspace]\nname = "{folder}"\n' for folder in ("one", "two")}
    wiki = Wiki(make_repository(files))
    context = wiki.context()
    workspace = find(context.repository, MAIN, "two")
    run = staging.start(context, workspace, MAIN, staging.Request("cascade"))
    staging.write(context, run, workspace, name(0), page(0).encode())
    merged_by_button(wiki, run=run)
    [lacking] = logsync.sync(wiki.context(), MAIN).lacking
    assert lacking.workspace.layout.log == "two/wiki/log.md"
    assert run.id in wiki.show("two/wiki/log.md")
    assert wiki.show("one/wiki/log.md") == "# Log\n"


# Pushing


@pytest.mark.slow
def test_with_push_the_server_has_it_first(wiki: Wiki, tmp_path: Path) -> None:
    wiki.git("clone", "--quiet", "--bare", ".", os.fspath(tmp_path / "server.git"))
    wiki.git("remote", "add", "origin", os.fspath(tmp_path / "server.git"))
    run_id = merged_by_button(wiki)
    wiki.git("push", "--quiet", "--set-upstream", "origin", "main")
    done = logsync.sync(wiki.context(), MAIN, push=True)
    assert done.pushed
    assert wiki.git("ls-remote", "origin", "refs/heads/main").split()[0] == done.commit == wiki.ref(MAIN)
    assert run_id in wiki.show("wiki/log.md")


def test_with_push_there_must_be_an_upstream(wiki: Wiki) -> None:
    merged_by_button(wiki)
    with pytest.raises(UsageError, match="has no upstream"):
        logsync.sync(wiki.context(), MAIN, push=True)


# The command


@pytest.mark.slow
def test_the_command_says_what_it_wrote(wiki: Wiki) -> None:
    import jsonschema

    run_id = merged_by_button(wiki)
    would = wiki.assay("log", "sync", "--dry-run")
    assert (would.returncode, would.stderr) == (0, "")
    assert would.stdout.startswith("nothing was written (--dry-run); what lacks:\n  - 2024-01-02 cascade: ")
    done = wiki.assay("log", "sync", "--json")
    body = json.loads(done.stdout)
    jsonschema.validate(body, json.loads(wiki.assay("schema", "log-sync").stdout))
    assert body["commit"] == wiki.ref(MAIN)
    assert [line["run_id"] for log in body["logs"] for line in log["lines"]] == [run_id]
    assert wiki.assay("log", "sync").stdout == "the log has every landing on main\n"
    wrong = wiki.assay("log", "--push")
    assert (wrong.returncode, "are for 'log sync'" in wrong.stderr) == (2, True)
