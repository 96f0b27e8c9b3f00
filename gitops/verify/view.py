"""What a check sees: one revision of a workspace, its pages parsed and its sources read, each at most once."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from gitops.config import Config
from gitops.verify.finding import Level
from gitops.wiki import conventions, sources
from gitops.wiki import page as pages
from gitops.wiki.anchors import Anchor, locate
from gitops.wiki.graph import Graph, source_key
from gitops.wiki.layout import Layout
from gitops.wiki.model import Cite, Page, Place
from gitops.wiki.snapshot import Change, History, Snapshot, no_history
from gitops.wiki.sources import SourceText


class Cache(Protocol):
    """Bytes that were expensive, kept by kind, version and key. Losing any of them loses nothing."""

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        """What was put, or None."""
        ...

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        """Keep some bytes."""
        ...


class Corpus(Protocol):
    """How many of the workspace's sources hold a term."""

    @property
    def documents(self) -> int:
        """How many sources there are."""
        ...

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """The number of sources that hold each term."""
        ...

    def mentioning(self, term: str) -> Iterable[str]:
        """The wiki pages at the base that hold a term as a whole word."""
        ...


class NoCache:
    """Remembers nothing."""

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        """Nothing was kept."""
        return None

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        """Keep nothing."""


@dataclass(slots=True)
class Library:
    """Parsed pages and extracted sources by blob id, so both sides of a change share them."""

    config: Config
    cache: Cache = field(default_factory=NoCache)
    _pages: dict[str, Page] = field(default_factory=dict)
    _sources: dict[tuple[str, str], SourceText] = field(default_factory=dict)
    _anchors: dict[tuple[object, ...], Anchor] = field(default_factory=dict)

    def page(self, snapshot: Snapshot, path: str) -> Page:
        """The page at `path`, parsed. KeyError when there is none."""
        blob = snapshot.blob(path)
        if blob is None:
            raise KeyError(path)
        if blob not in self._pages:
            self._pages[blob] = pages.parse(snapshot.read(path), conventions.of(self.config))
        return self._pages[blob]

    def source(self, snapshot: Snapshot, path: str) -> SourceText:
        """The source's text. KeyError when there is none; `Absent` when this clone lacks its blob."""
        blob = snapshot.blob(path)
        if blob is None:
            raise KeyError(path)
        return self.text(path, blob, lambda: snapshot.read(path))

    def text(self, path: str, blob: str, read: Callable[[], bytes]) -> SourceText:
        """The text of a blob that stands (or stood) at `path`, from the cache where its making is dear."""
        key = (blob, path.rpartition(".")[2])
        if key not in self._sources:
            self._sources[key] = self._extracted(path, blob, read())
        return self._sources[key]

    def anchor(self, cite: Cite, blob: str, source: SourceText, *, anywhere: bool = False) -> Anchor:
        """Where a cite's quotation stands in a source's blob; `anywhere` asks without its page, and for no near miss.

        Kept, for both sides of a change ask the same, and of a quotation that is wrong they ask every source.
        """
        pages = (None, None, None) if anywhere else (cite.first_page, cite.last_page, cite.offset)
        key = (cite.quote, blob, source.extractor, anywhere, *pages)
        if key not in self._anchors:
            first, last, offset = pages
            self._anchors[key] = locate(
                cite.quote or "", source, first_page=first, last_page=last, offset=offset, nearest=not anywhere
            )
        return self._anchors[key]

    def _extracted(self, path: str, blob: str, data: bytes) -> SourceText:
        name, version = sources.extractor_for(path, data[:1024])
        if name == "text":  # decoding costs less than looking up what was decoded
            return sources.extract(path, data)
        kept = self.cache.get("source", f"{name} {version}", blob)
        if kept is not None and (known := _unsealed(kept, blob)) is not None:
            return known
        text = sources.extract(path, data)
        self.cache.put("source", f"{name} {version}", blob, _sealed(sources.to_bytes(text), blob))
        return text


def _sealed(value: bytes, blob: str) -> bytes:
    """A value with a digest of it and of what it was made from, so that damage and a swapped entry are noticed."""
    return hashlib.sha256(blob.encode() + value).digest() + value


def _unsealed(kept: bytes, blob: str) -> SourceText | None:
    """The text that was sealed; None for anything else, which is then made anew."""
    value = bytes(kept[_SEAL:])
    if _sealed(value, blob) != bytes(kept):
        return None
    try:
        return sources.from_bytes(value)
    except ValueError:  # written by another version
        return None


_SEAL = 32


@dataclass(frozen=True, slots=True)
class View:
    """One revision of one workspace."""

    snapshot: Snapshot
    layout: Layout
    config: Config
    library: Library
    graph: Graph
    history: History = no_history

    def page(self, path: str) -> Page:
        """The parsed page at `path`."""
        return self.library.page(self.snapshot, path)

    def source(self, path: str) -> SourceText:
        """The extracted source at `path`."""
        return self.library.source(self.snapshot, path)

    def source_path(self, cited: str) -> str:
        """The repository path of a cited source, in the Unicode form that git has its name in.

        A citation is NFC; macOS has added file names in NFD for decades. Where nothing stands, the path as cited.
        """
        path = self.layout.source(cited)
        if cited.isascii() or self.snapshot.mode(path) is not None:
            return path
        decomposed = self.layout.source(unicodedata.normalize("NFD", cited))
        if self.snapshot.mode(decomposed) is not None:
            return decomposed
        key = source_key(path)
        return next((known for known in self.snapshot.paths(self.layout.raw) if source_key(known) == key), path)


@dataclass(frozen=True, slots=True)
class PageAt:
    """A page under examination, and what its past excuses or explains."""

    view: View
    path: str
    page: Page
    previous: tuple[Page, ...] = ()
    """The pages at the base that this one's claims may come from (itself, when the base is examined)."""
    changed_by: Mapping[str, str] = field(default_factory=dict)
    """Path → the last commit of the change that touched it."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run besides its content. All empty when a plain revision is judged."""

    run_type: str = "cascade"
    sources: tuple[str, ...] = ()
    reason: str = ""
    budget: Mapping[str, float] = field(default_factory=dict)
    used: Mapping[str, float] | None = None
    """None where nobody could know (an adopted branch): the budget check does not apply."""
    is_run: bool = True
    log_lines: frozenset[str] = frozenset()
    """The lines that the tool itself may have added to the log: recomputed from the records, never read off."""


@dataclass(frozen=True, slots=True)
class RunAt:
    """A whole change under examination."""

    base: View
    head: View
    change: Change
    run: RunFacts
    corpus: Corpus | None


@dataclass(frozen=True, slots=True)
class Draft:
    """What a check has to say, before levels and fingerprints.

    `subject` is the stable text that makes the finding the same one across commits: a claim's words, a
    link's target, never a line number.
    """

    result: str
    message: str
    subject: str
    path: str = ""
    place: Place | None = None
    claim: str = ""
    source: str = ""
    repair: str | Callable[[], str] = ""
    """A mend that is dear to find is given as a function, and asked for only where the finding is new."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    level: Level | None = None
    """The level of this one case, where it is not the result's default (a drift of a claim new in this run)."""
