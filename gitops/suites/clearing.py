"""Folders that programs left in any state: how large they are, and emptied, however deep and whatever was forbidden.

Part of the worker (`worker.py`), so it imports little.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_LONGEST = 4_000
"""Of a path in characters: what lies deeper cannot be named, and hardly anything that means well lies there."""


def size(folder: str) -> float:
    """How many bytes are below a folder, without end where it is too deep to tell; what vanishes meanwhile has none."""
    total = 0.0
    left = [folder]
    while left:
        here = left.pop()
        if len(os.fsencode(here)) > _LONGEST:
            return float("inf")
        with suppress(OSError):
            for each in _entries(here):
                if each.is_dir(follow_symlinks=False):
                    left.append(each.path)
                else:
                    total += each.stat(follow_symlinks=False).st_size
    return total


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except PermissionError:
        os.chmod(folder, 0o700)
        with os.scandir(folder) as found:
            return list(found)


def made_anew(folder: str) -> None:
    """See to it that a folder is there, itself and no link to another, and may be written to."""
    try:
        is_folder = stat.S_ISDIR(os.lstat(folder).st_mode)
    except FileNotFoundError:
        os.mkdir(folder, 0o700)
        return
    if is_folder:
        os.chmod(folder, 0o700)
        return
    os.unlink(folder)
    os.mkdir(folder, 0o700)


def empty(folder: str, but: tuple[str, ...] = ()) -> None:
    """Remove all that is in a folder, `but` for some names. OSError where that is not allowed.

    One folder is open at a time, and none is named by a path: paths may be longer than a system takes them.
    """
    inside: list[tuple[str, tuple[int, int]]] = []
    here = os.open(folder, _OPEN)
    try:
        while True:
            below = _without_files(here, () if inside else but)
            if below is not None:
                os.chmod(below, 0o700, dir_fd=here)
                inside.append((below, _identity(here)))
                here = _moved(here, below, _OPEN)
            elif inside:
                name, above = inside.pop()
                here = _moved(here, "..", os.O_RDONLY | os.O_DIRECTORY)
                if _identity(here) != above:
                    raise OSError(f"{name} was moved while it was emptied")
                os.rmdir(name, dir_fd=here)
            else:
                return
    finally:
        os.close(here)


def _without_files(here: int, but: tuple[str, ...]) -> str | None:
    """Remove the files of a folder until there is a folder in it, which comes back; None where there is none."""
    with os.scandir(here) as found:
        for each in found:
            if each.name in but:
                continue
            if each.is_dir(follow_symlinks=False):
                return each.name
            os.unlink(each.name, dir_fd=here)
    return None


def _moved(here: int, name: str, flags: int) -> int:
    """Another folder in place of an open one."""
    there = os.open(name, flags, dir_fd=here)
    os.close(here)
    return there


def _identity(file: int) -> tuple[int, int]:
    told = os.fstat(file)
    return told.st_dev, told.st_ino
