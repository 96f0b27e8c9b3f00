"""Atoms that a source names in its form: typed headings, lists below such as `Roles`, lines of `Label: value`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile

from gitops.agents.extractors import entries, paths
from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Section
from gitops.agents.extractors.kinds import kind_of, kind_of_group, kind_of_heading, named, parts, typed_heading
from gitops.agents.extractors.words import ENDS, LABELS, TURNED
from gitops.agents.writers.document import Sentence
from gitops.agents.writers.phrases import key, mentions
from gitops.okf import edge_ends
from gitops.okf.draft import Said
from gitops.okf.model import AtomType, EdgeType

_LINE = re.compile(r"^([A-Za-z][A-Za-z -]{2,20}?)\s*:\s*(\S.*)$")
_DECIDED = re.compile(r"^(?:Decision|Decided)\b[^:]{0,60}:")
_COUNT = re.compile(r"^\(?\d{1,2}[.)]\s*")
_ITSELF = re.compile(r"\b[Tt]his (policy|standard|handbook|manual|guideline|charter|code)\b")
_ASIDE = re.compile(r",?\s+(?:who|which|that|because|until|since|but)\s.*$")
_BY_HEAD: tuple[AtomType, ...] = ("process", "workflow", "role", "system")
"""What a heading may name by its last word alone; `Report` and `Decision` head too much else."""


@dataclass(frozen=True, slots=True)
class About:
    """What sections are about, by their numbers, and what single items and steps are, by where they begin."""

    sections: dict[int, Sketch]
    items: dict[int, Sketch]


@dataclass(frozen=True, slots=True)
class Label:
    """A line that says what the atom of its section or item is linked to."""

    name: str
    value: str
    line: Sentence

    @property
    def names(self) -> list[str]:
        """What the line names; where a person stands before a post, the post."""
        every = [
            _COUNT.sub("", one) for one in parts(_ASIDE.sub("", self.value)) if "[[" not in one and "]]" not in one
        ]
        posts = [one for one in every if kind_of(named(_bare(one))) == "role"]
        return posts if posts and LABELS.get(self.name) in ("owner", "decided_by") else every


def sections(reading: Reading, finds: Finds, taken: Collection[int] = ()) -> About:
    """Find what sections are about, what lists below a group name, and what items name by themselves.

    Sections that are `taken` are about something already.
    """
    about = About({}, {})
    for number, section in enumerate(reading.sections):
        own = _of_heading(reading, number, finds) if number not in taken else None
        if own is not None:
            about.sections[number] = own
        group = kind_of_group(section.title)
        made = entries.listed(reading.given, section, group, finds) if group is not None else {}
        about.items.update(made)
    return about


def label_of(sentence: Sentence) -> Label | None:
    """The label that a sentence begins with, if it is one that is known."""
    found = _LINE.match(sentence.text)
    name = " ".join(found[1].casefold().split()) if found else ""
    return Label(name, found[2], sentence) if found and (name in LABELS or name in TURNED) else None


def link_label(given: Given, label: Label, own: Sketch, finds: Finds) -> None:
    """Follow a label of an atom's section or item: what it names is made where nobody named it before."""
    said = reading_of.said(given, label.line)
    if label.name in TURNED:
        link_turned(label.name, label.names, own, finds, said)
        return
    rel = LABELS[label.name]
    if own.type in edge_ends.ENDS[rel][0]:
        for name in label.names:
            target = finds.known(name) or finds.add(kind_of(named(_bare(name))) or ENDS[rel], name, said)
            if target is not None:
                own.link(rel, target)


def link_turned(label: str, names: Sequence[str], own: Sketch, finds: Finds, said: Said | None) -> None:
    """Follow a label such as `Used by`: the edges lead from what it names, where that is work by its name or known."""
    rel, kind = TURNED[label]
    for name in names:
        made = finds.known(name) or finds.get_or_made(name, (kind, "workflow", "system"), said, loosely=True)
        if made is not None:
            made.link(rel, own)


def first_said(given: Given, section: Section) -> Said | None:
    """What says what a section is about: the first whole sentence before any list, else its heading."""
    for sentence in section.sentences:
        if sentence.block == "item":
            break
        is_whole = sentence.text.endswith((".", "!", "。")) and len(sentence.text.split()) > 3
        if is_whole and (found := reading_of.said(given, sentence)) is not None:
            return found
    return reading_of.said(given, section.heading) if section.heading is not None else None


def _of_heading(reading: Reading, number: int, finds: Finds) -> Sketch | None:
    """The atom that a section's heading names, by its own words, by what it lies under, or by its labels."""
    section, given = reading.sections[number], reading.given
    if not section.title or not (section.sentences or section.heading):
        return None
    if (typed := typed_heading(section.title)) is not None:
        typed_as: AtomType = "workflow" if typed[0] == "process" and _is_path(reading, number) else typed[0]
        return finds.add(typed_as, typed[1], first_said(given, section))
    group = kind_of_group(section.parents[-1]) if section.parents else None
    if group is not None and kind_of_group(section.title) is None:
        return finds.add(group, section.title, first_said(given, section))
    if section.level == 1 and any(_speaks_of_itself(section.title, one.text) for one in section.prose):
        return finds.add("artifact", section.title, first_said(given, section))
    kind = kind_of_heading(section.title)
    if kind is not None and kind in _BY_HEAD and section.sentences:
        return finds.get_or_made(section.title, (kind,), first_said(given, section))
    if any(_DECIDED.match(one.text) for one in section.prose):
        return None  # its labels are the decision's, and that has a sentence of its own
    found = {LABELS[label.name] for one in section.prose if (label := _own_label(one)) and label.name in LABELS}
    kind = _kind_by_labels(found) or ("workflow" if "owner" in found and _is_path(reading, number) else None)
    return finds.add(kind, section.title, first_said(given, section)) if kind else None


def _speaks_of_itself(title: str, text: str) -> bool:
    """Is a document called so the one that a sentence means by `this policy`?"""
    found = _ITSELF.search(text)
    return found is not None and mentions(title, key(found[1]))


def _own_label(sentence: Sentence) -> Label | None:
    """A label of a section, and not of one of its items."""
    return None if sentence.block == "item" and sentence.ordinal else label_of(sentence)


def _is_path(reading: Reading, number: int) -> bool:
    """Does a section, or the one below it that holds its steps, name each step?"""
    one = reading.sections[number]
    below = takewhile(lambda other: other.level > one.level, reading.sections[number + 1 :])
    listed = [each for each in below if each.title.casefold() in paths.STEPS]
    named_steps = any(paths.is_named(reading_of.steps(reading.given, each)) for each in [one, *listed])
    return named_steps or bool(paths.headed(reading.sections, number))


def _kind_by_labels(found: set[EdgeType]) -> AtomType | None:
    """What has such labels: stages a workflow has, someone who decided a decision; two of the others a process."""
    if "stages" in found:
        return "workflow"
    if "decided_by" in found:
        return "decision"
    return "process" if len(found & {"owner", "uses", "produces", "governed_by"}) > 1 else None


def _bare(name: str) -> str:
    return re.sub(r"\s*\([^()]*\)\s*$", "", name)
