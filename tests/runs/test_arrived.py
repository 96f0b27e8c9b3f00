from __future__ import annotations

import pytest

from gitops.git import refs
from gitops.index.cache import Cache
from gitops.runs import store
from gitops.runs.arrived import Arrived, looked_at
from gitops.runs.context import CACHE
from tests.runs.driving import MAIN, Wiki, name, page
from tests.runs.test_kills import Killed, killing


def moved_back(wiki: Wiki, to: str) -> None:
    wiki.git("update-ref", MAIN, to)
    wiki.git("reset", "--quiet", "--hard", to)


def squashed(wiki: Wiki) -> tuple[str, str, str]:
    """A run that was verified and could not land, squashed by a button: its id, the base, the button's commit."""
    run = wiki.run()
    base = str(wiki.ref(MAIN))
    with pytest.raises(Killed):
        wiki.finish(run, killing("swap"))
    candidate = wiki.find(run).state.candidate
    wiki.git("merge", "--quiet", "--squash", candidate)
    wiki.git("commit", "--quiet", "--message", "Squashed (#1)")
    return run.id, base, str(wiki.ref(MAIN))


def test_what_was_there_before_the_server_is_not_looked_through(wiki: Wiki) -> None:
    run_id, _, tip = squashed(wiki)
    assert list(looked_at(wiki.context(), MAIN, "", tip)) == []
    assert list(looked_at(wiki.context(), MAIN, "f" * 40, tip)) == []
    assert wiki.find(run_id).status == "verifying"


def test_a_squash_button_lands_its_run(wiki: Wiki) -> None:
    run_id, base, tip = squashed(wiki)
    told = list(looked_at(wiki.context(), MAIN, base, tip))
    assert told[-1] == f"run {run_id} landed as {tip[:10]}, a commit made elsewhere that its verdict covers"
    run = wiki.find(run_id)
    assert run.status == "committed"
    assert run.landed is not None
    assert run.landed.commit == tip
    assert store.landed_runs(wiki.context(), tip) == [run_id]
    again = list(looked_at(wiki.context(), MAIN, base, tip))
    assert again == told[:-1]


def test_a_commit_with_the_same_tree_on_another_base_lands_nothing(wiki: Wiki) -> None:
    run_id, base, tip = squashed(wiki)
    moved_back(wiki, base)
    wiki.git("commit", "--quiet", "--allow-empty", "--message", "Something else")
    other = str(wiki.ref(MAIN))
    wiki.git("read-tree", "-m", "-u", other, tip)
    wiki.git("commit", "--quiet", "--message", "The same files")
    list(looked_at(wiki.context(), MAIN, base, str(wiki.ref(MAIN))))
    assert wiki.find(run_id).status == "verifying"


def test_a_landing_that_was_cut_short_behind_the_commit_point_is_taken_up(wiki: Wiki) -> None:
    run = wiki.run()
    base = str(wiki.ref(MAIN))
    with pytest.raises(Killed):
        wiki.finish(run, killing("committed"))
    tip = str(wiki.ref(MAIN))
    assert (
        list(looked_at(wiki.context(), MAIN, base, tip))[-1]
        == f"run {run.id} landed as {tip[:10]}; its record now says so"
    )
    assert wiki.find(run).status == "committed"


def test_the_digest_of_the_new_tree_is_known(wiki: Wiki) -> None:
    base = str(wiki.ref(MAIN))
    (wiki.folder / name(3)).write_text(page(3))
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "By hand")
    tip = str(wiki.ref(MAIN))
    [told] = looked_at(wiki.context(), MAIN, base, tip)
    assert told == f"{tip[:10]} by Ada Writer <ada@example.org>, no run: judged when it was pushed: By hand"
    context = wiki.context()
    with Cache(context.folder / CACHE) as cache:
        assert cache.get("sha256", "1", context.tree(tip).tree_id) is not None


def test_each_move_is_looked_at_once(wiki: Wiki) -> None:
    said: list[str] = []
    arrived = Arrived(wiki.context, said.append)
    assert arrived.is_due()
    arrived.do()
    assert (arrived.is_due(), said) == (False, [])
    wiki.git("commit", "--quiet", "--allow-empty", "--message", "One")
    assert arrived.is_due()
    arrived.do()
    arrived.do()
    assert [line.rpartition(": ")[2] for line in said] == ["One"]
    assert not Arrived(wiki.context, said.append).is_due()


def test_what_cannot_be_looked_at_is_said_once(wiki: Wiki) -> None:
    said: list[str] = []
    arrived = Arrived(wiki.context, said.append)
    arrived.do()
    run_id, _, tip = squashed(wiki)
    wiki.git("notes", "--ref=refs/notes/assay/verdicts", "list")
    note = wiki.git("rev-parse", "refs/notes/assay/verdicts")
    blob = next(line.split()[2] for line in wiki.git("ls-tree", "-r", note).splitlines())
    (wiki.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    arrived.do()
    assert not arrived.is_due()
    assert any(line.startswith(f"{MAIN} at {tip[:10]}: ") for line in said)
    assert refs.read(wiki.context().repository, MAIN) == tip
    assert run_id


def test_a_fault_of_ours_is_said_and_holds_up_nothing(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_fault(*_: object) -> None:
        raise ValueError("of ours")

    said: list[str] = []
    seen = Arrived(wiki.context, said.append)
    monkeypatch.setattr("gitops.runs.arrived.looked_at", at_fault)
    seen.do()
    assert "this should not happen: ValueError: of ours" in said[0]
    assert "at_fault" in "".join(said[1:])
    assert not seen.is_due()
