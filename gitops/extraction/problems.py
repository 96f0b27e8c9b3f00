"""What an extraction got wrong, one by one and each with its places: the one list that terminal, report and CI show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gitops.extraction.mislinked import mislinked
from gitops.extraction.model import CaseScore, RationaleClaim, Scored
from gitops.extraction.source_places import NOWHERE, Places, Spot
from gitops.okf.model import Atom, Fault, FaultLevel
from gitops.wiki.layout import joined

Kind = Literal["missed", "spurious", "mistyped", "mislinked", "made_up", "omitted", "invalid", "graph"]
KINDS: tuple[Kind, ...] = ("missed", "spurious", "mistyped", "mislinked", "made_up", "omitted", "invalid", "graph")
"""In the order in which they are told."""
MEANING: Mapping[Kind, str] = {
    "missed": "in the gold, and not extracted",
    "spurious": "extracted, and not in the gold",
    "mistyped": "extracted as another type",
    "mislinked": "an edge that is missing, leads elsewhere, or is not in the gold",
    "made_up": "a reason that the source does not give",
    "omitted": "a reason that the source gives, and the extraction leaves out",
    "invalid": "a file that holds no valid atom",
    "graph": "files that do not hang together",
}
_LONGEST = 300
"""So many characters of what a file says are told at most."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong in one case.

    `path` and `line` are where it was extracted ('' where it was not), `gold` and `gold_line` where the gold says
    otherwise ('' where it says nothing), `source` and `source_line` the place in the source document, where that is
    known. A line of 0 is the file as a whole. `level` is that of a graph's fault; all else is an error. `why` is why
    that is thought, where a judge or how it was found says so: of the same thing it may be worded otherwise next time.
    """

    kind: Kind
    case: str
    what: str
    path: str = ""
    line: int = 0
    source: str = ""
    source_line: int = 0
    gold: str = ""
    gold_line: int = 0
    level: FaultLevel = "error"
    why: str = ""

    @property
    def told(self) -> str:
        """What it is, and why that is thought."""
        return with_why(self.what, self.why)

    def record(self) -> dict[str, Any]:
        """It as plain JSON: what is not known is left out."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in told.items() if value or name in ("kind", "case", "what")}


def with_why(what: str, why: str) -> str:
    """What is wrong, and behind it why that is thought, if anything says so."""
    return f"{what} ({why})" if why else what


def place(path: str, line: int) -> str:
    """`a.md:3`, `a.md` for the file as a whole, '' for no place."""
    return f"{path}:{line}" if line else path


def problems(scored: Scored) -> list[Wrong]:
    """All that is wrong, by case in their order, and within a case by kind, then by place."""
    return [wrong for case in scored.cases for wrong in of_case(case)]


def of_case(score: CaseScore) -> list[Wrong]:
    """What is wrong in one case."""
    found = _Found(score)
    every = [*found.atoms(), *found.edges(), *found.claims(), *found.files(), *found.graph()]
    return sorted(every, key=lambda one: (KINDS.index(one.kind), one.path or one.gold, one.line or one.gold_line))


def counted(every: Iterable[Wrong]) -> dict[str, int]:
    """How many there are of each kind, those of which there is none left out."""
    count = Counter(one.kind for one in every)
    return {kind: count[kind] for kind in KINDS if count[kind]}


class _Found:
    """What is wrong in one case, by the canonical variant: the one that bars are held to."""

    def __init__(self, score: CaseScore) -> None:
        self._score = score
        self._matching = score.matching["canonical"]
        self._places = Places(score.case)
        self._leaving = Counter(link.source for link in score.edges["canonical"].missed)
        self._twins = {pair.emitted.path: pair.gold for pair in self._matching.pairs}

    def atoms(self) -> Iterator[Wrong]:
        """Atoms that are missed, spurious, or of another type than the gold has."""
        for atom in self._matching.missed:
            yield self._wrong("missed", f"{_told(atom)}{self._edges_of(atom)}", gold=atom, at=self._source_of(atom))
        for atom in self._matching.spurious:
            yield self._wrong("spurious", _told(atom), emitted=atom, at=self._source_of(atom))
        for pair in self._matching.pairs:
            if not pair.is_type_right:
                what = f"{_told(pair.gold)} was extracted as {pair.emitted.type}"
                line = pair.emitted.lines.get("type", 0)
                spot = self._source_of(pair.gold)
                yield self._wrong("mistyped", what, emitted=pair.emitted, line=line, gold=pair.gold, at=spot)

    def edges(self) -> Iterator[Wrong]:
        """Edges, told together where one was extracted in the place of another; those of atoms that are missed or
        spurious themselves are told with these.
        """
        gold = {atom.id: atom for atom in self._score.case.gold.atoms}
        by_gold = {pair.gold.id: pair.emitted for pair in self._matching.pairs}
        alone = {atom.id for atom in self._matching.missed}, {atom.path for atom in self._matching.spurious}
        for link in mislinked(self._score.edges["canonical"], *alone):
            source = gold.get(link.source)
            emitted = by_gold.get(link.source)
            yield Wrong(
                "mislinked",
                self._score.case.id,
                _short(link.what),
                path=self._emitted(link.path or (emitted.path if emitted else "")),
                line=link.line,
                gold=self._gold(link.gold or (source.path if source else "")),
                gold_line=link.gold_line,
                **self._spot(self._source_of(source) if source else NOWHERE),
            )

    def claims(self) -> Iterator[Wrong]:
        """Sentences of rationales that the source does not bear out, and those of the gold that nothing says."""
        for claim in self._score.faithfulness.claims:
            if claim.status == "fabricated":
                yield self._claim("made_up", claim)
            elif claim.status == "omitted":
                yield self._claim("omitted", claim)

    def files(self) -> Iterator[Wrong]:
        """What makes a file hold no valid atom, fault by fault."""
        unread = set(self._score.emitted.unread)
        wrong = [fault for fault in self._score.emitted.faults if fault.path in unread]
        wrong += [fault for atom in self._score.emitted.atoms for fault in atom.faults]
        yield from (self._fault("invalid", fault) for fault in wrong if fault.level == "error")

    def graph(self) -> Iterator[Wrong]:
        """How the files do not hang together; what is a note only is left out."""
        yield from (self._fault("graph", fault) for fault in self._score.graph if fault.level != "note")

    def _claim(self, kind: Kind, claim: RationaleClaim) -> Wrong:
        what, why = f"{claim.atom}: {claim.sentence.text}", _short(claim.reason)
        spot = Spot(claim.source, claim.source_line)
        spot = spot if spot.path else self._places.first(claim.sentence.backings)
        if not spot.path and kind == "made_up" and claim.path in self._twins:
            spot = self._source_of(self._twins[claim.path])  # where the source speaks of what it is a reason for
        line = claim.sentence.line
        if kind == "omitted":
            where: dict[str, Any] = {"gold": self._gold(claim.path), "gold_line": line}
        else:
            where = {"path": self._emitted(claim.path), "line": line}
        return Wrong(kind, self._score.case.id, _short(what), **where, **self._spot(spot), why=why)

    def _fault(self, kind: Kind, fault: Fault) -> Wrong:
        path = self._emitted(fault.path) or self._score.emitted.name
        return Wrong(kind, self._score.case.id, _short(fault.message), path, fault.line, level=fault.level)

    def _wrong(
        self, kind: Kind, what: str, *, emitted: Atom | None = None, line: int = 0, gold: Atom | None = None, at: Spot
    ) -> Wrong:
        return Wrong(
            kind,
            self._score.case.id,
            _short(what),
            path=self._emitted(emitted.path) if emitted else "",
            line=line,
            gold=self._gold(gold.path) if gold else "",
            **self._spot(at),
        )

    def _source_of(self, atom: Atom) -> Spot:
        backings = (*atom.backings, *(each for sentence in atom.rationale for each in sentence.backings))
        return self._places.first(backings)

    def _edges_of(self, atom: Atom) -> str:
        count = self._leaving[atom.id]
        return f", with its {count} {'edge' if count == 1 else 'edges'}" if count else ""

    def _emitted(self, path: str) -> str:
        """The path of an extracted file as a person finds it."""
        return joined(self._score.emitted.name, path) if path else ""

    def _gold(self, path: str) -> str:
        return joined(self._score.case.place, f"atoms/{path}") if path else ""

    @staticmethod
    def _spot(spot: Spot) -> dict[str, Any]:
        return {"source": spot.path, "source_line": spot.line}


def _told(atom: Atom) -> str:
    title = f" ({atom.title})" if atom.title and atom.title != atom.id else ""
    return f"{atom.type} {atom.id}{title}"


def _short(text: str) -> str:
    """At most so much of it, on one line, for a file can say anything at any length."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
