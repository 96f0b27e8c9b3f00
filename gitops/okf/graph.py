"""How the atoms of a bundle hang together: the rules that no file can keep alone.

Only atoms of our six types are held to them; edges may lead to any concept of the bundle.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from gitops.okf.knots import knots
from gitops.okf.model import ATOM_TYPES, ORDERED, Atom, Bundle, Fault, FaultLevel, Relationship
from gitops.okf.targets import resolve

_SHOWN = 8
"""So many ids of a circle are told, its beginning and its end."""
Ends = Mapping[str, Sequence[tuple[Relationship, Atom | None]]]
"""By the path of an atom, its edges and what each leads to."""


def faults(bundle: Bundle) -> tuple[Fault, ...]:
    """What breaks a rule, by place.

    Errors: `duplicate_id`, `dangling_edge`, `self_edge`, `several_producers`, `cycle_in_stages` (a workflow is a path:
    it neither leads back into itself nor passes one stage twice). A warning: `orphan_artifact`, which no atom produces.
    """
    atoms = [atom for atom in bundle.atoms if atom.type.casefold() in ATOM_TYPES]
    resolver = resolve(bundle)
    ends = {atom.path: [(edge, resolver.atom(atom, edge.target)) for edge in atom.edges] for atom in atoms}
    found = [
        *_doubled(atoms),
        *(fault for atom in atoms for fault in _ends(atom, ends[atom.path])),
        *_produced(atoms, ends),
        *_repeated(atoms, ends),
        *_circles(atoms, ends),
    ]
    return tuple(sorted(found, key=lambda fault: (fault.path, fault.line, fault.result, fault.message)))


def _fault(result: str, message: str, atom: Atom, line: int, mend: str, level: FaultLevel = "error") -> Fault:
    return Fault("graph", level, result, message, atom.path, line, mend)


def _doubled(atoms: Sequence[Atom]) -> Iterator[Fault]:
    """Ids that are taken already, by a file before in path order; case and Unicode's form tell none apart."""
    first: dict[str, Atom] = {}
    for atom in atoms:
        other = first.setdefault(unicodedata.normalize("NFC", atom.id).casefold(), atom)
        if other is not atom:
            told = f"the id '{atom.id}' is that of {other.path} too"
            yield _fault(
                "duplicate_id", told, atom, atom.lines.get("id", 0), "give one of them another id, or merge them"
            )


def _ends(atom: Atom, ends: Sequence[tuple[Relationship, Atom | None]]) -> Iterator[Fault]:
    for edge, end in ends:
        if end is None:
            told = f"{edge.rel} leads to '{edge.target}', which is no concept of the bundle"
            yield _fault("dangling_edge", told, atom, edge.line, "name an id or a path that is there, or add the atom")
        elif end is atom:
            told = f"{edge.rel} leads from '{atom.id}' to itself"
            yield _fault("self_edge", told, atom, edge.line, "remove the edge, or name another target")


def _produced(atoms: Sequence[Atom], ends: Ends) -> Iterator[Fault]:
    """What several atoms produce, told at each but the first of them; artifacts that none does."""
    producers: dict[str, list[tuple[Atom, Relationship]]] = {}
    for atom in atoms:
        made = {end.path: edge for edge, end in reversed(ends[atom.path]) if edge.rel == "produces" and end}
        for path, edge in made.items():
            if path != atom.path:
                producers.setdefault(path, []).append((atom, edge))
    for several in producers.values():
        (first, _), *others = several
        for atom, edge in others:
            told = f"'{edge.target}' is produced by '{first.id}' already, in {first.path}"
            yield _fault("several_producers", told, atom, edge.line, "keep `produces` on the one that makes it")
    for atom in atoms:
        if atom.type.casefold() == "artifact" and atom.path not in producers:
            told = f"nothing produces '{atom.id}'"
            mend = "add `produces` to the process that makes it, if the sources name one"
            yield _fault("orphan_artifact", told, atom, atom.lines.get("type", 0), mend, "warning")


def _repeated(atoms: Sequence[Atom], ends: Ends) -> Iterator[Fault]:
    """Stages that one workflow passes twice."""
    for atom in atoms:
        seen = set()
        for edge, end in ends[atom.path]:
            if edge.rel == ORDERED and end is not None and end is not atom:
                if end.path in seen:
                    told = f"the stages of '{atom.id}' come back to '{end.id}'"
                    yield _fault("cycle_in_stages", told, atom, edge.line, "name each stage once, where it comes first")
                seen.add(end.path)


def _circles(atoms: Sequence[Atom], ends: Ends) -> Iterator[Fault]:
    """Workflows that are, over others, stages of themselves: all that lead to one another are told once."""
    by_path = {atom.path: atom for atom in atoms}
    edges = {path: dict(_stages(path, ends, by_path)) for path in by_path}
    for ring in knots({path: list(stages) for path, stages in edges.items()}):
        trail = _shortest(min(ring), {path: [end for end in edges[path] if end in ring] for path in ring})
        atom = by_path[trail[0]]
        ids = [by_path[path].id for path in [*trail, trail[0]]]
        if len(ids) > _SHOWN:
            ids[_SHOWN // 2 : -_SHOWN // 2] = ["…"]
        told = f"stages lead in a circle: {' → '.join(ids)}"
        yield _fault("cycle_in_stages", told, atom, edges[trail[0]][trail[1]], "take out one of these stages")


def _stages(path: str, ends: Ends, known: Mapping[str, Atom]) -> Iterator[tuple[str, int]]:
    """The stages of an atom, by their paths, and the line that names each; what leads to itself is told as such."""
    for edge, end in reversed(ends[path]):
        if edge.rel == ORDERED and end is not None and end.path != path and end.path in known:
            yield end.path, edge.line


def _shortest(start: str, edges: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes of a shortest way from a node back to it."""
    came: dict[str, str] = {}
    waiting = [start]
    for node in waiting:  # which grows as it goes
        for end in edges[node]:
            if end == start:
                trail = [node]
                while trail[-1] != start:
                    trail.append(came[trail[-1]])
                return trail[::-1]
            if end not in came:
                came[end] = node
                waiting.append(end)
    raise ValueError(f"no way leads from {start} back to it")
