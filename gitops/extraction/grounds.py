"""What rationales of a case have to rest on: its sources, read once, and where in them a sentence stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from gitops.extraction import bearing, framing
from gitops.extraction.model import Case, Source
from gitops.extraction.rationales import Stretch, words
from gitops.extraction.source_places import NOWHERE, Spot, is_called
from gitops.okf.model import Sentence
from gitops.verify.judge import Question
from gitops.verify.judging.reading import Reading, sentences
from gitops.verify.questions import merged, surroundings, title_of
from gitops.wiki import passages
from gitops.wiki.anchors import locate
from gitops.wiki.passages import Passage
from gitops.wiki.quoted import spots
from gitops.wiki.source_text import SourceText

_FOUND = ("verified", "repaired", "altered")
_MOST_SENTENCES = 3
"""A quotation of more sentences is no place, but a document."""
_LEAST = 10
"""A part of a sentence with fewer letters stands in too many; what is a whole sentence there may be shorter."""
_LEFT_OUT = "it leaves out what stands between its parts"
_JOINT = "\n\n"


@dataclass(frozen=True, slots=True)
class Standing:
    """A place where a sentence stands word for word, and why it may say something else there; '' for no doubt.

    `is_denied` says that the source denies it in so many words.
    """

    stretch: Stretch
    doubt: str = ""
    is_denied: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """The places that a sentence quotes; `made_up` are quotations from these sources that stand in none of them."""

    places: tuple[Stretch, ...] = ()
    made_up: tuple[str, ...] = ()


class _Document:
    """A source, and where it begins in all of them together."""

    def __init__(self, source: Source, start: int) -> None:
        self.source = source
        self.start = start
        self.text = SourceText(source.text, is_markdown=source.name.lower().endswith((".md", ".markdown")))

    @cached_property
    def passages(self) -> list[Passage]:
        """Its sentences, rows and headings."""
        return (passages.of_markdown if self.text.is_markdown else passages.of_plain)(self.source.text)


class Ground:
    """The sources of a case as one text, in the order of their names. Stretches count in that text."""

    def __init__(self, case: Case) -> None:
        self._documents: list[_Document] = []
        at = 0
        for source in sorted(case.sources, key=lambda one: one.name):
            self._documents.append(_Document(source, at))
            at += len(source.text) + len(_JOINT)
        self._starts = [one.start for one in self._documents]
        self.text = _JOINT.join(one.source.text for one in self._documents)

    @property
    def is_silent(self) -> bool:
        """Whether there is no word in it at all."""
        return not words(self.text)

    def standing(self, text: str) -> list[Standing]:
        """Where a sentence stands word for word, but for case, white space, mark-up and punctuation."""
        return [found for one in self._documents for found in _standing(one, text)]

    def quoted(self, sentence: Sentence) -> Quoted:
        """What a sentence quotes."""
        places: list[Stretch] = []
        made_up: list[str] = []
        for backing in sentence.backings:
            if not words(backing.quote):
                continue
            found = [place for one in self._documents for place in _quoted(one, backing.quote)]
            places += found
            if not found and any(is_called(one.source, backing.path) for one in self._documents):
                made_up.append(backing.quote)
        return Quoted(tuple(merged(places)), tuple(made_up))

    def is_place(self, stretch: Stretch) -> bool:
        """Whether a stretch is long enough, and short enough, to be a place."""
        there = self.text[slice(*stretch)]
        return len(words(there)) >= _LEAST and len(sentences(there)) <= _MOST_SENTENCES

    def spot(self, at: int) -> Spot:
        """The file and the line of an offset."""
        one = self._documents[bisect_right(self._starts, at) - 1]
        return Spot(one.source.path, one.source.text.count("\n", 0, at - one.start) + 1)

    def spot_of(self, text: str) -> Spot:
        """Where the sentence stands that has the most of a claim's words; NOWHERE where none has any."""
        line = bearing.nearest(text, self.reading)
        return NOWHERE if line is None else self.spot(line.start + len(line.text) - len(line.text.lstrip()))

    def question(self, text: str, before: str, places: Iterable[Stretch] = ()) -> Question:
        """What a judge is asked of a claim: against all sources together, and the places that it quotes."""
        there = [self._within(place) for place in merged(places)]
        spans = [one.text.text[start:end] for one, start, end in there]
        around = [surroundings(one.text, start, end) for one, start, end in there]
        titles = dict.fromkeys(title_of(one.source.name, one.text) for one in self._documents)
        return Question(
            claim=text,
            before=before,
            span="\n…\n".join(spans),
            context="\n…\n".join(around),
            title=" and ".join(titles),
            source=self.text,
        )

    @cached_property
    def reading(self) -> Reading:
        """Its sentences, as the judge without a model reads them."""
        return Reading(self.text)

    def _within(self, place: Stretch) -> tuple[_Document, int, int]:
        one = self._documents[bisect_right(self._starts, place[0]) - 1]
        return one, place[0] - one.start, place[1] - one.start


def _standing(one: _Document, text: str) -> Iterator[Standing]:
    for spot in spots(text, one.text):
        around = framing.frame(one.text.text, one.passages, spot.start, spot.end)
        if around.is_all or len(words(text)) >= _LEAST:
            doubt = around.doubt or (_LEFT_OUT if len(spot.pieces) > 1 else "")
            yield Standing((spot.start + one.start, spot.end + one.start), doubt, around.denies)


def _quoted(one: _Document, quote: str) -> Iterator[Stretch]:
    found = [(spot.start, spot.end) for spot in spots(quote, one.text)]
    if not found:
        anchor = locate(quote, one.text)
        found = [(anchor.start, anchor.end)] if anchor.result in _FOUND else []
    yield from ((start + one.start, end + one.start) for start, end in found)
