"""Where a suite is run: the tree that is measured, written to a temporary folder, with the suite's own folder in it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.git.snapshot import TreeSnapshot
from gitops.runs.context import Context
from gitops.suites.target import Place
from gitops.wiki.snapshot import EXECUTABLE, SYMLINK

_UNSAFE = frozenset(("", ".", "..", ".git"))


@contextmanager
def exported(context: Context, commit: str, suite_folder: str) -> Iterator[Place]:
    """The tree of a commit on disk, for as long as it is open: exactly its bytes, and no repository.

    `suite_folder` is the suite's repository path, or the absolute one of a folder that no commit has.
    """
    with exported_tree(context, context.tree(commit), suite_folder) as place:
        yield place


@contextmanager
def exported_tree(context: Context, tree: TreeSnapshot, suite_folder: str) -> Iterator[Place]:
    """The same of any tree. What a submodule holds is not there, and told. CannotRun where a file cannot be written."""
    base = Path(tempfile.mkdtemp(prefix="assay-tree-"))
    try:
        root = base / "tree"
        root.mkdir()
        _write(context, tree, root)
        yield Place(root, root / suite_folder)
    finally:
        shutil.rmtree(base, onerror=_made_writable)


def _write(context: Context, tree: TreeSnapshot, root: Path) -> None:
    made: set[str] = {""}
    for path in tree.paths():
        if _UNSAFE & set(PurePosixPath(path).parts):
            raise CannotRun(f"the tree has a file called {path}, which is written nowhere", "git rm it")
        folder = path.rpartition("/")[0]
        try:
            if folder not in made:
                os.makedirs(root / folder, exist_ok=True)
                made.add(folder)
            _put(tree, path, root / path)
        except Absent as error:
            if tree.blob(path) is None:  # a submodule
                context.warn_once(f"{error}: it is not there for what is measured")
                continue
            raise CannotRun(f"this clone lacks {path}, which is part of what is measured", FETCH_MORE) from error
        except (OSError, ValueError) as error:
            raise CannotRun(f"{path} cannot be written to {root}: {error}", "make room in TMPDIR") from error


def _put(tree: TreeSnapshot, path: str, place: Path) -> None:
    data, mode = tree.read(path), tree.mode(path)
    if mode == SYMLINK:
        os.symlink(os.fsdecode(data), place)
        return
    with open(place, "xb") as file:
        file.write(data)
    if mode == EXECUTABLE:
        os.chmod(place, 0o755)


def _made_writable(function: object, path: str, error: object) -> None:
    """A folder that a case made unreadable is removed all the same, where that is allowed."""
    parent = os.path.dirname(path)
    os.chmod(parent, 0o700)
    os.chmod(path, 0o700)
    shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)
