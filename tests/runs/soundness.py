"""What must hold after a kill at any point of a landing, as one assertion, and how the landing is taken up again."""

from __future__ import annotations

import json
from pathlib import Path

from gitops.canonical import strict_json
from gitops.runs import health, names, store, sweep
from gitops.runs.records import id_of
from tests.runs.driving import MAIN, Wiki

MINE = "mine, unsaved\n"


def assert_sound(wiki: Wiki, base: str) -> None:
    """The repository is whole; the target is old or new, never new without its verdict; the user's edit is there."""
    assert wiki.git("fsck", "--no-dangling", "--connectivity-only") == ""
    tip = wiki.ref(MAIN)
    assert tip is not None
    if tip != base:
        assert wiki.git("rev-parse", f"{tip}^1") == base
        assert _lets(wiki, tip), f"{tip} stands without a verdict"
    assert (wiki.folder / "notes.txt").read_text() == MINE


def _lets(wiki: Wiki, commit: str) -> bool:
    """Read with git alone, so that our own reading is not trusted to judge itself."""
    note = wiki.git("notes", f"--ref={names.VERDICTS}", "show", commit, check=False)
    verdicts = [strict_json(line) for line in note.splitlines()]
    tree = wiki.git("rev-parse", f"{commit}^{{tree}}")
    return any(
        each["verdict"] == "commit"
        and each["id"] == id_of(each)
        and (each["candidate"], each["tree"]) == (commit, tree)
        for each in verdicts
    )


def remove_locks(wiki: Wiki) -> None:
    """What a person does whom doctor has told of a lock that a killed git left."""
    own = wiki.folder / ".git" / "assay"
    left = [lock for lock in (wiki.folder / ".git").rglob("*.lock") if lock.parent != own]
    told = " ".join(symptom.what for symptom in health.examine(wiki.context(), mend=False)) if left else ""
    for lock in left:
        assert str(lock) in told
        lock.unlink()


def assert_converges(wiki: Wiki, run_id: str, base: str, scratch: Path, *, doctor: bool = True) -> None:
    """Finished again, the run is committed once; worktree, log and index say so."""
    remove_locks(wiki)
    context = wiki.context()
    sweep.quick(context)
    outcome = wiki.finish(run_id)
    assert outcome.result == "landed"
    assert wiki.find(run_id).status == "committed"
    assert wiki.ref(MAIN) == outcome.commit
    assert wiki.git("rev-parse", f"{outcome.commit}^1") == base
    assert wiki.show("wiki/log.md").count(run_id) == 1
    assert wiki.git("status", "--porcelain") == " M notes.txt"
    assert wiki.ref(names.branch(run_id)) is wiki.ref(names.candidate(run_id)) is None
    if doctor:
        assert _left_to_mend(wiki) == []
    assert wiki.index() == wiki.rebuilt_index(scratch)
    assert_sound(wiki, base)


def _left_to_mend(wiki: Wiki) -> list[health.Symptom]:
    return [s for s in health.examine(wiki.context(), mend=True) if "git config" not in s.what and not s.mended]


def summaries(wiki: Wiki, commit: str) -> list[str]:
    """What `git log --notes` shows a person of the verdicts on a commit."""
    note = wiki.git("notes", f"--ref={names.VERDICTS}", "show", commit)
    return [json.loads(line)["summary"] for line in note.splitlines()]


def verdict_count(wiki: Wiki) -> int:
    return len(store.all_verdicts(wiki.context()))
