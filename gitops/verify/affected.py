"""Which pages a change can have affected without touching them: found from its edges, never by reading the wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from gitops.errors import Absent
from gitops.verify.view import View
from gitops.wiki.graph import Graph, resolved
from gitops.wiki.layout import is_entry
from gitops.wiki.names import name_key, source_key
from gitops.wiki.slugs import fold
from gitops.wiki.snapshot import Change, Touched
from gitops.wiki.walks import linking_to

_MOST_READ = 200
"""Pages that are read to see whether they name a heading that is gone."""


def affected(base: View, head: View, change: Change) -> set[str]:
    """Paths of pages whose findings may differ, touched ones among them.

    Those that cite a file that changed, or a page through which they are led to a file; those whose links lead
    elsewhere now, because a name, a title or an alias came or went; those that another page or name has stopped
    leading to; those that link to a heading that is gone.
    """
    pages: set[str] = set()
    for entry in change.touched:
        pages.update(_citing(base, head, entry))
        if entry.old_mode is None or entry.new_mode is None or head.layout.is_page(entry.path):
            pages.update(_led_elsewhere(base, head, entry))
        if head.layout.is_page(entry.path):
            pages.update(_let_go(base, head, entry.path))
            pages.update(_naming_headings(base, head, entry.path))
    return pages


def _citing(base: View, head: View, entry: Touched) -> Iterator[str]:
    """The pages that cite a file by some name; where conventions lead through pages, those that cite such a page too.

    A page that comes, goes or changes may have led to another source. Canonical citations lead through none.
    """
    is_page, leads_through = head.layout.is_page(entry.path), _leads_through(head)
    if is_page and not leads_through:
        return
    citing = set(head.graph.citing(source_key(entry.path)))
    if is_page:
        citing.update(page for name in _called(base, head, entry.path) for page in head.graph.citing(source_key(name)))
    yield from citing
    if leads_through and not is_page:
        for page in citing:
            for name in {source_key(page), *map(source_key, head.graph.names(page))}:
                yield from head.graph.citing(name)


def _leads_through(view: View) -> bool:
    return any(dialect != "canonical" for dialect in view.config.citations.dialects)


def _led_elsewhere(base: View, head: View, entry: Touched) -> Iterator[str]:
    """The pages whose links a coming or going name bends, and the pages that those links led to before."""
    is_page, old, new = head.layout.is_page(entry.path), _Unlisted(base.graph), _Unlisted(head.graph)
    for key in dict.fromkeys(_names(base, head, entry)):
        for page, (kind, target, _) in head.graph.linking(key):
            before = resolved(old, head.layout, page, kind, target)
            after = resolved(new, head.layout, page, kind, target)
            if before != after or not is_page:
                yield page
                yield from set(before.paths).difference(after.paths)


@dataclass(frozen=True, slots=True)
class _Unlisted:
    """A graph that knows no file by its bare name: to look for one that is no page, the whole tree is listed."""

    graph: Graph

    def named(self, key: str) -> Sequence[str]:
        return self.graph.named(key)

    def files(self, key: str) -> Sequence[str]:
        return ()

    def exists(self, path: str) -> bool:
        return self.graph.exists(path)


def _names(base: View, head: View, entry: Touched) -> Iterator[str]:
    """The keys of the names that came or went with a file: its own, its folders', and what else a page is called."""
    if entry.old_mode is None or entry.new_mode is None:
        yield name_key(entry.path)
        yield source_key(entry.path)
        folder = entry.path.rpartition("/")[0]
        if is_entry(entry.path):  # a link to a folder leads to its page
            yield name_key(folder)
        while folder and (base.snapshot.mode(folder) is None) != (head.snapshot.mode(folder) is None):
            yield name_key(folder)
            folder = folder.rpartition("/")[0]
    if head.layout.is_page(entry.path):
        yield from map(name_key, set(base.graph.names(entry.path)).symmetric_difference(head.graph.names(entry.path)))


def _called(base: View, head: View, path: str) -> set[str]:
    return {*base.graph.names(path), *head.graph.names(path)}


def _let_go(base: View, head: View, path: str) -> Iterator[str]:
    """What a touched page linked to by a link it no longer has; the index is found without."""
    for kind, target, _ in set(base.graph.links(path)).difference(head.graph.links(path)):
        paths = resolved(base.graph, head.layout, path, kind, target).paths
        yield from (page for page in paths if page != head.layout.index)


def _naming_headings(base: View, head: View, to: str) -> Iterator[str]:
    """The first few pages that link to a heading which a changed page no longer has; the graph knows no headings."""
    if to == head.layout.log or base.snapshot.blob(to) is None or head.snapshot.blob(to) is None:
        return
    gone = _headings(base, to) - _headings(head, to)
    for path in islice(linking_to(head.graph, head.layout, to), _MOST_READ if gone else 0):
        try:
            links = head.page(path).links
        except Absent:  # what this clone lacks is not worth a fetch for a note
            continue
        if any(link.anchor and fold(link.anchor.rpartition("#")[2]) in gone for link in links):
            yield path


def _headings(view: View, path: str) -> set[str]:
    """What links may call the page's headings by, folded."""
    return {fold(name) for heading in view.page(path).headings for name in (heading.text, heading.slug)}
