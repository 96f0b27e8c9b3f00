"""The work of linting one tree, by as many processes as there are cores: what the pages give, in no order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from multiprocessing.connection import Connection

from gitops.git.snapshot import TreeSnapshot
from gitops.runs import forking
from gitops.runs.chunks import Chunk, Names
from gitops.runs.context import Context
from gitops.runs.lintview import LateCache, Past, collecting_rarely
from gitops.runs.workspace import Workspace
from gitops.verify import linting
from gitops.verify.view import Library, View
from gitops.wiki.model import Page
from gitops.wiki.names import Files, called, name_key
from gitops.wiki.wholegraph import NamesNotYetKnown, WholeGraph

MANY = 500
"""From so many pages on, the processes cost less than they save."""
_AT_ONCE = 200
_TURNS = 8
"""Stretches of the wiki that each process does: neighbours cite the same sources, and one folder may be dear."""
_PAGES_HELD = 500
_PUT_OFF_HELD = 10_000
"""Pages that are put off are kept parsed, as long as they are not too many."""
_WAITING = "waiting for names"

PutOff = dict[str, Page | None]


class Linter:
    """What every process has before the work begins: the tree's paths, the view, the accepted findings."""

    def __init__(
        self,
        context: Context,
        workspace: Workspace,
        tree: TreeSnapshot,
        commit: str,
        accepted: Mapping[str, object],
        *,
        of_additions: bool,
    ) -> None:
        self._cache, self._past, self._accepted = LateCache(context), Past(context, commit), accepted
        self._asked = linting.checks(of_additions=of_additions)
        self._graph = WholeGraph(lambda path: tree.mode(path) is not None, Files(tree.paths))
        library = Library(workspace.config, self._cache, _PAGES_HELD)
        self._view = View(tree, workspace.layout, workspace.config, library, self._graph, self._past)
        self.paths = linting.pages(self._view)
        self._number = {path: number for number, path in enumerate(self.paths)}
        for path in self.paths:
            self._graph.learn(path, (name_key(path),))

    def chunks(self, count: int | None = None) -> Iterator[Chunk]:
        """What the pages give: by so many processes, or by this one alone unless the pages are many."""
        count = count or (forking.cores() if len(self.paths) >= MANY else 1)
        with collecting_rarely():
            if count == 1:
                yield from self._alone()
                return
            with forking.forked(count, lambda place, end: self._work(place, count, end)) as ends:
                yield from _gathered(ends)

    def of_links(self, links: Sequence[Sequence[int]]) -> Chunk:
        """What the checks of links say, once it is known which pages each page leads to."""
        view, made = self._view, Chunk()
        self._graph.unreached.update(linting.unreached(view, self.paths, self._number, links))
        for path in self._graph.unreached:
            made.add_findings(self._number[path], linting.check_links(view, path, self._asked), self._accepted)
        return made

    def _alone(self) -> Iterator[Chunk]:
        put_off: PutOff = {}
        names: Names = []
        with closing(self._cache):
            for chunk in self._first(self._stretches(0, 1), put_off):
                names += chunk.names
                yield chunk
            yield from self._second(put_off, names)

    def _work(self, place: int, count: int, end: Connection) -> None:
        put_off: PutOff = {}
        with closing(self._cache):
            for chunk in self._first(self._stretches(place, count), put_off):
                end.send(chunk)
            if put_off:
                end.send(_WAITING)
                for chunk in self._second(put_off, end.recv()):
                    end.send(chunk)

    def _stretches(self, place: int, count: int) -> Iterator[range]:
        """The numbers of the pages that one of so many processes checks, by as many as are sent back at once."""
        parts = count * _TURNS
        for part in range(place, parts, count):
            end = (part + 1) * len(self.paths) // parts
            for start in range(part * len(self.paths) // parts, end, _AT_ONCE):
                yield range(start, min(start + _AT_ONCE, end))

    def _first(self, stretches: Iterable[range], put_off: PutOff) -> Iterator[Chunk]:
        """Every page but those whose links need the names of all; these are put off."""
        for numbers in stretches:
            made = Chunk()
            for number in numbers:
                path = self.paths[number]
                page = self._view.page(path)
                if len(names := called(page, path, self._view.layout.index)) > 1:
                    made.names.append((number, names[1:]))
                if not self._checked(made, path, page):
                    put_off[path] = page if len(put_off) < _PUT_OFF_HELD else None
            yield self._closed(made)

    def _second(self, put_off: PutOff, names: Names) -> Iterator[Chunk]:
        """The pages that were put off, now that all names are known."""
        for number, chosen in names:
            self._graph.learn(self.paths[number], chosen)
        self._graph.has_all_names = True
        made = Chunk()
        for path, held in put_off.items():
            self._checked(made, path, held or self._view.page(path))
            if made.pages == _AT_ONCE:
                yield self._closed(made)
                made = Chunk()
        yield self._closed(made)

    def _checked(self, made: Chunk, path: str, page: Page) -> bool:
        try:
            made.add(linting.check_page(self._view, path, page, self._asked), self._number, self._accepted)
        except NamesNotYetKnown:
            return False
        return True

    def _closed(self, made: Chunk) -> Chunk:
        made.is_of_history = self._past.is_asked
        return made


def _gathered(ends: list[Connection]) -> Iterator[Chunk]:
    """What the workers send; when all that still work wait for names, each is given those that all have found."""
    names: Names = []
    working, waiting = list(ends), list[Connection]()
    while working:
        if len(waiting) == len(working):
            for end in waiting:
                forking.send(end, names)
            waiting = []
        for end in forking.ready(each for each in working if each not in waiting):
            said = forking.received(end)
            if isinstance(said, Chunk):
                names += said.names
                yield said
            elif said == _WAITING:
                waiting.append(end)
            else:
                working.remove(end)
