"""A source as text: what was read off a file under `raw/`, by which reader, and what stood in the way."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from gitops.canonical import dumps
from gitops.wiki.folding import Folded, fold

_FORMAT = b"assay-source-2\n"


@dataclass(frozen=True)
class SourceText:
    """A source's extracted text; offsets into it count code points.

    `page_starts` is the offset of each PDF page, empty for formats without pages. `extractor` and `version` say
    who read it, because offsets are theirs. `problem` is '' or one of no_text_layer, encrypted, broken_pdf,
    not_text, utf16, invalid_utf8, lfs_pointer, empty; `message` tells it to a person. With `utf16` and
    `invalid_utf8`, and for the pages of a broken PDF that can be read, there is text all the same.
    """

    text: str
    page_starts: tuple[int, ...] = ()
    extractor: str = "text"
    version: str = "1"
    problem: str = ""
    message: str = ""
    is_markdown: bool = False
    """Whether its text is Markdown, of which a quotation may leave out the mark-up."""

    @cached_property
    def spaced(self) -> Folded:
        """The text with white space folded; kept, because every quote of this source is sought in it."""
        return fold(self.text)

    @cached_property
    def loose(self) -> Folded:
        """The text folded loosely; made when a quote does not stand as written."""
        return fold(self.text, "loose")

    @cached_property
    def lowered(self) -> str:
        """The folded text in lower case, or as it is where that would move a code point (İ has two in lower case)."""
        lowered = self.spaced.text.lower()
        return lowered if len(lowered) == len(self.spaced.text) else self.spaced.text


def page_of(source: SourceText, offset: int) -> int | None:
    """The page (from 1) on which an offset lies; None where there are no pages or no such offset."""
    if not source.page_starts or not 0 <= offset <= len(source.text):
        return None
    return max(1, bisect_right(source.page_starts, offset))


def page_span(source: SourceText, number: int) -> tuple[int, int] | None:
    """Where page `number` (from 1) lies, its closing form feed included; None when there is no such page."""
    if not 1 <= number <= len(source.page_starts):
        return None
    ends = (*source.page_starts[1:], len(source.text))
    return source.page_starts[number - 1], ends[number - 1]


def to_bytes(source: SourceText) -> bytes:
    """A source text for a cache: a format line, then a deflated head and text."""
    told = [source.extractor, source.version, source.problem, source.message, source.is_markdown]
    head = [*told, _gaps(source.page_starts)]
    body = dumps(head).encode("utf-8", "surrogatepass") + b"\n" + source.text.encode("utf-8", "surrogatepass")
    return _FORMAT + zlib.compress(body, 1)


def from_bytes(data: bytes) -> SourceText:
    """What `to_bytes` wrote. ValueError when it is damaged or in another version's format."""
    if not data.startswith(_FORMAT):
        raise ValueError("not a cached source text of this version")
    try:
        head, _, text = zlib.decompress(data[len(_FORMAT) :]).partition(b"\n")
        extractor, version, problem, message, is_markdown, gaps = json.loads(head.decode("utf-8", "surrogatepass"))
        starts, total = [], 0
        for gap in gaps:
            starts.append(total := total + gap)
        decoded = text.decode("utf-8", "surrogatepass")
    except (zlib.error, TypeError, ValueError) as error:
        raise ValueError(f"a damaged cached source text: {error}") from error
    return SourceText(decoded, tuple(starts), extractor, version, problem, message, is_markdown)


def _gaps(starts: tuple[int, ...]) -> list[int]:
    return [start - before for before, start in zip((0, *starts), starts, strict=False)]
