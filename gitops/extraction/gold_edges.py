"""Whether edges of gold keep what `docs/extraction-gold.md` says of them: which types they join, and each but once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gitops.extraction.model import Case
from gitops.okf.edge_ends import ENDS
from gitops.okf.model import ATOM_TYPES, ORDERED, Atom, AtomType, Fault, FaultLevel, Relationship
from gitops.okf.profile import is_atom
from gitops.okf.targets import resolve

_LOOSE = "relates_to"
"""A connection that is none of the others, and has no direction of its own."""
_Edge = tuple[Atom, Relationship, Atom]


def faults(case: Case) -> Iterator[Fault]:
    """What is odd about edges that lead somewhere, in places within the case's atoms."""
    resolver = resolve(case.gold)
    found = ((atom, edge, resolver.atom(atom, edge.target)) for atom in case.gold.atoms for edge in atom.edges)
    edges = [(atom, edge, end) for atom, edge, end in found if end is not None and end is not atom]
    for one in edges:
        yield from _unusual(*one)
    yield from _twice(edges)
    yield from _short(case, edges)


def _unusual(atom: Atom, edge: Relationship, end: Atom) -> Iterator[Fault]:
    """An edge between types that it does not join by custom."""
    sources, targets = ENDS[edge.rel]
    if not (is_atom(atom.type) and is_atom(end.type)):
        return
    if atom.type.casefold() not in sources or end.type.casefold() not in targets:
        told = f"{edge.rel} leads from {_article(atom.type)} to {_article(end.type)} ('{end.id}')"
        mend = f"it leads from {_listed(sources)} to {_listed(targets)}: turn it round, or take another edge"
        yield _fault("warning", "unusual_ends", told, atom, edge, mend)


def _twice(edges: list[_Edge]) -> Iterator[Fault]:
    """One connection told two times: under two names of its target, from both of its ends, or loosely besides."""
    named: dict[tuple[str, str, str], str] = {}
    joined: dict[frozenset[str], str] = {}
    for atom, edge, end in edges:
        first = named.setdefault((atom.path, edge.rel, end.path), edge.target)
        if first != edge.target:  # the same target in the same words is the profile's to tell, or the graph's
            told = f"{edge.rel} leads to '{end.id}' twice, as '{first}' and as '{edge.target}'"
            yield _fault("error", "same_edge", told, atom, edge, "name it once")
        if edge.rel != _LOOSE:
            joined.setdefault(frozenset((atom.path, end.path)), edge.rel)
    for atom, edge, end in edges:
        if edge.rel != _LOOSE:
            continue
        if (end.path, _LOOSE, atom.path) in named and atom.path > end.path:
            told = f"'{end.id}' relates to '{atom.id}' already, in {end.path}"
            yield _fault("error", "same_edge", told, atom, edge, "write it on one of its two ends alone")
        elif (other := joined.get(frozenset((atom.path, end.path)))) is not None:
            told = f"'{atom.id}' and '{end.id}' are joined by {other} already"
            mend = f"`{_LOOSE}` is for what no other edge says: take it out, or the other"
            yield _fault("warning", "loose_besides", told, atom, edge, mend)


def _short(case: Case, edges: list[_Edge]) -> Iterator[Fault]:
    """Workflows that are no path: it takes two stages to have an order."""
    staged: dict[str, set[str]] = defaultdict(set)
    for atom, edge, end in edges:
        if edge.rel == ORDERED:
            staged[atom.path].add(end.path)
    for atom in case.gold.atoms:
        stages = staged[atom.path]
        if atom.type.casefold() == "workflow" and len(stages) < 2:
            told = f"the workflow '{atom.id}' has {'one stage' if stages else 'no stage'}, and a path has two or more"
            mend = "name its stages, or take it for a process"
            yield Fault("gold", "warning", "no_path", told, atom.path, atom.lines.get("type", 0), mend)


def _fault(level: FaultLevel, result: str, told: str, atom: Atom, edge: Relationship, mend: str) -> Fault:
    return Fault("gold", level, result, told, atom.path, edge.line, mend)


def _listed(types: tuple[AtomType, ...]) -> str:
    return "any atom" if types == ATOM_TYPES else " or ".join(filter(None, (", ".join(types[:-1]), types[-1])))


def _article(type: str) -> str:
    return f"an {type}" if type.casefold() == "artifact" else f"a {type}"
