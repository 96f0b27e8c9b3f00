"""Our profile: what it asks of one file, at which line; and that its JSON Schema asks the same."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.okf import profile_schema, reading
from gitops.okf.model import ATOM_TYPES, EDGE_TYPES, Fault
from gitops.okf.places import Places
from gitops.wiki.snapshot import MemorySnapshot

SCHEMA = profile_schema.AtomFrontmatter.model_json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def of(text: str) -> list[Fault]:
    return reading.bundle(MemorySnapshot({"a.md": text.encode()}), strict=True).every_fault


def told(front: str, body: str = "") -> list[tuple[str, str, int]]:
    return [(fault.level, fault.result, fault.line) for fault in of(f"---\n{front}\n---\n{body}")]


@pytest.mark.parametrize("type", ATOM_TYPES)
def test_an_atom_needs_a_type_and_a_title(type: str) -> None:
    assert told(f"type: {type}\ntitle: A") == []
    assert told(f"type: {type}") == [("error", "bad_title", 1)]
    assert told(f"type: {type.capitalize()}\ntitle: A") == [("error", "bad_type", 2)]


@pytest.mark.parametrize(
    ("front", "result", "line", "message"),
    [
        ("id: a b", "bad_id", 4, "id is 'a b'"),
        ("id: ''", "bad_id", 4, "id is empty"),
        ("id: 7", "bad_id", 4, "id is a number, not a text"),
        ("description:", "bad_description", 4, "description is empty, not a text"),
        ("relationships: a", "bad_relationship", 4, "relationships is 'a', not a list of edges"),
        ("relationships:\n- {rel: owner, target: b}\n- {rel: Owner, target: b}", "bad_relationship", 6,
         "the rel of entry 2 of relationships is 'Owner'"),
        ("relationships:\n- {rel: owner}", "bad_relationship", 5, "entry 1 of relationships has no target"),
        ("relationships:\n- {target: b}", "bad_relationship", 5, "entry 1 of relationships has no rel"),
        ("relationships:\n- {rel: uses, target: [b]}", "bad_relationship", 5,
         "the target of entry 1 of relationships is a list"),
        ("relationships:\n- b", "bad_relationship", 5, "entry 1 of relationships is 'b', not an edge"),
        ("uses: [b, 3]", "bad_relationship", 4, "entry 2 of uses is a number, not a text"),
        ("owner: {a: b}", "bad_relationship", 4, "owner is a mapping, not a text"),
        ("rationale: 3", "bad_rationale", 4, "rationale is a number, not a text"),
    ],
)  # fmt: skip
def test_a_key_that_is_wrong_is_told_with_its_line(front: str, result: str, line: int, message: str) -> None:
    found = of(f"---\ntype: role\ntitle: A\n{front}\n---\n")
    assert [(fault.standard, fault.level, fault.result, fault.line) for fault in found] == [
        ("profile", "error", result, line)
    ]
    assert found[0].message == message
    assert found[0].mend


def test_an_edge_of_nearly_a_known_type_is_asked_for() -> None:
    for rel, near in (("Governed-By", "governed_by"), ("own", "owner"), ("use", "uses")):
        [fault] = of(f"---\ntype: role\ntitle: A\nrelationships: [{{rel: {rel}, target: b}}]\n---\n")
        assert fault.mend == f"did you mean '{near}'?"


def test_the_rationale_stands_in_one_place() -> None:
    assert told("type: role\ntitle: A\nrationale: So.", "# Rationale\n\nBut.\n") == [("error", "rationale_twice", 4)]


def test_an_edge_that_stands_twice_and_stages_of_no_workflow_are_warned_of() -> None:
    edges = "relationships:\n- {rel: uses, target: b}\n- {rel: owner, target: b}\n- {rel: uses, target: b}"
    assert told(f"type: role\ntitle: A\n{edges}") == [("warning", "duplicate_edge", 7)]
    assert told("type: role\ntitle: A\nstages: [b]") == [("warning", "stages_elsewhere", 4)]
    assert told("type: workflow\ntitle: A\nstages: [b]") == []


def test_keys_of_others_are_kept_and_no_fault() -> None:
    assert told("type: role\ntitle: A\nteam: {x: 1}\nlinks: [{rel: cites, target: b}]\nmentions: 3") == []


def test_so_many_bad_edges_are_told_without_reading_the_list_anew_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    entries = Places.entries

    def counted(places: Places, key: str, count: int) -> list[int]:
        asked.append(key)
        return entries(places, key, count)

    monkeypatch.setattr(Places, "entries", counted)
    edges = "".join(f"- {{rel: owns, target: t{number}}}\n" for number in range(200))
    found = told(f"type: role\ntitle: A\nrelationships:\n{edges}")
    assert found == [("error", "bad_relationship", number + 5) for number in range(200)]
    assert len(asked) <= 3


# The schema


def test_the_schema_is_one_and_offers_no_value_that_it_refuses() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert [key for key, one in SCHEMA["properties"].items() if "default" in one] == []


texts = st.sampled_from(["", " ", "a", "a b", "role", "owner", "a\n", "\u00a0", "é", "\x1c", "Role"])
odd = st.none() | st.booleans() | st.integers(0, 3) | texts | st.lists(texts, max_size=2) | st.just({"a": 1})
edges = st.fixed_dictionaries({}, optional={"rel": st.sampled_from(EDGE_TYPES) | odd, "target": odd, "note": odd})
fronts = st.fixed_dictionaries(
    {"type": st.sampled_from(ATOM_TYPES) | st.just("Role")},
    optional={
        **dict.fromkeys(("id", "title", "description", "rationale", *EDGE_TYPES, "anything"), odd),
        "relationships": st.lists(edges | odd, max_size=3) | odd,
    },
)


@given(fronts)
@settings(deadline=None, max_examples=300)
def test_the_schema_and_the_validator_agree(front: dict[str, Any]) -> None:
    text = f"---\n{yaml.safe_dump(front, allow_unicode=True, sort_keys=False)}---\n"
    found = {fault.result for fault in of(text) if fault.level == "error" and fault.standard == "profile"}
    assert (not found) == VALIDATOR.is_valid(json.loads(json.dumps(front)))
