"""Files and folders that a person names from the current folder, as paths of the repository."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.errors import UsageError

if TYPE_CHECKING:
    from gitops.git.repository import Repository


def inside(repository: Repository, name: str) -> str:
    """The repository path of what is named; '' is its top. UsageError for what lies outside."""
    path = posixpath.normpath(posixpath.join(repository.prefix, name))
    if name.startswith("/") and repository.worktree is not None:
        named, top = Path(name).resolve(), repository.worktree.resolve()
        path = named.relative_to(top).as_posix() if named.is_relative_to(top) else ".."
    if path == ".." or path.startswith(("../", "/")):
        raise UsageError(f"{name} is outside the repository", "name a page or folder from the current folder")
    return "" if path == "." else path
