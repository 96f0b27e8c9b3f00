"""Atoms as the files of a bundle: what is written beside what is there, by a run or straight into a folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from gitops.agents import known_atoms
from gitops.agents.writers import editing
from gitops.errors import CannotRun, UsageError
from gitops.okf import naming, reading, writing
from gitops.okf.draft import Draft
from gitops.okf.model import Bundle
from gitops.wiki.disk import FOLDER, DiskSnapshot

INDEX = "index.md"
Operation = Literal["create", "update", "none", "keep"]
"""Of a file: made, changed, as it is already, left to whoever has worked on it."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Planned:
    """The files to write, by their paths within the bundle, and which of them there were before.

    `kept` are files that are left as they are, as somebody has worked on them; `drafts` all that was extracted, under
    the ids of the bundle, also what adds nothing to it.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    kept: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    """The path of each draft, by its id."""

    def operation(self, path: str) -> Operation:
        """What becomes of a file."""
        if path in self.kept:
            return "keep"
        return ("update" if path in self.changed else "create") if path in self.files else "none"

    def below(self, folder: str) -> Planned:
        """The same by paths that the bundle's folder is part of."""
        return Planned(
            {f"{folder}/{path}": data for path, data in self.files.items()},
            frozenset(f"{folder}/{path}" for path in self.changed),
            tuple(f"{folder}/{path}" for path in self.kept),
            self.drafts,
            {name: f"{folder}/{path}" for name, path in self.paths.items()},
        )


def planned(
    drafts: Sequence[Draft],
    known: Bundle,
    there: Mapping[str, bytes],
    at: datetime,
    *,
    place: str | None = None,
    is_page: bool = False,
) -> Planned:
    """What extends a bundle by drafts: atoms that are there gain what is new of them, and its listing names all.

    `there` are the bundle's files. Where the listing `is_page` of a wiki it describes nothing, since what a page says
    is cited.
    """
    every = known_atoms.one_producer(known_atoms.under_known_ids(drafts, known), known)
    joined = known_atoms.joined(every, known, there, place)
    files = writing.files(joined.drafts, at, place=place, known=known)
    files |= _listing(joined.drafts, known, there, is_page=is_page) if files else {}
    changed = frozenset(path for path in files if path in there)
    return Planned(files, changed, joined.kept, tuple(every), _paths(every, known))


def in_folder(drafts: Sequence[Draft], folder: Path, at: datetime, *, force: bool = False) -> Planned:
    """What is to be written into a folder of the disk, which may not be there yet.

    UsageError where a file stands there with other content, unless it is to be overwritten by `force`.
    """
    tree = DiskSnapshot(folder)
    if tree.mode("") not in (None, FOLDER):
        raise UsageError(f"{folder} is no folder", "name a folder, or one that is to be made: --out DIR")
    known = reading.in_folder(folder) if tree.mode("") == FOLDER else Bundle(folder.name)
    named = known_atoms.under_known_ids(drafts, known)
    found = known_atoms.one_producer(named, known, {one.id for one in named})
    files = writing.files(found, at, known=known)
    there = {path: tree.read(path) for path in (*files, INDEX) if tree.blob(path) is not None}
    files |= _listing(found, known, there) if files else {}
    new = {path: data for path, data in files.items() if not known_atoms.is_same(there.get(path, b""), data)}
    others = sorted(path for path in new if path != INDEX and (path in there or tree.mode(path) is not None))
    if others and not force:
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        told = f"{', '.join(others[:_SHOWN])}{more} of {folder} would be overwritten"
        raise UsageError(told, "--force overwrites them; or choose another folder: --out DIR")
    changed = frozenset(path for path in new if path in there)
    return Planned(new, changed, (), tuple(found), _paths(found, known))


def write(planned: Planned, folder: Path) -> None:
    """Write the files, each whole or not at all. CannotRun where the folder cannot be written to."""
    for path, data in planned.files.items():
        try:
            _put(folder / path, data)
        except OSError as error:
            why = error.strerror or str(error)
            raise CannotRun(f"{folder / path} cannot be written: {why}", "make room, or name another --out") from error


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _listing(
    drafts: Sequence[Draft], known: Bundle, there: Mapping[str, bytes], *, is_page: bool = False
) -> dict[str, bytes]:
    """The listing of a bundle with drafts in it: made anew where it is ours or lacks; else what is new is added.

    Empty where it stays as it is.
    """
    before = [writing.Entry(one.type, one.title, one.path, "" if is_page else one.description) for one in known.atoms]
    paths = _paths(drafts, known)
    told = {one.id: one.description.text if one.description and not is_page else "" for one in drafts}
    after = {entry.path: entry for entry in before}
    after |= {paths[one.id]: writing.Entry(one.type, one.title, paths[one.id], told[one.id]) for one in drafts}
    whole, standing = writing.index(after.values(), is_root=not is_page).encode(), there.get(INDEX)
    if standing is None or standing == writing.index(before, is_root=not is_page).encode():
        return {INDEX: whole} if whole != standing else {}
    try:
        text = standing.decode()
    except UnicodeDecodeError:
        return {}
    for entry in after.values():
        if entry not in before and f"({entry.path})" not in text:
            folder = entry.path.partition("/")[0]
            text = editing.listed(text, folder[:1].upper() + folder[1:], writing.listed(entry))
    return {INDEX: text.encode()} if text.encode() != standing else {}


def _paths(drafts: Sequence[Draft], known: Bundle) -> dict[str, str]:
    return naming.paths(drafts, {atom.id: atom.path for atom in known.atoms})
