"""What our profile of OKF asks of one file: that its frontmatter is that of an atom, and that it says things once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from gitops.okf import rationale
from gitops.okf.edges import LISTS
from gitops.okf.model import ATOM_TYPES, EDGE_TYPES, ORDERED, Fault, FaultLevel, Relationship
from gitops.okf.places import Places
from gitops.okf.profile_schema import AtomFrontmatter

_LISTED = f"one of {', '.join(ATOM_TYPES)}"
_MENDS = {
    "type": f"write {_LISTED}, in lower case",
    "id": "write an id in quotation marks and without white space, such as `id: head-of-ops`",
    "title": "write `title: …`, the name that people use",
    "relationships": "write a list of `{rel: owner, target: head-of-ops}`",
    "rel": f"write one of {', '.join(EDGE_TYPES)}",
    "target": "name an id or a path",
}


def is_atom(type: str) -> bool:
    """Whether a concept's type is one of the six, in whatever case."""
    return type.casefold() in ATOM_TYPES


def outside(type: str, path: str, places: Places) -> Fault:
    """What is said of a concept of another type where nothing but atoms is wanted."""
    told = f"the type '{type}' is none of an atom's"
    near = difflib.get_close_matches(type.casefold(), ATOM_TYPES, n=1)
    mend = f"did you mean '{near[0]}'?" if near else f"write {_LISTED}, or keep the file elsewhere"
    return Fault("profile", "error", "outside_profile", told, path, places.keys.get("type", 1), mend)


def faults(
    values: Mapping[str, Any], edges: Sequence[Relationship], path: str, places: Places, *, has_section: bool
) -> list[Fault]:
    """What an atom's file gets wrong. `has_section`: its body has a heading `Rationale`."""
    found = list(_of_schema(values, path, places))

    def add(level: FaultLevel, result: str, told: str, line: int, mend: str) -> None:
        found.append(Fault("profile", level, result, told, path, line, mend))

    if has_section and values.get(rationale.KEY):
        told = "the rationale stands in the frontmatter and below a heading; the heading's counts"
        add("error", "rationale_twice", told, places.keys.get(rationale.KEY, 1), "keep one of them")
    for edge in _doubled(edges):
        told = f"{edge.rel} leads to '{edge.target}' twice"
        add("warning", "duplicate_edge", told, edge.line, "name it once")
    staged = next((edge for edge in edges if edge.rel == ORDERED), None)
    if staged is not None and str(values.get("type", "")).strip().casefold() != "workflow":
        told = "stages are those of a workflow, and this is none"
        add("warning", "stages_elsewhere", told, staged.line, "write `uses` or `relates_to`, or make it a workflow")
    return found


def _doubled(edges: Iterable[Relationship]) -> Iterator[Relationship]:
    """Edges that stood before. Stages that come back are a fault of the graph, which knows what they lead to."""
    seen: set[tuple[str, str]] = set()
    for edge in edges:
        if (edge.rel, edge.target) in seen and edge.rel != ORDERED:
            yield edge
        seen.add((edge.rel, edge.target))


def _of_schema(values: Mapping[str, Any], path: str, places: Places) -> Iterator[Fault]:
    try:
        AtomFrontmatter.model_validate(values)
    except ValidationError as error:
        told = {_key(each["loc"]): each for each in error.errors(include_url=False)}
        of_entries = {key for key, index, _ in told if index is not None}  # of a list that should be no text besides
        lines = {key: places.entries(key, len(values[key])) for key in of_entries if isinstance(values[key], list)}
        for (key, index, part), each in told.items():
            if index is None and key in of_entries:
                continue
            line = lines[key][index] if index is not None and key in lines else places.keys.get(key, 1)
            yield _fault(key, index, part, each["type"], each["input"], path, line)


def _key(place: Sequence[int | str]) -> tuple[str, int | None, str]:
    """The key, the entry's index from 0 and the part of it that an error is about; of unions both halves are one."""
    index = next((part for part in place if isinstance(part, int)), None)
    return str(place[0]), index, str(place[-1]) if place[-1] in ("rel", "target") else ""


def _fault(key: str, index: int | None, part: str, kind: str, value: Any, path: str, line: int) -> Fault:
    result = f"bad_{'relationship' if key in (*LISTS, *EDGE_TYPES) else key}"
    called = key if index is None else f"entry {index + 1} of {key}"
    if kind == "missing":
        told = f"{called} has no {part}" if part else f"there is no {key}"
    elif part or kind in ("literal_error", "string_pattern_mismatch"):
        told = f"{f'the {part} of {called}' if part else called} is {_shown(value)}"
    else:
        wanted = "a text" if key != "relationships" else "a list of edges" if index is None else "an edge"
        told = f"{called} is {_shown(value)}, not {wanted}"
    mend = _MENDS.get(part or key, "write a text or a list of texts, or leave the key out")
    if part == "rel" and isinstance(value, str):
        near = difflib.get_close_matches(value.casefold().replace("-", "_"), EDGE_TYPES, n=1)
        mend = f"did you mean '{near[0]}'?" if near else mend
    return Fault("profile", "error", result, told, path, line, mend)


def _shown(value: Any) -> str:
    """A value as a person would call it, not at length."""
    if value is None or value == "":
        return "empty"
    if isinstance(value, str):
        return f"'{value[:60]}{'…' if len(value) > 60 else ''}'"
    kinds = {list: "a list", dict: "a mapping", bool: "yes or no", int: "a number", float: "a number"}
    return kinds.get(type(value), "no text")
