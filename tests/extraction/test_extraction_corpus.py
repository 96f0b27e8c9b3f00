"""The project's own gold: it keeps its rules, has what it should have of each type, and the hard cases."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from gitops.extraction import coverage, edges, gold, gold_files
from gitops.extraction import matching as matcher
from gitops.extraction.model import VARIANTS, Case, Variant
from gitops.okf.edge_ends import ENDS
from gitops.okf.model import ATOM_TYPES, Atom
from gitops.wiki.snapshot import MemorySnapshot

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "gold/gold/extraction"
GUIDE = ROOT / "docs/extraction-gold.md"
LEAST = {"process": 3, "role": 3, "system": 2, "workflow": 2, "decision": 3, "artifact": 2}


@cache
def cases() -> dict[str, Case]:
    return {case.id: case for case in gold.in_folder(FOLDER, "gold/gold/extraction")}


def tagged(tag: str) -> Case:
    [case] = [case for case in cases().values() if tag in case.tags]
    return case


def atoms(case: Case) -> dict[str, Atom]:
    return {atom.id: atom for atom in case.gold.atoms}


def text(case: Case) -> str:
    return " ".join(" ".join(source.text for source in case.sources).split())


def test_not_even_a_warning_is_told_of_it() -> None:
    assert gold.every_fault(gold.read_folder(FOLDER)) == []


@pytest.mark.parametrize(("type", "least"), LEAST.items())
def test_there_are_enough_atoms_of_each_type(type: str, least: int) -> None:
    [covered] = [one for one in coverage.covered(cases().values()) if one.kind == "atom" and one.name == type]
    assert covered.count >= 2 * least
    assert covered.cases >= 3


def test_every_type_of_edge_stands_in_several_cases() -> None:
    assert coverage.missing(cases().values()) == coverage.thin(cases().values()) == []
    assert all(one.cases >= 3 for one in coverage.covered(cases().values()))


def test_every_case_says_what_it_is_about() -> None:
    assert len(cases()) >= 10
    assert [case.id for case in cases().values() if not (case.description and case.tags)] == []


def test_a_decision_whose_rationale_is_not_stated() -> None:
    assert atoms(tagged("no-rationale"))["replace-keyline-by-portunus"].rationale == ()


def test_two_names_of_one_role_are_one_role() -> None:
    case = tagged("two-names")
    assert "Duty Manager" in text(case)
    assert "Shift Lead" in text(case)
    assert {atom.title for atom in case.gold.atoms if atom.type == "role"} == {
        "Care Agent",
        "Shift Lead",
        "Quality Coach",
    }
    assert [edge.target for edge in atoms(case)["shift-log"].edges] == ["shift-lead"]


def test_a_workflow_that_is_told_out_of_order() -> None:
    case = tagged("out-of-order")
    stages = [edge.target for edge in atoms(case)["return-handling"].edges if edge.rel == "stages"]
    assert stages == ["return-registration", "parcel-receipt", "goods-inspection", "restocking", "refund"]
    told = [text(case).casefold().index(atoms(case)[stage].title.casefold()) for stage in stages]
    assert told != sorted(told)


def test_a_source_with_nothing_in_it() -> None:
    assert tagged("nothing").gold.atoms == ()
    assert tagged("nothing").sources


@pytest.mark.parametrize(
    ("tag", "denied"),
    [
        ("rejected-reason", "fewer testers"),
        ("negated-reason", "costs more"),
        ("decision-log", "competitors"),
        ("german", "Platz im Lager"),
        ("guide", "insurer"),
    ],
)
def test_a_reason_that_the_text_denies_is_no_reason(tag: str, denied: str) -> None:
    case = next(case for case in cases().values() if tag in case.tags and denied in text(case))
    said = [sentence for atom in case.gold.atoms for sentence in atom.rationale]
    assert said
    for sentence in said:
        assert denied not in sentence.text
        assert all(denied not in backing.quote for backing in sentence.backings)


def test_a_system_that_is_retired_in_the_text_is_a_system() -> None:
    assert atoms(tagged("retired-system"))["pumpnet"].type == "system"


def test_one_word_is_a_system_and_an_artifact() -> None:
    both = [atom for atom in tagged("same-word").gold.atoms if atom.title == "Ledger"]
    assert {atom.type for atom in both} == {"system", "artifact"}


def test_a_decision_that_was_taken_back_stands_beside_the_new_one() -> None:
    found = atoms(tagged("taken-back"))
    assert ("relates_to", "december-roll-outs") in {(edge.rel, edge.target) for edge in found["winter-freeze"].edges}


def test_one_case_has_a_table_and_one_several_documents() -> None:
    assert "|---|" in text(tagged("table"))
    assert len(tagged("several-sources").sources) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_gold_handed_in_as_what_was_extracted_is_all_right_and_leaves_no_choice(variant: Variant) -> None:
    for case in cases().values():
        matching = matcher.match(case.gold, case.gold, variant)
        assert all(pair.gold is pair.emitted for pair in matching.pairs)
        assert (matching.missed, matching.spurious, matching.ties) == ((), (), ())
        score = edges.score(case.gold, case.gold, matching, variant)
        assert (score.missed, score.spurious) == ((), ())
        assert all(stages.is_exact for stages in score.stages)


def test_the_case_that_the_documentation_shows_is_sound() -> None:
    page = GUIDE.read_text("utf-8")
    memo, decision, role = re.findall(r"^```md\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files = {"sources/memo.md": memo, "atoms/mow-in-may.md": decision, "atoms/dike-board.md": role}
    tree = MemorySnapshot({f"gold/mowing/{path}": text.encode() for path, text in files.items()})
    [case] = gold.cases(tree, "gold")
    assert gold.every_fault(gold_files.read(tree, "gold", "gold")) == []
    assert [len(atom.rationale) for atom in case.gold.atoms] == [0, 1]


def test_the_documentation_says_which_ends_edges_have() -> None:
    page = GUIDE.read_text("utf-8")
    for edge, (sources, targets) in ENDS.items():
        [(written_from, written_to)] = re.findall(rf"^\| `{edge}` \| ([^|]+) \| ([^|]+) \|", page, re.MULTILINE)
        assert ends(written_from) == set(sources), edge
        assert ends(written_to) == set(targets), edge


def ends(written: str) -> set[str]:
    """The types that a cell names: `any`, `any but a role`, or a list."""
    named = set(written.strip().split(", "))
    return named if not written.startswith("any") else {str(type) for type in ATOM_TYPES if not written.endswith(type)}
