"""The debt file only shrinks: a change may take mended findings off it, and may not excuse new ones.

Where a page moves, what was accepted on it may move along. Runs may not write the file at all (`path_acl`). Whoever
accepts more than stood there commits that on the branch itself, in the open: `git assay adopt --renew`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gitops.verify import debt
from gitops.verify.check import Check
from gitops.verify.debt import Debt, Entry
from gitops.verify.finding import Level
from gitops.verify.renames import renames
from gitops.verify.view import Draft, RunAt, View
from gitops.wiki.snapshot import EXECUTABLE, REGULAR


def examine(at: RunAt) -> Iterator[Draft]:
    """What the change adds to the debt, and the lines of it that nobody can read."""
    path = at.head.layout.debt
    if not any(entry.path == path for entry in at.change.touched):
        return
    before, after = _debt(at.base), _debt(at.head)
    left = Counter(_told(entry, entry.path) for mark, entry in before.entries.items() if mark not in after.entries)
    moved = renames(at.change, at.base.layout.is_page)
    for mark, entry in after.entries.items():
        if mark in before.entries:
            continue
        same = _told(entry, moved.get(entry.path, ""))
        if left[same] > 0:
            left[same] -= 1
        else:
            told = f"the change accepts a finding that was not accepted before: {entry.check} {entry.result}"
            where = f" on {entry.path}" if entry.path else ""
            yield Draft("grown", told + where, mark, path, repair="mend the finding, and leave the debt as it was")
    if lines := [str(number) for number in after.unread]:
        told = f"no entry of debt: line {', '.join(lines[:5])}" + (" and more" if len(lines) > 5 else "")
        yield Draft("unreadable", told, ",".join(lines), path, repair="git assay lint --debt --prune")


def _told(entry: Entry, path: str) -> tuple[str, ...]:
    """What an entry says of a page, be it called so now or before."""
    return path, entry.check, entry.result, entry.level, entry.message


def _debt(view: View) -> Debt:
    path = view.layout.debt
    if view.snapshot.mode(path) not in (REGULAR, EXECUTABLE):
        return debt.NONE
    return debt.read(view.snapshot.read(path))


CHECK = Check(scope="run", version=2, results={"grown": Level.ERROR, "unreadable": Level.WARNING}, run=examine)
