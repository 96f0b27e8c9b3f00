"""A folder of concepts as a bundle, from a commit's tree or from the disk alike."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path

from gitops.errors import UsageError
from gitops.okf import concept, reserved
from gitops.okf.model import Atom, Bundle, Fault, FaultLevel
from gitops.wiki.disk import FOLDER, DiskSnapshot
from gitops.wiki.paths import collision_key, is_dotfile
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, Snapshot

LARGEST = 1024 * 1024
"""How many bytes a file may have: a larger one is told and not read."""
SUFFIX = ".md"


def in_folder(path: Path, name: str = "", *, strict: bool = False) -> Bundle:
    """The bundle in a folder of the disk. UsageError where there is no folder."""
    tree = DiskSnapshot(path)
    if tree.mode("") != FOLDER:
        raise UsageError(f"there is no folder {path}", "name the folder that holds the concepts")
    return bundle(tree, "", name or path.name, strict=strict)


def of_file(path: Path, *, strict: bool = False) -> Bundle:
    """One file as a bundle of its own; nothing is known of what lies beside it."""
    return _bundle(DiskSnapshot(path.parent), "", [path.name], path.name, strict)


def bundle(tree: Snapshot, folder: str = "", name: str = "", *, strict: bool = False) -> Bundle:
    """The bundle in a folder of a tree, '' for all of it; paths are relative to the folder.

    Hidden files are none of it. `strict` is for what should hold atoms alone: a concept of another type than the six
    is then an error of the profile.
    """
    inside = (path.removeprefix(f"{folder}/") if folder else path for path in tree.paths(folder))
    paths = sorted(path for path in inside if not is_dotfile(path))
    return _bundle(tree, folder, paths, name or folder.rpartition("/")[2], strict)


def _bundle(tree: Snapshot, folder: str, paths: list[str], name: str, strict: bool) -> Bundle:
    atoms, unread, faults = list[Atom](), list[str](), list[Fault]()
    for path in paths:
        found = _read(tree, f"{folder}/{path}" if folder else path, path, strict)
        if isinstance(found, Atom):
            atoms.append(found)
            continue
        faults += found
        if _is_concept(path) and any(fault.level == "error" for fault in found):
            unread.append(path)
    faults += _colliding(paths)
    return Bundle(name, tuple(atoms), tuple(unread), tuple(faults))


def _is_concept(path: str) -> bool:
    return path.endswith(SUFFIX) and posixpath.basename(path) not in reserved.NAMES


def _read(tree: Snapshot, at: str, path: str, strict: bool) -> Atom | tuple[Fault, ...]:
    """What stands at a path: an atom, or the faults of what is none; files of other kinds have neither."""
    mode = tree.mode(at)
    if mode == SYMLINK:
        return _link(tree, at, path)
    if not path.endswith(SUFFIX) or mode == SUBMODULE:
        return ()
    if mode not in (REGULAR, EXECUTABLE):
        return (_fault("error", "no_file", "it is no regular file and was not read", path, "put a file in its place"),)
    if (size := tree.size(at)) > LARGEST:
        told = f"it has {size / LARGEST:,.1f} MiB, more than {LARGEST // 1024**2} MiB, and was not read"
        return (_fault("error", "too_large", told, path, "split it into several concepts"),)
    try:
        data = tree.read(at)
    except OSError as error:
        return (_fault("error", "no_file", f"it cannot be read: {error.strerror or error}", path, "let it be read"),)
    if _is_concept(path):
        return concept.read(path, data, is_strict=strict)
    return tuple(reserved.faults(path, data))


def _link(tree: Snapshot, at: str, path: str) -> tuple[Fault, ...]:
    """Symbolic links are not followed: what they lead to inside the bundle is read where it lies."""
    kept = tree.link(at) if isinstance(tree, DiskSnapshot) else tree.read(at)
    target = kept.decode(errors="surrogateescape")
    inside = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    leaves = target.startswith("/") or inside == ".." or inside.startswith("../")
    if leaves and path.endswith(SUFFIX):
        told = f"it is a symbolic link out of the bundle, to '{target}', and was not read"
        return (_fault("error", "leaves_bundle", told, path, "put the file itself here"),)
    where = "out of the bundle" if leaves else "within the bundle"
    told = f"it is a symbolic link {where}, to '{target}', and is not followed"
    return (_fault("note", "symbolic_link", told, path, "put a file here where one is meant"),)


def _colliding(paths: list[str]) -> Iterator[Fault]:
    """Names that are one to a file system that folds case or composes Unicode."""
    first: dict[str, str] = {}
    for path in paths:
        other = first.setdefault(collision_key(path), path)
        if other != path and path.endswith(SUFFIX):
            told = f"its name is that of {other} to file systems that fold case"
            yield _fault("warning", "colliding_names", told, path, "rename one of them")


def _fault(level: FaultLevel, result: str, told: str, path: str, mend: str) -> Fault:
    return Fault("okf", level, result, told, path, 0, mend)
