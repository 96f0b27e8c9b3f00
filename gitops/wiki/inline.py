"""The inline part of Markdown: visible text, code spans, footnote references and links of the block that is open."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from html import unescape
from typing import Any

from gitops.wiki.blocks import Block, InlineLink, Reference, Run
from gitops.wiki.obsidian import FILLER
from gitops.wiki.positions import code_points

_REFERENCE_LINKS = frozenset(("Reference", "Collapsed", "Shortcut"))
_WIKI_LINK = re.compile(r"\[\[[^\[\]\r\n]+\]\]\(")
_PATH = re.compile(r"[./#]")
"""`[[Title]](path.md)` is a link to a path; `[[page|MCP]](MCP)` is a wiki-link and a word in brackets."""
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:#[xX][0-9A-Fa-f]+|#\d+|\w+);", re.ASCII)
_SHOWN = re.compile(f"[^{FILLER}]+")


class InexactError(Exception):
    """A merged text is not what its range holds with its escapes and entities read."""


def _as_written(runs: list[Run], written: str, at: int, until: int, start: int) -> None:
    if at < until:
        runs.append((written[at:until], start + at, start + until))


class Inline(ABC):
    """Takes inline events with their ranges and adds what they show to the open `block`, or the one `open_text` gives.

    `is_merged` says that the parser merges adjacent texts, which are then several times fewer; a text that is
    not what its range holds raises `InexactError`, and the page is read again unmerged. `is_blotted` says that
    comments are filled in it. While `silence` is above zero, in code blocks and images, nothing is shown.
    """

    def __init__(self, body: str, base: int, *, is_merged: bool, is_blotted: bool = False) -> None:
        self.body = body
        self.base = base
        self.point = code_points(body, base)
        self.is_merged = is_merged
        self.is_blotted = is_blotted
        self.has_escapes = "\\" in body or "&" in body
        self.is_plain = not (self.has_escapes or is_blotted) and body.isascii()
        """Every text stands in the page as it is, a byte to a character."""
        self.block: Block | None = None
        self.silence = 0
        self.links: list[InlineLink] = []
        self.strikes: list[int] = []

    @abstractmethod
    def open_text(self) -> Block:
        """Open the block that text without one around it begins."""

    def on_text(self, value: str, span: Any) -> None:
        """Text, but not of a code block or an image."""
        if self.silence or not value:
            return
        block = self.block or self.open_text()
        begin, stop, size = span["start"], span["end"], len(value)
        start = self.point(begin)
        # Only escapes and entities are not as written; where a page has neither, every text is.
        if self.has_escapes and (stop - begin != size or not value.isascii()):
            end = self.point(stop)
            if end - start != size and self.is_merged:
                self.add_unescaped(block, value, start, end)
                return
        else:
            end = start + size
        if self.is_blotted and FILLER in value:
            for shown in _SHOWN.finditer(value):
                block.add(shown[0], start + shown.start(), start + shown.end())
            return
        block.runs.append((value, start, end))
        block.length += size

    def add_unescaped(self, block: Block, value: str, start: int, end: int) -> None:
        """Add a merged text whose escapes and entities are shorter than they are written, each at its own place."""
        written = self.body[start - self.base : end - self.base]
        if self.is_blotted:
            raise InexactError
        runs: list[Run] = []
        at = 0
        for found in _ESCAPE.finditer(written):
            _as_written(runs, written, at, found.start(), start)
            at = found.end()
            if found[1]:
                at -= 1  # what is escaped begins the next text
            else:
                runs.append((unescape(found[0]), start + found.start(), start + at))
        _as_written(runs, written, at, len(written), start)
        if "".join([run[0] for run in runs]) != value:
            raise InexactError
        for run in runs:
            block.add(*run)

    def on_code(self, value: str, span: Any) -> None:
        """A code span: visible, and marked as code."""
        if self.silence:
            return
        block = self.block or self.open_text()
        at = block.length
        start, end = self.point(span["start"]), self.point(span["end"])
        ticks = (end - start - len(value)) // 2
        # White space is stripped and `\|` unescaped inside, else what stands between the ticks is the value.
        exact = end - start == len(value) + 2 * ticks
        block.add(value, start + ticks if exact else start, end - ticks if exact else end)
        block.add_code(at, block.length)

    def on_break(self, block: Block, span: Any) -> None:
        """A break of the line: one space."""
        if not self.silence:
            block.add(" ", self.point(span["start"]), self.point(span["end"]))

    def on_reference(self, label: str, span: Any) -> None:
        """A footnote reference that has a definition; it shows nothing."""
        block = self.block or self.open_text()
        block.add_reference(Reference(label, block.length, self.point(span["start"]), self.point(span["end"])))

    def open_link(self, data: Any, span: Any, *, is_image: bool = False) -> None:
        """A link or image begins."""
        block, kind = self.block or self.open_text(), data["link_type"]
        start = self.point(span["start"])
        link = InlineLink(
            is_image,
            data["dest_url"],
            kind in ("Autolink", "Email"),
            data["id"] if kind in _REFERENCE_LINKS else "",
            block.length,
            start,
            start + 1 + is_image,
        )
        self.links.append(link)
        if _WIKI_LINK.match(self.body, start - self.base) and not _PATH.search(link.dest):
            link.is_wiki = True
            block.add("[", start, start + 1)

    def open_image(self, data: Any, span: Any) -> None:
        """An image begins, whose words are not shown."""
        self.open_link(data, span, is_image=True)
        self.silence += 1

    def open_strike(self, data: Any, span: Any) -> None:
        """Words that are struck out begin."""
        block = self.block or self.open_text()
        self.strikes.append(block.length)

    def close_strike(self, data: Any, span: Any) -> None:
        """Words that are struck out end; a stretch within another is covered by it."""
        start, block = self.strikes.pop(), self.block or self.open_text()
        if not self.strikes:
            block.add_strike(start, block.length)
        self.close_style(data, span)

    def close_style(self, data: Any, span: Any) -> None:
        """Emphasis ends, and with it perhaps the text of a link."""
        if self.links:
            self.links[-1].text_end = self.point(span["end"])

    def close_image(self, data: Any, span: Any) -> None:
        """An image ends."""
        self.silence -= 1
        self.close_link(data, span)

    def close_link(self, data: Any, span: Any) -> None:
        """A link or image ends."""
        link, block = self.links.pop(), self.block or self.open_text()
        link.until, link.end = block.length, self.point(span["end"])
        if link.is_wiki:
            start = block.runs[-1][2]
            block.add(self.body[start - self.base : link.end - self.base], start, link.end)
            return
        if link.reference and self.body.startswith("[]", link.end - self.base):
            link.end += len("[]")  # the parser's range of a collapsed reference leaves them out
        if link.until > link.at:
            link.text_end = max(link.text_end, block.runs[-1][2])
        block.add_link(link)
        if self.links:
            self.links[-1].text_end = max(self.links[-1].text_end, link.end)
