"""A block's text without its marks, whose characters still know their places, split into sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitops.wiki.blocks import Block
from gitops.wiki.late import late
from gitops.wiki.wikilinks import WikiLink

_KANA = late(r"[\u3040-\u30ff]")
_HANGUL = late(r"[\uac00-\ud7af\u1100-\u11ff]")
_HAN = late(r"[\u3400-\u9fff]")


class Cut(NamedTuple):
    """`[at, until)` of a block's text that a reader's sentence lacks; `glue` stands in its place."""

    at: int
    until: int
    glue: str = ""


class Prose:
    """A block's text with cuts taken out, which still knows where each character stands in the page."""

    def __init__(self, block: Block, cuts: Sequence[Cut] = ()) -> None:
        self.block = block
        self._ats, self._froms = [0], [0]
        self.text = self._without(cuts) if cuts else block.text

    def _without(self, cuts: Iterable[Cut]) -> str:
        block, pieces = self.block, []
        length = done = 0
        for cut in cuts:
            kept = block.text[done : max(done, cut.at)] + cut.glue
            pieces.append(kept)
            length, done = length + len(kept), max(done, cut.until)
            self._ats.append(length)
            self._froms.append(done)
        pieces.append(block.text[done:])
        return "".join(pieces)

    def at(self, point: int) -> int:
        """Where a character of the block's text stands here; of a cut one, what follows it."""
        index = bisect_right(self._froms, point) - 1
        until = self._ats[index + 1] if index + 1 < len(self._ats) else len(self.text)
        return min(self._ats[index] + point - self._froms[index], until)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The page's code points from the first to the last character of `[start, end)`."""
        return self.block.start_of(self._back(start)), self.block.end_of(self._back(end - 1) + 1)

    def is_struck(self, start: int, end: int) -> bool:
        """Whether any letter or digit of `[start, end)` is struck out."""
        return bool(self.block.struck) and any(
            self.text[at].isalnum() and self.block.is_struck(self._back(at)) for at in range(start, end)
        )

    def _back(self, at: int) -> int:
        index = bisect_right(self._ats, at) - 1
        return self._froms[index] + at - self._ats[index]


def split(text: str) -> list[tuple[int, int]]:
    """The `[start, end)` of each sentence of a text without line ends, white space around it left out."""
    import sentencex  # type: ignore[import-untyped]  # it has none

    found = []
    for bound in sentencex.get_sentence_boundaries(language(text), text):
        start, end = bound["start_index"], bound["end_index"]
        piece = text[start:end]
        first, last = start + _leading(piece), start + len(piece.rstrip())
        if first < last:
            found.append((first, last))
    return found


def language(text: str) -> str:
    """The language whose rules split a text, guessed by its script: `ja`, `ko`, `zh`, else `en`."""
    if text.isascii():
        return "en"
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return "zh" if _HAN.search(text) else "en"


def link_cuts(wiki: Iterable[WikiLink]) -> Iterator[Cut]:
    """What a reader does not see of wiki-links: brackets, the target behind an alias, all of an embed."""
    for link in wiki:
        if link.is_embed:
            yield Cut(link.at, link.until)
        else:
            yield Cut(link.at, link.shown[0])
            yield Cut(link.shown[1], link.until)


def folded(text: str) -> str:
    """A text with each run of white space as one space."""
    return " ".join(text.split())


def before_space(text: str, at: int) -> int:
    """The end of the last visible character before `at`."""
    while at and text[at - 1].isspace():
        at -= 1
    return at


def _leading(text: str) -> int:
    return len(text) - len(text.lstrip())
