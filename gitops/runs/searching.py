"""Searching a workspace at a commit: its pages, its sources, or both, by the chunks that the local cache holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Literal

from gitops.canonical import digest
from gitops.git import objects
from gitops.git.treediff import changed
from gitops.index.chunks import ChunkIndex, ChunkReader, ChunkRow, Document, Found, Stretch
from gitops.runs.context import CACHE, Context
from gitops.runs.views import PARSER_VERSION, Bench
from gitops.runs.workspace import Workspace
from gitops.wiki import chunks, passages, searchwords, sources
from gitops.wiki.chunks import CHUNKER_VERSION, Chunk
from gitops.wiki.layout import joined
from gitops.wiki.passages import Passage
from gitops.wiki.snapshot import EXECUTABLE, REGULAR

Where = Literal["wiki", "raw", "all"]
Kind = Literal["wiki", "raw"]
_KINDS: dict[Where, tuple[Kind, ...]] = {"wiki": ("wiki",), "raw": ("raw",), "all": ("wiki", "raw")}


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found: the rank from 1, where it is from, its place, its score (the higher the better)."""

    rank: int
    kind: Kind
    chunk: str
    path: str
    start: int
    end: int
    line: int
    page: int | None
    title: str
    heading: str
    score: float

    def record(self) -> dict[str, object]:
        """What `--json` and the evaluation of retrieval have of it; spans are half-open, in code points."""
        return {
            "rank": self.rank,
            "chunk_id": self.chunk,
            "doc_id": self.path,
            "kind": self.kind,
            "source_spans": [[self.start, self.end]],
            "line": self.line,
            "page": self.page,
            "title": self.title,
            "heading": self.heading,
            "score": round(self.score, 4),
        }


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches one workspace at one commit for as long as it is open."""

    bench: Bench
    _readers: dict[Kind, ChunkReader]
    _read: dict[str, list[Passage]] = field(default_factory=dict, repr=False)
    """The sentences of documents that hits were in."""

    def find(self, words: Sequence[str], limit: int, where: Where = "all", *, beside: str = "") -> list[Hit]:
        """The chunks that hold any of some words, best first; pages and sources are ranked together by their scores.

        Without words nothing is found. The pages of a folder `beside` are left out.
        """
        readers = [(kind, reader) for kind, reader in self._readers.items() if where in ("all", kind)]
        every = [(kind, one) for kind, reader in readers for one in reader.search(words, limit, beside=beside)]
        every.sort(key=lambda pair: (-pair[1].score, pair[0] != "wiki", pair[1].path, pair[1].start))
        return [_hit(rank, kind, one) for rank, (kind, one) in enumerate(every[:limit], 1)]

    @property
    def index(self) -> str:
        """The path of the wiki's index page."""
        return self.bench.layout.index

    @property
    def source_headings(self) -> Sequence[str]:
        """The headings under which the wiki lists its sources."""
        return self.bench.workspace.config.citations.headings

    def text(self, hit: Hit) -> str:
        """The text of the document that a hit is in, into which its span points."""
        return self.document(hit.kind, hit.path)

    def document(self, kind: Kind, path: str) -> str:
        """The text of a page or a source, into which the spans of its chunks point."""
        if kind == "wiki":
            return self.bench.library.page(self.bench.base_tree, path).text
        return self.bench.library.source(self.bench.base_tree, path).text

    def every(self, kind: Kind) -> list[Stretch]:
        """Where all chunks of the pages or of the sources lie, by path and place."""
        return self._readers[kind].every()

    def passages(self, hit: Hit) -> list[Passage]:
        """The sentences of a chunk."""
        if (found := self._read.get(hit.path)) is None:
            found = self._read[hit.path] = self._passages(hit)
        return [one for one in found if hit.start <= one.start and one.end <= hit.end]

    def _passages(self, hit: Hit) -> list[Passage]:
        if hit.kind == "raw":
            return chunks.source_passages(self.bench.library.source(self.bench.base_tree, hit.path))
        page = self.bench.library.page(self.bench.base_tree, hit.path)
        return passages.of_markdown(page.text, page.body)

    def rarity(self, words: Iterable[str]) -> dict[str, float]:
        """For each word the share of the chunks that hold it, a word's other forms among them."""
        asked = list(words)
        total = sum(reader.chunks for reader in self._readers.values()) or 1
        counts = [reader.frequency(asked) for reader in self._readers.values()]
        return {word: sum(count[word] for count in counts) / total for word in asked}


Opened = AbstractContextManager["Searcher"]


@contextmanager
def opened(context: Context, workspace: Workspace, commit: str, where: Where = "wiki") -> Iterator[Searcher]:
    """Bring the chunks of a commit up to date, reading only files that changed, and search them.

    `Absent` where this clone lacks a file that changed: what was not read is not said to hold nothing.
    """
    with ExitStack() as stack:
        bench = stack.enter_context(Bench(context, workspace, commit))
        readers = {kind: stack.enter_context(_reader(context, workspace, bench, kind)) for kind in _KINDS[where]}
        yield Searcher(bench, readers)


@contextmanager
def _reader(context: Context, workspace: Workspace, bench: Bench, kind: Kind) -> Iterator[ChunkReader]:
    layout = workspace.layout
    folder = layout.wiki if kind == "wiki" else layout.raw
    tree = bench.base_tree.folder_id(folder) or ""
    index = ChunkIndex(context.folder / CACHE, layout.root or ".", kind, _version(workspace))
    read = _page_chunks if kind == "wiki" else _source_chunks

    def documents(stored: str | None) -> Iterator[tuple[str, Document | None]]:
        if stored and not objects.exists(context.repository, stored):
            raise KeyError(stored)
        entries = list(changed(context.repository, stored or None, tree or None))
        for entry in context.progress(f"reading {folder or 'the wiki'} for the search", entries, len(entries)):
            path = joined(folder, entry.path)
            if entry.new_blob is None or entry.new_mode not in (REGULAR, EXECUTABLE):
                yield path, None  # links lead elsewhere, and submodules are no files
            else:
                yield path, (entry.new_blob, [_row(chunk) for chunk in read(bench, workspace, path)])

    with index.at(tree, documents) as reader:
        if index.notice:
            context.warn_once(index.notice)
        yield reader


def _page_chunks(bench: Bench, workspace: Workspace, path: str) -> list[Chunk]:
    if not workspace.layout.is_page(path) or path == workspace.layout.log:
        return []
    return chunks.of_page_data(path, bench.base_tree.read(path))


def _source_chunks(bench: Bench, workspace: Workspace, path: str) -> list[Chunk]:
    return chunks.of_source(path, bench.library.source(bench.base_tree, path))


def _version(workspace: Workspace) -> str:
    """What made the stored rows; another chunker, parser, extractor or layout starts from nothing."""
    readers = [sources.extractor_for(f"x.{suffix}", b"") for suffix in ("md", "html", "pdf")]
    return digest([CHUNKER_VERSION, PARSER_VERSION, workspace.config.workspace.model_dump(), readers])[:16]


def _row(chunk: Chunk) -> ChunkRow:
    name = chunk.path.rpartition("/")[2].rpartition(".")[0]
    return ChunkRow(
        chunk=chunk.id,
        start=chunk.start,
        end=chunk.end,
        line=chunk.line,
        page=chunk.page,
        title=chunk.title,
        heading=chunk.heading,
        title_words=" ".join(dict.fromkeys(searchwords.words(f"{chunk.title} {name}"))),
        heading_words=searchwords.searchable(chunk.heading),
        words=searchwords.searchable(chunk.text),
    )


def _hit(rank: int, kind: Kind, one: Found) -> Hit:
    return Hit(
        rank, kind, one.chunk, one.path, one.start, one.end, one.line, one.page, one.title, one.heading, one.score
    )
