from __future__ import annotations

import os
from pathlib import Path

from gitops.runs import fetched, names, store
from tests.runs.driving import Wiki, name, page


def clone_of(wiki: Wiki, place: Path) -> Wiki:
    wiki.git("clone", "--quiet", f"file://{wiki.folder}", os.fspath(place))
    return Wiki(place, wiki.now)


def fetch(clone: Wiki) -> None:
    clone.git("fetch", "--quiet", "origin", "+refs/notes/*:refs/notes/remotes/origin/*")


def test_where_nothing_was_fetched_nothing_moves(wiki: Wiki) -> None:
    wiki.finish(wiki.run())
    before = wiki.refs()
    assert fetched.take(wiki.context()) == 0
    assert wiki.refs() == before


def test_what_git_fetched_counts_and_again_nothing_moves(wiki: Wiki, tmp_path: Path) -> None:
    clone = clone_of(wiki, tmp_path / "clone")
    run = wiki.run()
    wiki.finish(run)
    fetch(clone)
    assert store.exact(clone.context(), run.id) is None
    assert fetched.take(clone.context()) == 2
    assert clone.find(run).status == "committed"
    assert clone.index() == clone.rebuilt_index(tmp_path / "clone")
    before = clone.refs()
    assert fetched.take(clone.context()) == 0
    assert clone.refs() == before


def test_both_sides_keep_what_they_wrote(wiki: Wiki, tmp_path: Path) -> None:
    clone = clone_of(wiki, tmp_path / "clone")
    theirs, ours = wiki.run({name(0): page(0)}), clone.run({name(1): page(1)})
    fetch(clone)
    fetched.take(clone.context())
    assert set(store.all_runs(clone.context())) == {theirs.id, ours.id}


def test_notes_that_are_none_of_ours_are_left_alone(wiki: Wiki, tmp_path: Path) -> None:
    clone = clone_of(wiki, tmp_path / "clone")
    wiki.git("notes", "--ref=refs/notes/commits", "add", "-m", "theirs", "HEAD")
    wiki.git("notes", "--ref=refs/notes/assay/strange", "add", "-m", "theirs", "HEAD")
    fetch(clone)
    assert fetched.take(clone.context()) == 0
    assert clone.ref("refs/notes/commits") is clone.ref("refs/notes/assay/strange") is None
    assert clone.ref(names.RUNS) is None
