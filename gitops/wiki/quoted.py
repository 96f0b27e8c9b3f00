"""Where a quotation of running text stands in a source: as it is, or with what a reader would overlook.

An ellipsis parts a quotation into stretches that follow one another; what stands in square brackets (`[sic]`,
`[the model]`) is the writer's own and stands for anything short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from gitops.wiki.boundaries import UNSPACED, begins_inside, ends_inside
from gitops.wiki.folding import base
from gitops.wiki.late import late
from gitops.wiki.noise import KINDS, quiet
from gitops.wiki.source_text import SourceText
from gitops.wiki.wording import Words, sameness

MOST = 40
"""So many places of one quotation are looked at."""

EFFORT = 100_000
"""How many characters are compared before a text that is all near misses is given up."""

_ENDS = " \t\r\n.,;:!?…。，、；：！？*_\u00a0"
_STARTS = " \t\r\n…*_\u00a0"
_ELLIPSIS = r"\[\s*(?:…|\.{3,}|\. \. \.)\s*\]|\(\s*(?:…|\.{3,})\s*\)|…+|\.{3,}|\. \. \.|⋯+"
_BRACKETS = r"\[[^\[\]]{0,80}\]"
_CUT = late(f"(?P<ellipsis>{_ELLIPSIS})|(?P<own>{_BRACKETS})")
_CHANGED_LETTER = late(r"\[(\w)\](?=\w)")
_OWN_REACH = 100
"""What a writer's own words in brackets may stand for, in characters of the source."""
_MINUS = "-\u2212"
_EMPHASIS = late(r"\*+|`+|(?<!\w)_+|_+(?!\w)")
WORD = re.compile(rf"[^\W_{UNSPACED}]+|[{UNSPACED}]")

_FEW = 5


@dataclass(frozen=True, slots=True)
class Spot:
    """A span of the source's text that is the quotation, with what differs: to be mended, and not worth it.

    `pieces` are where the parts stand of a quotation that leaves something out; `names` those that the source spells
    in its own way, as quoted and as there.
    """

    start: int
    end: int
    loud: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    pieces: tuple[tuple[int, int], ...] = ()
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a quotation without the writer's own marks; `reach` bounds what may be left out before it."""

    text: str
    reach: int | None = 0


@lru_cache(maxsize=1024)
def spots(quotation: str, source: SourceText) -> tuple[Spot, ...]:
    """The places where a quotation stands in a source, in order; none when it stands there in no way."""
    core = trimmed(quotation)
    if not core:
        return ()
    if found := tuple(islice(_as_it_is(core, source.text), MOST)):
        return found
    if found := _worded(core, source.text, source) or tuple(_unheard(core, source)):
        return found
    cut = parts(quotation)
    if len(cut) == 1 and trimmed(cut[0].text) == core:
        return ()
    return _chained(cut, source, spots) or _chained(cut, source, _everywhere)


def trimmed(quotation: str) -> str:
    """A quotation without what its writer's sentence may end it with, such as the comma in "word,"."""
    return quotation.rstrip(_ENDS).lstrip(_STARTS)


def parts(quotation: str) -> tuple[Part, ...]:
    """The stretches between ellipses and brackets, in order, at least one; `[T]he` is `The`."""
    text = _CHANGED_LETTER.sub(r"\1", quotation)
    found: list[Part] = []
    at = 0
    reach: int | None = 0
    for cut in [*_CUT.finditer(text), None]:
        stretch = trimmed(text[at : cut.start() if cut else len(text)])
        if base(stretch, "words"):
            found.append(Part(stretch, reach if found else 0))
            reach = 0
        if cut:
            reach = None if cut["ellipsis"] or reach is None else _OWN_REACH
            at = cut.end()
    return tuple(found) or (Part(trimmed(text)),)


def _as_it_is(core: str, text: str) -> Iterator[Spot]:
    """Word for word: one search of the text as it is, with either case of the first letter."""
    other = core[0].swapcase() + core[1:]
    for wanted in (core, other) if other != core and len(other) == len(core) else (core,):
        at, tries = text.find(wanted), 0
        while at >= 0 and tries < MOST * 10:
            tries += 1
            if not begins_inside(text, at) and not ends_inside(text, at + len(wanted)):
                yield Spot(at, at + len(wanted), quiet=() if wanted is core else ("case",))
            at = text.find(wanted, at + 1)


def worded(quotation: str, source: SourceText) -> tuple[Spot, ...]:
    """The places with the same words, cut by noise or not, also where the quotation stands word for word elsewhere."""
    core = trimmed(quotation)
    return (*_worded(core, source.text, source), *_unheard(core, source))


def shares_run(quotation: str, source: SourceText) -> bool:
    """Whether any few words of the quotation stand together in the source: without that nothing is like it there.

    Asked before all that is dear. Where one word in four differs, three others are left together (two of short ones).
    """
    said = WORD.findall(quotation.lower())
    length = 3 if len(said) > _FEW else 2
    known = _words_of(source.text).text
    runs = (base(" ".join(said[at : at + length]), "words") for at in range(len(said) - length + 1))
    return len(said) <= length or any(run in known for run in runs)


def _worded(core: str, text: str, source: SourceText) -> tuple[Spot, ...]:
    """The same words in the same order."""
    wanted = base(core, "words")
    return tuple(islice(_same_words(core, wanted, text, source), MOST)) if wanted else ()


def _unheard(core: str, source: SourceText) -> Iterator[Spot]:
    """The same words where noise stands between them."""
    if not shares_run(core, source):
        return
    hushed = quiet(source.text)
    for spot in _worded(core, hushed.text, source) if hushed.starts else ():
        if noise := hushed.between(spot.start, spot.end):
            yield Spot(spot.start, spot.end, spot.loud, tuple(dict.fromkeys((*spot.quiet, *noise))))


def _same_words(core: str, wanted: str, text: str, source: SourceText) -> Iterator[Spot]:
    words = _words_of(text)
    if wanted not in words.text:
        return
    paged = bool(source.page_starts)
    at, effort = words.text.find(wanted), EFFORT
    while at >= 0 and effort > 0:
        effort -= len(core) + 100
        start, end = words.span(at, at + len(wanted))
        if core[0] in _MINUS and start and text[start - 1] in _MINUS:
            start -= 1
        same = sameness(core, text[start:end], paged=paged)
        if same and (same.is_spaceless or not (begins_inside(text, start) or ends_inside(text, end))):
            yield Spot(start, end, same.loud, same.quiet)
        at = words.text.find(wanted, at + 1)


@lru_cache(maxsize=64)
def _words_of(text: str) -> Words:
    return Words(text)


def _everywhere(text: str, source: SourceText) -> tuple[Spot, ...]:
    """Where a part stands word for word, and where it stands but for mark-up and the like."""
    found = {(spot.start, spot.end): spot for spot in (*worded(text, source), *spots(text, source))}
    return tuple(found[place] for place in sorted(found))


def _chained(
    cut: Sequence[Part], source: SourceText, places: Callable[[str, SourceText], tuple[Spot, ...]]
) -> tuple[Spot, ...]:
    known = [places(part.text, source) for part in cut]
    return tuple(islice(_in_order(cut, known, source), MOST)) if all(known) else ()


def _in_order(cut: Sequence[Part], known: Sequence[Sequence[Spot]], source: SourceText) -> Iterator[Spot]:
    """The places where the parts follow one another, each no farther from the one before than it may be."""
    for first in known[0]:
        chain = [first]
        for part, places in zip(cut[1:], known[1:], strict=True):
            following = next((spot for spot in places if spot.start >= chain[-1].end), None)
            if following is None or (part.reach is not None and _gap(source, chain[-1], following) > part.reach + 20):
                break
            chain.append(following)
        else:
            loud = dict.fromkeys(kind for spot in chain for kind in spot.loud)
            hushed = dict.fromkeys(kind for spot in chain for kind in spot.quiet)
            pieces = tuple((spot.start, spot.end) for spot in chain)
            yield Spot(chain[0].start, chain[-1].end, tuple(loud), tuple(hushed), pieces)


def _gap(source: SourceText, one: Spot, other: Spot) -> int:
    """How much is said between two places: the address of a link is not."""
    return len(" ".join(quiet(source.text).text[one.end : other.start].split()))


def mended(quotation: str, spot: Spot, source: SourceText) -> str:
    """The quotation with the source's own words, and what its writer put around and between them.

    Its names are spelled as quoted: those of a transcript are a guess.
    """
    told = _retold(quotation, spot, source)
    for ours, theirs in spot.names:
        told = re.sub(rf"(?<!\w){re.escape(theirs)}(?!\w)", ours, told)  # a name is letters alone
    return told


def _retold(quotation: str, spot: Spot, source: SourceText) -> str:
    text = quiet(source.text).text if KINDS.intersection(spot.quiet) else source.text
    pieces = iter(spot.pieces or ((spot.start, spot.end),))
    if not spot.pieces:
        core = trimmed(quotation)
        return quotation.replace(core, retold(text, *next(pieces)), 1)
    told, at = [], 0
    for cut in [*_CUT.finditer(quotation), None]:
        stretch = quotation[at : cut.start() if cut else len(quotation)]
        core = trimmed(stretch)
        told.append(stretch.replace(core, retold(text, *next(pieces)), 1) if base(core, "words") else stretch)
        told.append(cut[0] if cut else "")
        at = cut.end() if cut else at
    return "".join(told)


def retold(text: str, start: int, end: int) -> str:
    """A slice of a text as somebody would quote it: on one line, without emphasis."""
    return " ".join(_EMPHASIS.sub("", text[start:end]).split())
