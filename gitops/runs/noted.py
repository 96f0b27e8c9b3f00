"""What the notes of a ref say, note by note, without reading again those that have not changed.

It is kept for the version of the notes that it was found in; a later version reads only the notes that changed since.
The notes decide: losing what is kept costs time and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from gitops.canonical import dumps
from gitops.git import commits, notes, objects, refs, treediff
from gitops.git.repository import Repository
from gitops.runs.context import Context

_TARGET = re.compile(r"[0-9a-f]{40}")


def noted(context: Context, ref: str, kind: str, version: str, told: Callable[[str, list[str]], Any]) -> dict[str, Any]:
    """What each note of a ref comes to, by the commit that it stands on.

    `told` makes plain JSON of a commit and the lines of its note; what is empty is left out. `kind` and `version` are
    its own: another version of it reads everything anew.
    """
    tip = refs.read(context.repository, ref)
    if tip is None:
        return {}
    with context.caching() as cache:
        kept = cache.get(kind, version, ref)
        before, found = json.loads(kept) if kept is not None else ("", {})
        if before == tip:
            return dict(found)
        for target, lines in changed(context.repository, ref, before, tip):
            said = told(target, lines) if lines else None
            if said:
                found[target] = said
            else:
                found.pop(target, None)
        cache.put(kind, version, ref, dumps([tip, found]).encode())
    return dict(found)


def changed(repository: Repository, ref: str, before: str, tip: str) -> Iterator[tuple[str, list[str]]]:
    """The notes that changed since a version of them, those that are gone with no lines; all of them without one."""
    if not before or not objects.exists(repository, before):
        yield from notes.read_all(repository, ref)
        return
    old, new = (commits.read(repository, version).tree for version in (before, tip))
    places = {entry.path.replace("/", "") for entry in treediff.changed(repository, old, new)}
    targets = sorted(filter(_TARGET.fullmatch, places))
    there = dict(notes.read_many(repository, ref, targets))  # whole, wherever else it may stand
    yield from ((target, there.get(target, [])) for target in targets)
