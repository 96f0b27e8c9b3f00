"""What the lint of a tree reads with: the past of sources and the cache, each touched only when it is asked."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from gitops.git import history
from gitops.index.cache import Cache
from gitops.runs.context import CACHE, Context
from gitops.wiki.snapshot import PathVersion

_RARELY = (100_000, 50, 100)


class Past:
    """The versions that sources have had; read when a quotation is not found, and each source's once."""

    def __init__(self, context: Context, commit: str) -> None:
        self._context, self._commit = context, commit
        self._known: dict[str, list[PathVersion]] = {}
        self.is_asked = False

    def __call__(self, path: str) -> Iterator[PathVersion]:
        """The versions of a file, newest first."""
        self.is_asked = True
        if path not in self._known:
            found = history.versions(self._context.repository, self._commit, path) if self._commit else ()
            self._known[path] = [PathVersion(each.commit, each.date, each.blob, each.read) for each in found]
        return iter(self._known[path])


class LateCache:
    """The cache, opened when it is first asked: each process opens its own, and most need none."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._cache: Cache | None = None

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        """What was put, or None."""
        return self._opened().get(kind, version, key)

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        """Keep some bytes."""
        self._opened().put(kind, version, key, value)

    def close(self) -> None:
        """Write what is held back."""
        if self._cache is not None:
            self._cache.close()
            self._cache = None

    def _opened(self) -> Cache:
        if self._cache is None:
            writes = not self._context.repository.is_quarantined
            self._cache = Cache(self._context.folder / CACHE, writes=writes)
        return self._cache


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Parsed pages hold hardly a cycle, and looking for some costs a third of the time."""
    before = gc.get_threshold()
    gc.set_threshold(*_RARELY)
    gc.freeze()  # for good: the modules that are loaded go nowhere
    try:
        yield
    finally:
        gc.set_threshold(*before)
