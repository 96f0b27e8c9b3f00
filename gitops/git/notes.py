"""Records in git notes: one a line, any number of targets in one commit, merged without loss.

Writers never wait for one another and never lose: each reads the ref, unites its lines with what is there, and
moves the ref only if it still stands where it was read; otherwise it begins again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from gitops.errors import CannotRun
from gitops.git import batch, bulk, commits, history, notetree, refs, trees
from gitops.git.commits import Identity
from gitops.git.notetree import NoteTree, union
from gitops.git.objects import EMPTY_TREE
from gitops.git.repository import Repository
from gitops.git.trees import File

__all__ = ["append", "beyond", "merge", "read", "read_all", "read_many", "union"]

MANY = 200
"""From this many changed notes on, one stream to fast-import is cheaper than objects written one by one."""

PATIENCE = 60.0
"""For how many seconds a writer that keeps losing the ref to others tries again."""

Edit = dict[str, File | None]


def read(repository: Repository, ref: str, target: str) -> list[str]:
    """The lines of the note on one target, whatever the depth of its place; [] when there is none."""
    tree = _tree(repository, refs.read(repository, ref))
    return notetree.unpacked(tree.content(tree.on(target)))


def read_all(repository: Repository, ref: str) -> Iterator[tuple[str, list[str]]]:
    """Every target with its lines, in order of the targets' ids, from one version of the ref."""
    tree = _tree(repository, refs.read(repository, ref))
    notes = tree.all()
    contents = batch.read(repository, [blob for found in notes.values() for _, blob in found])
    for target, found in notes.items():
        yield target, notetree.unpacked(notetree.together(list(islice(contents, len(found)))))


def read_many(repository: Repository, ref: str, targets: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Those of some targets that have a note, with its lines, from one version of the ref, in the targets' order."""
    tree = _tree(repository, refs.read(repository, ref))
    notes = {target: found for target in targets if (found := tree.on(target))}
    contents = batch.read(repository, [blob for found in notes.values() for _, blob in found])
    for target, found in notes.items():
        yield target, notetree.unpacked(notetree.together(list(islice(contents, len(found)))))


def append(
    repository: Repository,
    ref: str,
    lines: Mapping[str, Sequence[str]],
    message: str,
    identity: Identity,
    when: int,
) -> None:
    """Add whole lines to the notes on some targets (by full id), in one commit, synced to disk.

    Lines that are there already change nothing, and no commit is made when all are. CannotRun when the ref
    stays locked or others keep moving it.
    """
    wanted = {target: notetree.packed(records) for target, records in lines.items()}

    def attempt(old: str | None) -> str | None:
        tree = _tree(repository, old)
        edit: Edit = {}
        for target, content in wanted.items():
            edit |= tree.change(target, content)
        return _written(repository, tree, edit, [old] if old else [], message, identity, when) if edit else old

    _until_moved(repository, ref, attempt, message)


def merge(repository: Repository, ref: str, theirs: str, message: str, identity: Identity, when: int) -> str:
    """Merge another notes history (its commit) into a ref, and give the commit the ref then names.

    Every line of either side is kept, also one that the other side removed: records are only ever added. Where
    nobody removes, the notes are those of `git notes merge -s cat_sort_uniq`. A side that holds the other's
    history and all its lines is taken as it is; otherwise a commit with both parents is made.
    """

    def attempt(old: str | None) -> str | None:
        if old is None or history.is_ancestor(repository, theirs, old):
            return old or theirs
        tree, other = _tree(repository, old), _tree(repository, theirs)
        if history.is_ancestor(repository, old, theirs) and not _missing(other, tree):
            return theirs
        return _written(repository, tree, _missing(tree, other), [old, theirs], message, identity, when)

    return _until_moved(repository, ref, attempt, message) or theirs


def beyond(repository: Repository, one: str, other: str | None) -> Iterator[tuple[str, list[str]]]:
    """The lines that one version of a notes ref (its commit) has and another lacks, by target."""
    tree = _tree(repository, one)
    before = _tree(repository, other)
    known = before.all()
    for target, found in tree.all().items():
        there = known.get(target, [])
        if [blob for _, blob in there] == [blob for _, blob in found]:
            continue
        lines = set(tree.content(found).split(b"\n")) - set(before.content(there).split(b"\n"))
        if lines - {b""}:
            yield target, notetree.unpacked(b"\n".join(sorted(lines)))


def _missing(tree: NoteTree, other: NoteTree) -> Edit:
    """What has to be written into `tree` so that it holds every line of `other`."""
    here, edit = tree.all(), Edit()
    for target, found in other.all().items():
        if [blob for _, blob in here.get(target, [])] != [blob for _, blob in found]:
            edit |= tree.change(target, other.content(found))
    return edit


def _tree(repository: Repository, commit: str | None) -> NoteTree:
    return NoteTree(repository, commits.read(repository, commit).tree if commit else EMPTY_TREE)


def _written(
    repository: Repository,
    tree: NoteTree,
    edit: Edit,
    parents: list[str],
    message: str,
    identity: Identity,
    when: int,
) -> str:
    if len(edit) >= MANY:
        return bulk.commit(repository, edit, parents, message, identity, when)
    edited = trees.edit(repository, tree.tree_id, edit)
    return commits.write(repository, edited, parents, message, identity, when, sign=False)


def _until_moved(
    repository: Repository, ref: str, attempt: Callable[[str | None], str | None], reason: str
) -> str | None:
    until = time.monotonic() + PATIENCE
    pause = 0.005
    while True:
        old = refs.read(repository, ref)
        new = attempt(old)
        if new == old or new is None or refs.move(repository, ref, new, old, reason):
            return new
        if time.monotonic() >= until:
            raise CannotRun(f"{ref}: other writers kept moving it for {PATIENCE:.0f} seconds", "run the command again")
        time.sleep(random.uniform(0, pause))  # writers that lost together must not meet again
        pause = min(pause * 2, 0.5)
