"""The graph that a whole wiki's checks ask: names and files, and in the end how pages stand. No link is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from gitops.wiki.graph import Follows, LinkRow
from gitops.wiki.names import Files
from gitops.wiki.reach import Standing


class NamesNotYetKnown(Exception):
    """A link can be followed only by what pages call themselves, and not every page has been read yet."""


class WholeGraph(Follows):
    """Names by key, learnt as pages are read. Files' names hold no colon; those of pages' own choice begin with a tag.

    Who links to whom is not kept: every link is followed once, and what comes of it is `unreached`.
    """

    def __init__(self, exists_at: Callable[[str], bool], held: Files | None = None) -> None:
        super().__init__()
        self.has_all_names = False
        self.unreached: dict[str, Standing] = {}
        self._exists_at, self._held = exists_at, held or Files()
        self._named: dict[str, list[str]] = {}

    def learn(self, path: str, names: Iterable[str]) -> None:
        """Take in what a page is called; each name once."""
        for name in names:
            self._named.setdefault(name, []).append(path)

    def named(self, key: str) -> Sequence[str]:
        """The pages called by this key. NamesNotYetKnown for one of a page's own choice, until all are known."""
        if not self.has_all_names and ":" in key:
            raise NamesNotYetKnown
        return self._named.get(key, ())

    def exists(self, path: str) -> bool:
        """Does a file or folder stand there?"""
        return self._exists_at(path)

    def files(self, key: str) -> Sequence[str]:
        """The files with this key."""
        return self._held.named(key)

    def standing(self, path: str) -> Standing:
        """How the page stands among the others."""
        return self.unreached.get(path, "reached")

    def links(self, path: str) -> Sequence[LinkRow]:
        """Not kept."""
        _refuse()

    def linking(self, key: str) -> Sequence[tuple[str, LinkRow]]:
        """Not kept."""
        _refuse()

    def links_to(self, path: str, key: str) -> Sequence[LinkRow]:
        """Not kept."""
        _refuse()

    def citing(self, source: str) -> Sequence[str]:
        """Not kept."""
        _refuse()

    def names(self, path: str) -> Sequence[str]:
        """Not kept by page."""
        _refuse()


def _refuse() -> NoReturn:
    raise RuntimeError("a whole wiki's links are not kept: a check that asks for them is to be declared `of_links`")
