r"""Markdown to blocks, by the events of pulldown-cmark.

Metadata blocks stay off (a later `---` pair would swallow references) and so does the parser's own
`[[wiki-link]]`, which reads `[[a\|b]]` in a table as a link to `a\`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gitops.wiki.blocks import Block, Body, Span
from gitops.wiki.events import events
from gitops.wiki.inline import InexactError, Inline
from gitops.wiki.obsidian import LONGEST_TITLE, blotted, callout_marker, drop_block_id, is_title

_Handler = Callable[[Any, Any], None]


def read(text: str, start: int, *, has_comments: bool = True) -> Body:
    """The blocks of `text` from `start` on; positions are code points into the whole text.

    `has_comments` says that `%%…%%` is none of its text, as in Obsidian; elsewhere it is.
    """
    body = text[start:] if start else text
    plain = blotted(body) if has_comments and "%%" in body else body
    is_blotted = plain is not body
    try:
        return _Reader(plain, start, is_merged=True, is_blotted=is_blotted).read()
    except InexactError:
        return _Reader(plain, start, is_merged=False, is_blotted=is_blotted).read()


class _Frame:
    """A container that is open: what it is, what leads in to it, its own text, and what stood in it last."""

    __slots__ = ("kind", "last", "leads", "own")

    def __init__(self, kind: str, leads: tuple[Block, ...]) -> None:
        self.kind = kind
        self.leads = leads
        self.own: Block | None = None
        self.last: Block | None = None


class _Reader:
    def __init__(self, body: str, base: int, *, is_merged: bool, is_blotted: bool) -> None:
        self.body = body
        self.base = base
        self.inline = Inline(body, base, self.open_text, is_merged=is_merged, is_blotted=is_blotted)
        self.blocks: list[Block] = []
        self.definitions: list[Span] = []
        self.html: list[Span] = []
        self.frame = _Frame("Root", ())
        self.outer: list[_Frame] = []
        self.inside: list[int] = []
        self.tables = 0
        self.row = self.column = -1

    def read(self) -> Body:
        inline = self.inline
        on_text, starts, ends = inline.on_text, self.starts(), self.ends()
        for event, span in events(self.body, is_merged=inline.is_merged):
            if event.__class__ is str:
                self.on_break(event, span)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                on_text(value, span)
            elif kind == "Start":
                name, data = (value, None) if value.__class__ is str else value.popitem()
                starts[name](data, span)
            elif kind == "End":
                ends[value if value.__class__ is str else next(iter(value))](None, span)
            elif kind == "Code":
                inline.on_code(value, span)
            elif kind == "FootnoteReference":
                inline.on_reference(value, span)
        return Body(tuple(self.blocks), tuple(self.definitions), tuple(self.html))

    def starts(self) -> dict[str, _Handler]:
        """What takes the beginning of each thing that the options above let the parser see."""
        inline = self.inline
        return {
            "Paragraph": self.open_paragraph,
            "Heading": self.open_heading,
            "BlockQuote": self.open_quote,
            "CodeBlock": self.open_code,
            "HtmlBlock": self.open_html,
            "List": self.open_list,
            "Item": self.open_item,
            "FootnoteDefinition": self.open_definition,
            "Table": self.open_table,
            "TableHead": self.open_row,
            "TableRow": self.open_row,
            "TableCell": self.open_cell,
            "Emphasis": _nothing,
            "Strong": _nothing,
            "Strikethrough": inline.open_strike,
            "Link": inline.open_link,
            "Image": inline.open_image,
        }

    def ends(self) -> dict[str, _Handler]:
        """What takes the end of each of them."""
        inline, leave = self.inline, self.leave
        return {
            "Paragraph": self.close,
            "Heading": self.close,
            "BlockQuote": leave,
            "CodeBlock": self.leave_code,
            "HtmlBlock": self.leave_html,
            "List": leave,
            "Item": leave,
            "FootnoteDefinition": self.leave_definition,
            "Table": leave,
            "TableHead": leave,
            "TableRow": leave,
            "TableCell": self.close,
            "Emphasis": inline.close_style,
            "Strong": inline.close_style,
            "Strikethrough": inline.close_strike,
            "Link": inline.close_link,
            "Image": inline.close_image,
        }

    def on_break(self, kind: str, span: Any) -> None:
        block = self.inline.block
        if kind == "Rule":
            self.frame.last = None
        elif block is None or (block.kind == "quote" and self.ends_title(block)):
            self.close()
        else:
            self.inline.on_break(block, span)

    def open_paragraph(self, data: Any, span: Any) -> None:
        self.close()
        self.open_text()

    def open_heading(self, data: Any, span: Any) -> None:
        self.close()
        self.open("heading").level = int(data["level"][1])

    def open_cell(self, data: Any, span: Any) -> None:
        self.column += 1
        block = self.open("cell")
        block.table, block.row, block.column = self.tables, self.row, self.column

    def open_list(self, data: Any, span: Any) -> None:
        self.close()
        lead = self.lead_in()
        self.enter("List", (*self.frame.leads, lead) if lead else self.frame.leads)

    def open_item(self, data: Any, span: Any) -> None:
        self.close()
        self.enter("Item", self.frame.leads)

    def open_quote(self, data: Any, span: Any) -> None:
        self.close()
        self.lead_in()
        self.enter("BlockQuote", self.frame.leads)

    def open_table(self, data: Any, span: Any) -> None:
        self.close()
        self.lead_in()
        self.tables += 1
        self.row = -1
        self.enter("Table", self.frame.leads)

    def open_row(self, data: Any, span: Any) -> None:
        self.row += 1
        self.column = -1
        self.enter("TableRow", self.frame.leads)

    def open_code(self, data: Any, span: Any) -> None:
        self.close()
        self.inline.silence += 1
        self.enter("CodeBlock", ())

    def open_html(self, data: Any, span: Any) -> None:
        self.close()
        self.html.append(self.span(span))

    def open_definition(self, label: Any, span: Any) -> None:
        self.close()
        self.inside.append(len(self.definitions))
        self.definitions.append(self.span(span, label))
        self.enter("FootnoteDefinition", self.frame.leads)

    def lead_in(self) -> Block | None:
        """What leads in to the list, quote or table that opens; the text of an item that holds one is a paragraph."""
        frame = self.frame
        if frame.own:
            frame.own.kind = "paragraph"
        if frame.last:
            frame.last.is_lead = True
        return frame.last

    def enter(self, kind: str, leads: tuple[Block, ...]) -> None:
        self.outer.append(self.frame)
        self.frame = _Frame(kind, leads)

    def leave(self, data: Any, span: Any) -> None:
        self.close()
        self.frame = self.outer.pop()
        self.frame.last = None

    def leave_code(self, data: Any, span: Any) -> None:
        self.inline.silence -= 1
        self.leave(data, span)

    def leave_html(self, data: Any, span: Any) -> None:
        """HTML parts nothing: what stands before it may lead in to what follows."""

    def leave_definition(self, data: Any, span: Any) -> None:
        self.leave(data, span)
        self.inside.pop()

    def span(self, span: Any, label: str = "") -> Span:
        return Span(self.inline.point(span["start"]), self.inline.point(span["end"]), label)

    def open_text(self) -> Block:
        """Open the block of a paragraph; the text of a tight list item has none around it."""
        frame = self.frame
        if frame.kind != "Item":
            return self.open("quote" if frame.kind == "BlockQuote" else "paragraph")
        if frame.own is None:
            return self.open("item")
        frame.own.kind = "paragraph"
        return self.open("paragraph")

    def open(self, kind: str) -> Block:
        frame = self.frame
        block = Block(kind, self.inside[-1] if self.inside else -1, frame.leads)
        if frame.own is None and frame.kind == "Item":
            frame.own = block
        self.blocks.append(block)
        self.inline.block = block
        return block

    def close(self, data: Any = None, span: Any = None) -> None:
        block = self.inline.block
        if block is None:
            return
        block.finish()
        if block.kind == "quote" and (marker := self.callout(block)):
            block.trim(marker, block.length)
            block.is_title = is_title(block.text)
        if "^" in block.text and block.kind != "cell":
            drop_block_id(block)
        self.frame.last = block
        self.inline.block = None

    def callout(self, block: Block) -> int:
        """The length of the `[!kind]` that the first block in a quote begins with; 0 when there is none."""
        if self.frame.last or not block.runs:
            return 0
        return callout_marker(self.body, block.runs[0][1] - self.base)

    def ends_title(self, block: Block) -> bool:
        """Whether a break ends the title of a callout, which Markdown takes for its first words."""
        if block.length > LONGEST_TITLE * 2 or not (marker := self.callout(block)):
            return False
        return is_title("".join([run[0] for run in block.runs])[marker:])


def _nothing(data: Any, span: Any) -> None:
    """Emphasis shows nothing where it begins."""
