"""Whether a change writes plain pages and nothing else, told by its paths alone.

A yes here spares a landing, which a verdict stands for already, the checks that say the same: to load them takes longer
than all else that is asked of it. Whatever is not as plain as that is put before them (`guarding.findings`).
"""

from __future__ import annotations

from collections.abc import Iterable

from gitops.git import objects
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import Entry
from gitops.runs.roots import DEPTH, roots
from gitops.wiki.layout import Layout
from gitops.wiki.paths import collision_key, objections, within
from gitops.wiki.snapshot import REGULAR


def writes_pages(layout: Layout, base: TreeSnapshot, head: TreeSnapshot, entries: Iterable[Entry]) -> bool:
    """Are all of these regular pages of the wiki, in folders that stood before, with names that collide with none?"""
    others = [root for root in roots(base) if root != layout.root]
    return not layout.is_whole and all(_is_plain(layout, others, base, head, entry) for entry in set(entries))


def _is_plain(layout: Layout, others: list[str], base: TreeSnapshot, head: TreeSnapshot, entry: Entry) -> bool:
    path = entry.path
    if not layout.is_page(path) or path == layout.log or _may_be_of(others, path):
        return False
    if entry.new_mode is None:
        return path != layout.index
    if entry.new_mode != REGULAR or objections(path) is not None:
        return False
    return entry.old_mode is not None or _is_new_name(base, head, path)


def _may_be_of(others: list[str], path: str) -> bool:
    """May the page be another workspace's: does it lie in one, or so deep that nobody has looked for one?"""
    return path.count("/") > DEPTH or any(within(path, root) for root in others if root)


def _is_new_name(base: TreeSnapshot, head: TreeSnapshot, path: str) -> bool:
    folder, _, name = path.rpartition("/")
    held = head.folder_id(folder)
    if held is None or base.folder_id(folder) is None:
        return False
    key, own = collision_key(name), objects.encode(name)
    names = (raw for _, raw, _ in objects.raw_items(objects.read(head.repository, held)))
    return not any(_key(raw) == key for raw in names if raw != own)


def _key(raw: bytes) -> str:
    """`collision_key` of a name; of most it is their small letters."""
    return raw.lower().rstrip(b". ").decode() if raw.isascii() else collision_key(objects.decode(raw))
