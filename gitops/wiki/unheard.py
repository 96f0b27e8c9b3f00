"""A quote's places in a source whose noise (time stamps, speaker labels, footnote marks) cuts the words in two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from gitops.wiki.noise import quiet, silenced
from gitops.wiki.occurrences import Occurrence, loosely, verbatim
from gitops.wiki.source_text import SourceText
from gitops.wiki.unmarked import unmarked

_Search = Callable[[int, int], Iterator[Occurrence]]


def unheard(quote: str, source: SourceText, start: int, stop: int) -> Iterator[Occurrence]:
    """The places that begin in `[start, stop)` where nothing but noise stands between the words, in order."""
    hushed = quiet(source.text)
    if not hushed.starts:
        return
    silent = silenced(source)
    searches: tuple[_Search, ...] = (
        lambda *where: verbatim(quote, silent, *where),
        lambda *where: loosely(quote, silent, *where),
        lambda *where: unmarked(quote, source, *where, is_silenced=True),
    )
    for search in searches:
        found = [
            replace(one, noise=noise) for one in search(start, stop) if (noise := hushed.between(one.start, one.end))
        ]
        if found:
            yield from found
            return


def without_noise(source: SourceText, start: int, end: int) -> str:
    """A slice of the source as a citation quotes it: on one line, without what is no word of it."""
    return " ".join(quiet(source.text).text[start:end].split())
