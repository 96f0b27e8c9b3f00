from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import health, standing, store
from gitops.runs.outcome import NotLanded
from tests.runs.driving import MAIN, Wiki, candidate, name, page
from tests.runs.test_kills import Killed, killing

Pair = tuple[Wiki, Wiki, Wiki]


@pytest.fixture
def pair(wiki: Wiki, tmp_path: Path, make_repository: Callable[..., Path]) -> Pair:
    """A server and two clones of it, each with a main that follows the server's."""
    server = Wiki(make_repository(bare=True, name="server"))
    wiki.git("push", "--quiet", str(server.folder), "main")
    for each in ("one", "two"):
        wiki.git("clone", "--quiet", str(server.folder), str(tmp_path / each))
    return server, Wiki(tmp_path / "one"), Wiki(tmp_path / "two")


def test_a_branch_that_follows_nothing_cannot_be_pushed(wiki: Wiki) -> None:
    run = wiki.run()
    with pytest.raises(UsageError, match="main has no upstream"):
        wiki.finish(run, push=True)


def test_commits_that_the_server_lacks_go_first(pair: Pair) -> None:
    _, one, _ = pair
    one.git("commit", "--quiet", "--allow-empty", "--message", "Mine")
    with pytest.raises(CannotRun, match="main has commits that origin lacks") as caught:
        one.finish(one.run(), push=True)
    assert caught.value.hint.startswith("git push origin main")


@pytest.mark.slow
def test_a_conflict_with_what_was_not_pulled_says_so(pair: Pair) -> None:
    _, one, two = pair
    run = two.run({name(0): page(9)})
    one.finish(one.run({name(0): page(0)}), push=True)
    with pytest.raises(CannotRun, match=name(0)) as caught:
        two.finish(run, push=True)
    assert caught.value.hint == f"git pull --ff-only, then git assay run rebase {run.id}"
    two.git("pull", "--quiet", "--ff-only")
    with pytest.raises(CannotRun, match=name(0)) as caught:
        two.finish(run, push=True)
    assert caught.value.hint == f"git assay run rebase {run.id}"


@pytest.mark.slow
def test_what_landed_upstream_and_was_not_pulled_is_not_taken_for_lost(pair: Pair) -> None:
    _, one, two = pair
    landed = one.finish(one.run(), push=True)
    one.git("push", "--quiet", "origin", "refs/notes/assay/*")
    two.git("fetch", "--quiet", "origin", "refs/notes/assay/*:refs/notes/assay/*", "main")
    symptoms = [s for s in health.examine(two.context(), mend=True) if "landed" in s.what]
    assert [(s.what, s.mend) for s in symptoms] == [
        ("1 run that landed on main upstream is not in main here", "git pull --ff-only")
    ]
    assert standing.standing(two.context()).undone == ()
    assert two.finish(landed.run).result == "landed"
    assert two.told[-1] == "main here does not have it yet: git pull --ff-only"
    two.git("pull", "--quiet", "--ff-only")
    assert [s for s in health.examine(two.context(), mend=False) if "landed" in s.what] == []


def test_a_server_that_is_gone_is_told(pair: Pair) -> None:
    server, one, _ = pair
    run = one.run()
    server.folder.rename(server.folder.with_name("gone"))
    with pytest.raises(CannotRun):
        one.finish(run, push=True)
    assert one.find(run).status == "pending"


@pytest.mark.parametrize("hook", ["pre-receive", "update"])
@pytest.mark.slow
def test_what_the_server_says_no_with_is_told_and_the_verdict_kept(pair: Pair, hook: str) -> None:
    server, one, _ = pair
    script = server.folder / "hooks" / hook
    script.write_text("#!/bin/sh\necho 'not on a Sunday' >&2\nexit 1\n")
    script.chmod(0o755)
    before, run = server.ref(MAIN), one.run()
    with pytest.raises(NotLanded, match=r"origin refused the push: .*not on a Sunday") as caught:
        one.finish(run, push=True)
    assert (caught.value.exit_code, server.ref(MAIN), one.ref(MAIN)) == (3, before, before)
    waiting = one.find(run)
    assert (waiting.status, waiting.state.verdict, one.ref(candidate(run))) == (
        "pending",
        "commit",
        waiting.state.candidate,
    )
    script.unlink()
    outcome = one.finish(run, push=True)
    assert (outcome.result, server.ref(MAIN)) == ("landed", waiting.state.candidate)


@pytest.mark.slow
def test_two_clones_land_by_turns(pair: Pair) -> None:
    server, one, two = pair
    for number, clone in enumerate((one, two, one, two)):
        clone.git("pull", "--quiet", "--ff-only")
        outcome = clone.finish(clone.run({name(number): page(number)}), push=True)
        assert (outcome.result, server.ref(MAIN), clone.ref(MAIN)) == ("landed", outcome.commit, outcome.commit)
        assert clone.git("status", "--porcelain") == ""
    assert len(server.show("wiki/log.md").splitlines()) == 6


@pytest.mark.slow
def test_the_base_is_the_servers_tip_even_when_ours_is_behind(pair: Pair) -> None:
    server, one, two = pair
    run = two.run({name(1): page(1)})
    first = one.finish(one.run(), push=True)
    outcome = two.finish(run, push=True)
    assert server.git("rev-parse", "main^1") == first.commit
    assert two.ref(MAIN) == server.ref(MAIN) == outcome.commit
    assert (two.folder / name(0)).read_text() == page(0)


@pytest.mark.slow
def test_a_push_that_loses_fetches_again_is_judged_again_and_lands(pair: Pair) -> None:
    server, one, two = pair
    other = two.run({name(1): page(1)})
    won: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "swap" and not won:
            won.append(two.finish(other, push=True).commit)

    outcome = one.finish(one.run(), meanwhile, push=True)
    assert outcome.result == "landed"
    assert server.git("rev-parse", "main", "main^1").splitlines() == [outcome.commit, won[0]]
    assert {verdict.base for verdict in store.all_verdicts(one.context())} == {won[0], one.git("rev-parse", "main~2")}
    assert one.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_what_was_pushed_by_a_killed_process_is_landed_when_it_is_finished_again(pair: Pair) -> None:
    server, one, _ = pair
    run = one.run()
    with pytest.raises(Killed):
        one.finish(run, killing("published"), push=True)
    pushed = server.ref(MAIN)
    assert one.ref(MAIN) != pushed
    one.told.clear()
    assert one.assay("run", "list").returncode == 0
    outcome = one.finish(run, push=True)
    assert (outcome.result, outcome.commit, one.ref(MAIN)) == ("landed", pushed, pushed)
    assert (one.find(run).status, server.ref(MAIN)) == ("committed", pushed)
    assert one.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_a_local_branch_that_cannot_follow_is_told_and_left_alone(pair: Pair) -> None:
    server, one, _ = pair
    (one.folder / "wiki/log.md").write_text("mine\n")
    outcome = one.finish(one.run(), push=True)
    assert (outcome.result, server.ref(MAIN)) == ("landed", outcome.commit)
    assert (one.folder / "wiki/log.md").read_text() == "mine\n"
    assert any("pushed, but" in told for told in one.told)
    one.git("checkout", "--", "wiki/log.md")
    one.git("pull", "--quiet", "--ff-only")
    assert [symptom for symptom in health.examine(one.context(), mend=True) if not symptom.mended] == []
