"""What Obsidian adds to Markdown that no reader of the page sees: comments, block ids, the marker of a callout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.wiki.blocks import Block
from gitops.wiki.events import events
from gitops.wiki.positions import code_points

FILLER = "\ufdd0"
"""What a comment is filled with where text follows on its line: a code point that no text holds (Unicode 23.7)."""

# `[!superseded]` is read where it stands: what it says of a claim is no title (`dated`).
_CALLOUT = re.compile(r"\[!(?!superseded\])[\w-]+(?:\|[^\]\r\n]*)?\][+-]?[ \t]*")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*")
LONGEST_TITLE = 60
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", ":", "：")
_MARK = re.compile(rb"%%")
_PARTS_BLOCKS = re.compile(r"\n[ \t]*\r?\n")
_LINE_ENDS = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
_BEFORE_BLOCK = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?")
_LINE = re.compile(r"[^\r\n]+")


def callout_marker(body: str, at: int) -> int:
    """The length of the `[!kind]` of a callout at `at`, with its fold sign and the space behind; 0 for none."""
    marker = _CALLOUT.match(body, at)
    return len(marker[0]) if marker else 0


def is_title(line: str) -> bool:
    """Whether a callout's first line names it; many hold their text there, which is said and owes a citation."""
    return len(line) <= LONGEST_TITLE and not line.rstrip().endswith(_SENTENCE_ENDS)


def drop_block_id(block: Block) -> None:
    """Take a block id, ` ^so`, from the end of a block's text."""
    text, at = block.text, block.text.rfind("^")
    if not _BLOCK_ID.fullmatch(text, at) or (at and not text[at - 1].isspace()) or block.is_code(at):
        return
    if all(mark.at <= at for mark in block.references[-1:]) and all(link.until <= at for link in block.links):
        block.trim(0, len(text[:at].rstrip()))


def blotted(body: str) -> str:
    """The body with its comments, `%%…%%`, blotted out character by character, so that every place stays true.

    One that ends its line leaves blanks, and alone on it an empty line; any other is filled.
    """
    pieces, done = [], 0
    for start, end in _comments(body):
        pieces.append(body[done:start])
        pieces.append(_filled(body[start:end], is_last=_LINE_ENDS.match(body, end) is not None))
        done = end
    return "".join((*pieces, body[done:]))


def _filled(comment: str, *, is_last: bool) -> str:
    """All lines of a comment but the last end with it."""
    begin = comment.rfind("\n") + 1
    head = _LINE.sub(lambda found: " " * len(found[0]), comment[:begin])
    return head + (" " if is_last else FILLER) * (len(comment) - begin)


def _comments(body: str) -> Iterator[tuple[int, int]]:
    """Pairs of marks, `[start, end)`: over several blocks only where the first begins a line.

    A mark that is never paired, and one behind a digit, is text: nothing vanishes for a doubled per cent sign.
    """
    opening = -1
    for mark in _marks(body):
        if opening >= 0 and (not _PARTS_BLOCKS.search(body, opening, mark) or _begins(body, opening)):
            yield opening, mark + 2
            opening = -1
        elif not body[mark - 1 : mark].isdigit():
            opening = mark
        else:
            opening = -1


def _begins(body: str, at: int) -> bool:
    line = body.rfind("\n", 0, at) + 1
    return _BEFORE_BLOCK.fullmatch(body, line, at) is not None


def _marks(body: str) -> Iterator[int]:
    """Where `%%` stands in text, and not in code, HTML or a link's destination."""
    data, point = body.encode(), code_points(body, 0)
    is_code = False
    for event, span in events(body):
        kind, value = (event, "") if event.__class__ is str else event.popitem()
        if kind in ("Start", "End"):
            is_code = kind == "Start" and "CodeBlock" in value
        elif kind == "Text" and not is_code:
            for found in _MARK.finditer(data, span["start"], span["end"]):
                if data[found.start() - 1 : found.start()] != b"\\":
                    yield point(found.start())
