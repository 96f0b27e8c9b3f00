"""The extractor that needs no model: patterns over what a source says, and nothing in words of its own.

What it writes it quotes: each description and each reason is a sentence of the source, letter for letter, with its
place. It finds what documents say in plain form and passes over the rest (`docs/extract.md` says what that is).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitops.agents.extractors import decisions, entries, mentions, outline, paths, phrasing, tables
from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.around import Around
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Section
from gitops.agents.extractors.kinds import kind_of_group
from gitops.agents.extractors.outline import About
from gitops.okf.draft import Draft

VERSION = "2"
"""Raised whenever the same source would give other atoms."""


@dataclass(frozen=True, slots=True)
class _Read:
    reading: Reading
    about: About
    rows: list[tables.Listed]
    here: dict[Sketch, None]
    """What the source names."""


def drafts(sources: Sequence[Given], known: Iterable[Draft] = ()) -> list[Draft]:
    """The atoms of some sources, which are read together: one name is one atom, wherever it stands.

    Atoms that are `known` are found by their titles; of them only what comes to them is told.
    """
    finds = Finds(known)
    read = [_atoms(reading_of.read(source), finds) for source in sources]
    for one in read:
        finds.here = one.here
        _edges(one, finds)
    return finds.drafts()


def _atoms(reading: Reading, finds: Finds) -> _Read:
    """Find what is named, form before prose: what a heading or a table names has its type from there."""
    given, finds.here = reading.given, {}
    recorded = decisions.records(reading, finds)
    about = outline.sections(reading, finds, recorded)
    rows = tables.rows(reading, finds)
    _headed(reading, about, finds)
    for section in reading.sections:
        if kind_of_group(section.title) is None:
            about.items.update(entries.told(given, section, finds))
        for sentence in section.prose:
            phrasing.definition(given, sentence, finds)
            phrasing.role(given, sentence, finds)
            mentions.atoms(given, sentence, finds)
    decisions.sentences(reading, finds, recorded)
    return _Read(reading, About(_inherited(reading, about.sections | recorded), about.items), rows, finds.here)


def _headed(reading: Reading, about: About, finds: Finds) -> None:
    """Take the sections of a workflow whose headings number them for its stages."""
    workflows = [(number, own) for number, own in about.sections.items() if own.type == "workflow"]
    for number, own in workflows:
        for at, name in paths.headed(reading.sections, number):
            stage = finds.add("process", name, outline.first_said(reading.given, reading.sections[at]))
            if stage is not None:
                own.link("stages", stage)
                about.sections[at] = stage


def _inherited(reading: Reading, about: dict[int, Sketch]) -> dict[int, Sketch]:
    """Sections below one that is about an atom are about it, too, unless they have their own."""
    trail: list[tuple[int, Sketch]] = []
    found = {}
    for number, section in enumerate(reading.sections):
        while trail and trail[-1][0] >= section.level:
            trail.pop()
        own = about.get(number) or (trail[-1][1] if trail else None)
        if number in about:
            trail.append((section.level, about[number]))
        if own is not None:
            found[number] = own
    return found


def _edges(one: _Read, finds: Finds) -> None:
    given = one.reading.given
    for listed in one.rows:
        tables.link(given, listed, finds)
    items = dict(one.about.items)
    for number, section in enumerate(one.reading.sections):
        own = one.about.sections.get(number)
        if own is not None:
            decisions.reasons(given, section, own)
        if own is not None and own.type == "workflow" and _holds_steps(section, own):
            items |= paths.stages(given, reading_of.steps(given, section), own, finds)
    for number, section in enumerate(one.reading.sections):
        _linked(given, section, one.about.sections.get(number), items, finds)


def _holds_steps(section: Section, own: Sketch) -> bool:
    """Are numbered items of a section of a workflow its steps? Below another heading they may be those of a mishap."""
    is_its_own = section.title.casefold().endswith(own.title.casefold())
    return is_its_own or section.title.casefold() in paths.STEPS


def _linked(given: Given, section: Section, own: Sketch | None, items: dict[int, Sketch], finds: Finds) -> None:
    """Follow what the sentences of a section link; those of an item that names an atom are about that."""
    item, before = None, None
    for sentence in section.prose:
        if sentence.ordinal == 0:
            item, before = items.get(sentence.start), None
        is_named = item is not None and sentence.ordinal == 0
        meant = before if before is not None and sentence.text.startswith("It ") else item or own
        around = Around(given, sentence, meant, finds, entries.says_from(sentence) if is_named else 0)
        before = around.opens_with() or (before if sentence.text.startswith("It ") else None)
        label = outline.label_of(sentence)
        if label is not None and around.own is not None:
            outline.link_label(given, label, around.own, finds)
        if item is not None and is_named:
            entries.link(around, item)
        paths.told(around)
        phrasing.edges(around)
