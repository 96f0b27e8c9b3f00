"""The words of our profile of the Open Knowledge Format: atoms, the typed edges between them, what is wrong with them.

OKF 0.2 has concepts of any type and links of none. An atom is a concept of one of six types whose frontmatter carries
typed edges as `relationships`, a key that other readers of OKF keep and ignore (OKF 0.2, 4.1). `docs/okf.md` has the
profile in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

OKF_VERSION = "0.2"
AtomType = Literal["process", "role", "system", "workflow", "decision", "artifact"]
ATOM_TYPES: tuple[AtomType, ...] = ("process", "role", "system", "workflow", "decision", "artifact")
EdgeType = Literal["owner", "uses", "produces", "governed_by", "stages", "relates_to", "decided_by"]
EDGE_TYPES: tuple[EdgeType, ...] = ("owner", "uses", "produces", "governed_by", "stages", "relates_to", "decided_by")
ORDERED: EdgeType = "stages"
"""The one edge type whose order means something: a workflow is an ordered path through processes."""
Standard = Literal["okf", "profile", "graph", "gold"]
"""Whose rule it is: OKF's own, our profile's of one file, our profile's of how files hang together; or gold's."""
FaultLevel = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a bundle, told and never raised. `line` counts from 1; 0 is the file as a whole."""

    standard: Standard
    level: FaultLevel
    result: str
    message: str
    path: str
    line: int = 0
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Relationship:
    """One typed edge as its file has it: `target` as written, `line` where it stands."""

    rel: str
    target: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Backing:
    """What an atom cites: a file, as written, and the words of it; '' where only the file is named.

    `line` is where the citation stands in the atom's file.
    """

    path: str
    quote: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an atom's rationale, without its reference marks, the line it stands on, and what it cites."""

    text: str
    line: int
    backings: tuple[Backing, ...] = ()


@dataclass(frozen=True, slots=True)
class Atom:
    """One concept as its file has it.

    `id` is the frontmatter's `id`, else the concept id (OKF 0.2, 2: the path without `.md`). `type` is as written,
    white space folded; nothing says that it is one of `ATOM_TYPES`. `title` falls back to the file's name. `rationale`
    are the sentences below a heading `Rationale`, or those of a key `rationale`. `edges` keep the order of the file.
    `lines` has where each key of the frontmatter stands.
    """

    id: str
    type: str
    title: str
    path: str
    edges: tuple[Relationship, ...] = ()
    rationale: tuple[Sentence, ...] = ()
    description: str = ""
    backings: tuple[Backing, ...] = ()
    sources: tuple[str, ...] = ()
    """The `resource` of each entry of `sources`."""
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    """What its own file gets wrong, by OKF's rules and by the profile's."""

    @property
    def concept(self) -> str:
        """The concept id: the path without `.md`."""
        return self.path.removesuffix(".md")

    @property
    def is_valid(self) -> bool:
        """Whether neither OKF nor the profile finds an error in its file."""
        return all(fault.level != "error" for fault in self.faults)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder of concepts, by path.

    `unread` are concept files that hold no atom to be had (no frontmatter, no type, too large, not UTF-8); their
    faults, those of reserved files and those of the bundle as a whole are in `faults`.
    """

    name: str
    atoms: tuple[Atom, ...] = ()
    unread: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def files(self) -> int:
        """How many concept files there are, read or not."""
        return len(self.atoms) + len(self.unread)

    @property
    def every_fault(self) -> list[Fault]:
        """All that is wrong, in order of place."""
        found = [*self.faults, *(fault for atom in self.atoms for fault in atom.faults)]
        return sorted(found, key=lambda fault: (fault.path, fault.line, fault.standard, fault.result, fault.message))
