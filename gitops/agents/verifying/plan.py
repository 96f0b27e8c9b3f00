"""What a change does, as the verifier is shown it: the pages it touches with their differences, and its claims."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.agents.fencing import fenced
from gitops.verify.view import View
from gitops.wiki.decode import decode

DIFFED = 40_000
"""Characters of differences that are shown at the beginning, at most; the pages themselves can be read."""
_CONTEXT = 2


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a claim stands: page, line, and what it cites as written."""

    path: str
    line: int
    cites: tuple[str, ...]


def touched(base: View, head: View) -> list[str]:
    """The pages that differ between two revisions, sorted; the log is the tool's own."""
    layout = head.layout
    blobs = [{path: view.snapshot.blob(path) for path in _pages(view)} for view in (base, head)]
    paths = {path for path, blob in blobs[0].items() ^ blobs[1].items()}
    return sorted(path for path in paths if path != layout.log)


def shown(base: View, head: View, most: int = DIFFED) -> str:
    """Every touched page with its difference, each a block of data; what does not fit is named."""
    told, room = [], most
    for path in touched(base, head):
        old, new = _text(base, path), _text(head, path)
        what = "new" if old is None else "removed" if new is None else "changed"
        difference = "\n".join(_difference(old or "", new or ""))
        if len(difference) > room:
            told.append(fenced("(the difference is too long to show here: read the page)", page=path, it_is=what))
            continue
        room -= len(difference)
        told.append(fenced(difference, page=path, it_is=what))
    return "\n\n".join(told) or "no page differs"


def spots(base: View | None, head: View) -> dict[str, list[Spot]]:
    """Where the claims of the touched pages stand, by their words; of every page where nothing is compared."""
    found: dict[str, list[Spot]] = {}
    for path in touched(base, head) if base is not None else sorted(_pages(head)):
        if head.snapshot.blob(path) is None:
            continue
        for claim in head.page(path).claims:
            cites = tuple(f"[^{cite.label}] {cite.path}" if cite.label else cite.path for cite in claim.cites)
            found.setdefault(claim.text, []).append(Spot(path, claim.place.line, cites))
    return found


def _pages(view: View) -> Iterator[str]:
    return (path for path in view.snapshot.paths(view.layout.wiki) if view.layout.is_page(path))


def _text(view: View, path: str) -> str | None:
    return decode(view.snapshot.read(path)).text if view.snapshot.blob(path) is not None else None


def _difference(old: str, new: str) -> Sequence[str]:
    """A unified difference without the file names, which stand beside it."""
    return list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=_CONTEXT))[2:]
