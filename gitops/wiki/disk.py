"""The files below a folder as they stand on disk, seen as a commit's tree is seen; symbolic links are not followed."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitops.errors import CannotRun
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, SYMLINK

FOLDER = 0o040000
NOTHING_FOR_GIT = 0o010000
"""The mode of a pipe, a socket or a device: what no commit holds, and what must not be opened."""


@dataclass(frozen=True, slots=True)
class DiskSnapshot:
    """The files below `top`, ignored ones among them (`gitops.wiki.snapshot.Snapshot`)."""

    top: Path

    def paths(self, prefix: str = "") -> Iterator[str]:
        """Every path below a folder that is no folder itself, sorted; none where no folder stands.

        CannotRun where a folder cannot be opened: what is not seen must not be taken for what is not there.
        """
        if self.mode(prefix) == FOLDER:
            yield from self._below(prefix.strip("/"))

    def blob(self, path: str) -> str | None:
        """The id that git would give the file at `path`; None where none stands."""
        if self.mode(path) not in (REGULAR, EXECUTABLE):
            return None
        data = self.read(path)
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()

    def mode(self, path: str) -> int | None:
        """The git mode of what stands at `path`, or None."""
        try:
            mode = (self.top / path).lstat().st_mode
        except (OSError, ValueError):
            return None
        if stat.S_ISDIR(mode):
            return FOLDER
        if stat.S_ISLNK(mode):
            return SYMLINK
        if not stat.S_ISREG(mode):
            return NOTHING_FOR_GIT
        return EXECUTABLE if mode & stat.S_IXUSR else REGULAR

    def read(self, path: str) -> bytes:
        """The bytes at `path`. KeyError where no file stands, OSError where it cannot be read."""
        if self.mode(path) not in (REGULAR, EXECUTABLE):
            raise KeyError(path)
        return (self.top / path).read_bytes()

    def link(self, path: str) -> bytes:
        """Where the symbolic link at `path` leads, as written: what git would keep of it."""
        return os.fsencode(os.readlink(self.top / path))

    def size(self, path: str) -> int:
        """The size in bytes at `path`. KeyError where no file stands."""
        if self.mode(path) not in (REGULAR, EXECUTABLE):
            raise KeyError(path)
        return (self.top / path).stat().st_size

    def _below(self, folder: str) -> Iterator[str]:
        waiting = [(folder, True)]
        while waiting:  # and no recursion: folders may lie deeper than Python calls itself
            path, is_folder = waiting.pop()
            if is_folder:
                waiting += reversed(self._inside(path))
            else:
                yield path

    def _inside(self, folder: str) -> list[tuple[str, bool]]:
        """What lies in a folder, by name, and whether it is a folder itself."""
        try:
            with os.scandir(self.top / folder) as entries:
                found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        except OSError as error:
            told = f"the folder {self.top / folder} cannot be opened: {error.strerror or error}"
            raise CannotRun(told, "let it be read, or take it away") from None
        return [(f"{folder}/{name}" if folder else name, is_folder) for name, is_folder in found]
