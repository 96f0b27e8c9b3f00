"""A source, read once for all the claims that cite it: its sentences, where each stem stands, its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from gitops.verify.judging import naming, quantities, turns
from gitops.verify.judging.words import TOKEN, Token, content_stem, family, fold, stem, tokens

_END = re.compile(
    r"""[.!?]["'”’)\]]*\s+(?=["'“‘(\[]*[A-Z0-9])|[。！？]|\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*#>|]|\d+[.)]\s))"""
)
_NOTHING = frozenset(("",))
_DIGITAL = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}")
_BREAK = re.compile(r"\n(?=\s*\S)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|No|Inc|Ltd|Co|Corp|Gen|Lt|Col|Sgt|Gov|Sen|Rep|Rev|Fig|al|etc|e\.g|i\.e|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|approx|ca)|\b[A-Z])\.$"
)


@dataclass(frozen=True)
class Line:
    """A sentence of a source at `[start, end)` of its text, or a line where the text is set in lines."""

    text: str
    start: int
    end: int
    stems: frozenset[str]
    """The stems of its content words."""

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """Its words; few sentences of a source are ever asked for them."""
        return tuple(tokens(self.text))

    @cached_property
    def numbers(self) -> tuple[quantities.Quantity, ...]:
        """Its numbers."""
        return tuple(quantities.quantities(self.words))

    @cached_property
    def turns(self) -> turns.Turns:
        """Its small words that turn a meaning."""
        return turns.turns(self.words)


class Reading:
    """What the judge looks up in a source. Made once, asked by many claims."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = tuple(_lines(text))
        self.places: dict[str, list[int]] = {}
        """For each stem of a content word the sentences that hold it, in order, each once."""
        for number, line in enumerate(self.lines):
            for each in line.stems:
                self.places.setdefault(each, []).append(number)

    @cached_property
    def families(self) -> dict[str, list[int]]:
        """For each family of stems the sentences that hold one of it."""
        found: dict[str, list[int]] = {}
        for each, lines in self.places.items():
            found.setdefault(family(each), []).extend(lines)
        return found

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """The first five letters of each of its stems that are longer, or as long."""
        return frozenset(stem[:5] for stem in self.places if len(stem) >= 5)

    @cached_property
    def numbers(self) -> tuple[quantities.Quantity, ...]:
        """All numbers of the source, but for a lone `one`."""
        there = {line for word, lines in self.places.items() if quantities.may_begin(word) for line in lines}
        return tuple(number for line in sorted(there) for number in self.lines[line].numbers)

    def says(self, number: quantities.Quantity) -> bool:
        """Whether it has a number: as it is written, or as another spelling of the same value."""
        if stem(fold(number.said)) in self.places:
            return True
        if number.kind == "year" or (number.kind == "month" and not _DIGITAL.search(self.text)):
            return False  # there is but one way to write it
        return quantities.covered(number, self.numbers)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """The initials of its names of two words and more."""
        found = set()
        for line in self.lines:
            for run in naming.runs(line.words, naming.names(line.words, line.text)):
                if len(run) > 1:
                    found.add(naming.initials(line.words, run))
        return frozenset(found)


def _lines(text: str) -> Iterable[Line]:
    for start, end in sentences(text):
        said = text[start:end]
        stems = frozenset(map(content_stem, TOKEN.findall(said)))
        if stems:
            yield Line(said, start, end, stems - _NOTHING)


def sentences(text: str) -> list[tuple[int, int]]:
    """The `[start, end)` of a source's sentences; a wrapped line goes on, an unfinished one before a capital ends."""
    bounds: list[int] = []
    for match in _END.finditer(text):
        head = text[max(0, match.start() - 12) : match.start() + 1]
        if not (match[0].startswith(".") and _ABBREVIATED.search(head)):
            bounds.append(match.end())
    bounds.extend(match.end() for match in _BREAK.finditer(text) if _ends(text, match))
    cuts = sorted({0, len(text), *bounds})
    return [(start, end) for start, end in pairwise(cuts) if text[start:end].strip()]


def _ends(text: str, match: re.Match[str]) -> bool:
    """Whether a line ends what it says: the next begins with a capital, and it is not cut at a full width."""
    following = text[match.end() : match.end() + 40].lstrip()[:1]
    start = text.rfind("\n", 0, match.start()) + 1
    return not following.islower() and not 60 <= match.start() - start <= 100
