"""What a text is about: the paths, files and ids that it names. By these it is known what a later answer refers to."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[\w./-]+")
_NAMES_A_FILE = re.compile(r".+\.[a-z]{2,4}")
_MOST_ABOUT = 64
"""So many things at most is a text about: the first that it names."""
_LONGEST = 300
"""Characters of the longest path or id: what is longer is no name."""


@lru_cache(maxsize=2048)
def about(text: str) -> frozenset[str]:
    """The first paths, file names and ids that a text names."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match[0].strip("./-")
        if len(word) <= _LONGEST and _is_a_name(word):
            found.add(word)
            if len(found) >= _MOST_ABOUT:
                break
    return frozenset(found)


def _is_a_name(word: str) -> bool:
    """Is this a path, a file's name, or an id: a word of six characters or more with letters and digits?"""
    is_id = len(word) >= 6 and any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return "/" in word or is_id or _NAMES_A_FILE.fullmatch(word) is not None
