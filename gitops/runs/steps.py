"""The steps that verdicts let through, from a commit to a tree: what somebody else's commit of the same step stands by.

A squash or rebase button makes such commits. What was found in the notes is kept with the version of them that it was
found in; a later version reads the notes that changed. It says where to look: whether a verdict holds is examined.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pydantic_core import from_json

from gitops.git import refs
from gitops.runs import names, noted
from gitops.runs.context import Context
from gitops.verify.statement import PASSES

Step = tuple[str, str]
"""The base commit, and the tree that the change leaves."""
_KEPT = ("steps", "1", names.VERDICTS)
_ID = 20
_WIDTH = 3 * _ID
_OBJECT = re.compile(r"[0-9a-f]{40}")
_MARK = '"verdict":"commit'


def candidates(context: Context, base: str, tree: str) -> list[str]:
    """The commits that bear a yes to the step from a commit to a tree, as far as notes here say so."""
    return sorted(known(context).get((base, tree), ()))


def known(context: Context) -> Mapping[Step, set[str]]:
    """Every step that a verdict in the notes lets through, with the commits that bear the verdicts."""
    tip = refs.read(context.repository, names.VERDICTS)
    return {} if tip is None else context.once(("steps", tip), lambda: _steps(context, tip))


def _steps(context: Context, tip: str) -> dict[Step, set[str]]:
    with context.caching() as cache:
        version, found = _unpacked(cache.get(*_KEPT) or b"")
        if version == tip:
            return found
        changed = dict(noted.changed(context.repository, names.VERDICTS, version, tip))
        for bearing in found.values():
            bearing.difference_update(changed)
        for step, candidate in _read(changed.items()):
            found[step].add(candidate)
        cache.put(*_KEPT, _packed(tip, found))
    return found


def _read(found: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[Step, str]]:
    for candidate, lines in found:
        for line in lines:
            if _MARK in line and (step := _step(line, candidate)) is not None:
                yield step, candidate


def _step(line: str, candidate: str) -> Step | None:
    try:
        told = from_json(line)
    except ValueError:  # told by whoever reads the note itself
        return None
    if not isinstance(told, dict) or told.get("candidate") != candidate or told.get("verdict") not in PASSES:
        return None
    base, tree = str(told.get("base")), str(told.get("tree"))
    return (base, tree) if _OBJECT.fullmatch(base) and _OBJECT.fullmatch(tree) else None


def _packed(tip: str, found: Mapping[Step, set[str]]) -> bytes:
    rows = (bytes.fromhex(base + tree + candidate) for (base, tree), mine in found.items() for candidate in mine)
    return bytes.fromhex(tip) + b"".join(rows)


def _unpacked(kept: bytes) -> tuple[str, defaultdict[Step, set[str]]]:
    found: defaultdict[Step, set[str]] = defaultdict(set)
    for start in range(_ID, len(kept), _WIDTH):
        base, tree, candidate = (kept[at : at + _ID].hex() for at in range(start, start + _WIDTH, _ID))
        found[base, tree].add(candidate)
    return kept[:_ID].hex(), found
