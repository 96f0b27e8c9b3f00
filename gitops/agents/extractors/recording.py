"""The tools by which a model hands over atoms: what it gives is checked against the source before it is believed.

A quotation that the source does not hold is sent back once, with what is wrong; given so again, what rests on it is
dropped, and said so. Nothing is ever written as if it stood there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from gitops.agents.calling import Arguments, Tool, ToolError
from gitops.agents.extractors.given import Given
from gitops.agents.fencing import unhidden
from gitops.okf.draft import Draft, Passage, Said
from gitops.okf.knots import knots
from gitops.okf.model import ORDERED, AtomType, EdgeType, Relationship
from gitops.wiki.anchors import locate

MOST_AT_ONCE = 40
_SHORTEST = 4
"""Letters and digits of a quotation; less stands anywhere."""
_SHOWN = 80
Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Quote = Annotated[str, Field(min_length=1, max_length=2_000, description="words that stand in the source exactly so")]


class GivenSaid(Arguments):
    """A sentence and the words of the source that bear it."""

    sentence: str = Field(min_length=1, max_length=600, description="one sentence that says no more than the quotation")
    quote: Quote


class GivenEdge(Arguments):
    """A relationship to another atom."""

    rel: EdgeType
    target: Id = Field(description="the id of the other atom")


class GivenAtom(Arguments):
    """One atom."""

    type: AtomType
    id: Id = Field(description="its name in lower case with hyphens, such as head-of-finance")
    title: str = Field(min_length=1, max_length=120, description="its name as the source has it")
    description: GivenSaid = Field(description="what it is")
    relationships: list[GivenEdge] = Field(max_length=60, description="in order; for stages the order of the path")
    rationale: list[GivenSaid] = Field(max_length=20, description="why it is so; empty if the source does not say it")


class GivenAtoms(Arguments):
    """What `record_atoms` is given."""

    atoms: list[GivenAtom] = Field(min_length=1, max_length=MOST_AT_ONCE)


class Done(Arguments):
    """What `done` is given."""

    nothing_found: bool = Field(description="whether the source holds no atom at all")


@dataclass
class Recorder:
    """Takes atoms of one source. `known` are atoms of other sources and parts, by id: edges may lead to them."""

    given: Given
    known: Mapping[str, Draft]
    taken: dict[str, Draft] = field(default_factory=dict)
    is_done: bool = False
    _wrong: dict[str, list[str]] = field(default_factory=dict)
    _sent_back: set[str] = field(default_factory=set)
    _asked_again: bool = False

    def tools(self) -> list[Tool]:
        """`record_atoms` and `done`."""
        record = "Hand over atoms; the same id again replaces one. Tells which quotations the source does not hold."
        return [
            Tool("record_atoms", record, GivenAtoms, self.record),
            Tool("done", "Say that every atom is recorded. Ends the conversation.", Done, self.done, ends=True),
        ]

    def record(self, asked: GivenAtoms) -> str:
        """Take what holds. ToolError, once for each atom, where a quotation does not; the rest is taken anyway."""
        told: list[str] = []
        for atom in asked.atoms:
            self._wrong[atom.id] = self._record(atom)
            if self._wrong[atom.id] and atom.id not in self._sent_back:
                self._sent_back.add(atom.id)
                told += [f"{one}; quote it word for word, or leave it out" for one in self._wrong[atom.id]]
        recorded = f"{len(self.taken)} atoms are recorded"
        if told:
            raise ToolError("\n".join([*told, recorded]))
        return recorded

    def done(self, asked: Done) -> str:
        """End. ToolError, once, where edges may not stay, or nothing is recorded and nothing was said of it."""
        wrong = self._misled()
        if not self._asked_again and (wrong or not (self.taken or asked.nothing_found)):
            self._asked_again = True
            mend = "\nrecord what is missing, or these atoms as they should be; then call done again"
            told = "\n".join(f"{edge}: {why}" for edge, why in wrong.values())
            raise ToolError(told + mend if wrong else "nothing is recorded; record the atoms, or set nothing_found")
        self.is_done = True
        return f"{len(self.taken)} atoms"

    @property
    def dropped(self) -> list[str]:
        """What was handed over and is left out, and why."""
        wrong = [f"{one}: left out" for faults in self._wrong.values() for one in faults]
        return wrong + [f"{edge}: {why}; the edge is left out" for edge, why in self._misled().values()]

    @property
    def atoms(self) -> list[Draft]:
        """What is recorded, less the edges that may not stay."""
        misled = self._misled()
        return [
            replace(one, relationships=tuple(edge for edge in one.relationships if (one.id, edge) not in misled))
            for one in self.taken.values()
        ]

    def _misled(self) -> dict[tuple[str, Relationship], tuple[str, str]]:
        """The edges that break the graph, to no atom, of stages in a circle and such; each in words, and why."""
        every = {**self.known, **self.taken}
        found, producers = {}, dict[str, str]()
        stages = {one.id: [edge.target for edge in one.relationships if edge.rel == ORDERED] for one in every.values()}
        rings = list(knots({id: [target for target in targets if target in every] for id, targets in stages.items()}))
        for one in every.values():
            for edge in one.relationships:
                if edge.target not in every:
                    why = "there is no such atom"
                elif edge.rel == "produces" and producers.setdefault(edge.target, one.id) != one.id:
                    why = f"{producers[edge.target]} produces it already, and only one may"
                elif edge.rel == ORDERED and one.type != "workflow":
                    why = "stages are a workflow's"
                elif edge.rel == ORDERED and any({one.id, edge.target} <= ring for ring in rings):
                    why = "these stages lead in a circle"
                else:
                    continue
                if one.id in self.taken:
                    found[one.id, edge] = f"{one.id} {edge.rel} {edge.target}", why
        return found

    def _record(self, atom: GivenAtom) -> list[str]:
        """Take an atom as far as it holds; what does not, in words. One that nothing bears is not taken."""
        wrong: list[str] = []
        description = self._said(f"{atom.id}, description", atom.description, wrong)
        rationale = [self._said(f"{atom.id}, rationale", one, wrong) for one in atom.rationale]
        title = " ".join(unhidden(atom.title).split())
        if not any(map(str.isalnum, title)):
            wrong.append(f"{atom.id}: the title holds no word")
        elif description is not None:
            edges = dict.fromkeys((edge.rel, edge.target) for edge in atom.relationships if edge.target != atom.id)
            relationships = tuple(Relationship(rel, target) for rel, target in edges)
            reasons = tuple(one for one in rationale if one is not None)
            self.taken[atom.id] = Draft(atom.type, atom.id, title, description, relationships, reasons)
        return wrong

    def _said(self, where: str, said: GivenSaid, wrong: list[str]) -> Said | None:
        """A sentence with its place in the source; None, and told in `wrong`, where the source does not hold it."""
        sentence = " ".join(unhidden(said.sentence).split())
        passage = found(self.given, said.quote)
        if passage is None:
            wrong.append(f"{where}: {' '.join(said.quote.split())[:_SHOWN]!r} does not stand in the source")
            return None
        if not any(map(str.isalnum, sentence)):
            wrong.append(f"{where}: the sentence holds no word")
            return None
        return Said(sentence, (passage,))


def found(given: Given, quote: str) -> Passage | None:
    """Where a quotation stands, as the source has it, white space folded; None where it does not."""
    if sum(map(str.isalnum, quote)) < _SHORTEST:
        return None
    anchor = locate(quote, given.text, nearest=False)
    if anchor.result not in ("verified", "repaired") or not anchor.exact.strip():
        return None
    return Passage(given.name, " ".join(anchor.exact.split()), anchor.start)
