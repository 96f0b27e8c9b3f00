"""A quotation that nobody wrote, and one that is no longer word for word."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from gitops.evals.planting.ground import Ground, is_english
from gitops.evals.planting.rewording import reworded
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, in_any_order
from gitops.wiki.citation import escape
from gitops.wiki.model import Cite
from gitops.wiki.quotations import TELLING, words
from gitops.wiki.source_text import SourceText

_FRAMES = (
    "the results exceeded every expectation we had at the outset",
    "nothing else has changed the field as quickly or as thoroughly",
    "this remains the single most important lesson of the whole effort",
    "no comparable figure had ever been recorded before that season",
    "everyone involved agreed that there was no going back after that",
    "it took three attempts before anybody believed the measurements",
)
_OF_NAME = (
    "{} turned out to be the decisive factor in the end",
    "without {} none of this would have been possible",
    "we had underestimated {} from the very beginning",
)
_OFFSET = re.compile(r"[ \t]*@\d+")
_ENDS = re.compile(r"[.!?。！？…]\s*$")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = 8


def invented(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[tuple[Splice, ...]]:
    """Words in quotation marks that no cited source holds: in place of a quotation, else put in where none is."""
    said = [_bare(ground.source(path).text) for path in sound.sources]
    for made in in_any_order(_made_up(sound, ground, chance), chance):
        if any(_bare(made) in text for text in said):
            continue
        places = list(_quoted(sound))
        for _, (start, end), cite in in_any_order(places, chance):
            yield _replaced(sound, start, end, made, cite)
        if not places and (put_in := _put_in(sound, made)):
            yield (put_in,)


def altered(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[tuple[Splice, ...]]:
    """A quotation with one word or number changed, put in or left out, that stands so in no cited source."""
    said = [_bare(ground.source(path).text) for path in sound.sources]
    for text, (start, end), cite in in_any_order(_quoted(sound), chance):
        for _, changed in in_any_order(reworded(text, chance), chance):
            if not any(_bare(changed) in source for source in said):
                yield _replaced(sound, start, end, changed, cite)


def _bare(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _quoted(sound: Sound) -> Iterator[tuple[str, tuple[int, int], Cite | None]]:
    """The quotations beside a claim, where each stands on its page; with the cite whose field it is, if one is."""
    for cite in sound.claim.cites:
        if cite.quote is not None and cite.quote_place is not None:
            yield cite.quote, (cite.quote_place.start, cite.quote_place.end), cite
    for one in (*sound.claim.quotations, *(each for cite in sound.claim.cites for each in cite.quotations)):
        if not one.is_title and not one.is_block and words(one.text) >= TELLING:
            yield sound.page.text[one.place.start : one.place.end], (one.place.start, one.place.end), None


def _replaced(sound: Sound, start: int, end: int, new: str, cite: Cite | None) -> tuple[Splice, ...]:
    """An offset behind the quotation goes with it: who invents one has none."""
    if cite is None:
        return ((start, end, new),)
    offset = _OFFSET.match(sound.page.text, end + 1)
    return ((start, end, escape(new)), *([(offset.start(), offset.end(), "")] if offset else []))


def _put_in(sound: Sound, made: str) -> Splice | None:
    """A quotation behind the source where it has a field for one, else at the end of the sentence."""
    (first, *_), place, text = sound.claim.cites, sound.claim.place, sound.page.text
    if first.dialect == "canonical" and first.offset is None:
        return first.place.end, first.place.end, f', "{escape(made)}"'
    end = place.end
    if (stop := _ENDS.search(text, place.start, end)) is not None and _ENDS.search(sound.claim.text):
        end = stop.start()
    return (end, end, f': "{made}"') if end > place.start else None


def _made_up(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[str]:
    """English sentences that could stand in any source; elsewhere the halves of two sentences of this one."""
    if is_english(sound.claim.text):
        yield from _FRAMES
        yield from (frame.format(one.name) for one in ground.names.within(sound.claim.text) for frame in _OF_NAME)
        return
    lines = [line.strip() for path in sound.sources for line in _sentences(ground.source(path))]
    if len(lines) > 1:
        one, other = chance.sample(lines, 2)
        yield one[: len(one) // 2] + other[len(other) // 2 :]


def _sentences(source: SourceText) -> Iterator[str]:
    for found in re.finditer(r"[^\n.!?。！？\"“”「」|]{16,200}", source.text):
        if sum(letter.isalpha() for letter in found[0]) >= _LETTERS:
            yield found[0]
