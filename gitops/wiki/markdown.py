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


def read(text: str, start: int, *, has_comments: bool = True) -> Body:
    """The blocks of `text` from `start` on; positions are code points into the whole text.

    `has_comments` says that `%%…%%` is none of its text, as in Obsidian; elsewhere it is.
    """
    body = text[start:] if start else text
    plain = blotted(body) if has_comments and "%" in body and "%%" in body else body
    is_blotted = plain is not body
    try:
        return _Reader(plain, start, is_merged=True, is_blotted=is_blotted).read()
    except InexactError:
        return _Reader(plain, start, is_merged=False, is_blotted=is_blotted).read()


_Handler = Callable[["_Reader", Any, Any], None]


class _Frame:
    """A container that is open: what it is, what leads in to it, its own text, and what stood in it last."""

    __slots__ = ("kind", "last", "leads", "own")

    def __init__(self, kind: str, leads: tuple[Block, ...]) -> None:
        self.kind = kind
        self.leads = leads
        self.own: Block | None = None
        self.last: Block | None = None


class _Reader(Inline):
    """One pass over the events. What takes the beginning and the end of each thing stands at the end of the module."""

    def __init__(self, body: str, base: int, *, is_merged: bool, is_blotted: bool) -> None:
        super().__init__(body, base, is_merged=is_merged, is_blotted=is_blotted)
        self.blocks: list[Block] = []
        self.definitions: list[Span] = []
        self.html: list[Span] = []
        self.frame = _Frame("Root", ())
        self.outer: list[_Frame] = []
        self.definition = -1
        self.inside: list[int] = []
        self.tables = 0
        self.row = self.column = -1

    def read(self) -> Body:
        base, is_plain = self.base, self.is_plain
        for event, span in events(self.body, is_merged=self.is_merged):
            if event.__class__ is str:
                self.on_mark(event, span)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                block = self.block
                if is_plain and value and block is not None and not self.silence:  # as nearly always
                    start = base + span["start"]
                    block.runs.append((value, start, start + len(value)))
                    block.length += len(value)
                else:
                    self.on_text(value, span)
            elif kind == "Start":
                name, data = (value, None) if value.__class__ is str else value.popitem()
                _STARTS[name](self, data, span)
            elif kind == "End":
                _ENDS[value if value.__class__ is str else next(iter(value))](self, None, span)
            elif kind == "Code":
                self.on_code(value, span)
            elif kind == "FootnoteReference":
                self.on_reference(value, span)
        return Body(tuple(self.blocks), tuple(self.definitions), tuple(self.html))

    def on_mark(self, kind: str, span: Any) -> None:
        """A rule, or the break of a line."""
        block = self.block
        if kind == "Rule":
            self.frame.last = None
        elif block is None or (block.kind == "quote" and self.ends_title(block)):
            self.close()
        else:
            self.on_break(block, span)

    def open_paragraph(self, data: Any, span: Any) -> None:
        if self.block is not None:
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
        if self.block is not None:
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
        self.silence += 1
        self.enter("CodeBlock", ())

    def open_html(self, data: Any, span: Any) -> None:
        self.close()
        self.html.append(self.span(span))

    def open_definition(self, label: Any, span: Any) -> None:
        self.close()
        self.inside.append(self.definition)
        self.definition = len(self.definitions)
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
        if self.block is not None:
            self.close()
        self.frame = self.outer.pop()
        self.frame.last = None

    def leave_code(self, data: Any, span: Any) -> None:
        self.silence -= 1
        self.leave(data, span)

    def leave_html(self, data: Any, span: Any) -> None:
        """HTML parts nothing: what stands before it may lead in to what follows."""

    def leave_definition(self, data: Any, span: Any) -> None:
        self.leave(data, span)
        self.definition = self.inside.pop()

    def span(self, span: Any, label: str = "") -> Span:
        return Span(self.point(span["start"]), self.point(span["end"]), label)

    def open_text(self) -> Block:
        """Open the block of a paragraph; the text of a tight list item has none around it."""
        frame, kind = self.frame, "paragraph"
        if frame.kind == "BlockQuote":
            kind = "quote"
        elif frame.kind == "Item":
            if frame.own is None:
                kind = "item"
            else:
                frame.own.kind = "paragraph"
        return self.open(kind)

    def open(self, kind: str) -> Block:
        frame = self.frame
        self.block = block = Block(kind, self.definition, frame.leads)
        if frame.own is None and frame.kind == "Item":
            frame.own = block
        self.blocks.append(block)
        return block

    def close(self, data: Any = None, span: Any = None) -> None:
        block = self.block
        if block is None:
            return
        runs = block.runs
        block.text = runs[0][0] if len(runs) == 1 else "".join([run[0] for run in runs])
        if block.kind == "quote" and (marker := self.callout(block)):
            block.trim(marker, block.length)
            block.is_title = is_title(block.text)
        if "^" in block.text and block.kind != "cell":
            drop_block_id(block)
        self.frame.last = block
        self.block = None

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

    def pass_over(self, data: Any, span: Any) -> None:
        """Emphasis shows nothing where it begins."""


_STARTS: dict[str, _Handler] = {
    "Paragraph": _Reader.open_paragraph,
    "Heading": _Reader.open_heading,
    "BlockQuote": _Reader.open_quote,
    "CodeBlock": _Reader.open_code,
    "HtmlBlock": _Reader.open_html,
    "List": _Reader.open_list,
    "Item": _Reader.open_item,
    "FootnoteDefinition": _Reader.open_definition,
    "Table": _Reader.open_table,
    "TableHead": _Reader.open_row,
    "TableRow": _Reader.open_row,
    "TableCell": _Reader.open_cell,
    "Emphasis": _Reader.pass_over,
    "Strong": _Reader.pass_over,
    "Strikethrough": _Reader.open_strike,
    "Link": _Reader.open_link,
    "Image": _Reader.open_image,
}
"""What takes the beginning of each thing that the options let the parser see."""

_ENDS: dict[str, _Handler] = {
    "Paragraph": _Reader.close,
    "Heading": _Reader.close,
    "BlockQuote": _Reader.leave,
    "CodeBlock": _Reader.leave_code,
    "HtmlBlock": _Reader.leave_html,
    "List": _Reader.leave,
    "Item": _Reader.leave,
    "FootnoteDefinition": _Reader.leave_definition,
    "Table": _Reader.leave,
    "TableHead": _Reader.leave,
    "TableRow": _Reader.leave,
    "TableCell": _Reader.close,
    "Emphasis": _Reader.close_style,
    "Strong": _Reader.close_style,
    "Strikethrough": _Reader.close_strike,
    "Link": _Reader.close_link,
    "Image": _Reader.close_image,
}
"""What takes the end of each of them."""
