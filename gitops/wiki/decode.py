"""A page's bytes as text, whatever they are, and what is wrong with them."""

from __future__ import annotations

import codecs

from gitops.wiki.model import Problem
from gitops.wiki.positions import Lines
from gitops.wiki.values import value_class

OVERSIZED = 5 * 1024 * 1024
"""A page of more bytes is told to be oversized, and little of it is read."""

READ_OF_OVERSIZED = 512 * 1024
"""How many code points of an oversized page are read, up to a line's end.

The page is refused whatever else is wrong with it, and every finding has its price too: of dense links and
citations, all broken, 5 Mi characters took a whole `run finish` 230 s and 2.7 GB (measured), these a tenth.
"""

_SAMPLE = 4096


@value_class
class Decoded:
    """The text after any byte-order mark, line ends as they were, and the problems of its encoding."""

    text: str
    problems: tuple[Problem, ...] = ()


def decode(data: bytes) -> Decoded:
    """Decode bytes as UTF-8, or as UTF-16 by its mark or its pattern of NULs; never raises."""
    notes: list[tuple[str, str, str, int]] = []
    if encoding := _utf16(data):
        text = data.decode(encoding, "replace").removeprefix("\ufeff")
        notes.append(("utf16", f"the page is {encoding.upper()}, not UTF-8", "save the page as UTF-8", 0))
    else:
        text = _utf8(data, notes)
    lines = Lines(text)
    if len(data) > OVERSIZED:
        text = text[: text.rfind("\n", 0, READ_OF_OVERSIZED) + 1 or READ_OF_OVERSIZED]
        told = f"the page is larger than 5 MiB; what follows its first {len(text)} characters was not read"
        notes.append(("oversized", told, "split the page", 0))
    if (first := text.find("\r")) >= 0:
        notes.append(("crlf", "lines end in CR, not in LF alone", "convert the line ends to LF", first))
    problems = (Problem(name, told, lines.place(at, at), mend) for name, told, mend, at in notes)
    return Decoded(text, tuple(problems))


def _utf8(data: bytes, notes: list[tuple[str, str, str, int]]) -> str:
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        notes.append(("byte_order_mark", "the page begins with a byte-order mark", "remove the mark", 0))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        at = len(data[: error.start].decode())
        bad = data[error.start]
        notes.append(("invalid_utf8", f"byte 0x{bad:02x} is not UTF-8", "save the page as UTF-8", at))
        return data.decode(errors="replace")


def _utf16(data: bytes) -> str:
    """The UTF-16 encoding that a mark shows, or NULs in nearly every second byte; '' for neither."""
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if data.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    sample = data[:_SAMPLE]
    if len(sample) < 4 or b"\0" not in sample:
        return ""
    high_first, low_first = sample[0::2].count(0), sample[1::2].count(0)
    enough = len(sample) * 0.2
    if low_first > enough and high_first * 10 < low_first:
        return "utf-16-le"
    if high_first > enough and low_first * 10 < high_first:
        return "utf-16-be"
    return ""
