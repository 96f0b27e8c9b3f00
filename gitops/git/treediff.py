"""What differs between two trees, in time that goes with the change: subtrees with equal ids are not opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gitops.git import objects
from gitops.git.objects import FOLDER, Item
from gitops.git.repository import Repository


class Entry(NamedTuple):
    """One path that differs: blob ids (a submodule's commit) and modes before and after, None where absent."""

    path: str
    old_blob: str | None
    new_blob: str | None
    old_mode: int | None
    new_mode: int | None


def changed(repository: Repository, old_tree: str | None, new_tree: str | None, prefix: str = "") -> Iterator[Entry]:
    """The files that differ between two trees, below the folder `prefix`; None stands for no tree at all.

    Folders are never named: one that came or went is told file by file, also where a file took its place.
    `Absent` when this clone lacks a tree that has to be opened.
    """
    prefix = prefix.strip("/")
    for name in objects.encode(prefix).split(b"/") if prefix else ():
        old_tree, new_tree = (_subfolder(repository, tree, name) for tree in (old_tree, new_tree))
    yield from _zipped(repository, old_tree, new_tree, objects.encode(prefix + "/" if prefix else ""))


def _subfolder(repository: Repository, tree: str | None, name: bytes) -> str | None:
    items = _items(repository, tree)
    return next((raw.hex() for mode, found, raw in items if found == name and int(mode, 8) == FOLDER), None)


def _items(repository: Repository, tree: str | None) -> list[tuple[bytes, bytes, bytes]]:
    if tree is None:
        return []
    if (found := _recent.get(tree)) is None:
        found = objects.raw_items(objects.read(repository, tree))
        if len(found) <= _SMALL:
            if len(_recent) >= _MOST:
                _recent.clear()
            _recent[tree] = found
    return found


_SMALL, _MOST = 2_000, 64
_recent: dict[str, list[tuple[bytes, bytes, bytes]]] = {}
"""Folders as they were read last, by id: along a history each is asked for twice, as what came and as what was."""


def _zipped(repository: Repository, old: str | None, new: str | None, start: bytes) -> Iterator[Entry]:
    if old == new:
        return
    before, after = _items(repository, old), _items(repository, new)
    same = set(before).intersection(after)
    was = {name: Item(int(mode, 8), name, raw) for mode, name, raw in before if (mode, name, raw) not in same}
    now = {name: Item(int(mode, 8), name, raw) for mode, name, raw in after if (mode, name, raw) not in same}
    for name in sorted(was.keys() | now.keys()):
        yield from _one(repository, was.get(name), now.get(name), start + name)


def _one(repository: Repository, was: Item | None, now: Item | None, path: bytes) -> Iterator[Entry]:
    old_tree, old = _split(was)
    new_tree, new = _split(now)
    if old or new:
        yield Entry(
            objects.decode(path),
            old.id.hex() if old else None,
            new.id.hex() if new else None,
            old.mode if old else None,
            new.mode if new else None,
        )
    if old_tree or new_tree:
        yield from _zipped(repository, old_tree, new_tree, path + b"/")


def _split(item: Item | None) -> tuple[str | None, Item | None]:
    """An entry as (the id of a folder's tree, the file)."""
    if item is None:
        return None, None
    return (item.id.hex(), None) if item.mode == FOLDER else (None, item)
