"""Refs: read fresh from disk, moved only by compare-and-swap, synced to disk; the commit point is `publish`."""

from __future__ import annotations

import re
import time
from pathlib import Path

from gitops.errors import AssayError, CannotRun, UsageError
from gitops.git.failure import from_git
from gitops.git.process import DURABLE, Completed, git
from gitops.git.repository import Repository

ABSENT = "0" * 40
"""How git spells "no such ref" in a compare-and-swap."""

PATIENCE = 5.0
"""For how many seconds a lock that another process holds is waited for before it is told as stale."""

_LOCKED = re.compile(r"Unable to create '(.+?\.lock)': File exists")


def read(repository: Repository, ref: str) -> str | None:
    """The object a ref names (a symbolic one's through its target), or None; loose or packed, fresh from disk."""
    if ref in repository.incoming:
        return repository.incoming[ref]
    import pygit2

    try:
        return str(repository.handle.lookup_reference(ref).resolve().target)
    except KeyError:
        return None
    except ValueError as error:
        raise UsageError(f"{ref!r} is not a name a ref can have", "see 'git help check-ref-format'") from error
    except pygit2.GitError as error:
        hint = f"look at the file {repository.common_dir / ref}; 'git reflog show {ref}' may say what stood there"
        raise CannotRun(f"{ref} cannot be read: {error}", hint) from error


def listed(repository: Repository, prefix: str) -> dict[str, str]:
    """The refs below a prefix such as `refs/heads/run`, by full name, sorted, with the objects they name."""
    form = "--format=%(objectname) %(refname)"
    lines = git(repository, "for-each-ref", form, prefix.rstrip("/")).text.split("\n")
    return {name: target for target, _, name in (line.partition(" ") for line in lines if line)}


def move(
    repository: Repository, ref: str, new: str, old: str | None, reason: str, *, patience: float = PATIENCE
) -> bool:
    """Move a ref from `old` (None: it must not exist) to `new`, synced to disk; False when it was not at `old`.

    CannotRun when another ref's name blocks this one, or a lock stays longer than `patience` seconds.
    """
    command = (*DURABLE, "update-ref", "-m", reason, ref, new, old or ABSENT)
    return _swapped(repository, ref, new, old, command, b"", patience)


def delete(repository: Repository, ref: str, old: str, *, patience: float = PATIENCE) -> bool:
    """Delete a ref that stands at `old`; True too when it is gone already, False when it stands elsewhere."""
    return _swapped(repository, ref, None, old, (*DURABLE, "update-ref", "-d", ref, old), b"", patience)


def publish(
    repository: Repository,
    target: str,
    new: str,
    old: str | None,
    candidate_ref: str,
    candidate: str,
    *,
    reason: str = "assay: publish",
    patience: float = PATIENCE,
) -> bool:
    """The commit point (`PROTOCOL.md` 2, step 5): move `target` from `old` to `new` in one synced transaction.

    In the same transaction the candidate ref must name `candidate`: CannotRun when it doesn't. False when the
    target was not at `old`. Killed before git renames its one lock file, nothing happened.
    """
    lines = (
        "start",
        f"verify {candidate_ref}\0{candidate}",
        f"update {target}\0{new}\0{old or ABSENT}",
        "prepare",
        "commit",
    )
    stdin = b"".join(line.encode() + b"\0" for line in lines)
    command = (*DURABLE, "update-ref", "-m", reason, "--stdin", "-z")
    try:
        return _swapped(repository, target, new, old, command, stdin, patience)
    except CannotRun as error:
        if read(repository, candidate_ref) == candidate:
            raise
        message = f"{candidate_ref} no longer names {candidate}: nothing was published"
        raise CannotRun(message, "git assay run finish, which judges anew") from error


def _swapped(
    repository: Repository,
    ref: str,
    new: str | None,
    old: str | None,
    command: tuple[str, ...],
    stdin: bytes,
    patience: float,
) -> bool:
    repository.refuse_in_quarantine(f"moving {ref}")
    until = time.monotonic() + patience
    pause = 0.01
    while True:
        done = git(repository, *command, input=stdin or None, check=False)
        if done.code == 0:
            return True
        # What git says differs from version to version; where the ref stands doesn't.
        now = read(repository, ref)
        if now == new and new != old:
            return True
        if now != old:
            return False
        lock = _LOCKED.search(done.stderr)
        if lock is None or time.monotonic() >= until:
            raise _failure(repository, ref, done, lock[1] if lock else None)
        time.sleep(pause)
        pause = min(pause * 2, 0.2)


def _failure(repository: Repository, ref: str, done: Completed, lock: str | None) -> AssayError:
    if lock is not None:
        path = Path(lock)
        return CannotRun(
            f"{ref} is locked by {path}, which another git holds or a killed one left behind",
            f"if no git is running here: rm '{path}'",
        )
    if (blocker := _blocker(repository, ref)) is not None:
        return CannotRun(f"{_short(ref)} cannot be made while {_short(blocker)} exists", _renaming(blocker))
    return from_git("update-ref", done.stderr, done.code)


def _blocker(repository: Repository, ref: str) -> str | None:
    """A ref whose name is a folder of this one's, or the other way round: git keeps no two such."""
    parts = ref.split("/")
    above = ("/".join(parts[:end]) for end in range(len(parts) - 1, 2, -1))
    found = next((name for name in above if read(repository, name) is not None), None)
    return found or next((name for name in listed(repository, ref) if name != ref), None)


def _short(ref: str) -> str:
    return f"branch '{ref.removeprefix('refs/heads/')}'" if ref.startswith("refs/heads/") else ref


def _renaming(ref: str) -> str:
    if ref.startswith("refs/heads/"):
        name = ref.removeprefix("refs/heads/")
        return f"git branch -m {name} {name.replace('/', '-')}-old"
    moved = f"refs/moved/{ref.removeprefix('refs/')}"
    return f"git update-ref {moved} {ref} && git update-ref -d {ref}"
