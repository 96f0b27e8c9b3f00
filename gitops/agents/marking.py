"""How words and links are spelled in Markdown, so that a reader sees just them: what is written is no mark-up."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

_MARKS = re.compile(r"[\\`*\[\]<>|~$^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|==|%%|::")
_OPENS = re.compile(r"(?:#{1,6}|[+-]|\d{1,9}[.)])(?=\s|$)|[=-]+$|:(?=\s)")
_SPECIAL = re.compile(r"[\s()<>\\%]")
_CLOSING = re.compile(r"[<>\\%\x00-\x1f\x7f]")


def escaped(text: str) -> str:
    """A text, or a part of one, in which no character is a mark. What it begins with may still open a block."""
    return _MARKS.sub(lambda found: "".join(f"\\{mark}" for mark in found[0]), text)


def begun(line: str) -> str:
    """An escaped line that opens no heading, list or definition by what it begins with."""
    if (opens := _OPENS.match(line)) is None:
        return line
    at = opens.end() - 1 if opens[0][0].isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"


def plain(text: str) -> str:
    """A text whose every character is read as itself, on one line."""
    return begun(escaped(" ".join(text.split())))


def target_of(from_path: str, to_path: str) -> str:
    """How a Markdown link on one page spells the path of a file."""
    target = posixpath.relpath(to_path, posixpath.dirname(from_path) or ".")
    if not _SPECIAL.search(target):
        return target
    return f"<{_CLOSING.sub(lambda found: quote(found[0]), target)}>"
