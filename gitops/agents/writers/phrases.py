"""Words as keys: two spellings of one name have one key, so that names are found wherever they stand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gitops.wiki.late import late
from gitops.wiki.names import spaced

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OWNERS = ("'s", "’s")
_SPACELESS = late("[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
LONGEST = 4
"""Words of a name that is looked for."""
_UNLETTERED = re.compile(r"[^\w-]+")


@lru_cache(maxsize=50_000)
def key(word: str) -> str:
    """One word, folded; a plural's or an owner's -s does not count, nor do accents."""
    word = word[:-2] if word.lower().endswith(_OWNERS) else word
    plain = unicodedata.normalize("NFD", spaced(word))
    plain = "".join(char for char in plain if unicodedata.category(char) != "Mn") if plain.isascii() is False else plain
    plain = unicodedata.normalize("NFC", plain)
    if not plain.isascii() or len(plain) < 4 or plain.endswith(("ss", "us", "is")) or not plain.endswith("s"):
        return plain
    return plain[:-3] + "y" if plain.endswith("ies") and len(plain) > 4 else plain[:-1]


@lru_cache(maxsize=20_000)
def keys(text: str) -> tuple[str, ...]:
    """The keys of a text's words, in order."""
    return tuple(key(word) for word in WORD.findall(text))


def phrase(text: str) -> str:
    """The key of a whole name."""
    return " ".join(keys(text))


def grams(words: Sequence[str], longest: int = LONGEST) -> Iterator[tuple[int, str]]:
    """Every run of up to so many words, with where it begins."""
    for at in range(len(words)):
        for length in range(1, min(longest, len(words) - at) + 1):
            yield at, " ".join(words[at : at + length])


def is_spaceless(text: str) -> bool:
    """Is this written in a script whose words have no spaces between them, or take particles without one?"""
    return _SPACELESS.search(text) is not None


def mentions(text: str, name: str) -> bool:
    """Does a text hold a name (a `phrase`) as whole words; in scripts without spaces, anywhere?"""
    if is_spaceless(name):
        return name in spaced(text)
    return f" {name} " in _padded(text)


@lru_cache(maxsize=100_000)
def _padded(text: str) -> str:
    """The keys of a text's words with a space around each."""
    return f" {phrase(text)} "


def slug(title: str) -> str:
    """The file name of a page without its suffix: letters and digits, hyphens between, at most 60 characters."""
    plain = "".join(c for c in unicodedata.normalize("NFD", title) if unicodedata.category(c) != "Mn")
    words = _UNLETTERED.sub("-", unicodedata.normalize("NFC", plain).casefold()).replace("_", "-")
    name = re.sub(r"-+", "-", words).strip("-")
    cut = name if len(name) <= 60 else name[:60].rpartition("-")[0] or name[:60]
    while len(cut.encode()) > 180:
        cut = cut[:-1]
    return cut or "page"
