"""Whether what gold quotes stands in the documents of its case, letter for letter, and where it nearly does."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gitops.extraction.model import Case, Source
from gitops.okf.model import Atom, Backing, Fault
from gitops.runs.gold import nearest
from gitops.wiki.folding import base, fold

FOLDER = "sources/"
"""What citations of gold call the folder of their case's documents."""


def backings(atom: Atom) -> tuple[Backing, ...]:
    """All that an atom cites, in its text and in its rationale, each once."""
    return tuple(dict.fromkeys([*atom.backings, *(cited for one in atom.rationale for cited in one.backings)]))


@dataclass
class Quotable:
    """The documents of a case, folded once."""

    case: Case

    def says(self, words: str) -> bool:
        """Whether a document holds the words as they are; runs of white space are one."""
        return any(_plain(words) in text for text in self._plain.values())

    def faults(self, atom: Atom) -> Iterator[Fault]:
        """What is wrong with the citations of an atom; nothing where the case has no document at all, which is told."""
        for one in backings(atom) if self.case.sources else ():
            if told := self._wrong(one):
                result, message, mend = told
                yield Fault("gold", "error", result, message, atom.path, one.line, mend)

    def _wrong(self, one: Backing) -> tuple[str, str, str] | None:
        name = one.path.removeprefix(FOLDER)
        if not one.path.startswith(FOLDER) or name not in self._plain:
            known = [FOLDER + each for each in self._plain]
            told = f"the case has no document '{one.path}'{nearest(one.path, known)}"
            return "no_such_source", told, f"it has: {', '.join(known) or 'none'}"
        if not one.quote:
            return "no_quote", f"{one.path} is cited, and no words of it", f'write them: {one.path}, "the words"'
        if _plain(one.quote) in self._plain[name]:
            return None
        return "misquoted", f'"{one.quote}" does not stand in {one.path}', self._near(one, name)

    def _near(self, one: Backing, name: str) -> str:
        """The mend: where the same words stand in other letters or marks, or in another document."""
        source = next(source for source in self.case.sources if source.name == name)
        if (line := _line_of(source, one.quote)) is not None:
            return f"the words stand at {source.path}:{line} in other letters or marks: quote them as they are"
        for other, text in self._plain.items():
            if _plain(one.quote) in text:
                return f"it stands in {FOLDER}{other}"
        return "quote the words letter for letter"

    @cached_property
    def _plain(self) -> dict[str, str]:
        return {source.name: _plain(source.text) for source in self.case.sources}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _line_of(source: Source, quote: str) -> int | None:
    """The line on which the words of a quotation begin, whatever their case and punctuation; None where nowhere."""
    wanted = base(quote, "words")
    folded = fold(source.text, "words")
    at = folded.text.find(wanted) if wanted else -1
    return None if at < 0 else source.text.count("\n", 0, folded.span(at, at + len(wanted))[0]) + 1
