"""Words as the judge compares them: folded, reduced to a stem, with the family and the synonyms of the stem."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from gitops.verify.judging.lexicon import COMMON, FALLING, FUNCTION, IRREGULAR, OPPOSITES, RISING, SYNONYMS, groups

TOKEN = re.compile(r"(?:[A-Z]\.){2,}|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?(?![^\W\d_])|[^\W_]+(?:['’][^\W\d_]+)*|[%€$£¥]")
"""An acronym with its dots, a number, a word with its apostrophes, or a sign that belongs to a number."""
_INFLECTED = ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "ly", "s")
_DERIVED = (
    "ization", "isation", "ational", "fulness", "iveness", "ousness", "ability", "ibility", "ements", "ement",
    "ation", "ition", "ative", "itive", "ically", "ating", "ship", "ment", "ness", "ance", "ence", "ancy", "ency",
    "able", "ible", "ical", "ally", "ator", "izer", "iser", "ious", "eous", "less", "hood", "ism", "ist", "ity", "ion",
    "ive", "ous", "ant", "ent", "ate", "ize", "ise", "ify", "ful", "ian", "dom", "age", "al", "er", "or", "ic", "th",
)  # fmt: skip
_ACRONYMS = {"US": "usa", "UK": "uk", "EU": "eu", "UN": "un", "WHO": "w.h.o.", "IT": "i.t."}
"""Acronyms whose letters are a word as well, or whose dots are often left out."""
_STEM, _FAMILY = 3, 4
"""The fewest letters that are left of a word when an ending is taken off."""


class Token(NamedTuple):
    """A word at `[start, end)` of a text; `folded` without case and accents, `stem` what is compared;
    `is_joined` says that a hyphen stands before it.
    """

    text: str
    start: int
    end: int
    folded: str
    stem: str
    is_joined: bool = False

    @property
    def is_content(self) -> bool:
        """Whether it says something of the world: a word that is no function word, or a number."""
        return self.folded not in FUNCTION and (len(self.folded) > 1 or self.folded.isdigit())


def tokens(text: str) -> list[Token]:
    """Every word of a text in order."""
    return [
        Token(match[0], match.start(), match.end(), *shapes(match[0]), text[match.start() - 1 : match.start()] == "-")
        for match in TOKEN.finditer(text)
    ]


@lru_cache(maxsize=1 << 16)
def shapes(word: str) -> tuple[str, str]:
    """A word folded, and its stem."""
    folded = _ACRONYMS.get(word.replace(".", "")) or fold(word)
    return folded, stem(folded)


@lru_cache(maxsize=1 << 16)
def content_stem(word: str) -> str:
    """The stem of a content word, nothing for any other."""
    folded, stemmed = shapes(word)
    return stemmed if folded not in FUNCTION and (len(folded) > 1 or folded.isdigit()) else ""


def fold(word: str) -> str:
    """A word without case, accents, and the possessive."""
    folded = word.casefold().replace("’", "'")
    if "." in folded and folded[0].isalpha():
        folded = folded.replace(".", "")
    if not folded.isascii():
        marks = unicodedata.normalize("NFKD", folded)
        folded = "".join(letter for letter in marks if not unicodedata.combining(letter))
    return folded.removesuffix("'s").removesuffix("'")


def stem(folded: str) -> str:
    """A word without the endings of number and tense."""
    base = _irregular().get(folded, folded)
    if not base.isalpha():
        return base
    if base is not folded or len(base) <= _STEM:
        return _bare(base)
    for ending in _INFLECTED:
        if base.endswith(ending) and len(base) - len(ending) >= _STEM:
            return _without(base, ending)
    return _bare(base)


def _without(word: str, ending: str) -> str:
    rest = word[: -len(ending)]
    if (ending == "s" and rest[-1] in "su") or (ending == "es" and rest[-1] in "aou"):
        return _bare(word)
    if ending not in ("s", "ly") and not any(letter in "aeiouy" for letter in rest):
        return _bare(word)
    if ending in ("ied", "ies"):
        return _bare(rest + "y")
    return _bare(rest)


def _bare(word: str) -> str:
    """The end of a stem made alike: `plann` and `plan`, `make` and `mak`, `study` and `studi`."""
    if len(word) <= _STEM:
        return word
    if word[-1] == word[-2] and word[-1] not in "aeiou":
        return word[:-1]
    if word[-1] == "e":
        return word[:-1]
    return word[:-1] + "i" if word[-1] == "y" else word


@lru_cache(maxsize=1 << 17)
def family(stemmed: str) -> str:
    """What a stem shares with the words derived from it: `sponsorship` and `sponsor`."""
    word = stemmed
    if len(word) > _FAMILY and word.endswith(_ENDINGS):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _FAMILY:
                return _bare(word[: -len(ending)])[:8]
    return word[:8]


_ENDINGS = tuple(dict.fromkeys(shape for ending in _DERIVED for shape in (ending, _bare(ending))))


@cache
def _irregular() -> dict[str, str]:
    return {form: group[0] for group in groups(IRREGULAR) for form in group[1:]}


@cache
def synonyms() -> dict[str, frozenset[str]]:
    """For each stem of the list the stems of all groups it is in."""
    found: dict[str, set[str]] = {}
    for group in groups(SYNONYMS):
        stems = {stem(word) for word in group}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {word: frozenset(others) for word, others in found.items()}


@cache
def opposites() -> dict[str, frozenset[str]]:
    """For each stem of the list the stems that mean the opposite."""
    found: dict[str, set[str]] = {}
    pairs = [(group[0], group[1]) for group in groups(OPPOSITES) if len(group) == 2]
    for one, other in (*pairs, *product(RISING, FALLING)):
        found.setdefault(stem(one), set()).add(stem(other))
        found.setdefault(stem(other), set()).add(stem(one))
    return {word: frozenset(others) for word, others in found.items()}


@cache
def common() -> frozenset[str]:
    """The stems of the common words."""
    return frozenset(stem(word) for word in COMMON)
