"""What a notes ref's tree holds, at whatever depth git or libgit2 fanned it out, and what its lines make together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from gitops.errors import UsageError
from gitops.git import objects
from gitops.git.objects import FOLDER, REGULAR
from gitops.git.repository import Repository
from gitops.git.trees import File

Found = list[tuple[str, str]]
"""The (path, blob id) of every note on one target; more than one where writers fanned out differently."""

_TARGET = re.compile(r"[0-9a-f]{40}")
_HEX = re.compile(rb"[0-9a-f]+")


def union(one: bytes, other: bytes) -> bytes:
    """The lines of both, each once, in byte order, each ended by a line break; what `cat_sort_uniq` makes.

    Commutative, associative and idempotent, as merges in any order have to be. Empty lines are dropped.
    """
    lines = set(one.split(b"\n")) | set(other.split(b"\n"))
    return b"".join(line + b"\n" for line in sorted(lines - {b""}))


def together(contents: Sequence[bytes]) -> bytes:
    """What the notes on one target say: a single one as it is, several as their union, none as nothing."""
    return contents[0] if len(contents) == 1 else reduce(union, contents, b"")


def place(target: str) -> str:
    """Where we write a target's note: two hexadecimal digits, then the rest."""
    return f"{_whole(target)[:2]}/{target[2:]}"


def _whole(target: str) -> str:
    if not _TARGET.fullmatch(target):
        raise UsageError(f"{target!r} is not the full id of an object", "give all 40 hexadecimal digits")
    return target


class NoteTree:
    """One version of a notes ref. Folders are read once each; '' is the version before the first note."""

    def __init__(self, repository: Repository, tree_id: str) -> None:
        self.repository = repository
        self.tree_id = tree_id
        self._folders: dict[str, dict[bytes, tuple[bool, str]]] = {}

    def on(self, target: str) -> Found:
        """The notes on one target, looked for at every depth."""
        return list(self._on(self.tree_id, _whole(target).encode(), ""))

    def all(self) -> dict[str, Found]:
        """The notes on every target, in order of the targets' ids; what is not a note is left out."""
        found: dict[str, Found] = defaultdict(list)
        for target, path, blob in self._walk(self.tree_id, "", ""):
            found[target].append((path, blob))
        return dict(sorted(found.items()))

    def content(self, found: Found) -> bytes:
        """What the notes of one target say together: a single one as it is, several as their union."""
        return together([objects.read(self.repository, blob) for _, blob in found])

    def change(self, target: str, lines: bytes) -> dict[str, File | None]:
        """The edit that adds lines to a target's note and leaves it in one place, ours; {} when all are there."""
        found, home = self.on(target), place(target)
        before = self.content(found)
        if {path for path, _ in found} <= {home} and set(lines.split(b"\n")) <= {*before.split(b"\n"), b""}:
            return {}
        edit: dict[str, File | None] = {path: None for path, _ in found if path != home}
        return edit | {home: (union(before, lines), REGULAR)}

    def _folder(self, tree_id: str) -> dict[bytes, tuple[bool, str]]:
        if (known := self._folders.get(tree_id)) is None:
            items = objects.raw_items(objects.read(self.repository, tree_id))
            known = {name: (int(mode, 8) == FOLDER, raw.hex()) for mode, name, raw in items}
            self._folders[tree_id] = known
        return known

    def _on(self, tree_id: str, rest: bytes, start: str) -> Iterator[tuple[str, str]]:
        folder = self._folder(tree_id)
        is_folder, child = folder.get(rest, (True, ""))
        if not is_folder:
            yield start + rest.decode(), child
        is_folder, child = folder.get(rest[:2], (False, ""))
        if is_folder and len(rest) > 2:
            yield from self._on(child, rest[2:], f"{start}{rest[:2].decode()}/")

    def _walk(self, tree_id: str, digits: str, start: str) -> Iterator[tuple[str, str, str]]:
        for name, (is_folder, child) in self._folder(tree_id).items():
            if not _HEX.fullmatch(name):
                continue
            here = digits + name.decode()
            if not is_folder and len(here) == 40:
                yield here, start + name.decode(), child
            elif is_folder and len(name) == 2 and len(here) < 40:
                yield from self._walk(child, here, f"{start}{name.decode()}/")


def packed(lines: Iterable[str]) -> bytes:
    """Records as a note's bytes. UsageError for an empty one, or one with a line break."""
    checked = list(lines)
    if any(not line or "\n" in line for line in checked):
        raise UsageError("a note is made of whole lines, none empty", "write one record a line")
    return "".join(line + "\n" for line in checked).encode("utf-8", "surrogateescape")


def unpacked(content: bytes) -> list[str]:
    """A note's bytes as lines, empty ones left out; bytes that are not UTF-8 come through as surrogates."""
    return [line for line in objects.decode(content).split("\n") if line]
