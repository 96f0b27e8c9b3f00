"""The chunk of a document in which a quotation stands.

White space in a quotation is folded, so a line break is free to part several that one chunk was found to hold
(`Expected.quote`): taken apart, they can be looked up in the chunks of another chunker.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gitops.retrieval.model import Chunk, Expected
from gitops.retrieval.result_values import Wrong, shown


def apart(chunks: Iterable[Expected]) -> Iterator[Expected]:
    """The expected chunks, each quotation on its own."""
    for chunk in chunks:
        yield from (replace(chunk, quote=quote) for quote in chunk.quote.split("\n"))


def together(one: Expected, other: Expected) -> Expected:
    """Two expectations of one chunk as one, with both quotations and the higher grade."""
    quotes = dict.fromkeys(filter(None, (*one.quote.split("\n"), *other.quote.split("\n"))))
    return replace(one, quote="\n".join(quotes), grade=max(one.grade, other.grade))


def chunk_with(quote: str, chunks: Iterable[Chunk], texts: Mapping[str, str]) -> Chunk:
    """The first chunk of a document that holds the quotation; form C counts, and runs of white space are one space.

    Several may hold it where they overlap, and it stands in what they share. Wrong where it stands in none, or at more
    than one place.
    """
    known = [(chunk, texts[chunk.chunk_id]) for chunk in sorted(chunks, key=_place) if texts.get(chunk.chunk_id)]
    if not known:
        raise Wrong(f"the store has no text in which the quotation {shown(quote)} could be found")
    wanted = _folded(quote)
    found = [pair for pair in known if wanted in _folded(pair[1])]
    if not found:
        raise Wrong(f"the quotation {shown(quote)} stands in no chunk of '{known[0][0].doc_id}'")
    if not all(_share(found[0], other, wanted) for other in found[1:]):
        raise Wrong(f"the quotation {shown(quote)} stands at more than one place of '{known[0][0].doc_id}': quote more")
    return found[0][0]


def _place(chunk: Chunk) -> tuple[tuple[int, int], ...]:
    return chunk.spans


def _share(one: tuple[Chunk, str], other: tuple[Chunk, str], wanted: str) -> bool:
    """Whether two chunks hold a text in common. Where a chunk's text is not all that its span is, that the spans meet
    must do.
    """
    (a, text), (b, text_of_b) = one, other
    if len(a.spans) == len(b.spans) == 1 and _is_all(a, text) and _is_all(b, text_of_b):
        start, end = max(a.spans[0][0], b.spans[0][0]), min(a.spans[0][1], b.spans[0][1])
        return start < end and wanted in _folded(text[start - a.spans[0][0] : end - a.spans[0][0]])
    return any(s < end and start < e for s, e in a.spans for start, end in b.spans)


def _is_all(chunk: Chunk, text: str) -> bool:
    return chunk.spans[0][1] - chunk.spans[0][0] == len(text)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
