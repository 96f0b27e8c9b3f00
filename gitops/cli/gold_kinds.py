"""Each kind of gold that a workspace may have, read and checked by what measures with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from gitops.errors import UsageError
from gitops.extraction import gold as extraction_gold
from gitops.extraction.gold_files import Read, read
from gitops.extraction.model import Case
from gitops.git.snapshot import TreeSnapshot
from gitops.retrieval import golden, running
from gitops.runs.bad_input import BadInput
from gitops.runs.gold_file import BadGold, Fault
from gitops.runs.gold_place import Place
from gitops.runs.printed_gold_check import GoldFault, GoldKind
from gitops.suites import loading, places
from gitops.wiki.disk import DiskSnapshot
from gitops.wiki.layout import joined
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, Snapshot


def every(place: Place) -> tuple[list[GoldKind], Sequence[Case]]:
    """The kinds of gold that there are at a place, and the cases of extraction, for what they cover."""
    tree: Snapshot = (
        TreeSnapshot.at(place.context.repository, place.commit)
        if place.is_past
        else DiskSnapshot(places.worktree(place.context))
    )
    layout = place.workspace.layout
    folder = joined(layout.gold, extraction_gold.NAME)
    found = read(tree, folder, folder)
    kinds = [extraction(found, folder)] if found.cases or found.faults else []
    if tree.mode(place.name) is not None:
        kinds.append(_queries(place))
    if (mode := tree.mode(running.file_of(layout))) is not None:
        kinds.append(_retrieval(tree, running.file_of(layout), mode))
    suites = (
        loading.every_at(place.context, place.workspace, place.commit)
        if place.is_past
        else loading.every_in_worktree(place.context, place.workspace)
    )
    if suites.loaded or suites.wrong:
        kinds.append(_suites(suites, places.suites(layout)))
    return kinds, found.cases


def extraction(found: Read, called: str) -> GoldKind:
    """The cases of extraction in a folder: how many there are of what, and what is wrong."""
    atoms = [atom for case in found.cases for atom in case.gold.atoms]
    counts = {
        "cases": len(found.cases),
        "atoms": len(atoms),
        "edges": sum(len(atom.edges) for atom in atoms),
        "reasons": sum(len(atom.rationale) for atom in atoms),
    }
    faults = [
        _fault(one.path, one.line, one.message, one.level == "error", one.result, one.mend)
        for one in extraction_gold.every_fault(found)
    ]
    return {"kind": "extraction", "place": f"{called.rstrip('/')}/", "counts": counts, "faults": faults}


def _queries(place: Place) -> GoldKind:
    """The questions of metric M3. What they expect and the wiki lacks may be the wiki's fault, and is a warning."""
    try:
        queries = place.queries()
    except BadGold as error:
        return _broken("queries", place.name, error.faults)
    except UsageError as error:
        return _broken("queries", place.name, [Fault(0, error.message)])
    faults = [_fault(place.name, one.line, one.message, False, "unfounded") for one in place.ground.faults(queries)]
    return {"kind": "queries", "place": place.name, "counts": {"queries": len(queries)}, "faults": faults}


def _retrieval(tree: Snapshot, name: str, mode: int) -> GoldKind:
    """Golden queries. Whether their chunks are there is seen by the run that looks them up."""
    if mode not in (REGULAR, EXECUTABLE):
        return _broken("retrieval", name, [Fault(0, "this is no file: a link, a folder or the like")])
    try:
        queries = golden.parse(tree.read(name), name)
    except BadInput as error:
        return _broken("retrieval", name, error.faults)
    return {"kind": "retrieval", "place": name, "counts": {"queries": len(queries)}, "faults": []}


def _suites(found: loading.Every, folder: str) -> GoldKind:
    cases = sum(len(one.suite.cases) for one in found.loaded)
    counts = {"suites": len(found.loaded), "cases": cases}
    return {"kind": "suites", "place": f"{folder}/", "counts": counts, "faults": list(_of_suites(found.wrong))}


def _of_suites(wrong: Mapping[str, Sequence[str]]) -> Iterator[GoldFault]:
    """What is wrong with suites is told as lines that begin with the file, where it is that of one."""
    for folder, told in ((folder, told) for folder, every in wrong.items() for told in every):
        path, colon, message = told.partition(": ")
        is_placed = colon and path.startswith(folder) and " " not in path
        yield _fault(path if is_placed else folder, 0, message if is_placed else told, True, "bad_suite")


def _broken(kind: Literal["queries", "retrieval"], name: str, faults: Iterable[Fault]) -> GoldKind:
    told = [_fault(name, one.line, one.message, True, "bad_file") for one in faults]
    return {"kind": kind, "place": name, "counts": {}, "faults": told}


def _fault(path: str, line: int, message: str, is_error: bool, result: str, mend: str = "") -> GoldFault:
    level: Literal["error", "warning"] = "error" if is_error else "warning"
    return {"level": level, "result": result, "path": path, "line": line, "message": message, "mend": mend}
