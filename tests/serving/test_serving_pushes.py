"""Runs that are pushed to a server: each is answered, and no push waits for it."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable

import pytest

from gitops.runs import pushed, staging
from tests.runs.driving import MAIN, first_files, name, page
from tests.serving.conftest import ALTERED, PROJECT, Held, Server, ran

pytestmark = pytest.mark.slow
OTHER = {"other/assay.toml": '[workspace]\nname = "other"\n'}


def test_a_sound_run_lands_and_fetch_finds_the_answer(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    before = server.git("rev-parse", "main")
    told = clone.push("origin", f"run/{run_id}")
    assert f"run {run_id} is being verified" in told
    server.settle()
    assert server.git("rev-parse", "main^1") == before
    assert server.git("show", f"main:{name(0)}") == page(0).rstrip("\n")
    assert run_id in server.git("show", "main:wiki/log.md")
    assert server.git("for-each-ref", "refs/heads/run") == ""
    shown = clone.shown(run_id)
    assert "status     committed" in shown
    clone.git("pull", "--quiet")
    assert json.loads(clone.assay("verify", "HEAD", "--json"))["verdict"] == "commit"
    server.is_sound()


def test_an_unsound_run_is_rejected_with_its_findings(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run({name(0): ALTERED})
    before = server.git("rev-parse", "main")
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert server.git("rev-parse", "main") == before
    shown = clone.shown(run_id)
    assert "status     rejected" in shown
    assert "quote_anchor altered" in shown
    assert "quote_anchor altered" in server.log(run_id)
    assert server.git("rev-parse", f"refs/assay/kept/{run_id}")
    server.is_sound()


def test_a_branch_that_git_alone_made_is_adopted(server: Server) -> None:
    clone = server.clone()
    clone.branch("from-git", {name(1): page(1)})
    clone.push("origin", "run/from-git")
    server.settle()
    run = server.wiki.find("from-git")
    assert (run.status, run.record.adopted, run.record.triggered_by) == ("committed", True, "push:")
    assert clone.answer("from-git").status == "committed"


def test_of_several_workspaces_a_branch_is_of_the_one_that_it_writes_to(make_server: Callable[..., Server]) -> None:
    server = make_server(files={f"other/{path}": text for path, text in first_files().items()} | OTHER)
    clone = server.clone()
    clone.branch("of-other", {f"other/{name(1)}": page(1)})
    clone.branch("of-first", {name(1): page(1)})
    clone.push("origin", "run/of-other", "run/of-first")
    server.settle()
    runs = {run_id: server.wiki.find(run_id) for run_id in ("of-other", "of-first")}
    assert {run_id: (run.status, run.record.workspace) for run_id, run in runs.items()} == {
        "of-other": ("committed", "other"),
        "of-first": ("committed", "tides"),
    }
    assert "of-other" in server.git("show", "main:other/wiki/log.md")


def test_where_several_accounts_serve_it_each_can_write_what_the_others_made(server: Server) -> None:
    server.git("config", "core.sharedRepository", "group")
    before = {path: path.stat().st_mtime_ns for path in server.folder.rglob("*")}
    clone = server.clone()
    run_id = clone.run()
    mask = os.umask(0o022)
    try:
        clone.push("origin", f"run/{run_id}")
        server.settle()
    finally:
        os.umask(mask)
    assert server.wiki.find(run_id).status == "committed"
    # What an account made before it was shared, git does not open either.
    made = [path for path in server.folder.rglob("*") if path not in before]
    assert {path.parent.name for path in made} > {"assay", "locks", "log"}
    objects = server.folder / "objects"
    shut = [path for path in made if not path.stat().st_mode & 0o020]
    assert [path for path in shut if path.is_dir() or not path.is_relative_to(objects)] == []


def test_who_may_not_push_runs_is_told_so_by_a_state(make_server: Callable[..., Server]) -> None:
    server = make_server('[runs]\nadopt_from = ["*@example.org"]\n')
    clone = server.clone()
    clone.branch("stranger", {name(1): page(1)}, GIT_AUTHOR_EMAIL="eve@elsewhere.example")
    clone.push("origin", "run/stranger")
    server.settle()
    run = server.wiki.find("stranger")
    assert run.status == "pending"
    assert "adopt_from does not allow" in run.state.reason
    assert "adopt_from does not allow" in clone.answer("stranger").state.reason
    assert "no verdict" in server.log("stranger").splitlines()[-1]
    # Being on record lets nobody in: what a person then finishes by hand is asked the same.
    done = server.assay("run", "finish", "stranger")
    assert done.code == 1
    assert "adopt_from does not allow" in done.err


def test_a_strangers_commit_on_a_friends_run_is_not_landed(make_server: Callable[..., Server]) -> None:
    server = make_server('[runs]\nadopt_from = ["*@example.org"]\n')
    clone = server.clone()
    run_id = clone.run()
    clone.sync()
    clone.git("switch", "--quiet", f"run/{run_id}")
    (clone.folder / name(2)).write_text(page(2))
    clone.git("add", "--all")
    clone.git("commit", "--quiet", "--message", "And mine", GIT_AUTHOR_EMAIL="eve@elsewhere.example")
    before = server.git("rev-parse", "main")
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert server.git("rev-parse", "main") == before
    assert "adopt_from does not allow" in server.wiki.find(run_id).state.reason


def test_what_cannot_be_decided_is_a_state_with_its_reason(make_server: Callable[..., Server]) -> None:
    server = make_server("[verify]\nmin_judged = 1.0\njudge = 'none'\n")
    clone = server.clone()
    run_id = clone.run()
    clone.push("origin", f"run/{run_id}")
    server.settle()
    run = server.wiki.find(run_id)
    assert run.status == "pending"
    assert "min_judged" in run.state.reason
    assert clone.answer(run_id).state == run.state


def test_a_conflict_is_a_state_with_its_mend(server: Server) -> None:
    one, other = server.clone("one"), server.clone("other")
    mine = one.run({name(0): page(0)})
    theirs = other.run({name(0): page(0).replace("turns", "comes back")})
    one.push("origin", f"run/{mine}")
    server.settle()
    other.push("origin", f"run/{theirs}")
    server.settle()
    reason = server.wiki.find(theirs).state.reason
    assert "conflicts with main" in reason
    assert f"git assay run rebase {theirs}" in reason


def test_a_run_for_another_branch_does_not_land_there(server: Server) -> None:
    clone = server.clone()
    clone.git("push", "--quiet", "origin", "main:refs/heads/release")
    clone.git("branch", "--quiet", "release", "origin/main")
    request = staging.Request("cascade")
    run_id = staging.start(clone.wiki.context(), clone.wiki.workspace(), "refs/heads/release", request).id
    clone.write(run_id, name(0), page(0))
    clone.sync()
    before = server.git("for-each-ref", "refs/heads/release", "refs/heads/main")
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert server.git("for-each-ref", "refs/heads/release", "refs/heads/main") == before
    assert "is for release" in server.wiki.find(run_id).state.reason


def test_a_draft_is_not_judged(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    assert clone.wiki.finish(run_id, draft_only=True).result == "draft"
    clone.sync()
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert server.wiki.find(run_id).status == "pending"
    assert "is a draft" in server.log(run_id)


def test_several_runs_of_one_push_each_land(server: Server) -> None:
    clone = server.clone()
    runs = [clone.run({name(number): page(number)}) for number in range(3)]
    clone.push("origin", *(f"run/{run_id}" for run_id in runs))
    server.settle()
    assert [server.wiki.find(run_id).status for run_id in runs] == ["committed"] * 3
    assert server.git("rev-list", "--count", "--merges", "main") == "3"
    server.is_sound()


def test_a_push_again_after_a_revise_is_answered_anew(make_server: Callable[..., Server]) -> None:
    server = make_server('[checks.quote_anchor.results]\naltered = "warning"\n')
    clone = server.clone()
    run_id = clone.run({name(0): ALTERED})
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert (server.wiki.find(run_id).status, server.wiki.find(run_id).state.verdict) == ("pending", "revise")
    assert "revise" in server.log(run_id).splitlines()[-1]
    clone.write(run_id, name(0), page(0))
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert clone.answer(run_id).status == "committed"


def test_pushes_of_no_run_leave_nothing_to_do(server: Server) -> None:
    clone = server.clone()
    told = clone.push("origin", "main:refs/heads/side")
    assert "is being verified" not in told
    server.settle()
    assert pushed.waiting(server.folder / "assay") == {}
    clone.push("origin", "--delete", "side")
    server.settle()


# Waiting


def test_a_push_that_waits_is_told_how_it_ended(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    told = clone.push("-o", "assay.wait", "origin", f"run/{run_id}")
    tip = server.git("rev-parse", "--short=10", "main")
    assert f"outcome: run/{run_id} landed on main as {tip}" in told
    assert server.wiki.find(run_id).status == "committed"


def test_a_push_that_waits_is_shown_the_findings_and_the_mend(server: Server) -> None:
    clone = server.clone()
    sound, false = clone.run({name(1): page(1)}), clone.run({name(0): ALTERED})
    told = clone.push("-o", "assay.wait", "origin", f"run/{sound}", f"run/{false}")
    assert "quote_anchor altered" in told
    assert "mend: raw/tides.md" in told
    assert f"git assay run start --from {false}" in told
    last = [line for line in told.splitlines() if line.startswith("remote:")][-1]
    assert f"run/{sound} landed on main" in last
    assert f"run/{false} rejected" in last
    assert "\033" not in told


def test_patience_ends_and_the_work_does_not(server: Server) -> None:
    server.git("config", "assay.waitSeconds", "1")
    clone = server.clone()
    run_id = clone.run()
    with Held(server, run_id):
        began = time.monotonic()
        told = clone.push("-o", "assay.wait", "origin", f"run/{run_id}")
        assert time.monotonic() - began < 20
        assert "not answered within 1 s" in told
        assert f"outcome: run/{run_id} waits" in told
    server.settle()
    assert server.wiki.find(run_id).status == "committed"


# Newer pushes, dead workers


def test_a_newer_push_while_a_run_is_verified_is_what_lands(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    with Held(server, run_id):
        clone.push("origin", f"run/{run_id}")
        clone.write(run_id, name(1), page(1))
        clone.push("origin", f"run/{run_id}")
    server.settle()
    run = server.wiki.find(run_id)
    assert run.status == "committed"
    assert run.state.head == clone.git("rev-parse", f"run/{run_id}")
    assert run.plan is not None
    assert {operation.path for operation in run.plan.operations} == {name(0), name(1)}
    assert server.git("rev-list", "--count", "--merges", "main") == "1"


def test_a_deleted_branch_is_not_landed(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    before = server.git("rev-parse", "main")
    with Held(server, run_id):
        clone.push("origin", f"run/{run_id}")
        clone.push("origin", "--delete", f"run/{run_id}")
    server.settle()
    assert server.git("rev-parse", "main") == before
    assert "is gone" in server.log(run_id)
    server.is_sound()


def test_a_killed_worker_is_followed_by_the_next_push(server: Server) -> None:
    clone = server.clone()
    first, second = clone.run({name(0): page(0)}), clone.run({name(1): page(1)})
    with Held(server, first):
        clone.push("origin", f"run/{first}")
        server.kill_workers()
    assert server.wiki.git("rev-parse", f"refs/heads/run/{first}")
    clone.push("origin", f"run/{second}")
    server.settle()
    assert [server.wiki.find(each).status for each in (first, second)] == ["committed"] * 2


def test_doctor_starts_a_worker_for_what_nobody_is_at(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    with Held(server, run_id):
        clone.push("origin", f"run/{run_id}")
        server.kill_workers()
    checked = server.assay("doctor", "--check")
    assert (checked.code, f"the pushed run {run_id} waits, and no worker was at it" in checked.out) == (1, True)
    mended = server.assay("doctor")
    assert f"mended  the pushed run {run_id} waits" in mended.out
    server.settle()
    assert server.wiki.find(run_id).status == "committed"
    assert server.assay("doctor").code == 0


def test_doctor_finds_a_run_whose_push_was_cut_short_before_the_hook(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    script = server.folder / "hooks" / "post-receive"
    content = script.read_bytes()
    script.write_text("#!/bin/sh\n")
    clone.push("origin", f"run/{run_id}")
    script.write_bytes(content)
    assert "waits" in server.assay("doctor").out
    server.settle()
    assert server.wiki.find(run_id).status == "committed"


def test_serve_answers_again_for_a_run_that_is_named(make_server: Callable[..., Server]) -> None:
    server = make_server("[verify]\nmin_judged = 1.0\njudge = 'none'\n")
    clone = server.clone()
    run_id = clone.run()
    clone.push("origin", f"run/{run_id}")
    server.settle()
    before = len(server.log(run_id))
    done = server.assay("hooks", "serve", run_id)
    assert done.code == 0
    assert done.out.startswith("answered for 1 run; ")
    assert len(server.log(run_id)) > before
    missing = server.assay("hooks", "serve", "no-such-run")
    assert (missing.code, "there is no branch run/no-such-run here" in missing.err) == (2, True)


def test_serve_is_for_servers(server: Server) -> None:
    clone = server.clone()
    done = ran(clone.folder, sys.executable, "-m", "gitops", "hooks", "serve", PYTHONPATH=str(PROJECT))
    assert done.code == 2
    assert "is no server" in done.err


def test_the_worker_holds_nothing_of_the_push_open(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    with Held(server, run_id):
        began = time.monotonic()
        clone.push("origin", f"run/{run_id}")
        assert time.monotonic() - began < 20
        assert pushed.waiting(server.folder / "assay") == {run_id: clone.git("rev-parse", f"run/{run_id}")}
    server.settle()
    assert server.wiki.ref(MAIN) == server.wiki.find(run_id).state.candidate
