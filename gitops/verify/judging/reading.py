"""A source, read once for all the claims that cite it: its sentences, where each stem stands, its numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from gitops.verify.judging import comparing, naming, quantities, turns
from gitops.verify.judging.words import TOKEN, Token, content_stem, family, fold, stem, tokens
from gitops.wiki.tongue import not_english

_END = re.compile(
    r"""[.!?]["'”’)\]]*\s+(?=["'“‘(\[]*[A-Z0-9])|[。！？]|\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*#>|]|\d+[.)]\s))"""
)
_NOTHING = frozenset(("",))
_SHARED = 3
"""Letters that all stems of a family begin with."""
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
    def dimensions(self) -> frozenset[str]:
        """The stems of words that say what its numbers measure."""
        return frozenset(self.words[at].stem for at in quantities.dimensions(self.words, self.numbers))

    @cached_property
    def turns(self) -> turns.Turns:
        """Its small words that turn a meaning."""
        return turns.turns(self.words)


class Reading:
    """What the judge looks up in a source. Made once, asked by many claims, each for a few of its words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = tuple(_lines(text))
        self.stems: frozenset[str] = frozenset().union(*(line.stems for line in self.lines))
        """The stems of its content words."""
        self._where: dict[str, tuple[int, ...]] = {}
        self._kin: dict[str, tuple[int, ...]] = {}

    def where(self, stemmed: str) -> tuple[int, ...]:
        """The sentences that hold a stem, in order."""
        if stemmed not in self.stems:
            return ()
        found = self._where.get(stemmed)
        if found is None:
            found = self._where[stemmed] = tuple(at for at, line in enumerate(self.lines) if stemmed in line.stems)
        return found

    def kin(self, stemmed: str) -> tuple[int, ...]:
        """The sentences that hold a stem of the same family, some more than once."""
        wanted = family(stemmed)
        found = self._kin.get(wanted)
        if found is None:
            near = self._beginning(wanted[:_SHARED])
            found = tuple(at for each in near if family(each) == wanted for at in self.where(each))
            self._kin[wanted] = found
        return found

    def begins(self, prefix: str) -> bool:
        """Whether one of its stems begins so."""
        return bool(self._beginning(prefix))

    @cached_property
    def unreadable(self) -> str:
        """Why it cannot be judged; nothing where it can."""
        return not_english(self.text)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.stems)

    def _beginning(self, prefix: str) -> list[str]:
        first = bisect_left(self._sorted, prefix)
        return self._sorted[first : bisect_left(self._sorted, prefix + chr(0x10FFFF), first)]

    @cached_property
    def _numeric(self) -> tuple[str, ...]:
        return tuple(word for word in self._sorted if quantities.may_begin(word))

    def numbers_like(self, number: quantities.Quantity) -> Iterable[quantities.Quantity]:
        """Its numbers that may be another spelling of one: all in the sentences that have digits near it, or words."""
        there = {line for word in self._numeric if quantities.may_spell(word, number) for line in self.where(word)}
        return (each for line in sorted(there) for each in self.lines[line].numbers)

    def says(self, number: quantities.Quantity) -> bool:
        """Whether it has a number: as it is written, or as another spelling of the same value."""
        if stem(fold(number.said)) in self.stems:
            return True
        if number.kind == "year" or (number.kind == "month" and not _DIGITAL.search(self.text)):
            return False  # there is but one way to write it
        return comparing.covered(number, self.numbers_like(number))

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
