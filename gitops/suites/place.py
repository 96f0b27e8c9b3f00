"""Where a suite is run: the tree that is measured, written to a temporary folder, with the suite's own folder in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.git.snapshot import TreeSnapshot
from gitops.runs.context import Context
from gitops.suites.scratch import Scratch
from gitops.suites.target import Place
from gitops.wiki.snapshot import EXECUTABLE, SYMLINK

_UNSAFE = frozenset(("", ".", "..", ".git"))


@contextmanager
def exported(context: Context, tree: TreeSnapshot, suite_folder: str, workspace_folder: str) -> Iterator[Place]:
    """A tree on disk, for as long as it is open: exactly its bytes, and no repository.

    The folders are repository paths, that of a workspace which is the whole repository ''. What a submodule holds is
    not there, and told. CannotRun where a file cannot be written.
    """
    try:
        scratch = Scratch()
    except OSError as error:
        raise CannotRun(f"no temporary folder can be made: {error}", "make room in TMPDIR") from error
    try:
        root = Path(scratch.folder) / "tree"
        root.mkdir()
        _write(context, tree, root)
        yield Place(root, root / suite_folder, root / workspace_folder)
    finally:
        scratch.close()


def _write(context: Context, tree: TreeSnapshot, root: Path) -> None:
    """Files first, then links: nothing is written through one, whatever names this file system takes for the same."""
    made: set[str] = {""}
    base = os.fspath(root)
    for path in sorted(tree.paths(), key=lambda path: tree.mode(path) == SYMLINK):
        if not _UNSAFE.isdisjoint(path.split("/")):
            raise CannotRun(f"the tree has a file called {path}, which is written nowhere", "git rm it")
        folder = path.rpartition("/")[0]
        try:
            if folder not in made:
                os.makedirs(f"{base}/{folder}", exist_ok=True)
                made.add(folder)
            _put(tree, path, f"{base}/{path}")
        except Absent as error:
            if tree.blob(path) is None:  # a submodule
                context.warn_once(f"{error}: it is not there for what is measured")
                continue
            raise CannotRun(f"this clone lacks {path}, which is part of what is measured", FETCH_MORE) from error
        except (OSError, ValueError) as error:
            raise CannotRun(f"{path} cannot be written to {root}: {error}", "make room in TMPDIR") from error


def _put(tree: TreeSnapshot, path: str, place: str) -> None:
    data, mode = tree.read(path), tree.mode(path)
    if mode == SYMLINK:
        os.symlink(os.fsdecode(data), place)
        return
    with open(place, "xb") as file:
        file.write(data)
    if mode == EXECUTABLE:
        os.chmod(place, 0o755)
