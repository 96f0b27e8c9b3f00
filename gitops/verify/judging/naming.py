"""Names: capitalised words and acronyms, told apart from words that merely begin a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from gitops.verify.judging.lexicon import FUNCTION, MONTHS, listed
from gitops.verify.judging.words import Token, common, synonyms

_TITLED = 0.7
"""The share of capitalised words from which on capitals say nothing: a heading, a title."""
_SMALL = frozenset(("of", "the", "and", "de", "la", "von", "van", "for", "in", "&"))
_DAYS = frozenset(listed("monday tuesday wednesday thursday friday saturday sunday"))
_ABBREVIATED = {"us": "usa", "who": "w.h.o.", "it": "i.t."}
"""Initials that are words as well, and what stands for them."""
_PREFIX = 5
"""Letters that a name shares with what is derived from it: `Libya`, `Libyan`."""


class Sourced(Protocol):
    """What is known of the words of a source."""

    @property
    def stems(self) -> Collection[str]:
        """The stems of its content words."""
        ...

    def begins(self, prefix: str) -> bool:
        """Whether one of its stems begins so."""
        ...

    @property
    def acronyms(self) -> Collection[str]:
        """The initials of its names."""
        ...


def names(words: Sequence[Token], text: str) -> list[int]:
    """Places of the words that are names or parts of names."""
    letters = [word for word in words if word.text[0].isalpha()]
    capital = [word for word in letters if word.text[0].isupper()]
    if len(letters) > 6 and len(capital) > _TITLED * len(letters):
        return []
    return [at for at, word in enumerate(words) if _is_name(words, at, word, text)]


def _is_name(words: Sequence[Token], at: int, word: Token, text: str) -> bool:
    if not word.text[0].isupper() or word.folded in FUNCTION or word.folded in MONTHS or word.folded in _DAYS:
        return False
    if not _begins_sentence(word, text):
        return len(word.folded) > 1
    if len(word.text) > 1 and word.text.isupper():
        return True
    after = words[at + 1] if at + 1 < len(words) else None
    return after is not None and after.text[0].isupper() and word.stem not in common()


def _begins_sentence(word: Token, text: str) -> bool:
    before = text[: word.start].rstrip(" \t\"'“”‘’([*_#>-")
    return not before or before[-1] in ".!?:;\n"


def runs(words: Sequence[Token], places: Iterable[int]) -> list[tuple[int, ...]]:
    """Names of several words: neighbouring places, with small words such as `of` between them passed over."""
    found: list[list[int]] = []
    for at in places:
        last = found[-1][-1] if found else -9
        between = words[last + 1 : at] if found else ()
        if found and len(between) <= 2 and all(word.folded in _SMALL for word in between):
            found[-1].append(at)
        else:
            found.append([at])
    return [tuple(run) for run in found]


def initials(words: Sequence[Token], run: Sequence[int]) -> str:
    """The acronym a name would have: `World Health Organization`, `who`."""
    return "".join(words[at].folded[0] for at in run)


def missing(words: Sequence[Token], places: Sequence[int], source: Sourced) -> list[Token]:
    """The parts of names that stand nowhere in a source: neither as they are, nor derived, nor as an acronym."""
    absent: list[Token] = []
    for run in runs(words, places):
        if len(run) > 1 and _ABBREVIATED.get(short := initials(words, run), short) in source.stems:
            continue
        absent.extend(words[at] for at in run if not _is_covered(words[at], source))
    return absent


def _is_covered(name: Token, source: Sourced) -> bool:
    if name.stem in source.stems or any(other in source.stems for other in synonyms().get(name.stem, ())):
        return True
    if len(name.stem) >= _PREFIX and source.begins(name.stem[:_PREFIX]):
        return True
    return name.text.isupper() and name.text.replace(".", "").lower() in source.acronyms
