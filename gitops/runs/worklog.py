"""What a server's worker did for one run, a line at a time: a file that does not grow without end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LONGEST = 256 * 1024
"""From this many bytes on a log is put aside as `….old`, and a new one begun."""

KEPT = 500
"""So many logs are kept; of more, those that nobody wrote to for longest go."""


def path_of(folder: Path, name: str) -> Path:
    """Where the log of a run lies, or of the target, or of the workers themselves."""
    return folder / "log" / f"{name}.log"


def write(path: Path, text: str) -> None:
    """Add lines to a log, making room first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.stat().st_size + len(text) > LONGEST:
        os.replace(path, path.with_suffix(".log.old"))
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write("".join(f"{line}\n" for line in text.splitlines()))


def prune(folder: Path) -> None:
    """Remove the logs that nobody wrote to for longest, where there are more than are kept."""
    found = sorted((folder / "log").glob("*.log*"), key=_written, reverse=True)
    for path in found[KEPT:]:
        with suppress(FileNotFoundError):  # another worker was faster
            path.unlink()


def _written(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


class Follower:
    """Reads a log as it grows, from where it ends now, also when it is put aside meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inode, self._place = self._stands()

    def lines(self) -> Iterator[str]:
        """The whole lines that were added since the last call."""
        inode, size = self._stands()
        if inode != self._inode:
            aside = self._path.with_suffix(".log.old")
            if self._inode and aside.is_file() and aside.stat().st_ino == self._inode:
                yield from self._read(aside)
            self._inode, self._place = inode, 0
        if size > self._place:
            yield from self._read(self._path)

    def _read(self, path: Path) -> list[str]:
        with path.open("rb") as file:
            file.seek(self._place)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._place += len(whole)
        return whole.decode("utf-8", "replace").splitlines()

    def _stands(self) -> tuple[int, int]:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return 0, 0
        return found.st_ino, found.st_size
