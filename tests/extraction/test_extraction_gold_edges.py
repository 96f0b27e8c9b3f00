"""Edges of gold: which types they join, one connection told once, and workflows that are paths."""

from __future__ import annotations

import pytest

from gitops.okf.edge_ends import ENDS
from gitops.okf.model import ATOM_TYPES, EDGE_TYPES, Fault
from tests.extraction.gold_case import DECISION, DECISION_FILE, ROLE, ROLE_FILE, faults, like


def told(fault: Fault) -> tuple[str, int, str]:
    return fault.result, fault.line, fault.level


def linked(text: str, *edges: str) -> str:
    """The text of an atom with other edges, `rel target` each."""
    lines = "".join(f"  - {{rel: {rel}, target: {target}}}\n" for rel, target in (edge.split() for edge in edges))
    bare = text.replace("relationships:\n  - {rel: decided_by, target: dike-board}\n", "")
    return bare.replace("sources:", f"relationships:\n{lines}sources:", 1)


def test_an_edge_the_wrong_way_round_is_a_warning() -> None:
    turned = ROLE.replace("sources:", "relationships:\n  - {rel: decided_by, target: mow-in-may}\nsources:", 1)
    [fault] = faults({ROLE_FILE: turned})
    assert told(fault) == ("unusual_ends", 6, "warning")
    assert fault.message == "decided_by leads from a role to a decision ('mow-in-may')"
    assert fault.mend == "it leads from decision to role: turn it round, or take another edge"


def test_there_are_ends_for_every_type_of_edge() -> None:
    assert set(ENDS) == set(EDGE_TYPES)
    assert {type for ends in ENDS.values() for side in ends for type in side} == set(ATOM_TYPES)


def test_one_target_under_two_names_is_one_edge() -> None:
    [fault] = faults({DECISION_FILE: linked(DECISION, "decided_by dike-board", "decided_by /roles/dike-board.md")})
    assert told(fault) == ("same_edge", 7, "error")
    assert fault.message == "decided_by leads to 'dike-board' twice, as 'dike-board' and as '/roles/dike-board.md'"


def test_the_same_words_twice_are_told_by_the_profile_alone() -> None:
    found = faults({DECISION_FILE: linked(DECISION, "decided_by dike-board", "decided_by dike-board")})
    assert [fault.result for fault in found] == ["duplicate_edge"]


def test_a_connection_is_written_on_one_of_its_ends_alone() -> None:
    both = {ROLE_FILE: linked(ROLE, "relates_to mow-in-may"), DECISION_FILE: linked(DECISION, "relates_to dike-board")}
    [fault] = faults(both)
    assert told(fault) == ("same_edge", 6, "error")
    assert fault.path == f"gold/{ROLE_FILE}"
    assert fault.message == "'mow-in-may' relates to 'dike-board' already, in decisions/mow-in-may.md"
    assert faults({DECISION_FILE: both[DECISION_FILE]}) == []


def test_two_systems_may_use_each_other() -> None:
    one, other = (like(ROLE, "system", name, name.upper()) for name in ("a", "b"))
    assert faults({"mowing/atoms/a.md": linked(one, "uses b"), "mowing/atoms/b.md": linked(other, "uses a")}) == []


@pytest.mark.parametrize("file", [ROLE_FILE, DECISION_FILE])
def test_a_loose_connection_beside_a_named_one_is_a_warning(file: str) -> None:
    if file == ROLE_FILE:
        [fault] = faults({file: linked(ROLE, "relates_to mow-in-may")})
    else:
        [fault] = faults({file: linked(DECISION, "relates_to dike-board", "decided_by dike-board")})
    assert told(fault) == ("loose_besides", 6, "warning")
    assert "are joined by decided_by already" in fault.message


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "the workflow 'way' has no stage, and a path has two or more"),
        (["stages a"], "the workflow 'way' has one stage, and a path has two or more"),
        (["stages a", "stages b"], None),
    ],
)
def test_a_workflow_is_a_path(stages: list[str], message: str | None) -> None:
    way = linked(like(ROLE, "workflow", "way", "Way"), *stages) if stages else like(ROLE, "workflow", "way", "Way")
    steps = {f"mowing/atoms/{name}.md": like(ROLE, "process", name, name.upper()) for name in "ab"}
    found = faults({"mowing/atoms/way.md": way, **steps})
    assert [(told(fault), fault.message) for fault in found] == (
        [(("no_path", 2, "warning"), message)] if message else []
    )
