"""The folders of a tree that hold a policy, found without reading one: what reads it takes long to load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gitops.git import objects
from gitops.git.objects import FOLDER, SUBMODULE
from gitops.git.snapshot import TreeSnapshot

FILE_NAME = "assay.toml"
"""`config.FILE_NAME`, which is one of the things that take long."""
DEPTH = 4
"""How many folders deep a workspace may lie and still be found."""
_NAME = FILE_NAME.encode()
_MOST = 20_000


class _Folder(NamedTuple):
    """What counts of one folder: whether a policy lies in it, and the folders in it with their trees."""

    has_policy: bool
    inside: tuple[tuple[str, str], ...]


_KNOWN: dict[str, _Folder] = {}
"""By tree id, so that of two commits only what differs is looked through."""


def roots(tree: TreeSnapshot, start: str = "") -> Iterator[str]:
    """The folders that hold an `assay.toml`, from the top (or a folder) down, no deeper than is sensible."""
    top = tree.folder_id(start)
    edge = [(start, top)] if top is not None else []
    for _ in range(DEPTH):
        below: list[tuple[str, str]] = []
        for folder, tree_id in edge:
            found = _look(tree, tree_id)
            if found.has_policy:
                yield folder
            below += [(f"{folder}/{name}" if folder else name, inside) for name, inside in found.inside]
        edge = below


def _look(tree: TreeSnapshot, tree_id: str) -> _Folder:
    if (known := _KNOWN.get(tree_id)) is None:
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        known = _KNOWN[tree_id] = _read(objects.read(tree.repository, tree_id))
    return known


def _read(data: bytes) -> _Folder:
    # Most folders hold pages and nothing else, and are told by a glance.
    if b"40000 " not in data and _NAME not in data:
        return _Folder(False, ())
    entries = [(int(mode, 8), name, raw) for mode, name, raw in objects.raw_items(data)]
    has_policy = any(name == _NAME and mode not in (FOLDER, SUBMODULE) for mode, name, _ in entries)
    return _Folder(
        has_policy, tuple((objects.decode(name), raw.hex()) for mode, name, raw in entries if mode == FOLDER)
    )
