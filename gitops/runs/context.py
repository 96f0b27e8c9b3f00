"""What every step of a run needs around it: the repository, the clock, and someone to tell."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from gitops.errors import Absent, CannotRun
from gitops.git import commits
from gitops.git.commits import Commit, Identity
from gitops.git.failure import FETCH_MORE
from gitops.git.repository import Repository
from gitops.git.snapshot import TreeSnapshot

if TYPE_CHECKING:
    from gitops.index.cache import Cache
    from gitops.runs.seating import Seating
    from gitops.runs.shortening import Keeping

Item = TypeVar("Item")
CACHE = "cache.sqlite3"
"""What may be deleted at any time, in the folder of the index."""


class Progress(Protocol):
    """Shows how far an iteration has come, if it takes long: what is done, the items, how many there are."""

    def __call__(self, what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
        """The same items, one by one."""
        ...


def _silent(message: str) -> None:
    """Say nothing."""


def _plain(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """Show no progress."""
    return iter(items)


def system_clock() -> datetime:
    """The present moment in UTC, to the second: what records carry."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True)
class Context:
    """The effects that flows may have. Doors make one; tests give it a fixed clock."""

    repository: Repository
    clock: Callable[[], datetime] = system_clock
    warn: Callable[[str], None] = _silent
    progress: Progress = _plain
    triggered_by: str = "cli:"
    seating: Seating | None = None
    """Who gives the judges that a policy names; None where only those that need no model are to be had."""
    keeping: Keeping | None = None
    """Who keeps conversations within what their model reads; None where all of them is sent, however much it is."""
    at_step: Callable[[str], None] = field(default=_silent)
    """Called with the name of each step of a landing before it is taken; where a test stops the world."""
    _told: set[str] = field(default_factory=set, init=False, repr=False, compare=False)
    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _caches: list[Cache] = field(default_factory=list, init=False, repr=False, compare=False)

    def once(self, key: Hashable, make: Callable[[], Item]) -> Item:
        """What `make` gives, made the first time that the key is asked for: what does not change during a command."""
        if key not in self._known:
            self._known[key] = make()
        return cast("Item", self._known[key])

    @contextmanager
    def caching(self) -> Iterator[Cache]:
        """The cache, opened by the first who needs it and closed with them; whoever asks in between shares it.

        While a push is being received nothing is written into it: what is put there is known to this command alone.
        """
        if self._caches:
            yield self._caches[0]
            return
        from gitops.index.cache import Cache

        with Cache(self.folder / CACHE, writes=not self.repository.is_quarantined) as cache:
            self._caches.append(cache)
            try:
                yield cache
            finally:
                self._caches.clear()

    def warn_once(self, message: str) -> None:
        """Tell something that several steps of one command come across."""
        if message not in self._told:
            self._told.add(message)
            self.warn(message)

    @property
    def now(self) -> str:
        """The present moment as records write it: `2026-11-21T21:08:43Z`."""
        return f"{self.clock():%Y-%m-%dT%H:%M:%SZ}"

    @property
    def epoch(self) -> int:
        """The present moment in seconds since 1970."""
        return int(self.clock().timestamp())

    @cached_property
    def identity(self) -> Identity:
        """Whose name the tool's commits carry: what git would use."""
        return commits.identity(self.repository)

    def commit(self, commit_id: str) -> Commit:
        """A commit by its whole id. CannotRun where this clone, cut short or filtered, does not hold it."""
        try:
            return commits.read(self.repository, commit_id)
        except Absent as error:
            raise CannotRun(f"commit {commit_id[:10]} is not in this clone", FETCH_MORE) from error

    def tree(self, commit_id: str) -> TreeSnapshot:
        """The files of a commit, by its whole id."""
        return TreeSnapshot(self.repository, self.commit(commit_id).tree)

    @property
    def folder(self) -> Path:
        """Where the index, the cache and the locks lie."""
        return Path(self.repository.common_dir) / "assay"


@lru_cache(maxsize=1024)
def epoch_of(moment: str) -> int:
    """The seconds since 1970 of a recorded moment."""
    return int(datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


def moment_of(epoch: int) -> str:
    """A moment in seconds since 1970, as records write it."""
    return f"{datetime.fromtimestamp(epoch, UTC):%Y-%m-%dT%H:%M:%SZ}"
