"""Where the words that an atom cites stand in the sources of its case: a file and a line that a person can open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from gitops.extraction.model import Case, Source
from gitops.okf.model import Backing
from gitops.wiki import occurrences
from gitops.wiki.source_text import SourceText


@dataclass(frozen=True, slots=True)
class Spot:
    """A file as a person finds it, and a line from 1; 0 is the file as a whole, and no path is no place."""

    path: str = ""
    line: int = 0


NOWHERE = Spot()


class Places:
    """The sources of one case, each folded at most once."""

    def __init__(self, case: Case) -> None:
        self._sources = [_Sought(source) for source in case.sources]

    def first(self, backings: Iterable[Backing]) -> Spot:
        """Where the first of some citations leads whose words are found; else the first file that is named at all."""
        named = NOWHERE
        for backing in backings:
            spot = self.of(backing)
            if spot.line:
                return spot
            named = named if named.path else spot
        return named

    def of(self, backing: Backing) -> Spot:
        """Where one citation leads: its words are sought in the file that it names first, then in the others, for
        other extractors call files as they like.
        """
        mine = [each for each in self._sources if is_called(each.source, backing.path)]
        others = [each for each in self._sources if each not in mine] if backing.quote else []
        for each in (*mine, *others):
            if line := each.line(backing.quote):
                return Spot(each.source.path, line)
        return Spot(mine[0].source.path) if mine else NOWHERE


class _Sought:
    """A source in which quotes are sought."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def _text(self) -> SourceText:
        return SourceText(self.source.text)

    def line(self, quote: str) -> int:
        """The line on which a quote begins, but for its white space; 0 where it does not stand."""
        if not quote.strip():
            return 0
        text, end = self._text, len(self.source.text) + 1
        found = next(occurrences.exactly(quote, text, 0, end), None) or next(
            occurrences.verbatim(quote, text, 0, end), None
        )
        return 0 if found is None else self.source.text.count("\n", 0, found.start) + 1


def is_called(source: Source, path: str) -> bool:
    """Whether a citation names this source: `sources/a.md`, `./a.md` and `a.md` are the source `a.md`."""
    named = path.removeprefix("./").lstrip("/")
    return bool(named) and (named == source.name or named.endswith(f"/{source.name}") or named == source.path)
