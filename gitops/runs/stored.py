"""What the cache holds of the base of a change, as the verifier reads it: the link graph, and how common words are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitops.git.snapshot import TreeSnapshot
from gitops.index.graph import GraphReader
from gitops.wiki.graph import LinkRow
from gitops.wiki.names import Files, name_key

if TYPE_CHECKING:
    from gitops.index.terms import TermReader


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """The link graph of the base as the cache holds it."""

    reader: GraphReader
    tree: TreeSnapshot
    held: Files

    def named(self, key: str) -> Sequence[str]:
        """The pages called by this key."""
        return self.reader.named(key)

    def exists(self, path: str) -> bool:
        """Does a file or folder stand there?"""
        return self.tree.mode(path) is not None

    def links(self, path: str) -> Sequence[LinkRow]:
        """The links on a page."""
        return [(kind, target, name_key(target)) for kind, target in self.reader.links(path)]

    def linking(self, key: str) -> Sequence[tuple[str, LinkRow]]:
        """Who uses this name key."""
        return [(path, (kind, target, key)) for path, kind, target in self.reader.linking(key)]

    def links_to(self, path: str, key: str) -> Sequence[LinkRow]:
        """The links on a page that use this name key."""
        return [(kind, target, key) for kind, target in self.reader.links_to(path, key)]

    def citing(self, source: str) -> Sequence[str]:
        """Who cites a file by this key."""
        return self.reader.citing(source)

    def names(self, path: str) -> Sequence[str]:
        """What the page is called."""
        return self.reader.names(path)

    def files(self, key: str) -> Sequence[str]:
        """The files of the base with this key."""
        return self.held.named(key)


@dataclass(frozen=True, slots=True)
class StoredCorpus:
    """The terms of the base's sources and pages as the cache holds them."""

    raw: TermReader
    wiki: TermReader

    @property
    def documents(self) -> int:
        """How many sources there are."""
        return self.raw.documents

    def frequency(self, wanted: Iterable[str]) -> Mapping[str, int]:
        """The number of sources that hold each term."""
        return self.raw.frequency(wanted)

    def mentioning(self, term: str) -> Iterable[str]:
        """The pages that hold a term as a whole word."""
        return self.wiki.mentioning(term)


class SourceCorpus:
    """The terms of the base's sources, looked up when they are first asked for."""

    def __init__(self, look_up: Callable[[], TermReader]) -> None:
        self._look_up = look_up

    @cached_property
    def _raw(self) -> TermReader:
        return self._look_up()

    @property
    def documents(self) -> int:
        """How many sources there are."""
        return self._raw.documents

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """The number of sources that hold each term."""
        return self._raw.frequency(terms)
