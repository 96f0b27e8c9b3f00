"""The file that somebody probably meant: for suggestions, never for decisions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_SIMILAR = 80
"""The similarity of two stems (0-100, normalised Indel) from which one may be a slip for the other."""


def nearest(wanted: str, paths: Iterable[str]) -> str | None:
    """The path whose name without folder and suffix is nearest to the wanted one's, or None if none is near.

    Of equally near ones the one with the wanted suffix, then the one in the folder most like the wanted.
    """
    from rapidfuzz import fuzz, process

    known = list(paths)
    stems = [_stem(path) for path in known]
    near = process.extract(_stem(wanted), stems, scorer=fuzz.ratio, score_cutoff=_SIMILAR, limit=10)
    found = [(score, known[at]) for _, score, at in near]
    if not found:
        return None
    return min(found, key=lambda one: (-one[0], _suffix(one[1]) != _suffix(wanted), -fuzz.ratio(one[1], wanted)))[1]


def _stem(path: str) -> str:
    name = path.rstrip("/").rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return unicodedata.normalize("NFC", stem if dot and stem else name).casefold()


def _suffix(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2].casefold()
