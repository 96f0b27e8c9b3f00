"""Where atoms are written: a folder for each type, a file for each id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from gitops.okf.draft import Draft
from gitops.okf.model import AtomType
from gitops.okf.reserved import NAMES
from gitops.wiki.paths import collision_key

FOLDERS: Mapping[AtomType, str] = {
    "process": "processes",
    "role": "roles",
    "system": "systems",
    "workflow": "workflows",
    "decision": "decisions",
    "artifact": "artifacts",
}
_UNFIT = re.compile(r"[^\w.-]+")
_LONGEST = 60
"""Characters of a name: four bytes each at most, which leaves room below the 255 that file systems take."""


def paths(drafts: Iterable[Draft], known: Mapping[str, str]) -> dict[str, str]:
    """The path of each draft by its id; `known` are the paths of ids that have a file already, and stays as it is.

    Of two ids that would have one name the second gets `-2`, whatever order they come in.
    """
    found = dict(known)
    taken = {collision_key(path) for path in known.values()}
    for draft in sorted(drafts, key=lambda draft: (draft.id, draft.type)):
        if draft.id not in found:
            found[draft.id] = path = _free(draft, taken)
            taken.add(collision_key(path))
    return found


def _free(draft: Draft, taken: set[str]) -> str:
    name = _UNFIT.sub("-", unicodedata.normalize("NFC", draft.id)).lower().strip("-.")[:_LONGEST].rstrip("-.")
    stem = f"{FOLDERS[draft.type]}/{name or draft.type}"
    path, number = f"{stem}.md", 2
    while collision_key(path) in taken or path.rpartition("/")[2] in NAMES:
        path, number = f"{stem}-{number}.md", number + 1
    return path
