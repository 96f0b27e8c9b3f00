"""Atoms that a source names in its form: typed headings, lists below such as `Roles`, lines of `Label: value`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Section
from gitops.agents.extractors.kinds import (
    ENDS,
    LABELS,
    kind_of,
    kind_of_group,
    kind_of_heading,
    named,
    parts,
    typed_heading,
)
from gitops.agents.writers.document import Sentence
from gitops.okf.draft import Said
from gitops.okf.model import AtomType, EdgeType

_LEAD = re.compile(r"^(.{2,60}?)\s*(?::|—|–|\s-)\s+\S")
_BOLD = re.compile(r"^(?:\*\*|__)(.{2,60}?)(?:\*\*|__)(\s*\([^()]{2,60}\))?")
_LINE = re.compile(r"^([A-Za-z][A-Za-z ]{2,20}?)\s*:\s*(\S.*)$")
_BY_HEAD: tuple[AtomType, ...] = ("process", "workflow", "role", "system")
"""What a heading may name by its last word alone; `Report` and `Decision` head too much else."""


@dataclass(frozen=True, slots=True)
class Label:
    """A line that says what the atom of its section is linked to."""

    rel: EdgeType
    value: str
    line: Sentence


def sections(reading: Reading, finds: Finds, taken: Collection[int] = ()) -> dict[int, Sketch]:
    """Find what sections are about and what lists below a group name; which section is about which atom.

    Sections that are `taken` are about something already.
    """
    about: dict[int, Sketch] = {}
    for number, section in enumerate(reading.sections):
        if number in taken:
            continue
        own = _of_heading(reading.given, section, finds)
        if own is not None:
            about[number] = own
        group = kind_of_group(section.title)
        if group is not None:
            _members(reading.given, section, group, finds)
    return about


def labels(given: Given, section: Section) -> Iterator[Label]:
    """The lines of a section that begin with a label that is known."""
    for sentence in section.sentences:
        if sentence.ordinal == 0 and ":" in sentence.text:
            for line in reading_of.lines(given, sentence):
                found = _LINE.match(line.text)
                rel = LABELS.get(" ".join(found[1].casefold().split())) if found else None
                if found and rel:
                    yield Label(rel, found[2], line)


def link_labels(given: Given, section: Section, own: Sketch, finds: Finds) -> None:
    """Follow the labels of an atom's section: what they name is made where nobody named it before."""
    for label in labels(given, section):
        for name in parts(label.value):
            target = finds.get(name) or finds.add(
                kind_of(named(name)) or ENDS[label.rel], name, reading_of.said(given, label.line)
            )
            if target is not None and fits(label.rel, target):
                own.link(label.rel, target)


def fits(rel: EdgeType, target: Sketch) -> bool:
    """May an edge of this type lead to an atom of that one? A rule may be a decision as well as a document."""
    if rel == "governed_by":
        return target.type in ("artifact", "decision")
    return target.type == ENDS.get(rel, target.type)


def first_said(given: Given, section: Section) -> Said | None:
    """What says what a section is about: the first whole sentence before any list, else its heading."""
    for sentence in section.sentences:
        if sentence.block == "item":
            break
        is_whole = sentence.text.endswith((".", "!", "。")) and len(sentence.text.split()) > 3
        if is_whole and (found := reading_of.said(given, sentence)) is not None:
            return found
    return reading_of.said(given, section.heading) if section.heading is not None else None


def _of_heading(given: Given, section: Section, finds: Finds) -> Sketch | None:
    """The atom that a section's heading names, by its own words, by what it lies under, or by its labels."""
    if not section.title or not (section.sentences or section.heading):
        return None
    if (typed := typed_heading(section.title)) is not None:
        return finds.add(*typed, first_said(given, section))
    group = kind_of_group(section.parents[-1]) if section.parents else None
    if group is not None:
        return finds.add(group, section.title, first_said(given, section))
    kind = kind_of_heading(section.title)
    if kind is not None and kind in _BY_HEAD and section.sentences:
        return finds.get_or_made(section.title, (kind,), first_said(given, section))
    kind = _kind_by_labels({label.rel for label in labels(given, section)})
    return finds.add(kind, section.title, first_said(given, section)) if kind else None


def _kind_by_labels(found: set[EdgeType]) -> AtomType | None:
    """What has such labels: stages a workflow has, someone who decided a decision; two of the others a process."""
    if "stages" in found:
        return "workflow"
    if "decided_by" in found:
        return "decision"
    return "process" if len(found & {"owner", "uses", "produces", "governed_by"}) > 1 else None


def _members(given: Given, section: Section, kind: AtomType, finds: Finds) -> None:
    for sentence in section.sentences:
        if sentence.block == "item" and sentence.ordinal == 0 and (name := _lead(sentence)):
            finds.add(kind, name, reading_of.said(given, sentence))


def _lead(sentence: Sentence) -> str:
    """What an item names: bold words at its beginning, those before a colon or dash, else a short item whole."""
    bold, lead = _BOLD.match(sentence.quote), _LEAD.match(sentence.text)
    if bold:
        return bold[1].rstrip(":.") + (bold[2] or "")
    if lead:
        return lead[1]
    is_short = len(sentence.text.split()) <= 5 and not sentence.text.endswith((".", ":", "?"))
    return sentence.text if is_short else ""
