"""What a server's worker did for one run, a line at a time: a file that does not grow without end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LONGEST = 256 * 1024
"""From this many bytes on a log is put aside as `….old`, and a new one begun."""

AT_ONCE, WIDEST = 400, 2_000
"""So many lines are written of one answer, and so many characters of a line; what is left out is said."""

_END = 20
"""So many of them are its last."""

KEPT = 500
"""So many logs are kept; of more, those that nobody wrote to for longest go."""


def path_of(folder: Path, name: str) -> Path:
    """Where the log of a run lies, or of the target, or of the workers themselves."""
    return folder / "log" / f"{name}.log"


def write(path: Path, text: str) -> None:
    """Add lines to a log, making room first. Nothing in it steers the terminal of who reads it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(f"{plain(line)}\n" for line in _fitted(text)).encode()
    if path.is_file() and path.stat().st_size + len(data) > LONGEST:
        os.replace(path, path.with_suffix(".log.old"))
    with path.open("ab") as file:
        file.write(data)


def plain(line: str) -> str:
    """A line that is one, with a question mark for whatever would do something else than show."""
    readable = line.encode("utf-8", "backslashreplace").decode()
    shown = "".join(char if char.isprintable() else "?" for char in readable)
    return shown if len(shown) <= WIDEST else f"{shown[:WIDEST]} …"


def _fitted(text: str) -> list[str]:
    """The lines of a text; of a very long one its beginning, and its end, which says how it ended."""
    lines = text.removesuffix("\n").split("\n") if text else []
    if (left := len(lines) - AT_ONCE) <= 0:
        return lines
    return [*lines[: AT_ONCE - _END], f"… {left:,} lines are left out; git assay run show has them", *lines[-_END:]]


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
