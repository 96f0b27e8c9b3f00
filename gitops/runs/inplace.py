"""Files that lie in a worktree just as a new commit will have them: staged first, so that they are in nobody's way.

git refuses to move a worktree over an untracked or edited file even where it would write the very same bytes. A
source that is taken in from where it lies is such a file, and so is what a killed checkout left half done.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gitops.git import objects
from gitops.git.objects import EXECUTABLE, REGULAR
from gitops.git.process import git
from gitops.git.repository import Repository
from gitops.git.treediff import Entry
from gitops.git.worktrees import Worktree

_NOTHING = "0" * 40
Staged = dict[str, tuple[int, str]]
"""Path → mode and blob, as an index has it; mode 0 where it has nothing."""


def staged(worktree: Worktree, entries: Iterable[Entry]) -> Staged:
    """What the worktree's index holds at the paths of a change."""
    paths = [entry.path for entry in entries]
    found: Staged = dict.fromkeys(paths, (0, _NOTHING))
    listed = git(worktree, "ls-files", "--stage", "-z", "--", *paths).stdout if paths else b""
    for line in listed.split(b"\0"):
        if line:
            mode, blob, _ = line.partition(b"\t")[0].decode().split(" ")
            found[objects.decode(line.partition(b"\t")[2])] = int(mode, 8), blob
    return found


def as_before(entries: Iterable[Entry]) -> Staged:
    """What an index holds at the paths of a change that it has not followed."""
    return {entry.path: (entry.old_mode or 0, entry.old_blob or _NOTHING) for entry in entries}


def stage_identical(repository: Repository, worktree: Worktree, entries: Iterable[Entry]) -> Staged:
    """Stage what lies there as the change will have it; gives what the index held before, for `restore`."""
    change = list(entries)
    held, before = staged(worktree, change), as_before(change)
    alike = [e for e in change if held[e.path] == before[e.path] and _lies_there(repository, worktree, e)]
    restore(worktree, {e.path: (e.new_mode or 0, e.new_blob or _NOTHING) for e in alike})
    return {entry.path: held[entry.path] for entry in alike}


def restore(worktree: Worktree, wanted: Staged) -> None:
    """Write entries into the worktree's index; the files stay as they are."""
    lines = [b"%o %b\t%b\0" % (mode, blob.encode(), objects.encode(path)) for path, (mode, blob) in wanted.items()]
    if lines:
        git(worktree, "update-index", "-z", "--index-info", input=b"".join(lines))


def remove_half_written(repository: Repository, worktree: Worktree, entries: Iterable[Entry]) -> None:
    """Remove what a checkout began to write and was killed at, so that it can be written whole.

    Such a file holds the beginning of what the change has there, and no more: nothing is lost with it.
    """
    change = [entry for entry in entries if entry.new_mode in (REGULAR, EXECUTABLE)]
    held, before = staged(worktree, change), as_before(change)
    for entry in change:
        if held[entry.path] == before[entry.path] and _is_begun(repository, worktree, entry):
            _place(worktree, entry).unlink()


def _is_begun(repository: Repository, worktree: Worktree, entry: Entry) -> bool:
    there = _on_disk(worktree, entry)
    whole = objects.read(repository, entry.new_blob or "")
    before = objects.read(repository, entry.old_blob or "") if entry.old_mode in (REGULAR, EXECUTABLE) else None
    return there is not None and there not in (whole, before) and whole.startswith(there)


def _lies_there(repository: Repository, worktree: Worktree, entry: Entry) -> bool:
    if entry.new_blob is None or entry.new_mode not in (REGULAR, EXECUTABLE):
        return False
    return _on_disk(worktree, entry) == objects.read(repository, entry.new_blob)


def _on_disk(worktree: Worktree, entry: Entry) -> bytes | None:
    """What lies at the path of a change; None where that is no plain file, or none that can be read."""
    file = _place(worktree, entry)
    with suppress(OSError):
        return None if file.is_symlink() or not file.is_file() else file.read_bytes()
    return None


def _place(worktree: Worktree, entry: Entry) -> Path:
    return Path(os.fsdecode(os.path.join(os.fsencode(worktree.path), objects.encode(entry.path))))
