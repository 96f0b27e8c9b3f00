"""Ids in one spelling: who wrote `roles/Head_of_Ops.md` and who wrote `role-head-of-ops` mean the same atom."""

from __future__ import annotations

import re

from gitops.wiki.folding import DASHES, INVISIBLE
from gitops.wiki.names import fold, without_suffix

_PARTS = re.compile(rf"[\s_.{re.escape(DASHES)}]+")
_UNSEEN = str.maketrans("", "", INVISIBLE)


def canonical(id: str, type: str = "") -> str:
    """An id in its canonical spelling.

    Case and Unicode form do not count; runs of white space, `_`, `-` and `.` are one `-`; `.md` and all folders are
    dropped, and so is a leading word that is the atom's own `type`. What nothing would be left of stays as folded.
    """
    seen = id.translate(_UNSEEN).strip()
    last = fold(without_suffix(seen)).rstrip("/").rpartition("/")[2]
    words = _PARTS.sub("-", last).strip("-")
    prefix = _PARTS.sub("-", fold(type)).strip("-") + "-"
    if len(prefix) > 1 and words.startswith(prefix) and len(words) > len(prefix):
        words = words[len(prefix) :]
    return words or fold(seen)
