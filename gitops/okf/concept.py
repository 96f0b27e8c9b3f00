"""One concept file as an atom, with all that it gets wrong; or why there is no atom to be had of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gitops.okf import conformance, edges, profile, rationale
from gitops.okf.model import Atom, Fault, FaultLevel
from gitops.okf.places import Places
from gitops.wiki import page
from gitops.wiki.conventions import CANONICAL, Conventions
from gitops.wiki.model import Problem
from gitops.wiki.page import Read
from gitops.wiki.prose import folded

_WITH_SOURCES = Conventions(dialects=("canonical", "okf"))
"""Footnotes of other writers join `sources` by their labels (OKF 0.2, 5.1)."""
_UNREADABLE = frozenset(
    ("unparsable_frontmatter", "not_a_mapping", "unclosed_frontmatter", "utf16", "invalid_utf8", "oversized")
)
_LEVELS: Mapping[str, FaultLevel] = {
    "duplicate_key": "error",
    "byte_order_mark": "warning",
    "duplicate_frontmatter": "warning",
}
"""What is wrong with bytes and frontmatter and leaves an atom to be read; line ends are nobody's fault."""


def read(path: str, data: bytes, *, is_strict: bool = False) -> Atom | tuple[Fault, ...]:
    """The atom of a file, or the faults that leave none. `is_strict`: a concept that is no atom is a fault too."""
    found = page.read(data, CANONICAL)
    values = found.outline.frontmatter
    faults = [*_problems(found, path)]
    if any(fault.result in _UNREADABLE for fault in faults):
        return tuple(faults)
    if not found.outline.body:
        return (*faults, _without_frontmatter(found.outline.text, path))
    places = Places(found.outline.text[: found.outline.body])
    type = values.get("type")
    if not isinstance(type, str) or not type.strip():
        return (*faults, _without_type(values, path, places))
    if found.citations.problems or not _is_quoted(found):
        found = page.read(data, _WITH_SOURCES)
    return _atom(path, found, folded(type), places, faults, is_strict)


def _is_quoted(found: Read) -> bool:
    """Whether all that is cited is quoted, as in files of ours: such footnotes have one meaning to every reader."""
    marks = (mark for one in found.citations.cited for mark in one.attached)
    return all(cite.quote is not None for mark in marks for cite in mark.cites)


def _atom(path: str, found: Read, type: str, places: Places, faults: list[Fault], is_strict: bool) -> Atom:
    values = found.outline.frontmatter
    linked = edges.edges(values, places)
    faults += conformance.faults(found, path, places)
    if profile.is_atom(type):
        has_section = rationale.section(found.citations.cited) is not None
        faults += profile.faults(values, linked, path, places, has_section=has_section)
    elif is_strict:
        faults.append(profile.outside(type, path, places))
    concept = path.removesuffix(".md")
    return Atom(
        id=_id(values, places) or concept,
        type=type,
        title=_text(values.get("title")) or concept.rpartition("/")[2],
        path=path,
        edges=linked,
        rationale=rationale.rationale(found, places),
        description=_text(values.get("description")),
        backings=rationale.backings(found),
        sources=tuple(conformance.resources(values)),
        values=values,
        lines=places.keys,
        faults=tuple(sorted(faults, key=lambda fault: (fault.line, fault.standard, fault.result))),
    )


def _id(values: Mapping[str, Any], places: Places) -> str:
    """The id; of one that YAML takes for a number what was written, which the profile then asks to quote."""
    value = values.get("id")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return places.written("id") or str(value)
    return _text(value)


def _text(value: Any) -> str:
    return folded(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _problems(found: Read, path: str) -> Iterator[Fault]:
    for problem in found.problems:
        level = "error" if problem.result in _UNREADABLE else _LEVELS.get(problem.result)
        if level is not None:
            yield _told(problem, level, path)


def _told(problem: Problem, level: FaultLevel, path: str) -> Fault:
    message = problem.message.replace("the page", "the file")
    repair = problem.repair.replace("the page", "the file")
    return Fault("okf", level, problem.result, message, path, problem.place.line, repair)


def _without_frontmatter(text: str, path: str) -> Fault:
    told, mend = "there is no frontmatter", "begin the file with `---`, `type: …`, `---`"
    if text.lstrip().startswith("---") and not text.startswith("---"):
        told, mend = "the frontmatter does not begin the file", "put the first `---` on the first line"
    return Fault("okf", "error", "no_frontmatter", told, path, 1, mend)


def _without_type(values: Mapping[str, Any], path: str, places: Places) -> Fault:
    told = "the type is no text" if values.get("type") else "there is no type"
    return Fault("okf", "error", "no_type", told, path, places.keys.get("type", 1), "write `type: …`, a short text")
