"""An atom that is to be written: what an extractor hands in, before there is a file."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.okf.model import AtomType, Relationship


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a source: its path as pages cite it (`raw/a.md`), the words letter for letter, and where they begin.

    `offset` counts code points of the source's text; None where nobody knows it.
    """

    path: str
    quote: str
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and the passages that it rests on, in the order in which they are to be cited."""

    text: str
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """One atom. `id` has no white space and is its own among all drafts; `relationships` lead to ids.

    `description` is one sentence that says what it is; `rationale` the sentences that say why it is so. The order of
    both and of the relationships is kept.
    """

    type: AtomType
    id: str
    title: str
    description: Said | None = None
    relationships: tuple[Relationship, ...] = ()
    rationale: tuple[Said, ...] = ()
