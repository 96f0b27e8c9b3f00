"""How atoms hang together: each rule fires for what breaks it, at its place, and for nothing else."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.okf import graph
from gitops.okf.model import Atom, Bundle, Relationship

Edges = list[tuple[str, str]]


def an_atom(id: str, edges: Edges = [], type: str = "process", path: str = "") -> Atom:  # noqa: B006
    linked = tuple(Relationship(rel, target, 5 + number) for number, (rel, target) in enumerate(edges))
    return Atom(id=id, type=type, title=id, path=path or f"{id}.md", edges=linked, lines={"type": 2, "id": 3})


def told(*atoms: Atom) -> list[tuple[str, str, int, str]]:
    return [(one.result, one.path, one.line, one.level) for one in graph.faults(Bundle("b", atoms))]


REPORT = an_atom("report", type="artifact")
SOUND = (
    an_atom(
        "close", [("owner", "head"), ("produces", "report"), ("uses", "ledger.md"), ("governed_by", "close-early")]
    ),
    an_atom("head", type="role"),
    an_atom("ledger", type="system"),
    an_atom("close-early", [("decided_by", "head"), ("relates_to", "close")], type="decision"),
    an_atom("month", [("stages", "close"), ("stages", "send"), ("owner", "head")], type="workflow"),
    an_atom("send", [("uses", "report")]),
    REPORT,
)


def test_atoms_that_hang_together_have_no_fault() -> None:
    assert told(*SOUND) == []


@pytest.mark.parametrize(
    ("atoms", "expected"),
    [
        ([an_atom("a", [("uses", "nobody")])], [("dangling_edge", "a.md", 5, "error")]),
        ([an_atom("a", [("relates_to", "a")])], [("self_edge", "a.md", 5, "error")]),
        ([an_atom("a", [("stages", "/a.md")], "workflow")], [("self_edge", "a.md", 5, "error")]),
        ([an_atom("a"), an_atom("a", path="b/a.md")], [("duplicate_id", "b/a.md", 3, "error")]),
        ([an_atom("a"), an_atom("A", path="b.md")], [("duplicate_id", "b.md", 3, "error")]),
        ([an_atom("é"), an_atom("e\u0301", path="b.md")], [("duplicate_id", "b.md", 3, "error")]),
        ([REPORT], [("orphan_artifact", "report.md", 2, "warning")]),
        ([an_atom("a", [("uses", "report")]), REPORT], [("orphan_artifact", "report.md", 2, "warning")]),
        (
            [an_atom("report", [("produces", "report")], "artifact")],
            [("orphan_artifact", "report.md", 2, "warning"), ("self_edge", "report.md", 5, "error")],
        ),
        (
            [an_atom(name, [("produces", "report")]) for name in "abc"] + [REPORT],
            [("several_producers", "b.md", 5, "error"), ("several_producers", "c.md", 5, "error")],
        ),
        ([an_atom("a", [("produces", "report"), ("produces", "report.md")]), REPORT], []),
        (
            [
                an_atom("w", [("stages", "a"), ("stages", "b"), ("stages", "a.md")], "workflow"),
                an_atom("a"),
                an_atom("b"),
            ],
            [("cycle_in_stages", "w.md", 7, "error")],
        ),
        (
            [an_atom("v", [("stages", "w")], "workflow"), an_atom("w", [("stages", "v")], "workflow")],
            [("cycle_in_stages", "v.md", 5, "error")],
        ),
        (
            [an_atom("v", [("stages", "w"), ("stages", "x")], "workflow"), an_atom("w", [("stages", "x")], "workflow"),
             an_atom("x")],
            [],
        ),
        ([an_atom("v", [("uses", "w")]), an_atom("w", [("uses", "v")])], []),
        ([an_atom("a", [("owner", "nobody")], "Metric"), an_atom("a", type="Metric", path="b.md")], []),
        ([an_atom("a", [("uses", "orders")]), an_atom("orders", type="Table")], []),
        ([an_atom("p", [("produces", "Report")], "Process"), an_atom("report", type="Artifact")], []),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_told_at_its_place(atoms: list[Atom], expected: list[tuple[str, str, int, str]]) -> None:
    assert told(*atoms) == expected


def test_a_longer_circle_is_told_once_with_its_stages() -> None:
    names = [f"w{number:05}" for number in range(5_000)]
    ring = [
        an_atom(one, [("stages", next)], "workflow") for one, next in zip(names, [*names[1:], names[0]], strict=True)
    ]
    [fault] = graph.faults(Bundle("b", tuple(ring)))
    assert (fault.result, fault.path, fault.line) == ("cycle_in_stages", "w00000.md", 5)
    whole = "w00000 → w00001 → w00002 → w00003 → … → w04997 → w04998 → w04999 → w00000"
    assert fault.message == f"stages lead in a circle: {whole}"


edges = st.lists(st.tuples(st.sampled_from(["stages", "produces", "uses"]), st.sampled_from("abcdex")), max_size=4)
bundles = st.lists(edges, min_size=5, max_size=5).map(
    lambda every: [
        an_atom(id, each, type)
        for id, each, type in zip(
            "abcde", every, ["workflow", "workflow", "process", "artifact", "workflow"], strict=True
        )
    ]
)


def reaches(found: dict[str, set[str]], start: str) -> bool:
    seen, waiting = set[str](), [*found[start]]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += found[one]
    return start in seen


@given(bundles)
@settings(deadline=None)
def test_faults_are_what_a_plain_search_finds(atoms: list[Atom]) -> None:
    found = {fault.result for fault in graph.faults(Bundle("b", tuple(atoms)))}
    pairs = [(atom.id, edge.rel, edge.target) for atom in atoms for edge in atom.edges]
    stages = {
        id: {to for of, rel, to in pairs if (of, rel) == (id, "stages") and to not in ("x", of)} for id in "abcde"
    }
    twice = any(pairs.count(pair) > 1 for pair in pairs if pair[1] == "stages" and pair[2] not in ("x", pair[0]))
    producers = {to: {of for of, rel, end in pairs if rel == "produces" and end == to and of != to} for to in "abcde"}
    assert ("dangling_edge" in found) == any(to == "x" for _, _, to in pairs)
    assert ("self_edge" in found) == any(of == to for of, _, to in pairs)
    assert ("several_producers" in found) == any(len(of) > 1 for of in producers.values())
    assert ("orphan_artifact" in found) == (not producers["d"])
    assert ("cycle_in_stages" in found) == (twice or any(reaches(stages, id) for id in "abcde"))


@given(bundles, st.permutations("abcde"), st.randoms())
@settings(deadline=None)
def test_how_many_faults_there_are_depends_on_no_order_and_no_name(
    atoms: list[Atom], names: list[str], random: Random
) -> None:
    before = sorted(fault.result for fault in graph.faults(Bundle("b", tuple(atoms))))
    renamed = [replace(atom, path=f"{name}/{atom.id}.md") for atom, name in zip(atoms, names, strict=True)]
    random.shuffle(renamed)
    shuffled = [replace(atom, edges=tuple(random.sample(atom.edges, len(atom.edges)))) for atom in renamed]
    assert sorted(fault.result for fault in graph.faults(Bundle("b", tuple(shuffled)))) == before
