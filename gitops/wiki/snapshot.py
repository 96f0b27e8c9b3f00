"""What a tree of files looks like to everything that judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

REGULAR = 0o100644
EXECUTABLE = 0o100755
SYMLINK = 0o120000
SUBMODULE = 0o160000


class Snapshot(Protocol):
    """The files of one tree. Paths are relative to the repository, `/`-separated, as git has them."""

    def paths(self, prefix: str = "") -> Iterable[str]:
        """Every path of a blob, symlink or submodule below `prefix` (a folder, without its `/`)."""
        ...

    def blob(self, path: str) -> str | None:
        """The blob's object id in hexadecimal; None when no blob stands at `path`."""
        ...

    def mode(self, path: str) -> int | None:
        """The git file mode at `path` (`0o100644`, …, also of a folder or submodule), or None."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes at `path`. KeyError when nothing stands there; `Absent` when git lacks the object."""
        ...

    def size(self, path: str) -> int:
        """The size in bytes at `path`, without reading it where that can be helped."""
        ...


@dataclass(frozen=True, slots=True)
class Touched:
    """One path that differs between two trees: object ids and modes before and after, None where absent."""

    path: str
    old_blob: str | None
    new_blob: str | None
    old_mode: int | None
    new_mode: int | None


@dataclass(frozen=True, slots=True)
class PathVersion:
    """An earlier version of a file: the commit that introduced it, its day, the blob's bytes, the commit's message."""

    commit: str
    date: str
    blob: str
    read: Callable[[], bytes]
    message: Callable[[], str] = str


History = Callable[[str], Iterator[PathVersion]]
"""Versions of one path that the base's history held, newest first, the present one included."""


def no_history(path: str) -> Iterator[PathVersion]:
    """A history that remembers nothing."""
    return iter(())


@dataclass(frozen=True, slots=True)
class CommitChange:
    """One commit between base and head: what it introduces itself, against every parent it has."""

    commit: str
    subject: str
    touched: tuple[Touched, ...]
    is_intake: bool = False
    renewed_by: str = ""
    """Who signed that it renews or removes sources, where that takes a signature."""
    unsigned: str = ""
    """Why it may renew and remove no sources: it takes a signature, and bears none that holds. '' where it may."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is judged: a head against a base, with what differs and how it came about."""

    base: Snapshot
    head: Snapshot
    touched: tuple[Touched, ...]
    history: History = no_history
    commits: tuple[CommitChange, ...] = ()


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """A tree held in a dictionary: what tests and the demonstration judge without a repository."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    modes: Mapping[str, int] = field(default_factory=dict)

    def paths(self, prefix: str = "") -> Iterable[str]:
        """Every path below `prefix`, sorted."""
        start = prefix + "/" if prefix else ""
        return sorted(path for path in self.files if path.startswith(start))

    def blob(self, path: str) -> str | None:
        """A stand-in for the object id: git's own, over the same bytes."""
        import hashlib

        data = self.files.get(path)
        return None if data is None else hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()

    def mode(self, path: str) -> int | None:
        """The mode given, a regular file by default, `0o040000` for a folder."""
        if path in self.files:
            return self.modes.get(path, REGULAR)
        return 0o040000 if any(name.startswith(path + "/") for name in self.files) else None

    def read(self, path: str) -> bytes:
        """The bytes at `path`."""
        return self.files[path]

    def size(self, path: str) -> int:
        """The number of bytes at `path`."""
        return len(self.files[path])
