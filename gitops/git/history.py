"""History: who descends from whom, what a commit brought in itself, and the versions one file has had."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from gitops.git import commits, objects
from gitops.git.failure import telling
from gitops.git.objects import SUBMODULE
from gitops.git.process import OFFLINE, stream
from gitops.git.repository import Repository
from gitops.git.treediff import Entry, changed

_LOG = (
    *("-c", "log.showRoot=true", "-c", "log.follow=false", "-c", "log.showSignature=false"),
    *("log", "--full-history", "-c", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff"),
    *("--ignore-submodules=none", "--format=%H %cs"),
)
"""Every commit that changed a path, merges where no parent has its version; blind to the user's log settings."""


class Version(NamedTuple):
    """One version of a file: the commit that brought it in, that commit's day (YYYY-MM-DD), its bytes."""

    commit: str
    date: str
    blob: str
    read: Callable[[], bytes]


def is_ancestor(repository: Repository, ancestor: str, descendant: str) -> bool:
    """Whether `ancestor` is `descendant` or in its history."""
    if ancestor == descendant:
        return True
    with telling("walking the history"):
        return bool(repository.handle.descendant_of(descendant, ancestor))


def merge_base(repository: Repository, one: str, other: str) -> str | None:
    """A best common ancestor of two commits; None when they share no history."""
    with telling("walking the history"):
        found = repository.handle.merge_base(one, other)
    return str(found) if found else None


def between(repository: Repository, base: str | None, head: str) -> Iterator[str]:
    """The commits of base..head, oldest first, every parent before its children; the whole history without a base."""
    from pygit2.enums import SortMode

    with telling("walking the history"):
        walker = repository.handle.walk(head, SortMode.TOPOLOGICAL | SortMode.REVERSE)
        if base is not None:
            walker.hide(base)
        ids = [str(commit.id) for commit in walker]
    return iter(ids)


def first_parent(repository: Repository, tip: str, stop: str | None = None) -> Iterator[str]:
    """`tip`, its first parent, that one's, and so on; down to the root, or until just before `stop`."""
    here: str | None = tip
    while here is not None and here != stop:
        yield here
        here = next(iter(commits.read(repository, here).parents), None)


def introduced(repository: Repository, commit: str) -> list[Entry]:
    """What a commit brings in itself: the paths whose entry differs from every parent's, a root's all.

    Before is as the first parent had it. So a merge is charged with what neither side had, and with no more.
    """
    found = commits.read(repository, commit)
    parents = [commits.read(repository, parent).tree for parent in found.parents]
    first = list(changed(repository, parents[0] if parents else None, found.tree))
    for tree in parents[1:]:
        others = {entry.path for entry in changed(repository, tree, found.tree)}
        first = [entry for entry in first if entry.path in others]
    return first


def versions(repository: Repository, commit: str, path: str) -> Iterator[Version]:
    """The versions of the file at `path` in the history of `commit`, newest first, the present one included.

    A merge counts where its version is no parent's, and merged side branches count in full. Read as git finds
    them, so that a caller who stops early does not pay for the rest.
    """
    wanted = objects.encode(path)
    with stream(repository, *_LOG, commit, "--", path, env=OFFLINE) as output:
        for header, raw, found in entries(tokens(output)):
            if found == wanted and (blob := _brought(raw)) is not None:
                commit_id, _, date = header.decode().partition(" ")
                yield Version(commit_id, date, blob, partial(objects.read, repository, blob))


def _brought(raw: bytes) -> str | None:
    """The blob that a raw diff line ends in, unless it is none, a submodule's, or one that a parent had.

    A line against n parents is n colons, n+1 modes, n+1 ids, a status (git-diff-tree(1), "raw output format").
    """
    parents = len(raw) - len(raw.lstrip(b":"))
    fields = raw[parents:].split(b" ")
    mode, before, after = fields[parents], fields[parents + 1 : -2], fields[-2]
    if int(mode, 8) in (0, SUBMODULE) or after in before:
        return None
    return after.decode()


def entries(tokens: Iterator[bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """(commit, raw line, path) out of what `git log -z --raw` prints: a header, then lines with a path each."""
    header = b""
    for token in tokens:
        token = token.lstrip(b"\n")
        if token.startswith(b":"):
            yield header, token, next(tokens)
        elif token:
            header = token


def tokens(output: io.BufferedReader) -> Iterator[bytes]:
    """What git printed with `-z`, piece by piece as it comes."""
    rest = b""
    while chunk := output.read1(1 << 16):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest
