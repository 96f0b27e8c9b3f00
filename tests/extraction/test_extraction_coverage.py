"""What no case of gold has is named: a score tells nothing of it."""

from __future__ import annotations

from gitops.extraction import coverage, gold
from gitops.extraction.model import Case
from gitops.okf.model import ATOM_TYPES, EDGE_TYPES
from tests.extraction.gold_case import CASE, DECISION, DECISION_FILE, ROLE, like, tree


def cases(files: dict[str, str | bytes | None] | None = None) -> list[Case]:
    return gold.cases(tree(files), "gold")


def test_types_of_atoms_and_edges_without_a_case_are_named() -> None:
    assert coverage.missing(cases()) == [
        *(f"no case has {one}" for one in ("a process", "a system", "a workflow", "an artifact")),
        *(f"no case has an edge {one}" for one in EDGE_TYPES if one != "decided_by"),
    ]
    assert coverage.thin(cases()) == [
        "one case alone has a role",
        "one case alone has a decision",
        "one case alone has an edge decided_by",
        "one case alone has a decision with a stated rationale",
    ]


def test_decisions_without_reasons_leave_faithfulness_untried() -> None:
    bare = DECISION.split("## Rationale")[0] + DECISION.rsplit("\n\n", 1)[1].splitlines()[0] + "\n"
    unstated = cases({DECISION_FILE: bare.replace("sources:", "rationale: []\nsources:", 1)})
    assert "no case has a decision with a stated rationale" in coverage.missing(unstated)


def test_what_two_cases_have_is_neither_missing_nor_thin() -> None:
    second: dict[str, str | bytes | None] = {path.replace("mowing/", "second/"): text for path, text in CASE.items()}
    twice = cases({**second, "second/atoms/crew.md": like(ROLE, "role", "crew", "Crew")})
    assert coverage.thin(twice) == []
    counted = {(one.kind, one.name): (one.count, one.cases) for one in coverage.covered(twice)}
    assert counted["atom", "role"] == (3, 2)
    assert counted["atom", "decision"] == (2, 2)
    assert counted["edge", "decided_by"] == (2, 2)
    assert counted["rationale", coverage.RATIONALE] == (2, 2)
    assert counted["atom", "process"] == (0, 0)


def test_every_type_there_is_is_counted() -> None:
    names = [(one.kind, one.name) for one in coverage.covered([])]
    assert names == [
        *(("atom", type) for type in ATOM_TYPES),
        *(("edge", type) for type in EDGE_TYPES),
        ("rationale", coverage.RATIONALE),
    ]
