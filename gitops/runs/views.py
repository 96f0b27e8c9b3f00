"""Builds what the verifier reads: the base and the head of a change as views, with graph, corpus and history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING

from gitops.canonical import digest
from gitops.errors import Absent
from gitops.git import history, objects
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import Entry, changed
from gitops.index.cache import Cache
from gitops.index.graph import GraphIndex, PageRow
from gitops.runs.context import CACHE as CACHE
from gitops.runs.context import Context
from gitops.runs.stored import SourceCorpus, StoredCorpus, StoredGraph
from gitops.runs.workspace import Workspace
from gitops.verify.view import Library, View
from gitops.wiki import conventions, sources, terms
from gitops.wiki import page as pages
from gitops.wiki.decode import decode
from gitops.wiki.graph import Overlay, PageFacts, facts
from gitops.wiki.layout import Layout, joined
from gitops.wiki.names import Files
from gitops.wiki.snapshot import Change, PathVersion

if TYPE_CHECKING:
    from gitops.index.terms import TermIndex, TermReader

PARSER_VERSION = "3"
"""Part of every key under which something parsed is kept; rises when the same bytes parse otherwise."""
TERMS_VERSION = "3"
"""The same for the terms of sources and pages."""


@dataclass
class Bench:
    """Opens the local caches for one workspace at one base commit, and closes them."""

    context: Context
    workspace: Workspace
    base: str
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Bench:
        self.cache = self._stack.enter_context(
            Cache(self.context.folder / CACHE, writes=not self.context.repository.is_quarantined)
        )
        self.library = Library(self.workspace.config, self.cache)
        self.conventions = conventions.of(self.workspace.config)
        self.base_tree = TreeSnapshot.at(self.context.repository, self.base)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def base_view(self) -> View:
        """The base, with its link graph brought up to date."""
        reader = self._stack.enter_context(self._graph_index().at(self._tree_id(self.layout.wiki), self._page_rows))
        graph = StoredGraph(reader, self.base_tree, Files(self.base_tree.paths))
        return View(self.base_tree, self.layout, self.workspace.config, self.library, graph, self._versions)

    def head_view(self, base: View, head: TreeSnapshot, change: Change) -> View:
        """The head: the base's graph with the touched pages laid over it."""
        over: dict[str, PageFacts | None] = {}
        for entry in change.touched:
            if self.layout.is_page(entry.path) and entry.path != self.layout.log:
                over[entry.path] = self.page_facts(head, entry.path) if entry.new_blob is not None else None
        graph = Overlay(base.graph, over, lambda path: head.mode(path) is not None, Files(head.paths))
        return View(head, self.layout, self.workspace.config, self.library, graph, self._versions)

    def corpus(self) -> StoredCorpus:
        """The terms of sources and pages at the base; only ingests ask, so only they pay for it."""
        return StoredCorpus(self._terms("raw", self.layout.raw, self._source_tokens), self.page_terms())

    def page_terms(self) -> TermReader:
        """Which pages at the base hold which terms; no source is read for it."""
        return self._terms("wiki", self.layout.wiki, self._page_tokens)

    @property
    def terms_made_by(self) -> str:
        """What made the terms of sources and pages: part of every key under which something made of them is kept."""
        return f"{self._version()}.{TERMS_VERSION}"

    @property
    def has_page_terms(self) -> bool:
        """Whether the pages' terms were counted before, so that `page_terms` has to read only what differs since."""
        return self._term_index("wiki").is_stored

    def source_corpus(self) -> SourceCorpus:
        """How common words are in the sources at the base: counted when somebody asks, and not before."""
        return SourceCorpus(lambda: self._terms("raw", self.layout.raw, self._source_tokens))

    @property
    def layout(self) -> Layout:
        """Where the workspace's parts lie."""
        return self.workspace.layout

    def _tree_id(self, folder: str) -> str:
        return self.base_tree.folder_id(folder) or ""

    def _graph_index(self) -> GraphIndex:
        return GraphIndex(self.context.folder / CACHE, self.layout.root or ".", self._version())

    def _version(self) -> str:
        """What made the stored rows: another parser, dialect, folder or extractor starts from nothing."""
        names = self.workspace.config.workspace
        readers = [sources.extractor_for(f"x.{suffix}", b"") for suffix in ("md", "html", "pdf")]
        # Pages that lie in another workspace since are the same blobs at the same paths.
        made_by = [PARSER_VERSION, repr(self.conventions), names.model_dump(), readers, list(self.layout.nested)]
        return digest(made_by)[:16]

    def _page_rows(self, stored: str | None) -> Iterator[tuple[str, PageRow | None]]:
        for path, blob in self._changed(stored, self.layout.wiki, "reading links"):
            if not self.layout.is_page(path) or path == self.layout.log:
                continue
            if blob is None:
                yield path, None
            elif (page := self.page_facts(self.base_tree, path)) is not None:
                yield path, PageRow(path, blob, page.names, page.links, page.cites)

    def page_facts(self, tree: TreeSnapshot, path: str) -> PageFacts | None:
        """What a page of any tree is called, links to and cites; None where this clone lacks it."""
        try:
            return facts(pages.parse(tree.read(path), self.conventions), path, self.layout)
        except Absent:
            return None

    def _terms(self, name: str, folder: str, read: Callable[[str], list[str] | None]) -> TermReader:
        from gitops.index.terms import UNREAD

        index = self._term_index(name)

        def rows(stored: str | None) -> Iterator[tuple[str, tuple[str, list[str]] | None]]:
            for path, blob in self._changed(stored, folder, f"counting the terms of {folder}"):
                words = read(path) if blob is not None else None
                yield path, (blob if words is not None else UNREAD, words or []) if blob is not None else None

        return self._stack.enter_context(index.at(self._tree_id(folder), rows))

    def _term_index(self, name: str) -> TermIndex:
        from gitops.index.terms import TermIndex

        return TermIndex(self.context.folder / CACHE, self.layout.root or ".", name, self.terms_made_by)

    def _source_tokens(self, path: str) -> list[str]:
        try:
            return terms.tokens(self.library.source(self.base_tree, path).text)
        except (Absent, KeyError):
            return []

    def _page_tokens(self, path: str) -> list[str] | None:
        """The words of a page, none of what is no page; None where this clone lacks it."""
        if not self.layout.is_page(path) or path == self.layout.log:
            return []
        try:
            return terms.tokens(decode(self.base_tree.read(path)).text)
        except KeyError:
            return []
        except Absent:
            return None

    def _changed(self, stored: str | None, folder: str, what: str) -> Iterator[tuple[str, str | None]]:
        """Paths below a folder whose blob differs from the tree that an index knows (KeyError: unknown here)."""
        repository = self.context.repository
        if stored and not objects.exists(repository, stored):
            raise KeyError(stored)
        entries: list[Entry] = list(changed(repository, stored or None, self._tree_id(folder) or None))
        for entry in self.context.progress(what, entries, len(entries)):
            yield joined(folder, entry.path), entry.new_blob

    def _versions(self, path: str) -> Iterator[PathVersion]:
        for version in history.versions(self.context.repository, self.base, path):
            yield PathVersion(*version, partial(self._message, version.commit))

    def _message(self, commit: str) -> str:
        return self.context.commit(commit).message
