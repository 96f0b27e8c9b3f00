"""The sha256 of a tree: the id that git would give it in a repository of sha256 format.

Trust in a verdict then does not rest on SHA-1 alone, and anybody can recompute the number with git itself. What is
known is kept by tree id, so that a landing costs what it changed: folders that were seen before are not entered, and
in a folder that was changed only the files are read that the folder before it did not have.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from gitops.errors import Absent, CannotRun
from gitops.git import batch, objects
from gitops.git.failure import FETCH_MORE
from gitops.git.repository import Repository
from gitops.index.cache import Cache
from gitops.runs.context import Context

_KIND, _VERSION, _WIDTH = "sha256", "1", 32
_AT_ONCE = 2_000
_REMEMBERED = 2_000
_ENTRY = re.compile(rb"([0-7]{5,6} [^\0]+\0)(.{20})", re.DOTALL)
_HEAD = itemgetter(0)
_Entry = tuple[bytes, bytes]
"""Mode and name as they stand in a tree object of either format, and the raw id."""


def tree_sha256(context: Context, tree: str, like: str | None = None) -> str:
    """The digest of a tree. `like` is a tree that was digested before and has most of it in common, such as the base's.

    A submodule counts by its commit id, padded with zeros. CannotRun where this clone does not hold every file.
    """
    folders = context.once("folders", dict[str, _Folder])
    if len(folders) > _REMEMBERED:
        folders.clear()
    with context.caching() as cache:
        try:
            return _Digester(context.repository, cache, folders).digest(tree, like).hex()
        except Absent as error:
            told = f"the digest of tree {tree[:10]} needs {error}, which is not in this clone"
            raise CannotRun(told, FETCH_MORE) from error


class _Folder(NamedTuple):
    """A folder's entries, and their digests where they are known."""

    entries: list[_Entry]
    digests: Sequence[bytes]


_NOTHING = _Folder([], ())


class _Digester:
    """Digests folders from the leaves up. A folder's kept value is its own digest, then those of its entries."""

    def __init__(self, repository: Repository, cache: Cache, folders: dict[str, _Folder]) -> None:
        self._repository, self._cache, self._folders = repository, cache, folders

    def digest(self, tree: str, like: str | None) -> bytes:
        kept = self._cache.get(_KIND, _VERSION, tree)
        if kept is not None:
            return kept[:_WIDTH]
        entries = self._entries(tree)
        before = self._before(like)
        digests = self._digests(entries, before)
        own = _git_sha256(b"tree", b"".join(chain.from_iterable(zip(map(_HEAD, entries), digests, strict=True))))
        self._cache.put(_KIND, _VERSION, tree, own + b"".join(digests))
        self._folders[tree] = _Folder(entries, digests)
        return own

    def _digests(self, entries: list[_Entry], before: _Folder) -> list[bytes]:
        """Those of the entries between the first and the last that changed anew; the others as they were."""
        first, last = _between(entries, before.entries)
        end = len(before.entries) - last
        changed = entries[first : len(entries) - last]
        if len(before.digests) != len(before.entries):  # known by name alone, to look for folders like them
            first, last, changed = 0, 0, entries
            known: dict[_Entry, bytes] = {}
        else:
            known = dict(zip(before.entries[first:end], before.digests[first:end], strict=True))
        missing = [entry for entry in changed if entry not in known]
        known |= self._files(entry for entry in missing if _is_file(entry[0]))
        wanted = {head for head, _ in missing if _is_folder(head)}
        folders = {head: raw.hex() for head, raw in before.entries[first:end] if head in wanted}
        known |= {entry: self._not_a_file(entry, folders.get(entry[0])) for entry in missing if not _is_file(entry[0])}
        middle = [known[entry] for entry in changed]
        return [*before.digests[:first], *middle, *(before.digests[end:] if last else ())]

    def _not_a_file(self, entry: _Entry, like: str | None) -> bytes:
        head, raw = entry
        return self.digest(raw.hex(), like) if _is_folder(head) else raw.ljust(_WIDTH, b"\0")

    def _before(self, like: str | None) -> _Folder:
        """A folder like the one that is digested, as it was kept."""
        if like is None:
            return _NOTHING
        if (known := self._folders.get(like)) is not None:
            return known
        try:
            entries = self._entries(like)
        except Absent:  # then nothing is spared by it
            return _NOTHING
        kept = self._cache.get(_KIND, _VERSION, like) or b""
        is_whole = len(kept) == _WIDTH * (len(entries) + 1)
        return _Folder(entries, [each for (each,) in struct.iter_unpack("32s", kept[_WIDTH:])] if is_whole else ())

    def _entries(self, tree: str) -> list[_Entry]:
        data = objects.read(self._repository, tree)
        found: list[_Entry] = _ENTRY.findall(data)
        if sum(map(len, chain.from_iterable(found))) != len(data):
            raise CannotRun(f"tree {tree[:10]} is damaged", "'git fsck' says which")
        return found

    def _files(self, entries: Iterable[_Entry]) -> dict[_Entry, bytes]:
        found: dict[_Entry, bytes] = {}
        rest = iter(entries)
        while some := list(islice(rest, _AT_ONCE)):
            contents = batch.read(self._repository, [raw.hex() for _, raw in some])
            found.update((entry, _git_sha256(b"blob", data)) for entry, data in zip(some, contents, strict=True))
        return found


def _between(one: list[_Entry], other: list[_Entry]) -> tuple[int, int]:
    """How many entries two folders have in common at their beginnings, and how many at their ends."""
    shorter = min(len(one), len(other))
    first = _alike(one, other)
    return first, min(shorter - first, _alike(reversed(one), reversed(other)))


def _alike(one: Iterable[_Entry], other: Iterable[_Entry]) -> int:
    number = -1
    for number, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return number
    return number + 1


def _is_folder(head: bytes) -> bool:
    return int(head.partition(b" ")[0], 8) == objects.FOLDER


def _is_file(head: bytes) -> bool:
    return int(head.partition(b" ")[0], 8) not in (objects.FOLDER, objects.SUBMODULE)


def _git_sha256(kind: bytes, body: bytes) -> bytes:
    return hashlib.sha256(b"%b %d\0%b" % (kind, len(body), body)).digest()
