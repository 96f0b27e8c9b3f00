"""Whether two texts have the same words, and what differs beside the words.

Texts with equal words (`folding`, strength `words`) may still say different things: 1 2 and 12, -5 and 5, 3.5 and 35.
So every gap between two characters is looked at in both. What differs is told in two lists: `loud` differences should
be mended in a quotation; nobody needs to hear of the `quiet` ones.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise

from gitops.wiki.boundaries import GROUPING_SPACES, is_word
from gitops.wiki.folding import DASHES, INVISIBLE, QUOTES, fold, folded_character

LOST_SPACES = 3
"""From so many lost spaces on, and half of all, a PDF's text counts as one that has none."""

_PIECE = 1024
_MARK_UP = "*_`~|#\\[](){}=^"
_KEPT = "%‰°$€£¥₩"
_JAMO = {chr(code) for code in range(0x1160, 0x1200)}
_STRUCK = re.compile(r"~~|<(?:del|s|strike)\b", re.IGNORECASE)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_UNSAID = re.compile(rf"[\s{re.escape(QUOTES + INVISIBLE + _MARK_UP)}<>]")
_DASH_RUN = re.compile(f"[{re.escape(DASHES)}]+")
_LINE_END_HYPHEN = re.compile(rf"(?:[{re.escape(DASHES)}\u00ad])[^\S\n]*\n\s*")
_SIGN = re.compile(r".*[\s(][-\u2212]", re.DOTALL)
_GROUPING = frozenset(("", ",", *GROUPING_SPACES))
_COMPARES = re.compile(r"[<>≤≥≠≈±]")


@dataclass(frozen=True, slots=True)
class Sameness:
    """What differs between two texts of the same words; `is_spaceless` when the second has lost its spaces."""

    loud: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    is_spaceless: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    folded: str
    raw: str
    gap: str


class Words:
    """A text's words without anything between them, and the way back to the text.

    It is folded piece by piece, so that the way back is made for the piece alone in which something was found.
    """

    def __init__(self, text: str) -> None:
        cuts = [_cut(text, at) for at in range(_PIECE, len(text), _PIECE)]
        self._starts = [0, *cuts]
        self._pieces = [fold(text[start:end], "words") for start, end in pairwise((0, *cuts, len(text)))]
        self._ats = list(accumulate((len(piece.text) for piece in self._pieces), initial=0))
        self.text = "".join(piece.text for piece in self._pieces)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `[start, end)` of the words stands in the text; it holds at least one character."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        number = bisect_right(self._ats, at) - 1
        start, end = self._pieces[number].span(at - self._ats[number], at - self._ats[number] + 1)
        return self._starts[number] + start, self._starts[number] + end


def _cut(text: str, at: int) -> int:
    """The first place at or after `at` that parts no letter from its marks."""
    while at < len(text) and (unicodedata.combining(text[at]) or text[at] in _JAMO):
        at += 1
    return at


def sameness(quote: str, exact: str, *, paged: bool) -> Sameness | None:
    """How the quotation and the source's slice differ though their words are the same; None where they are not.

    `paged` says that the source is a PDF, whose text may lose spaces.
    """
    if bool(_STRUCK.search(exact)) > bool(_STRUCK.search(quote)):
        return None
    ours, theirs = _characters(quote), _characters(exact)
    if [one.folded for one in ours] != [one.folded for one in theirs] or not ours:
        return None
    if quote.split() == exact.split():
        return Sameness(quiet=("white space",))
    loud: set[str] = set()
    quiet: set[str] = set()
    gaps = lost = 0
    for place, (mine, its) in enumerate(zip(ours, theirs, strict=True)):
        if place:
            told = _gap(ours, place, mine.gap, its.gap, paged)
            if told is None:
                return None
            (loud if told[0] else quiet).add(told[1])
            gaps += bool(mine.gap)
            lost += bool(mine.gap) and not its.gap
        _letter(mine.raw, its.raw, place == 0, loud, quiet)
    spaceless = lost >= LOST_SPACES and lost * 2 >= gaps
    return Sameness(tuple(sorted(loud)), tuple(sorted(quiet - {""})), spaceless)


def _characters(text: str) -> list[_Word]:
    found: list[_Word] = []
    gap: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if character != "_" and (character.isalnum() or character in _KEPT):
            before = "".join(gap)
            gap.clear()
            for part in folded_character(character):
                found.append(_Word(part, character, before))
                before = ""
        else:
            gap.append(character)
    return found


def _gap(words: list[_Word], place: int, mine: str, its: str, paged: bool) -> tuple[bool, str] | None:
    """Whether a difference between two gaps is loud, and its name; None where it must not be overlooked."""
    if mine == its:
        return False, ""
    left, right = words[place - 1].folded, words[place].folded
    if set(_COMPARES.findall(mine)) - set(_COMPARES.findall(its)):
        return None
    if right.isdigit() and bool(_SIGN.fullmatch(_plain(mine))) != bool(_SIGN.fullmatch(_plain(its))):
        return None
    if left.isdigit() and right.isdigit():
        return _in_number(words, place, mine, its)
    if bool(_INVISIBLE.sub("", mine)) != bool(_INVISIBLE.sub("", its)):
        return _joined(left, right, mine or its, paged)
    ours, theirs = _said(mine), _said(its)
    if ours == theirs:
        return False, _quiet_name(mine, its)
    if _DASH_RUN.sub("", ours) == _DASH_RUN.sub("", theirs):
        return False, "dashes"
    if "..." in ours:  # an ellipsis, in its compatible form, that leaves out no more than punctuation
        return False, "ellipsis"
    return True, "punctuation"


def _in_number(words: list[_Word], place: int, mine: str, its: str) -> tuple[bool, str] | None:
    """Digits that follow digits: 1,180 may be 1180 or grouped by a space, a range have any dash; no more may change."""
    if {mine, its} <= _GROUPING and not (mine.isspace() and its.isspace()):
        run = 0
        while place + run < len(words) and words[place + run].folded.isdigit() and not (run and words[place + run].gap):
            run += 1
        return (True, "number forms") if run == 3 else None
    if bool(mine) != bool(its) or _said(mine) != _said(its):
        return None
    return False, "dashes" if _plain(mine) != _plain(its) else "white space"


def _joined(left: str, right: str, gap: str, paged: bool) -> tuple[bool, str]:
    """Letters that stand together in one text and apart in the other."""
    if _LINE_END_HYPHEN.fullmatch(gap):
        return False, "hyphenation"
    if gap.isspace():
        is_quiet = paged or not (is_word(left) and is_word(right))
        return not is_quiet, "white space" if is_quiet else "word division"
    if not _UNSAID.sub("", gap):
        has_quotes = any(mark in QUOTES for mark in gap) and left.isalpha() and right.isalpha()
        return (True, "apostrophes") if has_quotes else (False, "mark-up")
    return True, "hyphens" if not _said(gap).strip("-") else "punctuation"


def _said(gap: str) -> str:
    """The punctuation of a gap that says something, each dash alike."""
    return _DASH_RUN.sub("-", unicodedata.normalize("NFKC", _UNSAID.sub("", gap)))


def _plain(gap: str) -> str:
    return _INVISIBLE.sub("", gap)


def _quiet_name(mine: str, its: str) -> str:
    if _DASH_RUN.findall(mine) != _DASH_RUN.findall(its):
        return "dashes"
    if [mark for mark in mine if mark in QUOTES] != [mark for mark in its if mark in QUOTES]:
        return "quotation marks"
    if re.sub(r"\s", "", mine) != re.sub(r"\s", "", its):
        return "mark-up"
    return "white space" if mine.split() != its.split() or len(mine) != len(its) else ""


def _letter(ours: str, theirs: str, is_first: bool, loud: set[str], quiet: set[str]) -> None:
    if ours == theirs:
        return
    if ours.casefold() == theirs.casefold():
        (quiet if is_first else loud).add("case")
    else:
        quiet.add("letter forms")
