"""What the cases of gold must keep, so that a score by them means something.

They keep OKF and the profile, and how atoms hang together; beyond that, nothing is expected that the documents do not
say: each atom cites words that stand there letter for letter, and so does each sentence of a rationale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gitops.extraction import gold_edges
from gitops.extraction.gold_quotes import Quotable, backings
from gitops.extraction.model import Case
from gitops.okf import graph
from gitops.okf.canonical_id import canonical
from gitops.okf.conformance import UNDEFINED
from gitops.okf.model import Atom, Fault
from gitops.okf.titles import normalised

_NOT_OF_GOLD = frozenset({"orphan_artifact"})
"""A document need not say who makes what it names."""


def faults(cases: Iterable[Case]) -> list[Fault]:
    """What breaks a rule, by place as a person opens it. Errors make gold unfit; warnings are to be looked at."""
    found = {fault for case in cases for fault in _of_case(case)}
    return sorted(found, key=lambda fault: (fault.path, fault.line, fault.standard, fault.result, fault.message))


def _of_case(case: Case) -> Iterator[Fault]:
    quotable = Quotable(case)
    found = [*case.gold.every_fault, *graph.faults(case.gold), *_alike(case), *gold_edges.faults(case)]
    for atom in case.gold.atoms:
        found += [*_cited(atom), *_why(atom, quotable), *quotable.faults(atom)]
    for fault in found:
        if fault.result == UNDEFINED:
            fault = replace(fault, level="error")  # a label mistyped: the words behind a sentence are gone
        if fault.level != "note" and fault.result not in _NOT_OF_GOLD:
            yield replace(fault, path=f"{case.place}/atoms/{fault.path}")


def _fault(result: str, message: str, atom: Atom, line: int, mend: str) -> Fault:
    """A fault of gold in the file of an atom."""
    return Fault("gold", "error", result, message, atom.path, line, mend)


def _cited(atom: Atom) -> Iterator[Fault]:
    if not backings(atom):
        told = f"'{atom.id}' cites nothing, so nobody knows where it is said"
        yield _fault("uncited_atom", told, atom, 0, 'cite the words that say it: [^s1]: sources/FILE, "the words"')


def _why(atom: Atom, quotable: Quotable) -> Iterator[Fault]:
    """A rationale is somebody's, and a decision has one unless its file says that none is stated."""
    is_unstated = atom.values.get("rationale") == []
    line = atom.lines.get("rationale", 0)
    if is_unstated and atom.rationale:
        mend = "remove the key, or the sentences"
        yield _fault("rationale_denied", "`rationale: []`, and yet there is a rationale", atom, line, mend)
    if atom.type.casefold() == "decision" and not (is_unstated or atom.rationale):
        told = "the decision has no rationale, and does not say that none is stated"
        mend = "write it below `## Rationale`, or `rationale: []` where the document gives none"
        yield _fault("no_rationale", told, atom, 0, mend)
    for sentence in atom.rationale:
        if not any(backing.quote for backing in sentence.backings) and not quotable.says(sentence.text):
            told = f'nobody said "{sentence.text}": it quotes no words, and stands so in no source'
            yield _fault("unfounded_rationale", told, atom, sentence.line, "cite the words that say it, or take it out")


def _alike(case: Case) -> Iterator[Fault]:
    """Atoms that no extraction could tell apart: by their ids in canonical form, or by type and title."""
    by_id: dict[str, Atom] = {}
    by_title: dict[tuple[str, str], Atom] = {}
    for atom in case.gold.atoms:
        other = by_id.setdefault(canonical(atom.id, atom.type), atom)
        if other is not atom and other.id != atom.id:
            told = f"'{atom.id}' and '{other.id}' ({other.path}) are one id in canonical form"
            yield _fault("same_id", told, atom, atom.lines.get("id", 0), "give one of them another id")
        other = by_title.setdefault((atom.type.casefold(), normalised(atom.title)), atom)
        if other is not atom:
            told = f"a {atom.type} of the title '{atom.title}' is in {other.path} already"
            yield _fault("same_title", told, atom, atom.lines.get("title", 0), "write titles that tell them apart")
