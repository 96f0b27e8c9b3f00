"""What scoring an extraction is about: a case of gold, what was matched, what was missed, made up or mislinked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gitops.okf.model import Atom, Bundle, Fault, Sentence

Variant = Literal["canonical", "strict"]
"""How ids are compared: brought into one form, which is what bars are held to, or letter for letter."""
VARIANTS: tuple[Variant, ...] = ("canonical", "strict")


@dataclass(frozen=True, slots=True)
class Source:
    """A source document of a case: its path within the case's `sources/`, where it lies, and its text."""

    name: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One pair of gold: source documents, and the atoms that should be extracted from them.

    `place` is the folder of the case as it can be told to a person; the paths of the gold's atoms are below its
    `atoms/`.
    """

    id: str
    sources: tuple[Source, ...]
    gold: Bundle
    description: str = ""
    tags: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives, false negatives. What has no denominator is None, never 0 and never 1."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else None

    @property
    def recall(self) -> float | None:
        """The share of what is right that was found."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both (van Rijsbergen 1979, ch. 7): 2 TP / (2 TP + FP + FN)."""
        whole = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / whole if whole else None

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


@dataclass(frozen=True, slots=True)
class Pair:
    """An atom of gold and the one that was extracted for it, and by what they were matched."""

    gold: Atom
    emitted: Atom
    by: Literal["id", "title"]

    @property
    def is_type_right(self) -> bool:
        """Whether they are of one type."""
        return self.gold.type.casefold() == self.emitted.type.casefold()


@dataclass(frozen=True, slots=True)
class Tie:
    """Another assignment would have been as good: which atoms of gold could have gone to which that were extracted."""

    gold: tuple[str, ...]
    emitted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matching:
    """One to one: what was matched, in the order of the gold's paths, and what is left on either side."""

    pairs: tuple[Pair, ...]
    missed: tuple[Atom, ...]
    spurious: tuple[Atom, ...]
    ties: tuple[Tie, ...] = ()

    @property
    def counts(self) -> Counts:
        """Atoms as counts."""
        return Counts(len(self.pairs), len(self.spurious), len(self.missed))


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between atoms, with where it stands: `path` and `line` of the file that carries it."""

    source: str
    rel: str
    target: str
    path: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of one workflow: its gold sequence, the extracted one in the gold's ids, and how far they agree.

    `common` is the length of their longest common subsequence.
    """

    workflow: str
    gold: tuple[str, ...]
    emitted: tuple[str, ...]
    common: int

    @property
    def is_exact(self) -> bool:
        """Whether they are the same, in the same order."""
        return self.gold == self.emitted


@dataclass(frozen=True, slots=True)
class EdgeScore:
    """Edges by type as counts, with those that are missed and those that are spurious; of `stages` the sequences."""

    by_type: Mapping[str, Counts]
    missed: tuple[Link, ...] = ()
    spurious: tuple[Link, ...] = ()
    stages: tuple[Stages, ...] = ()

    @property
    def counts(self) -> Counts:
        """All types pooled."""
        return sum(self.by_type.values(), Counts())


ClaimStatus = Literal["grounded", "omitted", "fabricated", "unjudged"]


@dataclass(frozen=True, slots=True)
class RationaleClaim:
    """A sentence of a rationale and what became of it.

    `grounded` and `fabricated` ones were extracted; `omitted` ones stand in the gold and in nothing that was extracted.
    `unjudged` ones were extracted, or stand in the gold and nobody is sure whether they were. `atom` is the id of the
    atom it belongs to, `path` that atom's file, of what was extracted or of the gold; `judge` who said so ('' where no
    vote was needed); `source` and `source_line` the place in the source where that is known.
    """

    status: ClaimStatus
    sentence: Sentence
    atom: str
    path: str
    reason: str = ""
    judge: str = ""
    source: str = ""
    source_line: int = 0


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """The claims of all rationales of a case.

    The score is grounded / (grounded + fabricated + omitted); what nobody could judge counts as nothing, and is told.
    """

    claims: tuple[RationaleClaim, ...] = ()

    def count(self, status: ClaimStatus) -> int:
        """How many claims came out so."""
        return sum(claim.status == status for claim in self.claims)

    @property
    def judged(self) -> int:
        """How many claims count."""
        return len(self.claims) - self.count("unjudged")

    @property
    def score(self) -> float | None:
        """The share that is grounded of all that count; None where none counts."""
        return self.count("grounded") / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class CaseScore:
    """One case scored. `emitted` is what was parsed back from the files that were written for it.

    `graph` are the faults of how those files hang together.
    """

    case: Case
    emitted: Bundle
    matching: Mapping[Variant, Matching]
    edges: Mapping[Variant, EdgeScore]
    graph: tuple[Fault, ...] = ()
    faithfulness: Faithfulness = field(default_factory=Faithfulness)

    @property
    def valid(self) -> int:
        """How many of the files that were written hold a valid atom."""
        return sum(atom.is_valid for atom in self.emitted.atoms)


@dataclass(frozen=True, slots=True)
class Scored:
    """All cases scored. `stray` are folders of what was extracted that belong to no case, and count for nothing."""

    cases: Sequence[CaseScore]
    stray: tuple[str, ...] = ()
