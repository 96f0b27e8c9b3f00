from __future__ import annotations

from pathlib import Path

import pytest

from gitops.git import notes
from gitops.runs import beginning, health, names
from gitops.runs.health import Symptom
from tests.runs.driving import MAIN, Wiki, candidate
from tests.runs.test_kills import Killed, killing


@pytest.fixture
def settled(wiki: Wiki) -> Wiki:
    """A wiki whose settings are as they should be, and that something has landed in."""
    beginning.configure_notes(wiki.context().repository)
    assert wiki.finish(wiki.run()).result == "landed"
    return wiki


def _found(wiki: Wiki, *, mend: bool = False) -> list[Symptom]:
    return health.examine(wiki.context(), mend=mend)


@pytest.mark.slow
def test_a_sound_repository_has_nothing_wrong(settled: Wiki) -> None:
    before = settled.refs()
    assert _found(settled) == []
    assert _found(settled, mend=True) == []
    assert settled.refs() == before


def test_looking_changes_nothing(settled: Wiki) -> None:
    with pytest.raises(Killed):
        settled.finish(settled.run({"wiki/p001.md": "# One\n"}), killing("published"))
    before, status = settled.refs(), settled.git("status", "--porcelain")
    assert len(_found(settled)) > 0
    assert (settled.refs(), settled.git("status", "--porcelain")) == (before, status)


@pytest.mark.parametrize("lock", ["index.lock", "HEAD.lock", "refs/heads/main.lock", "refs/notes/assay/runs.lock"])
@pytest.mark.slow
def test_a_lock_that_was_left_is_named_and_never_removed(settled: Wiki, lock: str) -> None:
    (settled.folder / ".git" / lock).write_text("")
    symptoms = [s for s in _found(settled, mend=True) if lock in s.what]
    assert [s.mended for s in symptoms] == [False]
    assert symptoms[0].mend.startswith("if none is: rm ")
    assert (settled.folder / ".git" / lock).exists()


def test_settings_that_lack_are_named_then_made(wiki: Wiki) -> None:
    wiki.git("remote", "add", "origin", str(wiki.folder))
    lacking = [s for s in _found(wiki) if s.what.startswith("git config")]
    assert len(lacking) == len(names.NOTES) + 1
    assert all(s.mended for s in _found(wiki, mend=True))
    assert _found(wiki) == []


def test_a_damaged_line_is_told_where_it_stands(settled: Wiki) -> None:
    context = settled.context()
    lines = {str(settled.ref(MAIN)): ["gibberish"]}
    for ref in (names.RUNS, names.VERDICTS):
        notes.append(context.repository, ref, lines, "by hand", context.identity, context.epoch)
    told = [symptom.what.partition(" on ")[0] for symptom in _found(settled)]
    assert told == [names.RUNS, names.VERDICTS]
    assert settled.told == [], "it is a symptom, told once"


def test_a_target_that_was_moved_back_is_noticed(settled: Wiki) -> None:
    settled.git("reset", "--quiet", "--hard", "main~1")
    found = [symptom for symptom in _found(settled) if "is recorded as landed, but" in symptom.what]
    assert [symptom.mend for symptom in found] == ["somebody moved main, or it is not fetched: git reflog main"]


@pytest.mark.slow
def test_an_index_that_lies_is_made_anew(settled: Wiki, tmp_path: Path) -> None:
    from gitops.index import records as rows
    from gitops.runs import mirror

    with mirror.opened(settled.context()) as index:
        index.execute("UPDATE runs SET status = 'abandoned'")
    assert [s.what for s in _found(settled)] == ["the index does not say what the notes say"]
    assert [s.mended for s in _found(settled, mend=True)] == [True]
    assert _found(settled) == []
    with mirror.opened(settled.context()) as index:
        assert [row["status"] for row in rows.runs(index)] == ["committed"]


@pytest.mark.slow
def test_a_worktree_left_behind_by_an_intake_is_brought_along(settled: Wiki) -> None:
    tree = settled.git("rev-parse", "main^{tree}")
    blob = settled.git("hash-object", "-w", "notes.txt")
    settled.git("update-index", "--add", "--cacheinfo", f"100644,{blob},raw/more.md")
    ahead = settled.git("commit-tree", "-p", "main", "-m", "More", settled.git("write-tree"))
    settled.git("read-tree", tree)
    settled.git("update-ref", MAIN, ahead)
    (settled.folder / "notes.txt").write_text("mine\n")
    assert settled.git("status", "--porcelain").splitlines() == [" M notes.txt", "D  raw/more.md"]
    assert any("shows the files of" in symptom.what for symptom in _found(settled))
    assert any(symptom.mended for symptom in _found(settled, mend=True))
    assert settled.git("status", "--porcelain") == " M notes.txt"


def test_what_a_person_staged_is_not_taken_for_a_lag(settled: Wiki) -> None:
    (settled.folder / "wiki/p000.md").unlink()
    settled.git("add", "--all")
    assert _found(settled, mend=True) == []
    assert settled.git("status", "--porcelain") == "D  wiki/p000.md"


def test_a_ref_to_what_is_not_there_is_named(settled: Wiki) -> None:
    run = settled.run({"wiki/p001.md": "# One\n"})
    place = settled.folder / ".git" / candidate(run)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("e" * 40 + "\n")
    told = [symptom.what for symptom in _found(settled)]
    assert any(candidate(run) in what and "is not there" in what for what in told)


def test_a_shallow_clone_is_told(settled: Wiki, tmp_path: Path) -> None:
    settled.git("clone", "--quiet", "--depth", "1", f"file://{settled.folder}", str(tmp_path / "shallow"))
    assert _found(Wiki(tmp_path / "shallow"))[0].what.startswith("the clone is shallow")
