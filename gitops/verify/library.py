"""Parsed pages and extracted sources of any revision, each made at most once while it is remembered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from math import inf
from typing import Protocol

from gitops.config import Config
from gitops.verify.recent import Recent
from gitops.verify.wordmarks import marks, may_hold
from gitops.wiki import conventions, sources
from gitops.wiki import page as pages
from gitops.wiki.anchors import Anchor, locate
from gitops.wiki.model import Cite, Page
from gitops.wiki.snapshot import Snapshot
from gitops.wiki.sources import SourceText

_CHARACTERS = 24_000_000
"""Of sources' texts: folded for a search, each takes several times that."""
_ANCHORS = 20_000


class Cache(Protocol):
    """Bytes that were expensive, kept by kind, version and key. Losing any of them loses nothing."""

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        """What was put, or None."""
        ...

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        """Keep some bytes."""
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
    """Parsed pages and extracted sources by blob id, so both sides of a change share them.

    It holds what was asked for last: so many pages, so many characters of sources, so many anchors.
    """

    config: Config
    cache: Cache = field(default_factory=NoCache)
    pages_held: InitVar[float] = inf
    _pages: Recent[str, Page] = field(init=False)
    _sources: Recent[tuple[str, str], SourceText] = field(default_factory=lambda: Recent(_CHARACTERS))
    _anchors: Recent[tuple[object, ...], Anchor] = field(default_factory=lambda: Recent(_ANCHORS))
    _conventions: conventions.Conventions = field(init=False)
    _marks: dict[str, int] = field(default_factory=dict)

    def __post_init__(self, pages_held: float) -> None:
        self._pages = Recent(pages_held)
        self._conventions = conventions.of(self.config)

    def page(self, snapshot: Snapshot, path: str) -> Page:
        """The page at `path`, parsed. KeyError when there is none."""
        blob = snapshot.blob(path)
        if blob is None:
            raise KeyError(path)
        if (page := self._pages.recall(blob)) is None:
            page = pages.parse(snapshot.read(path), self._conventions)
            self._pages.keep(blob, page)
        return page

    def source(self, snapshot: Snapshot, path: str) -> SourceText:
        """The source's text. KeyError when there is none; `Absent` when this clone lacks its blob."""
        blob = snapshot.blob(path)
        if blob is None:
            raise KeyError(path)
        return self.text(path, blob, lambda: snapshot.read(path))

    def may_hold(self, snapshot: Snapshot, path: str, quote: str) -> bool:
        """Can the source at `path` hold a quotation? Read once for its words; of scans and PDFs always yes."""
        blob = snapshot.blob(path) or path
        if (marked := self._marks.get(blob)) is None:
            source = self.source(snapshot, path)
            # A PDF's words may run together, or apart, in its text.
            marked = -1 if source.page_starts or source.problem else marks(source.text)
            self._marks[blob] = marked
        return marked == -1 or may_hold(marked, quote)

    def text(self, path: str, blob: str, read: Callable[[], bytes]) -> SourceText:
        """The text of a blob that stands (or stood) at `path`, from the cache where its making is dear."""
        key = (blob, path.rpartition(".")[2])
        if (text := self._sources.recall(key)) is None:
            text = self._extracted(path, blob, read())
            self._sources.keep(key, text, len(text.text))
        return text

    def anchor(self, cite: Cite, blob: str, source: SourceText, *, anywhere: bool = False) -> Anchor:
        """Where a cite's quotation stands in a source's blob; `anywhere` asks without its page, and for no near miss.

        Kept, for both sides of a change ask the same, and of a quotation that is wrong they ask every source.
        """
        pages = (None, None, None) if anywhere else (cite.first_page, cite.last_page, cite.offset)
        key = (cite.quote, blob, source.extractor, anywhere, *pages)
        if (anchor := self._anchors.recall(key)) is None:
            first, last, offset = pages
            anchor = locate(
                cite.quote or "", source, first_page=first, last_page=last, offset=offset, nearest=not anywhere
            )
            self._anchors.keep(key, anchor)
        return anchor

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
