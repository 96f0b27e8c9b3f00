"""What a loose match had to overlook, by name; and what must never be overlooked.

Two texts whose letters and digits are equal (`folding.base`) may still say different things: re-sign and resign,
1 2 and 12, -5 and 5. So every gap between two characters is looked at in both texts.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from gitops.wiki.boundaries import is_word
from gitops.wiki.folding import DASHES, INVISIBLE, QUOTES, folded_character

ORDER = (
    "white space", "case", "quotation marks", "dashes", "ligatures", "hyphenation", "letter forms",
    "invisible characters",
)  # fmt: skip
"""The names of what may be overlooked, in the order they are told."""

_DASH = f"[{re.escape(DASHES)}]"
_DASHES = re.compile(f"{_DASH}+")
_SOFT_AT_LINE_END = re.compile(r"\u00ad(?=[^\S\n]*\n)")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_LINE_END_HYPHEN = re.compile(rf"{_DASH}[^\S\n]*\n\s*")
_SIGN = re.compile(rf".*\s{_DASH}", re.DOTALL)
_DASH_BEFORE = re.compile(rf"{_DASH}+\s*\Z")
_DASH_AFTER = re.compile(rf"\s*{_DASH}+")
_LOST_SPACES = 3


@dataclass(frozen=True, slots=True)
class Leniency:
    """The names of what was overlooked; `spaceless` when the source lost its spaces, so that words don't end there."""

    kinds: tuple[str, ...]
    spaceless: bool


@dataclass(frozen=True, slots=True)
class _Atom:
    folded: str
    raw: str
    gap: str
    """The white space, dashes and invisible characters before it."""


def overlooked(quote: str, exact: str, *, paged: bool) -> Leniency | None:
    """What makes the quote and the source's slice differ; None when that must not be overlooked.

    `paged` says that the source is a PDF, whose text may lose or gain spaces inside and between words.
    """
    ours, ours_rest = _atoms(quote.strip())
    theirs, theirs_rest = _atoms(exact.strip())
    if [atom.folded for atom in ours] != [atom.folded for atom in theirs] or bool(ours_rest) != bool(theirs_rest):
        return None
    kinds: set[str] = set()
    gaps = 0
    lost = 0
    for place, (mine, its) in enumerate(zip(ours, theirs, strict=True)):
        found = _gap_kinds(ours, place, mine.gap, its.gap, paged)
        if found is None:
            return None
        kinds |= found | _letter_kinds(mine, its)
        gaps += bool(mine.gap)
        lost += bool(mine.gap) and not its.gap
    if ours_rest != theirs_rest:
        kinds.add("dashes")
    if not unicodedata.is_normalized("NFC", quote) or not unicodedata.is_normalized("NFC", exact):
        kinds.add("letter forms")
    told = tuple(kind for kind in ORDER if kind in kinds)
    return Leniency(told, lost >= _LOST_SPACES and lost * 2 >= gaps)


def with_dashes(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The span widened over the dash before or after it, where the quote has one there: loose text has none."""
    wanted = quote.strip()
    if _DASHES.match(wanted) and (before := _DASH_BEFORE.search(text, max(0, start - 8), start)):
        start = before.start()
    if _DASHES.match(wanted[-1:]) and (after := _DASH_AFTER.match(text, end)):
        end = after.end()
    return start, end


def _atoms(text: str) -> tuple[list[_Atom], str]:
    """A text's characters that count, each with what stands before it; and what stands after the last."""
    atoms: list[_Atom] = []
    gap: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if character.isspace() or character in DASHES or character in INVISIBLE:
            gap.append(character)
            continue
        before = "".join(gap)
        gap.clear()
        for part in folded_character(character):
            atoms.append(_Atom(part, character, before))
            before = ""
    return atoms, "".join(gap)


def _gap_kinds(atoms: list[_Atom], place: int, mine: str, its: str, paged: bool) -> set[str] | None:
    if mine == its:
        return set()
    ours, theirs = _visible(mine), _visible(its)
    kinds = {"invisible characters"} if _INVISIBLE.findall(mine) != _INVISIBLE.findall(its) else set()
    our_dashes, their_dashes = "".join(_DASHES.findall(ours)), "".join(_DASHES.findall(theirs))
    if our_dashes and their_dashes:
        found = _dash_kinds(ours, theirs, atoms[place].folded)
    elif our_dashes or their_dashes:
        hyphenated = {ours, theirs} > {""} and _LINE_END_HYPHEN.fullmatch(ours or theirs) and _in_word(atoms, place)
        found = {"hyphenation"} if hyphenated else None
    elif bool(ours) == bool(theirs):
        found = set()
    else:
        found = {"white space"} if _may_join(atoms, place, paged) else None
    return None if found is None else kinds | found


def _visible(gap: str) -> str:
    return _INVISIBLE.sub("", _SOFT_AT_LINE_END.sub("-", gap)) if gap else gap


def _dash_kinds(ours: str, theirs: str, after: str) -> set[str] | None:
    if after.isdigit() and bool(_SIGN.fullmatch(ours)) != bool(_SIGN.fullmatch(theirs)):
        return None
    kinds = set()
    if _DASHES.findall(ours) != _DASHES.findall(theirs):
        kinds.add("dashes")
    if _shape(ours) != _shape(theirs):
        kinds.add("white space")
    return kinds


def _shape(gap: str) -> str:
    return re.sub(r"\s+", " ", _DASHES.sub("-", gap))


def _in_word(atoms: list[_Atom], place: int) -> bool:
    return place > 0 and atoms[place - 1].folded.isalpha() and atoms[place].folded.isalpha()


def _may_join(atoms: list[_Atom], place: int, paged: bool) -> bool:
    """Whether a space more or less before an atom leaves the meaning: never inside a number."""
    if place == 0:
        return True
    around = [atoms[i].folded if 0 <= i < len(atoms) else " " for i in range(place - 2, place + 2)]
    left, right = around[1], around[2]
    number_before = left.isdigit() or (left in ".," and around[0].isdigit())
    number_after = right.isdigit() or (right in ".," and around[3].isdigit())
    if number_before and number_after:
        return False
    return paged or not (is_word(left) and is_word(right))


def _letter_kinds(mine: _Atom, its: _Atom) -> set[str]:
    ours, theirs = mine.raw, its.raw
    if ours == theirs:
        return set()
    if ours in QUOTES:
        return {"quotation marks"}
    if len(folded_character(ours)) > 1 or len(folded_character(theirs)) > 1:
        return {"ligatures"}
    return {"case"} if ours.casefold() == theirs.casefold() else {"letter forms"}
