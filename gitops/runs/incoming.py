"""Files that a person names, to be taken in as sources: where they lie, where they are to go, what they hold."""

from __future__ import annotations

from pathlib import Path

from gitops.errors import UsageError
from gitops.runs.context import Context
from gitops.wiki.paths import safe


def below_raw(folder: str, raw: str) -> str:
    """The folder that `--into` names, from raw/ or from the workspace."""
    if not folder:
        return ""
    clean = safe(folder.removesuffix("/"))
    return "" if clean == raw else clean.removeprefix(f"{raw}/")


def inside(context: Context, file: Path) -> Path | None:
    """A file's path in the work tree; None where it lies outside, or there is none."""
    worktree = context.repository.worktree
    try:
        return file.resolve().relative_to(worktree.resolve()) if worktree is not None else None
    except ValueError:
        return None


def content(file: Path, name: str) -> bytes:
    """What a file holds. UsageError for a symbolic link, for a pipe or device, and for what cannot be read."""
    try:
        if file.is_symlink():
            raise UsageError(f"{name} is a symbolic link; a source is a file", "give the file it points to")
        if file.exists() and not file.is_file() and not file.is_dir():  # a pipe may never end
            raise UsageError(f"{name} is a pipe or a device; a source is a file", "write what it gives into a file")
        return file.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name}: {why}", "name sources below raw/, or files that can be read") from error
