"""The extractor that needs no model: patterns over what a source says, and nothing in words of its own.

What it writes it quotes: each description and each reason is a sentence of the source, letter for letter, with its
place. It finds what documents say in plain form and passes over the rest (`docs/extract.md` says what that is).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitops.agents.extractors import decisions, mentions, outline, phrasing, tables
from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading
from gitops.okf.draft import Draft

VERSION = "1"
"""Raised whenever the same source would give other atoms."""


@dataclass(frozen=True, slots=True)
class _Read:
    reading: Reading
    about: dict[int, Sketch]
    """Which section is about which atom."""


def drafts(sources: Sequence[Given], known: Iterable[Draft] = ()) -> list[Draft]:
    """The atoms of some sources, which are read together: one name is one atom, wherever it stands.

    Atoms that are `known` are found by their titles; of them only what comes to them is told.
    """
    finds = Finds(known)
    read = [_atoms(reading_of.read(source), finds) for source in sources]
    for one in read:
        _edges(one, finds)
    return finds.drafts()


def _atoms(reading: Reading, finds: Finds) -> _Read:
    """Find what is named, form before prose: what a heading or a table names has its type from there."""
    given = reading.given
    recorded = decisions.records(reading, finds)
    about = outline.sections(reading, finds, recorded) | recorded
    tables.rows(reading, finds)
    for section in reading.sections:
        for sentence in section.prose:
            phrasing.definition(given, sentence, finds)
            phrasing.role(given, sentence, finds)
            mentions.atoms(given, sentence, finds)
    decisions.sentences(reading, finds, recorded)
    return _Read(reading, _inherited(reading, about))


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
    for number, section in enumerate(one.reading.sections):
        own = one.about.get(number)
        if own is not None:
            outline.link_labels(given, section, own, finds)
            decisions.reasons(given, section, own)
            if own.type == "workflow":
                phrasing.stages(given, reading_of.steps(given, section), own, finds)
        for sentence in section.prose:
            phrasing.told_stages(given, sentence, own, finds)
            phrasing.edges(given, sentence, own, finds)
