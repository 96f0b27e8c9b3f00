"""What was extracted, as its files have it: a folder with a folder for each case, or the folder of the only case.

It is read from a folder of the disk or of a commit's tree alike; who wrote it does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitops.canonical import digest as digest_of
from gitops.errors import UsageError
from gitops.extraction.model import Case
from gitops.okf import reading
from gitops.okf.model import Atom, Bundle
from gitops.wiki.disk import FOLDER, DiskSnapshot
from gitops.wiki.layout import joined
from gitops.wiki.snapshot import Snapshot

_LAYOUT = "the folder holds a folder for each case, called as the case is: {}"
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Emitted:
    """For each case what was extracted for it: a bundle whose name is its folder as a person finds it, empty where
    there is none. `stray` is what lies at the top and belongs to no case.
    """

    bundles: Mapping[str, Bundle]
    stray: tuple[str, ...] = ()

    @property
    def files(self) -> int:
        """How many concept files there are in all."""
        return sum(bundle.files for bundle in self.bundles.values())

    @property
    def digest(self) -> str:
        """The sha256 of all that is scored: neither the order of files nor that of keys changes it."""
        return digest_of({case: _content(bundle) for case, bundle in self.bundles.items()})


def in_folder(path: Path, cases: Sequence[Case], called: str = "", known: Collection[str] = ()) -> Emitted:
    """What lies below a folder of the disk; `called` is what places call the folder (default: its path).

    `known` are the names of all cases that there are, where some of them alone are wanted.
    UsageError where there is no such folder, and where nothing in it is called as a case is.
    """
    tree, called = DiskSnapshot(path), called or str(path)
    if tree.mode("") != FOLDER:
        raise UsageError(f"there is no folder {called}", "name the folder that holds what was extracted")
    return _read(tree, "", called, cases, known)


def in_tree(tree: Snapshot, folder: str, cases: Sequence[Case], known: Collection[str] = ()) -> Emitted:
    """The same of a folder of a tree; one that is not there is an empty one, for no tree holds an empty folder."""
    return _read(tree, folder, folder, cases, known)


def _read(tree: Snapshot, folder: str, called: str, cases: Sequence[Case], known: Collection[str]) -> Emitted:
    start = len(folder) + 1 if folder else 0
    at_top = dict.fromkeys(_top(path[start:]) for path in tree.paths(folder))
    names = {case.id for case in cases} | set(known)
    if any(name in names for name, is_folder in at_top if is_folder):
        stray = tuple(sorted(name for name, is_folder in at_top if not (is_folder and name in names)))
        return Emitted({case.id: _below(tree, folder, called, case.id) for case in cases}, stray)
    if len(cases) == 1:
        return Emitted({cases[0].id: reading.bundle(tree, folder, called, strict=True)})
    if not at_top:
        return Emitted({case.id: Bundle(joined(called, case.id)) for case in cases})
    there = some([name for name, _ in at_top], _NAMED)
    told = f"nothing in {called or 'the folder'} is called as a case is: there is {there}"
    raise UsageError(told, _LAYOUT.format(some(sorted(names), _NAMED)))


def _below(tree: Snapshot, folder: str, called: str, case: str) -> Bundle:
    return reading.bundle(tree, joined(folder, case), joined(called, case), strict=True)


def _top(path: str) -> tuple[str, bool]:
    """What a path has at the top, and whether that is a folder."""
    name, slash, _ = path.partition("/")
    return name, bool(slash)


def some(names: Sequence[str], most: int = 5) -> str:
    """The first few of some names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _content(bundle: Bundle) -> list[object]:
    atoms = sorted((_atom(atom) for atom in bundle.atoms), key=digest_of)
    return [atoms, sorted(bundle.unread)]


def _atom(atom: Atom) -> list[object]:
    edges = [[edge.rel, edge.target] for edge in atom.edges]
    said = [[one.text, [[each.path, each.quote] for each in one.backings]] for one in atom.rationale]
    cited = [[each.path, each.quote] for each in atom.backings]
    wrong = sorted([fault.standard, fault.result] for fault in atom.faults if fault.level == "error")
    return [atom.path, atom.id, atom.type, atom.title, edges, said, cited, wrong]
