"""Which added page is which deleted one: moving a page makes none of its findings new."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from gitops.wiki.snapshot import Change, Snapshot, Touched

_ALIKE = 0.5
"""The share of the longer page's lines that must be in both: git's own default for renames."""


def renames(change: Change, is_page: Callable[[str], bool]) -> dict[str, str]:
    """New path → old path of pages that moved, with or without a change. Each old page moves once."""
    gone = {entry.path: entry for entry in change.touched if entry.new_blob is None and is_page(entry.path)}
    come = {entry.path: entry for entry in change.touched if entry.old_blob is None and is_page(entry.path)}
    moved = _unchanged(come.values(), gone.values())
    left_gone = [path for path in gone if path not in moved.values() and _is_file(change.base, path)]
    left_come = [path for path in come if path not in moved and _is_file(change.head, path)]
    return moved | _alike(change, left_come, left_gone) if left_gone and left_come else moved


def _is_file(snapshot: Snapshot, path: str) -> bool:
    return snapshot.blob(path) is not None


def _unchanged(come: Iterable[Touched], gone: Iterable[Touched]) -> dict[str, str]:
    by_blob: defaultdict[str | None, list[str]] = defaultdict(list)
    for entry in gone:
        by_blob[entry.old_blob].append(entry.path)
    return {entry.path: by_blob[entry.new_blob].pop(0) for entry in come if by_blob[entry.new_blob]}


def _alike(change: Change, come: list[str], gone: list[str]) -> dict[str, str]:
    """The best pairs first; through an index of lines, so that many pages against many cost their lines only."""
    holders: defaultdict[bytes, list[str]] = defaultdict(list)
    lengths = {}
    for path in gone:
        lines = _lines(change.base, path)
        lengths[path] = len(lines)
        for line in lines:
            holders[line].append(path)
    pairs = []
    for path in come:
        lines = _lines(change.head, path)
        # A line that stands on very many pages tells none of them apart.
        shared = Counter(old for line in lines for old in holders[line][:_TELLING])
        pairs += [(count / max(len(lines), lengths[old]), old, path) for old, count in shared.items()]
    moved: dict[str, str] = {}
    for share, old, path in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if share >= _ALIKE and path not in moved and old not in moved.values():
            moved[path] = old
    return moved


_TELLING = 50


def _lines(snapshot: Snapshot, path: str) -> set[bytes]:
    return {line.strip() for line in snapshot.read(path).split(b"\n") if line.strip()}
