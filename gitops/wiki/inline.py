"""The inline part of Markdown: visible text, code spans, footnote references and links of the block that is open."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gitops.wiki.blocks import Block, InlineLink, Reference

_REFERENCE_LINKS = frozenset(("Reference", "Collapsed", "Shortcut"))
_WIKI_LINK = re.compile(r"\[\[[^\[\]\r\n]+\]\]\(")
_PATH = re.compile(r"[./#]")
"""`[[Title]](path.md)` is a link to a path; `[[page|MCP]](MCP)` is a wiki-link and a word in brackets."""


class InexactError(Exception):
    """A merged text holds an escape or entity, so its characters do not stand where they seem to."""


class Inline:
    """Takes inline events with their ranges and adds what they show to the block that `opened` gives.

    `is_merged` says that the parser merges adjacent texts, which are then several times fewer; a text that is
    shorter than its range raises `InexactError`, and the page is read again unmerged.
    """

    def __init__(
        self, body: str, base: int, point: Callable[[int], int], opened: Callable[[], Block], is_merged: bool
    ) -> None:
        self.body = body
        self.base = base
        self.point = point
        self.opened = opened
        self.is_merged = is_merged
        self.is_verbatim = False
        self.links: list[InlineLink] = []
        self.images = 0
        self.strikes: list[int] = []

    def on_text(self, value: str, span: Any) -> None:
        """Text, but not of a code block or an image."""
        if self.is_verbatim or self.images or not value:
            return
        start, end = self.point(span["start"]), self.point(span["end"])
        if self.is_merged and end - start != len(value):
            raise InexactError
        self.opened().add(value, start, end)

    def on_code(self, value: str, span: Any) -> None:
        """A code span: visible, and marked as code."""
        if self.images:
            return
        block = self.opened()
        at = block.length
        start, end = self.point(span["start"]), self.point(span["end"])
        ticks = (end - start - len(value)) // 2
        # White space is stripped and `\|` unescaped inside, else what stands between the ticks is the value.
        exact = end - start == len(value) + 2 * ticks
        block.add(value, start + ticks if exact else start, end - ticks if exact else end)
        block.codes.append((at, block.length))

    def on_break(self, span: Any) -> None:
        """A break of the line: one space."""
        if not self.images:
            self.opened().add(" ", self.point(span["start"]), self.point(span["end"]))

    def on_reference(self, label: str, span: Any) -> None:
        """A footnote reference that has a definition; it shows nothing."""
        block = self.opened()
        mark = Reference(label, block.length, self.point(span["start"]), self.point(span["end"]))
        block.references.append(mark)

    def open_link(self, name: str, data: Any, span: Any) -> None:
        """A link or image begins."""
        block, kind = self.opened(), data["link_type"]
        start = self.point(span["start"])
        is_image = name == "Image"
        link = InlineLink(
            is_image=is_image,
            dest=data["dest_url"],
            is_auto=kind in ("Autolink", "Email"),
            reference=data["id"] if kind in _REFERENCE_LINKS else "",
            at=block.length,
            start=start,
            text_end=start + 1 + is_image,
        )
        self.links.append(link)
        self.images += is_image
        if _WIKI_LINK.match(self.body, start - self.base) and not _PATH.search(link.dest):
            link.is_wiki = True
            block.add("[", start, start + 1)

    def open_strike(self) -> None:
        """Words that are struck out begin."""
        self.strikes.append(self.opened().length)

    def close_strike(self) -> None:
        """Words that are struck out end."""
        block = self.opened()
        block.struck.append((self.strikes.pop(), block.length))

    def close_style(self, span: Any) -> None:
        """Emphasis ends, and with it perhaps the text of a link."""
        if self.links:
            self.links[-1].text_end = self.point(span["end"])

    def close_link(self, span: Any) -> None:
        """A link or image ends."""
        link, block = self.links.pop(), self.opened()
        self.images -= link.is_image
        link.until, link.end = block.length, self.point(span["end"])
        if link.is_wiki:
            start = block.ends[-1]
            block.add(self.body[start - self.base : link.end - self.base], start, link.end)
            return
        if link.reference and self.body.startswith("[]", link.end - self.base):
            link.end += len("[]")  # the parser's range of a collapsed reference leaves them out
        if link.until > link.at:
            link.text_end = max(link.text_end, block.ends[-1])
        block.links.append(link)
        if self.links:
            self.links[-1].text_end = max(self.links[-1].text_end, link.end)
