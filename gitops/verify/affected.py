"""Which pages a change can have affected without touching them: found from its edges, never by reading the wiki."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.view import View
from gitops.wiki.graph import resolved, source_key
from gitops.wiki.links import name_key
from gitops.wiki.snapshot import Change, Touched


def affected(base: View, head: View, change: Change) -> set[str]:
    """Paths of pages whose findings may differ, touched ones among them.

    Those that cite a source that changed; those whose links lead elsewhere now, because a name came or went; those
    that another page or name has stopped leading to.
    """
    pages: set[str] = set()
    for entry in change.touched:
        if head.layout.is_source(entry.path):
            pages.update(head.graph.citing(source_key(entry.path)))
        if entry.old_mode is None or entry.new_mode is None:
            pages.update(_led_elsewhere(base, head, entry))
        if head.layout.is_page(entry.path):
            pages.update(_let_go(base, head, entry.path))
    return pages


def _led_elsewhere(base: View, head: View, entry: Touched) -> Iterator[str]:
    """The pages whose links a coming or going name bends, and the pages that those links led to before."""
    for key in _names(base, head, entry):
        for page, (kind, target, _) in head.graph.linking(key):
            before = resolved(base.graph, head.layout, page, kind, target)
            after = resolved(head.graph, head.layout, page, kind, target)
            if before != after:
                yield page
                yield from set(before.paths).difference(after.paths)


def _names(base: View, head: View, entry: Touched) -> Iterator[str]:
    """The name of the file, and of the folders that came or went with it."""
    yield name_key(entry.path)
    folder = entry.path.rpartition("/")[0]
    while folder and (base.snapshot.mode(folder) is None) != (head.snapshot.mode(folder) is None):
        yield name_key(folder)
        folder = folder.rpartition("/")[0]


def _let_go(base: View, head: View, path: str) -> Iterator[str]:
    """What a touched page linked to by a link it no longer has; the index is found without."""
    for kind, target, _ in set(base.graph.links(path)).difference(head.graph.links(path)):
        paths = resolved(base.graph, head.layout, path, kind, target).paths
        yield from (page for page in paths if page != head.layout.index)
