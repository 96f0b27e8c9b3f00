"""Files that a retrieval command reads and writes: whole or not at all, relative to the current folder."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitops.retrieval.running import Gold
    from gitops.retrieval.stores import Store


def data_of(arguments: argparse.Namespace, name: str) -> bytes:
    """The bytes of a file that a person names. UsageError where it cannot be read."""
    from gitops.errors import UsageError

    try:
        return (surroundings.folder(arguments) / name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror or error}", "name a file that is there") from error


def gold_of(arguments: argparse.Namespace, name: str) -> Gold:
    """The golden queries of a file. BadInput names the line of what is wrong in it."""
    from gitops.retrieval import golden
    from gitops.retrieval.running import Gold

    return Gold(name, golden.parse(data_of(arguments, name), name))


def store_of(arguments: argparse.Namespace) -> Store | None:
    """The store of `--chunks`; None where none is given. BadInput names the line of what is wrong in it."""
    from gitops.retrieval import stores

    if arguments.chunks is None:
        return None
    return stores.read(data_of(arguments, arguments.chunks), arguments.chunks)


def refuse_to_write(arguments: argparse.Namespace, written: Iterable[str | None], read: Iterable[str | None]) -> None:
    """Refuse, before anything is read or spent, what cannot be written, or would be written over what is read or
    written too. None is a file that is not wanted.
    """
    from gitops.errors import UsageError

    folder = surroundings.folder(arguments)
    taken = {os.path.realpath(folder / name) for name in read if name is not None}
    for name in written:
        if name is None:
            continue
        if (place := os.path.realpath(folder / name)) in taken:
            raise UsageError(f"{name} is named twice, and would be written over", "write to another file")
        taken.add(place)
        _refuse_unwritable(name, folder / name, Path(place).parent)


def _refuse_unwritable(name: str, file: Path, parent: Path) -> None:
    from gitops.errors import CannotRun

    if file.is_dir():
        raise CannotRun(f"cannot write {name}: it is a folder", "name a file")
    if file.exists() and not file.is_file():
        raise CannotRun(f"cannot write {name}: it is a device or a pipe, which a file would replace", "name a file")
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise CannotRun(f"cannot write {name}: its folder is not there, or is not yours", "name another file")


def write_lines(arguments: argparse.Namespace, name: str, lines: Iterable[str]) -> None:
    """Write a file of lines: beside it first, then in its place, so that it is never half there. A symbolic link stays
    one, and the file that it leads to is written.
    """
    from gitops.errors import CannotRun

    file = Path(os.path.realpath(surroundings.folder(arguments) / name))
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace") as out:
            out.writelines(f"{line.rstrip()}\n" for line in lines)
        beside.replace(file)
    except OSError as error:
        raise CannotRun(f"cannot write {name}: {error.strerror or error}", "name another file") from error
    finally:
        with suppress(OSError):  # its folder may have gone too
            beside.unlink(missing_ok=True)
