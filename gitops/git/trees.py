"""Edits to a tree, made in the object store alone: no checkout, no index, and only the trees along the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from gitops.errors import CannotRun, UsageError
from gitops.git import objects
from gitops.git.objects import EXECUTABLE, FOLDER, REGULAR, SUBMODULE, SYMLINK, Item
from gitops.git.repository import Repository

File = tuple[bytes | str, int]
"""A file to write: its content, or the id of a blob that is there already; and its git mode."""

_Changes = dict[bytes, File | None]


def edit(repository: Repository, tree_id: str, changes: Mapping[str, File | None]) -> str:
    """The id of the tree that has these files written, and those with None removed.

    A folder whose last file goes, goes too. UsageError for a path that git does not allow, for the removal
    of what is not there, and where a file would take a folder's place or the other way round (unless the
    same edit removes the file); CannotRun for a blob id that is not here.
    """
    by_bytes = {objects.encode(path): change for path, change in changes.items()}
    for path in by_bytes:
        _refuse_path(path)
    return _edited(repository, tree_id, by_bytes, b"") or objects.write_tree(repository, ())


def _edited(repository: Repository, tree_id: str, changes: _Changes, start: bytes) -> str | None:
    """The id of the edited folder; None when nothing is left in it."""
    before = objects.raw_items(objects.read(repository, tree_id))
    items = {name: Item(int(mode, 8), name, raw) for mode, name, raw in before}
    here, below = _divided(changes)
    for name, change in sorted(here.items(), key=lambda one: one[1] is not None):
        if name in below and change is not None:
            raise UsageError(f"{_told(start + name)} cannot be both a file and a folder", "write it as one of them")
        _put(repository, items, name, change, start)
    for name, inner in below.items():
        _descend(repository, items, name, inner, start)
    return objects.write_tree(repository, items.values()) if items else None


def _divided(changes: _Changes) -> tuple[_Changes, dict[bytes, _Changes]]:
    here: _Changes = {}
    below: dict[bytes, _Changes] = defaultdict(dict)
    for path, change in changes.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            below[name][rest] = change
        else:
            here[name] = change
    return here, below


def _put(repository: Repository, items: dict[bytes, Item], name: bytes, change: File | None, start: bytes) -> None:
    there = items.get(name)
    if there is not None and there.mode == FOLDER:
        raise UsageError(f"{_told(start + name)} is a folder", "name a file in it, or remove its files first")
    if change is None:
        if there is None:
            raise UsageError(
                f"{_told(start + name)} is not there, so it cannot be removed", "check the path's spelling"
            )
        del items[name]
        return
    content, mode = change
    if mode not in (REGULAR, EXECUTABLE, SYMLINK, SUBMODULE):
        raise UsageError(f"{_told(start + name)}: {mode:o} is not a file mode of git", "100644 is an ordinary file's")
    items[name] = Item(mode, name, bytes.fromhex(_stored(repository, content, mode)))


def _descend(repository: Repository, items: dict[bytes, Item], name: bytes, inner: _Changes, start: bytes) -> None:
    there = items.pop(name, None)
    if there is not None and there.mode != FOLDER:
        raise UsageError(f"{_told(start + name)} is a file, so nothing can stand below it", "choose another folder")
    folder = there.id.hex() if there else objects.EMPTY_TREE
    edited = _edited(repository, folder, inner, start + name + b"/")
    if edited is not None:
        items[name] = Item(FOLDER, name, bytes.fromhex(edited))


def _stored(repository: Repository, content: bytes | str, mode: int) -> str:
    if isinstance(content, bytes):
        return objects.write_blob(repository, content)
    # A submodule's commit lies elsewhere, and a partial clone may name what it does not hold.
    if mode != SUBMODULE and not repository.is_partial and not objects.exists(repository, content):
        raise CannotRun(f"blob {content} is not in this repository", "git fetch, or write the content instead")
    return content


def _refuse_path(path: bytes) -> None:
    names = path.split(b"/")
    if b"\0" in path or any(name in (b"", b".", b"..") or name.lower() == b".git" for name in names):
        raise UsageError(f"{_told(path)}: not a path that git allows", "use a path relative to the repository's top")


def _told(path: bytes) -> str:
    return path.decode("utf-8", "replace")
