"""Gold: source documents paired with the atoms that should be extracted from them, a folder for each pair.

    <case>/case.yaml        description, tags; `atoms: none` says that the sources hold nothing. May be left out
    <case>/sources/**       the documents
    <case>/atoms/**.md      the atoms, Open Knowledge Format files of our profile; they cite `sources/<file>`

It is read from a commit's tree or a folder alike, and by gold that is broken nothing is measured.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gitops.canonical import digest as digest_of
from gitops.canonical import sha256
from gitops.errors import UsageError
from gitops.extraction import gold_rules
from gitops.extraction.gold_files import Read, read
from gitops.extraction.model import Case
from gitops.extraction.places import NAME as NAME
from gitops.okf.model import ORDERED, Atom, Fault
from gitops.wiki.disk import FOLDER, DiskSnapshot
from gitops.wiki.snapshot import Snapshot

_CHECK = "git assay gold check"


def cases(tree: Snapshot, folder: str) -> list[Case]:
    """The cases below a folder of a tree, by name. UsageError for what breaks a rule, and where there is none."""
    return _sound(read(tree, folder, folder), folder, _CHECK)


def in_folder(path: Path, called: str = "") -> list[Case]:
    """The cases below a folder of the disk, likewise; `called` is what places call the folder (default: its path)."""
    called = called or str(path)
    return _sound(read_folder(path, called), called, f"{_CHECK} --gold {shlex.quote(called)}")


def read_folder(path: Path, called: str = "") -> Read:
    """All that is below a folder of the disk, with all that is wrong. UsageError where there is no such folder."""
    tree, called = DiskSnapshot(path), called or str(path)
    if tree.mode("") != FOLDER:
        raise UsageError(f"there is no folder {called}", "name the folder that holds the cases")
    return read(tree, "", called)


def every_fault(found: Read) -> list[Fault]:
    """What is wrong with files and with what they hold, by place."""
    faults = {*found.faults, *gold_rules.faults(found.cases)}
    return sorted(faults, key=lambda fault: (fault.path, fault.line, fault.standard, fault.result, fault.message))


def digest(cases: Iterable[Case]) -> str:
    """What a measurement is measured by: the sha256 of documents and of what is expected of them.

    Neither the order of files and keys nor what nothing is held to (descriptions, tags, prose) counts.
    """
    return digest_of(sorted(map(_measured_by, cases), key=lambda one: str(one["id"])))


def _measured_by(case: Case) -> dict[str, Any]:
    return {
        "id": case.id,
        "sources": sorted([source.name, sha256(source.text.encode())] for source in case.sources),
        "atoms": sorted((_expected(atom) for atom in case.gold.atoms), key=lambda one: (one["id"], one["type"])),
    }


def _expected(atom: Atom) -> dict[str, Any]:
    edges = [[edge.rel, edge.target] for edge in atom.edges]
    said = [[one.text, sorted([backing.path, backing.quote] for backing in one.backings)] for one in atom.rationale]
    return {
        "id": atom.id,
        "type": atom.type,
        "title": atom.title,
        "edges": sorted(edge for edge in edges if edge[0] != ORDERED),
        ORDERED: [target for rel, target in edges if rel == ORDERED],
        "rationale": sorted(said),
    }


def _sound(found: Read, called: str, check: str) -> list[Case]:
    wrong = [fault for fault in every_fault(found) if fault.level == "error"]
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise UsageError(f"{place_of(wrong[0])}: {wrong[0].message}{more}", f"{check} tells all that is wrong")
    if not found.cases:
        raise UsageError(f"there is no case of gold below {called or '.'}/", "docs/extraction-gold.md shows one")
    return list(found.cases)


def place_of(fault: Fault) -> str:
    """Where a fault is, as an editor opens it."""
    return f"{fault.path}:{fault.line}" if fault.line else fault.path
