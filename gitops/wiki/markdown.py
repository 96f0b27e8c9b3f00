r"""Markdown to blocks, by the events of pulldown-cmark.

Metadata blocks stay off (a later `---` pair would swallow references) and so does the parser's own
`[[wiki-link]]`, which reads `[[a\|b]]` in a table as a link to `a\`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyromark

from gitops.wiki.blocks import Block, Body, Span
from gitops.wiki.inline import InexactError, Inline
from gitops.wiki.positions import code_points

_Options = pyromark.Options
OPTIONS = (
    _Options.ENABLE_TABLES
    | _Options.ENABLE_FOOTNOTES
    | _Options.ENABLE_TASKLISTS
    | _Options.ENABLE_STRIKETHROUGH
    | _Options.ENABLE_GFM
)

_INLINE = frozenset(("Emphasis", "Strong", "Strikethrough", "Link", "Image"))


@dataclass(slots=True, eq=False)
class _Frame:
    """A container that is open: what it is, what leads in to it, its own text, and what stood in it last."""

    kind: str
    leads: tuple[Block, ...] = ()
    own: Block | None = None
    last: Block | None = None


def read(text: str, start: int) -> Body:
    """The blocks of `text` from `start` on; positions are code points into the whole text."""
    body = text[start:] if start else text
    try:
        return _Reader(body, start, is_merged=True).read()
    except InexactError:
        return _Reader(body, start, is_merged=False).read()


class _Reader:
    def __init__(self, body: str, base: int, is_merged: bool) -> None:
        self.body = body
        self.point = code_points(body, base)
        self.inline = Inline(body, base, self.point, self.opened, is_merged)
        self.blocks: list[Block] = []
        self.definitions: list[Span] = []
        self.html: list[Span] = []
        self.frames = [_Frame("Root")]
        self.inside: list[int] = []
        self.block: Block | None = None
        self.tables = 0
        self.row = self.column = -1

    def read(self) -> Body:
        take: dict[str, Callable[[Any, Any], None]] = {
            "Text": self.inline.on_text,
            "Code": self.inline.on_code,
            "FootnoteReference": self.inline.on_reference,
            "Start": self.on_start,
            "End": self.on_end,
        }
        events = pyromark.events_with_range(self.body, options=OPTIONS, merge_text=self.inline.is_merged)
        for event, span in events:
            if isinstance(event, str):
                self.on_break(event, span)
                continue
            ((kind, value),) = event.items()
            if handler := take.get(kind):
                handler(value, span)
        return Body(tuple(self.blocks), tuple(self.definitions), tuple(self.html))

    def on_break(self, kind: str, span: Any) -> None:
        if kind == "Rule":
            self.frames[-1].last = None
        elif self.block is not None:
            self.inline.on_break(span)

    def on_start(self, tag: Any, span: Any) -> None:
        data: Any = None
        name = tag
        if tag.__class__ is not str:
            ((name, data),) = tag.items()
        if name in _INLINE:
            if data is not None:
                self.inline.open_link(name, data, span)
            elif name == "Strikethrough":
                self.inline.open_strike()
        elif name == "Paragraph":
            self.close()
            self.open(self.paragraph_kind())
        elif name == "Heading":
            self.close()
            self.open("heading").level = int(data["level"][1])
        elif name == "TableCell":
            self.column += 1
            block = self.open("cell")
            block.table, block.row, block.column = self.tables, self.row, self.column
        else:
            self.open_container(name, data, span)

    def open_container(self, name: str, data: Any, span: Any) -> None:
        self.close()
        frame = self.frames[-1]
        leads = frame.leads
        if name in ("List", "BlockQuote", "Table"):
            if frame.kind == "Item" and frame.own:
                frame.own.kind = "paragraph"
            if frame.last:
                frame.last.is_lead = True
                leads = (*leads, frame.last) if name == "List" else leads
        if name == "Table":
            self.tables += 1
            self.row = -1
        elif name in ("TableHead", "TableRow"):
            self.row += 1
            self.column = -1
        elif name == "CodeBlock":
            self.inline.is_verbatim = True
        elif name == "HtmlBlock":
            self.html.append(Span(self.point(span["start"]), self.point(span["end"])))
        elif name == "FootnoteDefinition":
            self.inside.append(len(self.definitions))
            self.definitions.append(Span(self.point(span["start"]), self.point(span["end"]), data))
        self.frames.append(_Frame(name, leads))

    def on_end(self, tag: Any, span: Any) -> None:
        name = tag if tag.__class__ is str else next(iter(tag))
        if name in _INLINE:
            if name in ("Link", "Image"):
                self.inline.close_link(span)
            else:
                self.inline.close_style(span)
                if name == "Strikethrough":
                    self.inline.close_strike()
        elif name in ("Paragraph", "Heading", "TableCell"):
            self.close()
        else:
            self.close()
            self.frames.pop()
            if name == "CodeBlock":
                self.inline.is_verbatim = False
            elif name == "FootnoteDefinition":
                self.inside.pop()
            if name != "HtmlBlock":
                self.frames[-1].last = None

    def paragraph_kind(self) -> str:
        frame = self.frames[-1]
        if frame.kind == "BlockQuote":
            return "quote"
        if frame.kind == "Item" and frame.own is None:
            return "item"
        if frame.kind == "Item" and frame.own:
            frame.own.kind = "paragraph"
        return "paragraph"

    def opened(self) -> Block:
        """The block that is open; the text of a tight list item opens its own."""
        return self.block or self.open(self.paragraph_kind())

    def open(self, kind: str) -> Block:
        frame = self.frames[-1]
        block = Block(kind, self.inside[-1] if self.inside else -1, frame.leads)
        if frame.kind == "Item" and frame.own is None:
            frame.own = block
        self.blocks.append(block)
        self.block = block
        return block

    def close(self) -> None:
        if self.block is None:
            return
        self.block.finish()
        self.frames[-1].last = self.block
        self.block = None
