from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git import notes
from gitops.runs import names, store, syncing
from gitops.runs.syncing import Synced
from tests.runs.driving import Wiki, name, page

Pair = tuple[Wiki, Wiki, Wiki]
RUNS = names.RUNS
STRAY = "not json at all"


@pytest.fixture
def pair(wiki: Wiki, tmp_path: Path, make_repository: Callable[..., Path]) -> Pair:
    """A bare server, reached over file://, and two clones of it."""
    server = Wiki(make_repository(bare=True, name="server"))
    wiki.git("push", "--quiet", str(server.folder), "main")
    for each in ("one", "two"):
        wiki.git("clone", "--quiet", f"file://{server.folder}", str(tmp_path / each))
    return server, Wiki(tmp_path / "one"), Wiki(tmp_path / "two")


def sync(wiki: Wiki, **options: Any) -> Synced:
    return syncing.sync(wiki.context(), "origin", **options)


def lines(wiki: Wiki, ref: str = RUNS) -> set[tuple[str, str]]:
    found = notes.read_all(wiki.context().repository, ref)
    return {(target, line) for target, some in found for line in some}


def add(wiki: Wiki, target: str, *some: str, ref: str = RUNS) -> None:
    context = wiki.context()
    notes.append(context.repository, ref, {target: list(some)}, "test", context.identity, context.epoch)


def hook(server: Wiki, name: str, script: str) -> None:
    path = server.folder / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def sound(server: Wiki) -> None:
    """Nothing torn: every object that a ref leads to is there, and every note is one."""
    server.git("fsck", "--strict", "--no-dangling")
    assert not list(server.folder.rglob("refs/**/*.lock"))


@pytest.mark.slow
def test_a_remote_without_notes_gets_them_and_another_clone_has_them_after(pair: Pair) -> None:
    server, one, two = pair
    landed = one.finish(one.run())
    done = sync(one)
    assert {each.ref: (each.came, each.went > 0) for each in done.notes} == {
        names.RUNS: (0, True), names.VERDICTS: (0, True), names.EVALS: (0, False), names.FEEDBACK: (0, False)
    }  # fmt: skip
    assert server.refs().count("refs/notes/assay/") == 2
    assert sum(each.came for each in sync(two).notes) == sum(each.went for each in done.notes)
    assert two.find(landed.run).status == "committed"
    assert lines(two) == lines(one) == lines(server)


@pytest.mark.slow
def test_the_index_knows_what_came(pair: Pair, tmp_path: Path) -> None:
    _, one, two = pair
    two.finish(two.run({name(1): page(1)}))
    one.finish(one.run())
    sync(one)
    sync(two)
    live = two.index()
    assert len(live["runs"]) == 2
    (tmp_path / "anew").mkdir()
    assert live == two.rebuilt_index(tmp_path / "anew")


def test_a_second_sync_moves_nothing(pair: Pair) -> None:
    server, one, _ = pair
    one.finish(one.run())
    sync(one)
    before = (one.refs(), server.refs())
    done = sync(one)
    assert [(each.came, each.went) for each in done.notes] == [(0, 0)] * 4
    assert (one.refs(), server.refs()) == before


def test_two_clones_that_went_apart_come_together_without_loss(pair: Pair) -> None:
    server, one, two = pair
    tip = one.git("rev-parse", "main")
    add(one, tip, "1")
    add(two, tip, "2")
    sync(one)
    sync(two)
    sync(one)
    assert lines(one) == lines(two) == lines(server) == {(tip, "1"), (tip, "2")}
    assert one.ref(RUNS) == two.ref(RUNS) == server.ref(RUNS)


def test_lines_that_are_no_records_are_kept_and_told(pair: Pair) -> None:
    server, one, two = pair
    tip = one.git("rev-parse", "main")
    add(one, tip, STRAY)
    sync(one)
    done = sync(two)
    assert [each.no_records for each in done.notes if each.ref == RUNS] == [1]
    assert any(STRAY in told and tip[:10] in told and "no record" in told for told in two.told)
    assert (tip, STRAY) in lines(two)
    assert (tip, STRAY) in lines(server)


def test_a_line_that_was_taken_out_here_is_put_back(pair: Pair) -> None:
    server, one, _ = pair
    tip = one.git("rev-parse", "main")
    add(one, tip, "kept")
    sync(one)
    one.git("notes", "--ref=assay/runs", "remove", tip)
    assert lines(one) == set()
    sync(one)
    assert lines(one) == lines(server) == {(tip, "kept")}


def test_a_line_that_was_taken_out_there_comes_back(pair: Pair) -> None:
    server, one, _ = pair
    tip = one.git("rev-parse", "main")
    add(one, tip, "kept")
    sync(one)
    server.git("notes", "--ref=assay/runs", "remove", tip)
    sync(one)
    assert lines(server) == {(tip, "kept")}


def test_notes_that_are_begun_anew_there_are_united_with_ours(pair: Pair) -> None:
    server, one, _ = pair
    tip = one.git("rev-parse", "main")
    add(one, tip, "old")
    sync(one)
    server.git("update-ref", "-d", RUNS)
    add(server, tip, "new")
    sync(one)
    assert lines(one) == lines(server) == {(tip, "old"), (tip, "new")}


def test_a_remote_whose_notes_were_deleted_gets_them_again(pair: Pair) -> None:
    server, one, _ = pair
    add(one, one.git("rev-parse", "main"), "old")
    sync(one)
    server.git("update-ref", "-d", RUNS)
    sync(one)
    assert server.ref(RUNS) == one.ref(RUNS)


def test_notes_that_are_not_ours_and_candidates_are_left_alone(pair: Pair) -> None:
    server, one, two = pair
    tip = one.git("rev-parse", "main")
    for ref in ("refs/notes/commits", "refs/notes/assay/else", "refs/assay/candidate/abc", "refs/assay/kept/No_Id"):
        one.git("update-ref", ref, tip)
        two.git("push", "--quiet", "origin", f"{tip}:{ref}-there")
    add(one, tip, "1")
    before = server.refs()
    done = sync(one)
    gained = set(server.refs().splitlines()) - set(before.splitlines())
    assert [line.split("\t")[1] for line in gained] == [RUNS]
    assert not re.search("-there", one.refs())
    assert (done.kept_came, done.kept_went) == ((), ())


def test_transcripts_go_on_demand(pair: Pair) -> None:
    server, one, two = pair
    add(one, one.git("rev-parse", "main"), "said", ref=names.TRANSCRIPTS)
    sync(one)
    assert server.ref(names.TRANSCRIPTS) is None
    sync(one, transcripts=True)
    sync(two)
    assert two.ref(names.TRANSCRIPTS) is None
    sync(two, transcripts=True)
    assert two.ref(names.TRANSCRIPTS) == one.ref(names.TRANSCRIPTS)


@pytest.mark.slow
def test_what_is_kept_goes_and_comes(pair: Pair) -> None:
    server, one, two = pair
    rejected = one.finish(one.run({name(0): page(0, "the sea stands still")}))
    kept = names.kept(rejected.run.id)
    assert sync(one).kept_went == (rejected.run.id,)
    assert server.ref(kept) == one.ref(kept) is not None
    assert sync(two).kept_came == (rejected.run.id,)
    assert two.ref(kept) == one.ref(kept)
    done = sync(two)
    assert (done.kept_came, done.kept_went) == ((), ())


def test_what_is_kept_otherwise_there_changes_on_neither_side(pair: Pair) -> None:
    server, one, _ = pair
    mine = one.git("commit-tree", "-m", "mine", "main^{tree}")
    theirs = server.git("commit-tree", "-m", "theirs", "main^{tree}")
    one.git("update-ref", names.kept("abc"), mine)
    server.git("update-ref", names.kept("abc"), theirs)
    assert sync(one).differing == ("abc",)
    assert (one.ref(names.kept("abc")), server.ref(names.kept("abc"))) == (mine, theirs)
    assert one.ref("refs/assay/remote/origin/kept/abc") == theirs
    assert any("keeps abc otherwise" in told for told in one.told)


def test_a_server_that_takes_nothing_that_is_kept_is_told_and_has_the_notes(pair: Pair) -> None:
    server, one, _ = pair
    hook(server, "pre-receive", "if grep -q refs/assay/kept; then echo 'kept is ours' >&2; exit 1; fi")
    one.finish(one.run({name(0): page(0, "the sea stands still")}))
    done = sync(one)
    assert "kept is ours" in done.refused
    assert any("kept is ours" in told for told in one.told)
    assert server.ref(RUNS) == one.ref(RUNS)


@pytest.mark.slow
def test_a_dry_run_says_what_a_sync_would_do_and_does_nothing(pair: Pair) -> None:
    server, one, two = pair
    two.finish(two.run({name(1): page(1)}))
    sync(two)
    one.finish(one.run({name(0): page(0, "the sea stands still")}))
    before = (server.refs(), lines(one), lines(one, names.VERDICTS))
    would = sync(one, dry_run=True)
    assert (server.refs(), lines(one), lines(one, names.VERDICTS)) == before
    did = sync(one)
    assert [(each.came, each.went) for each in would.notes] == [(each.came, each.went) for each in did.notes]
    assert (would.kept_came, would.kept_went) == (did.kept_came, did.kept_went)
    assert sum(each.came for each in did.notes) > 0 < sum(each.went for each in did.notes)


@pytest.mark.slow
def test_who_is_overtaken_fetches_and_pushes_again(pair: Pair) -> None:
    server, one, two = pair
    tip = one.git("rev-parse", "main")
    add(one, tip, "1")
    add(two, tip, "2")
    # Two is faster: it syncs while one's push is at the server's door.
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom tests.runs.driving import Wiki\nfrom gitops.runs import syncing\n"
        "syncing.sync(Wiki(Path(sys.argv[2])).context(), 'origin')\n"
    )
    script = server.folder / "overtake.py"
    script.write_text(code)
    root = Path(__file__).parents[2]
    command = f"{sys.executable} {script} {root} {two.folder}"
    hook(server, "pre-receive", f"[ -e once ] && exit 0\ntouch once\nunset GIT_QUARANTINE_PATH GIT_DIR\n{command}")
    waited: list[float] = []
    sync(one, wait=waited.append)
    assert len(waited) == 1
    assert lines(one) == lines(server) == {(tip, "1"), (tip, "2")}


@pytest.mark.parametrize("name_", ["pre-receive", "update"])
def test_a_server_whose_hook_refuses_is_asked_once(pair: Pair, name_: str) -> None:
    server, one, _ = pair
    hook(server, name_, "echo asked >>asked; echo 'not today' >&2; exit 1")
    add(one, one.git("rev-parse", "main"), "1")
    before = lines(one)
    with pytest.raises(CannotRun, match="origin did not take the notes: not today"):
        sync(one, wait=lambda _: pytest.fail("it is not asked again"))
    assert (server.folder / "asked").read_text() == "asked\n"
    assert lines(one) == before
    sound(server)


def test_a_server_where_another_is_at_the_same_notes_is_asked_again(pair: Pair) -> None:
    server, one, _ = pair
    add(one, one.git("rev-parse", "main"), "1")
    lock = server.folder / f"{RUNS}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    sync(one, wait=lambda _: lock.unlink())
    assert lines(server) == lines(one)


def test_a_server_that_goes_on_being_written_to_is_told_after_a_bounded_number_of_tries(pair: Pair) -> None:
    server, one, _ = pair
    apart = "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES"
    move = "git -c user.name=Eve -c user.email=eve@example.org notes --ref=assay/runs append -m x main"
    hook(server, "pre-receive", f"{apart}\n{move}\necho 'not today' >&2\nexit 1")
    add(one, one.git("rev-parse", "main"), "1")
    before = lines(one)
    waited: list[float] = []
    with pytest.raises(CannotRun, match="origin did not take the notes: not today"):
        sync(one, wait=waited.append)
    assert len(waited) == syncing.TRIES - 1
    assert sum(waited) < 20
    assert before < lines(one)
    sound(server)


@pytest.mark.slow
def test_what_came_is_there_and_in_the_index_though_the_push_is_refused(pair: Pair) -> None:
    server, one, two = pair
    landed = two.finish(two.run())
    sync(two)
    hook(server, "pre-receive", "exit 1")
    add(one, one.git("rev-parse", "main"), "1")
    with pytest.raises(CannotRun):
        sync(one, wait=lambda _: None)
    assert one.find(landed.run).status == "committed"
    assert len(one.index()["runs"]) == 1


def test_a_server_that_dies_between_two_refs_is_finished_by_the_next_push(pair: Pair) -> None:
    server, one, _ = pair
    one.finish(one.run())
    # The second ref's update hook kills receive-pack, which has moved the first one.
    hook(server, "update", "echo >>seen; [ $(wc -l <seen) -eq 2 ] && kill -9 $PPID; exit 0")
    torn: list[int] = []
    sync(one, wait=lambda _: torn.append(server.refs().count("refs/notes/assay/")))
    assert torn == [1]
    assert lines(server) == lines(one)
    assert lines(server, names.VERDICTS) == lines(one, names.VERDICTS)
    sound(server)


@pytest.mark.slow
def test_a_server_that_dies_each_time_leaves_nothing_torn(pair: Pair) -> None:
    server, one, _ = pair
    one.finish(one.run())
    hook(server, "pre-receive", "kill -9 $PPID")
    with pytest.raises(CannotRun, match="origin did not take the notes"):
        sync(one, wait=lambda _: None)
    assert "refs/notes" not in server.refs()
    sound(server)
    (server.folder / "hooks/pre-receive").unlink()
    sync(one)
    assert lines(server) == lines(one)


def test_a_server_that_is_gone_is_told(pair: Pair) -> None:
    server, one, _ = pair
    server.folder.rename(server.folder.with_name("gone"))
    with pytest.raises(CannotRun):
        sync(one)


def test_a_ref_that_holds_no_notes_is_told(pair: Pair) -> None:
    server, one, _ = pair
    blob = server.git("rev-parse", "main:assay.toml")
    server.git("update-ref", RUNS, blob)
    before = one.ref(RUNS)
    with pytest.raises(CannotRun, match="is a blob, not notes"):
        sync(one)
    assert one.ref(RUNS) == before


def test_a_partial_clone_gets_the_notes_whole(pair: Pair, tmp_path: Path) -> None:
    server, one, _ = pair
    landed = one.finish(one.run())
    sync(one)
    server.git("config", "uploadpack.allowFilter", "true")
    server.git("clone", "--quiet", "--filter=blob:none", f"file://{server.folder}", str(tmp_path / "partial"))
    partial = Wiki(tmp_path / "partial")
    assert partial.context().repository.is_partial
    sync(partial)
    assert lines(partial) == lines(one)
    assert store.exact(partial.context(), landed.run.id) is not None


def test_a_bare_clone_syncs_too(pair: Pair, tmp_path: Path) -> None:
    server, one, _ = pair
    one.finish(one.run())
    sync(one)
    server.git("clone", "--quiet", "--bare", f"file://{server.folder}", str(tmp_path / "bare"))
    bare = Wiki(tmp_path / "bare")
    bare.git("update-ref", "-d", RUNS)
    sync(bare)
    assert lines(bare) == lines(one)


def test_hooks_are_not_called_by_the_push_of_notes(pair: Pair) -> None:
    _, one, _ = pair
    (one.folder / ".git/hooks/pre-push").write_text("#!/bin/sh\nexit 1\n")
    (one.folder / ".git/hooks/pre-push").chmod(0o755)
    one.finish(one.run())
    sync(one)


def test_which_remote_is_meant(pair: Pair) -> None:
    server, one, _ = pair
    assert syncing.remote_of(one.context(), None) == "origin"
    one.git("remote", "rename", "origin", "hub")
    assert syncing.remote_of(one.context(), None) == "hub"
    one.git("remote", "add", "other", str(server.folder))
    assert syncing.remote_of(one.context(), None) == "hub"  # main follows it
    one.git("branch", "--unset-upstream")
    with pytest.raises(UsageError, match="not clear") as caught:
        syncing.remote_of(one.context(), None)
    assert "hub, other" in caught.value.hint
    one.git("remote", "add", "origin", str(server.folder))
    assert syncing.remote_of(one.context(), None) == "origin"
    with pytest.raises(UsageError, match="no remote 'elsewhere'"):
        syncing.remote_of(one.context(), "elsewhere")


def test_without_a_remote_there_is_nothing_to_be_in_step_with(wiki: Wiki) -> None:
    with pytest.raises(UsageError, match="no remote") as caught:
        syncing.remote_of(wiki.context(), None)
    assert caught.value.hint == "git remote add origin URL"


@pytest.mark.slow
def test_ten_clones_at_once_lose_no_line(pair: Pair, tmp_path: Path) -> None:
    server, one, _ = pair
    tip = one.git("rev-parse", "main")
    clones = []
    for number in range(10):
        shutil.copytree(one.folder, tmp_path / f"clone{number}", symlinks=True)
        clones.append(Wiki(tmp_path / f"clone{number}"))
        add(clones[-1], tip, f"run {number}")
        add(clones[-1], tip, f"verdict {number}", ref=names.VERDICTS)
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "gitops", "-q", "sync"]
    started = [
        subprocess.Popen(
            command, cwd=each.folder, env={**os.environ, "PYTHONPATH": root}, stderr=subprocess.PIPE, text=True
        )
        for each in clones
    ]
    until = time.monotonic() + 120
    ended = [(each.communicate(timeout=max(1, until - time.monotonic()))[1], each.returncode) for each in started]
    assert [code for _, code in ended] == [0] * 10, ended
    assert {line for _, line in lines(server)} == {f"run {number}" for number in range(10)}
    assert {line for _, line in lines(server, names.VERDICTS)} == {f"verdict {number}" for number in range(10)}
    sound(server)
