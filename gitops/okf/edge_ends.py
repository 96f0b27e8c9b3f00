"""Which types of atoms an edge joins by custom: what `docs/okf.md` says that edges mean, as a table."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.okf.model import ATOM_TYPES, AtomType

_ANY: tuple[AtomType, ...] = ATOM_TYPES
ENDS: Mapping[str, tuple[tuple[AtomType, ...], tuple[AtomType, ...]]] = {
    "owner": (("process", "system", "workflow", "decision", "artifact"), ("role",)),
    "uses": (("process", "role", "system", "workflow"), ("system", "artifact")),
    "produces": (("process",), ("artifact",)),
    "governed_by": (_ANY, ("decision", "artifact")),
    "stages": (("workflow",), ("process", "workflow")),
    "relates_to": (_ANY, _ANY),
    "decided_by": (("decision",), ("role",)),
}
"""Type of edge → the types it leads from, and those it leads to."""
