"""Objects as bytes. Trees are parsed by us: for a folder of 100,000 pages libgit2's entries cost three times that."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from gitops.errors import Absent, CannotRun
from gitops.git.failure import telling

if TYPE_CHECKING:
    from gitops.git.repository import Repository

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The id of a tree without entries; git knows it without storing it."""

REGULAR = 0o100644
EXECUTABLE = 0o100755
SYMLINK = 0o120000
SUBMODULE = 0o160000
FOLDER = 0o040000

_HEX = frozenset("0123456789abcdef")
_ENTRY = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)


class Item(NamedTuple):
    """One entry of a tree object: git's mode, the name's own bytes, the raw 20-byte id."""

    mode: int
    name: bytes
    id: bytes


def read(repository: Repository, object_id: str) -> bytes:
    """An object's bytes. `Absent` when this clone does not hold it; CannotRun when it is damaged."""
    import pygit2

    if object_id == EMPTY_TREE:
        return b""
    try:
        return repository.handle.odb.read(object_id)[1]
    except KeyError as error:
        raise Absent(object_id) from error
    except (pygit2.GitError, ValueError) as error:
        raise CannotRun(f"object {object_id}: {error}", "'git fsck' says what is damaged") from error


def size(repository: Repository, object_id: str) -> int:
    """An object's size in bytes, from its header alone."""
    import pygit2

    try:
        return repository.handle.odb.read_header(object_id)[1]
    except KeyError as error:
        raise Absent(object_id) from error
    except pygit2.GitError as error:
        raise CannotRun(f"object {object_id}: {error}", "'git fsck' says what is damaged") from error


def exists(repository: Repository, object_id: str) -> bool:
    """Whether this clone holds the object. It holds none by what is no whole id, whoever wrote that into a record."""
    is_id = len(object_id) == 40 and _HEX.issuperset(object_id)
    return is_id and (object_id == EMPTY_TREE or repository.handle.odb.exists(object_id))


def raw_items(data: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """The entries of a tree object as (octal mode, name, raw id), in the tree's own order."""
    found: list[tuple[bytes, bytes, bytes]] = _ENTRY.findall(data)
    # A space and a NUL beside what was found, entry by entry.
    if sum(map(len, chain.from_iterable(found))) + 2 * len(found) != len(data):
        raise CannotRun("a tree object is damaged", "'git fsck' says which")
    return found


def write_tree(repository: Repository, items: Iterable[Item]) -> str:
    """Write a tree object of these entries, in the order git wants (a folder sorts as `name/`); its id."""
    ordered = sorted(items, key=lambda item: item.name + b"/" if item.mode == FOLDER else item.name)
    data = b"".join(b"%o %b\0%b" % item for item in ordered)
    repository.refuse_in_quarantine("writing a tree")
    with telling("writing a tree"):
        return str(repository.handle.odb.write(_type("TREE"), data))


def write_blob(repository: Repository, data: bytes) -> str:
    """Write a blob; its id."""
    repository.refuse_in_quarantine("writing a blob")
    with telling("writing a blob"):
        return str(repository.handle.odb.write(_type("BLOB"), data))


def _type(name: str) -> int:
    from pygit2.enums import ObjectType

    return int(ObjectType[name])


def decode(name: bytes) -> str:
    """A path's bytes as text; what is not UTF-8 comes through as surrogates, and `encode` brings it back."""
    return name.decode("utf-8", "surrogateescape")


def encode(name: str) -> bytes:
    """The inverse of `decode`."""
    return name.encode("utf-8", "surrogateescape")
