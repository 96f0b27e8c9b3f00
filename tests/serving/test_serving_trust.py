"""A server and its keys: who may sign what, and what follows of what others signed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.runs import logsync, store
from tests.runs.driving import MAIN, name, page
from tests.runs.signed import ALLOWED, POLICY, make_key, signer
from tests.runs.test_kills import Killed, killing
from tests.serving.conftest import Clone, Server

pytestmark = pytest.mark.slow
Make = Callable[..., Server]


def merged_by_hand(clone: Clone, run_id: str) -> str:
    clone.git("merge", "--quiet", "--no-ff", "--message", "Merge pull request #1", f"run/{run_id}")
    return clone.git("rev-parse", "HEAD")


def test_without_a_key_nothing_lands_where_the_policy_wants_signatures(make_server: Make, tmp_path: Path) -> None:
    server = make_server(POLICY, {ALLOWED: signer(make_key(tmp_path, "ada"))})
    clone = server.clone()
    before = server.git("rev-parse", "main")
    run_id = clone.run()
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert server.git("rev-parse", "main") == before
    assert "no signing key is configured" in server.wiki.find(run_id).state.reason


def test_with_a_key_that_nobody_allows_it_says_so(make_server: Make, tmp_path: Path) -> None:
    server = make_server(POLICY, {ALLOWED: signer(make_key(tmp_path, "ada"))})
    server.git("config", "assay.signingkey", str(make_key(tmp_path, "eve")))
    clone = server.clone()
    before = server.git("rev-parse", "main")
    run_id = clone.run()
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert server.git("rev-parse", "main") == before
    assert "verified, not landed" in server.wiki.find(run_id).state.reason
    assert "verified, not landed" in server.log(run_id).splitlines()[-1]


def test_a_server_signs_what_it_verified_and_clones_can_tell(make_server: Make, tmp_path: Path) -> None:
    key = make_key(tmp_path, "server")
    server = make_server(POLICY, {ALLOWED: signer(key)})
    server.git("config", "assay.signingkey", str(key))
    clone = server.clone()
    run_id = clone.run()
    clone.push("origin", f"run/{run_id}")
    server.settle()
    assert "signed by server@example.org" in server.log(run_id)
    assert clone.answer(run_id).status == "committed"
    clone.git("pull", "--quiet")
    assert json.loads(clone.assay("verdict", "verify", "HEAD", "--json"))["signed_by"] == "server@example.org"


def test_a_squash_of_what_somebody_signed_gets_its_landed_record(make_server: Make, tmp_path: Path) -> None:
    key = make_key(tmp_path, "ada")
    server = make_server(POLICY, {ALLOWED: signer(key)})
    clone = server.clone()
    clone.git("config", "assay.signingkey", str(key))
    run_id = clone.run()
    with pytest.raises(Killed):
        clone.wiki.finish(run_id, killing("swap"))
    candidate = clone.wiki.find(run_id).state.candidate
    clone.git("merge", "--quiet", "--squash", candidate)
    clone.git("commit", "--quiet", "--message", "Squashed (#1)")
    clone.sync()
    clone.push("origin", "main")
    server.settle()
    tip = server.git("rev-parse", "main")
    assert tip == clone.git("rev-parse", "HEAD")
    # The candidate itself was never pushed: what is known of the run came with the notes.
    assert f"{tip[:10]} by Ada Writer <ada@example.org>, run {run_id}: Squashed (#1)" in server.log("target")
    run = server.wiki.find(run_id)
    assert run.status == "committed"
    assert run.landed is not None
    assert run.landed.commit == tip
    assert store.landed_runs(server.wiki.context(), tip) == [run_id]
    assert clone.answer(run_id).landed == run.landed


def test_what_log_sync_writes_is_let_in(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run()
    with pytest.raises(Killed):
        clone.wiki.finish(run_id, killing("swap"))
    clone.sync()
    merged_by_hand(clone, run_id)
    clone.push("origin", "main")
    server.settle()
    assert run_id not in server.git("show", "main:wiki/log.md")
    done = logsync.sync(clone.wiki.context(), MAIN, push=True)
    assert done.pushed
    assert server.git("rev-parse", "main") == done.commit
    assert run_id in server.git("show", "main:wiki/log.md")
    server.settle()


def test_a_line_that_is_nobodys_is_not_let_in(server: Server) -> None:
    clone = server.clone()
    before = server.git("rev-parse", "main")
    log = clone.folder / "wiki/log.md"
    log.write_text(log.read_text() + "- 2024-01-02 cascade: +wiki/p000.md (run made-up)\n")
    clone.git("commit", "--quiet", "--all", "--message", "Mine\n\nAssay-Log: made-up")
    with pytest.raises(AssertionError, match="the log is written by the tool alone"):
        clone.push("origin", "main")
    assert server.git("rev-parse", "main") == before


def test_a_page_that_somebody_pushes_by_hand_is_on_the_servers_record(server: Server) -> None:
    clone = server.clone()
    (clone.folder / name(7)).write_text(page(7))
    clone.git("add", "--all")
    clone.git("commit", "--quiet", "--message", "By hand")
    clone.push("origin", "main")
    server.settle()
    tip = server.git("rev-parse", "--short=10", "main")
    assert f"{tip} by Ada Writer <ada@example.org>, no run: judged when it was pushed: By hand" in server.log("target")
