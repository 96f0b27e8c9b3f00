"""The sha256 of a tree: the id that git would give it in a repository of sha256 format.

Trust in a verdict then does not rest on SHA-1 alone, and anybody can recompute the number with git itself. What is
known is kept by tree id, so that a landing costs what it changed: folders that were seen before are not entered, and
in a folder that was changed only the files are read that the folder before it did not have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice

from gitops.errors import Absent, CannotRun
from gitops.git import batch, objects
from gitops.git.failure import FETCH_MORE
from gitops.git.repository import Repository
from gitops.index.cache import Cache
from gitops.runs.context import CACHE, Context

_KIND, _VERSION, _WIDTH = "sha256", "1", 32
_AT_ONCE = 2_000
_Entry = tuple[bytes, bytes, bytes]


def tree_sha256(context: Context, tree: str, like: str | None = None) -> str:
    """The digest of a tree. `like` is a tree that was digested before and has most of it in common, such as the base's.

    A submodule counts by its commit id, padded with zeros. CannotRun where this clone does not hold every file.
    """
    with Cache(context.folder / CACHE) as cache:
        try:
            return _Digester(context.repository, cache).folder(tree, like).hex()
        except Absent as error:
            told = f"the digest of tree {tree[:10]} needs {error}, which is not in this clone"
            raise CannotRun(told, FETCH_MORE) from error


class _Digester:
    """Digests folders from the leaves up. A folder's kept value is its own digest, then those of its entries."""

    def __init__(self, repository: Repository, cache: Cache) -> None:
        self._repository, self._cache = repository, cache

    def folder(self, tree: str, like: str | None) -> bytes:
        kept = self._cache.get(_KIND, _VERSION, tree)
        if kept is not None:
            return kept[:_WIDTH]
        entries = objects.raw_items(objects.read(self._repository, tree))
        known, before = self._of(like)
        missing = [entry for entry in entries if entry not in known]
        known |= self._files(entry for entry in missing if int(entry[0], 8) not in (objects.FOLDER, objects.SUBMODULE))
        for mode, name, raw in missing:
            if int(mode, 8) == objects.FOLDER:
                known[mode, name, raw] = self.folder(raw.hex(), before.get(name))
            elif int(mode, 8) == objects.SUBMODULE:
                known[mode, name, raw] = raw.ljust(_WIDTH, b"\0")
        digests = [known[entry] for entry in entries]
        body = b"".join(b"%b %b\0%b" % (entry[0], entry[1], sum_) for entry, sum_ in zip(entries, digests, strict=True))
        own = _git_sha256(b"tree", body)
        self._cache.put(_KIND, _VERSION, tree, own + b"".join(digests))
        return own

    def _of(self, like: str | None) -> tuple[dict[_Entry, bytes], dict[bytes, str]]:
        """The digests of a folder's entries as they were kept, and its folders' ids by name."""
        kept = self._cache.get(_KIND, _VERSION, like) if like else None
        if like is None or not objects.exists(self._repository, like):
            return {}, {}
        entries = objects.raw_items(objects.read(self._repository, like))
        folders = {name: raw.hex() for mode, name, raw in entries if int(mode, 8) == objects.FOLDER}
        if kept is None or len(kept) != _WIDTH * (len(entries) + 1):
            return {}, folders
        places = range(_WIDTH, len(kept), _WIDTH)
        return {entry: kept[at : at + _WIDTH] for entry, at in zip(entries, places, strict=True)}, folders

    def _files(self, entries: Iterable[_Entry]) -> dict[_Entry, bytes]:
        found: dict[_Entry, bytes] = {}
        rest = iter(entries)
        while some := list(islice(rest, _AT_ONCE)):
            contents = batch.read(self._repository, [raw.hex() for _, _, raw in some])
            found.update((entry, _git_sha256(b"blob", data)) for entry, data in zip(some, contents, strict=True))
        return found


def _git_sha256(kind: bytes, body: bytes) -> bytes:
    return hashlib.sha256(b"%b %d\0%b" % (kind, len(body), body)).digest()
