"""Atoms, bundles and scores made by hand, without a file."""

from __future__ import annotations

from collections.abc import Iterable

from gitops.extraction import edges, matching
from gitops.extraction.model import VARIANTS, Case, CaseScore, Faithfulness, Matching
from gitops.okf import graph
from gitops.okf.model import Atom, Bundle, Relationship

Edges = Iterable[tuple[str, str]]


def atom(id: str, type: str = "role", title: str | None = None, edges: Edges = (), path: str | None = None) -> Atom:
    """An atom; its title is its id and its path is made of both where they are not given."""
    ends = tuple(Relationship(rel, target, line) for line, (rel, target) in enumerate(edges, 5))
    return Atom(id, type, id if title is None else title, f"{id}.md" if path is None else path, ends)


def bundle(*atoms: Atom) -> Bundle:
    return Bundle("bundle", tuple(atoms))


def scored(gold: Bundle, emitted: Bundle, name: str = "case", claims: Faithfulness | None = None) -> CaseScore:
    """A case scored as the flow does it, but for its rationales."""
    found = {variant: matching.match(gold, emitted, variant) for variant in VARIANTS}
    return CaseScore(
        case=Case(name, (), gold),
        emitted=emitted,
        matching=found,
        edges={variant: edges.score(gold, emitted, found[variant], variant) for variant in VARIANTS},
        graph=graph.faults(emitted),
        faithfulness=claims or Faithfulness(),
    )


def paired(found: Matching) -> list[tuple[str, str, str]]:
    """Who was matched with whom, by the paths, and by what."""
    return [(pair.gold.path, pair.emitted.path, pair.by) for pair in found.pairs]
