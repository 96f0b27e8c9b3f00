"""How many anchors stand on the pages of a revision, kept from one measurement to the next.

The count of a whole revision is kept by its tree, and the count of each page for other revisions. A page's count holds
as long as the page and the files it cites are the same; where a citation has to be looked for among all files, also as
long as there are no others. So a page that nobody touched is not read again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gitops.canonical import digest
from gitops.evals.standing_anchors import anchors, is_exact, sources_of
from gitops.index.cache import Cache
from gitops.runs.views import Bench
from gitops.verify.linting import pages
from gitops.verify.view import View

_KIND = "anchors"
_VERSION = "1"
_SEAL = 32


class Whole(NamedTuple):
    """A whole revision: its pages, and the anchors that stand on them."""

    pages: int
    anchors: int


@dataclass
class AnchorCounts:
    """Counts the standing anchors of pages of one revision."""

    bench: Bench
    view: View

    def whole(self, tree_id: str) -> Whole:
        """How many stand on all pages of the revision, which has this tree. `Absent` where this clone lacks a page."""
        key = digest([self._reading, tree_id])
        value = self.cache.get(_KIND, _VERSION, key)
        if value is not None and _sealed(key, bytes(value[_SEAL:])) == bytes(value):
            return Whole(*json.loads(value[_SEAL:]))
        paths = pages(self.view)
        found = Whole(len(paths), self._of(paths))
        self.cache.put(_KIND, _VERSION, key, _sealed(key, json.dumps([found.pages, found.anchors]).encode()))
        return found

    def _of(self, paths: Sequence[str]) -> int:
        keys = {path: self._key(path) for path in paths}
        kept = self.cache.get_many(_KIND, _VERSION, keys.values())
        counts = {path: self._kept(key, kept.get(key)) for path, key in keys.items()}
        unknown = [path for path, count in counts.items() if count is None]
        for path in self.bench.context.progress("reading anchors", unknown, len(unknown)):
            counts[path] = self._counted(path, keys[path])
        return sum(count or 0 for count in counts.values())

    @property
    def cache(self) -> Cache:
        """What is kept locally."""
        return self.bench.cache

    def _key(self, path: str) -> str:
        return digest([self._reading, path, self.view.snapshot.blob(path)])

    @cached_property
    def _reading(self) -> list[str]:
        """How pages and sources are read: another policy may find other anchors."""
        config = self.view.config
        citations = digest(config.citations.model_dump(mode="json"))
        return [self.view.layout.root, self.bench.terms_made_by, citations]

    def _kept(self, key: str, value: bytes | None) -> int | None:
        """What was kept, if it is whole and holds in this revision."""
        if value is None or _sealed(key, bytes(value[_SEAL:])) != bytes(value):
            return None
        count, files, sources = json.loads(value[_SEAL:])
        if files not in ("", self._files) or any(self.view.snapshot.blob(path) != blob for path, blob in sources):
            return None
        return int(count)

    @cached_property
    def _files(self) -> str:
        """The names of all files of the workspace, as one digest."""
        layout, paths = self.view.layout, self.view.snapshot.paths
        return digest([list(paths(layout.wiki)), list(paths(layout.raw))])

    def _counted(self, path: str, key: str) -> int:
        count = sum(one.is_standing for one in anchors(self.view, path))
        sources: Iterable[tuple[str, str | None]] = sources_of(self.view, path).items()
        value = [count, "" if is_exact(self.view, path) else self._files, [list(pair) for pair in sources]]
        self.cache.put(_KIND, _VERSION, key, _sealed(key, json.dumps(value).encode()))
        return count


def _sealed(key: str, value: bytes) -> bytes:
    """A value with a digest of it and its key before it, so that damage and a swapped entry are noticed."""
    return hashlib.sha256(key.encode() + value).digest() + value
