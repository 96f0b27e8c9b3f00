"""The folders of a tree that hold a policy, found without reading one: what reads it takes long to load."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.git.snapshot import TreeSnapshot

FILE_NAME = "assay.toml"
"""`config.FILE_NAME`, which is one of the things that take long."""
DEPTH = 4
"""How many folders deep a workspace may lie and still be found."""


def roots(tree: TreeSnapshot, start: str = "") -> Iterator[str]:
    """The folders that hold an `assay.toml`, from the top (or a folder) down, no deeper than is sensible."""
    edge = [start]
    for _ in range(DEPTH):
        below: list[str] = []
        for folder in edge:
            if tree.blob(f"{folder}/{FILE_NAME}" if folder else FILE_NAME) is not None:
                yield folder
            below += tree.folders(folder)
        edge = below
