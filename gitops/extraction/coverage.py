"""What gold covers: a type of atom or of edge that no case has is one that no score tells anything of.

DEC-0009: "new edge types or atom types need gold coverage or the eval silently under-tests them".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.extraction.model import Case
from gitops.okf.model import ATOM_TYPES, EDGE_TYPES

Kind = Literal["atom", "edge", "rationale"]
RATIONALE = "decision with a stated rationale"


@dataclass(frozen=True, slots=True)
class Covered:
    """How many atoms or edges of a type there are, or decisions with a reason, and in how many cases."""

    kind: Kind
    name: str
    count: int
    cases: int


def covered(cases: Iterable[Case]) -> list[Covered]:
    """Each type of atom, each of edge, and decisions whose reason is told: by those faithfulness is measured."""
    every = list(cases)
    atoms = [[atom.type.casefold() for atom in case.gold.atoms] for case in every]
    edges = [[edge.rel for atom in case.gold.atoms for edge in atom.edges] for case in every]
    why = [[RATIONALE for a in case.gold.atoms if a.rationale and a.type.casefold() == "decision"] for case in every]
    return [
        *(_counted("atom", name, atoms) for name in ATOM_TYPES),
        *(_counted("edge", name, edges) for name in EDGE_TYPES),
        _counted("rationale", RATIONALE, why),
    ]


def missing(cases: Iterable[Case]) -> list[str]:
    """In words, what no case has."""
    return [f"no case has {_called(one)}" for one in covered(cases) if not one.count]


def thin(cases: Iterable[Case]) -> list[str]:
    """In words, what one case alone has: by one case little is told."""
    return [f"one case alone has {_called(one)}" for one in covered(cases) if one.cases == 1]


def _counted(kind: Kind, name: str, by_case: Sequence[Sequence[str]]) -> Covered:
    counts = [listed.count(name) for listed in by_case]
    return Covered(kind, name, sum(counts), sum(map(bool, counts)))


def _called(one: Covered) -> str:
    article = "an" if one.name[0] in "aeiou" else "a"
    return f"an edge {one.name}" if one.kind == "edge" else f"{article} {one.name}"
