"""The visible text of an HTML document, with the white space a browser would show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_DEPTH = 10_000
"""How deep elements may nest: the parser's time grows with its square, and browsers stop at 512."""

_SHOWS_NOTHING = """
audio canvas datalist embed head iframe noembed noframes noscript object param rp script style template title video
"""
_BREAKS_LINE = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext
pre search section summary table tbody tfoot thead tr ul xmp
"""
# Elements that hold nothing, or that the next of their kind closes.
_STAYS_FLAT = """
area base br col colgroup dd dt embed hr img input li link meta optgroup option p param rp rt source tbody td tfoot th
thead tr track wbr
"""
_HIDDEN = frozenset(_SHOWS_NOTHING.split())
_BLOCK = frozenset(_BREAKS_LINE.split())
_NEVER_DEEP = frozenset(_STAYS_FLAT.split())
_PREFORMATTED = frozenset({"pre", "textarea", "listing", "plaintext", "xmp"})
_SPACE = re.compile(r"[ \t\n\r\f]+")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)(?:[^<>]*?(/?)>)?")
_INVISIBLE_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)


def visible_text(html: str) -> str:
    """The text a reader sees. Ask `depth` first: the parser is slow on what nests deeper than `MAX_DEPTH`."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(html).root
    return _Layout().run(root) if root is not None else ""


def depth(html: str) -> int:
    """An estimate, never far below the truth, of how deep a document's elements nest."""
    deepest = level = foreign = 0
    for closing, tag, self_closed in _TAG.findall(html):
        name = tag.lower()
        if name in _NEVER_DEEP or (self_closed and foreign):
            continue
        step = -1 if closing else 1
        if name in ("svg", "math"):
            foreign = max(0, foreign + step)
        level = max(0, level + step)
        deepest = max(deepest, level)
    return deepest


class _Layout:
    """Collects text as it would flow: inline runs share a line, blocks break it, preformatted text keeps its own."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._space_due = False
        self._preformatted = 0

    def run(self, root: LexborNode) -> str:
        """The text of a tree, walked without recursion."""
        node: LexborNode | None = root
        while node is not None:
            entered = self._enter(node)
            child = node.first_child if entered else None
            node = child or self._after(node, entered)
        self._break()
        return "\n".join(self._lines)

    def _after(self, node: LexborNode, entered: bool) -> LexborNode | None:
        """The next node in document order that is not inside `node`; leaves what ends on the way."""
        at: LexborNode | None = node
        while at is not None:
            if entered:
                self._leave(at)
            if at.next is not None:
                return at.next
            at, entered = at.parent, True
        return None

    def _enter(self, node: LexborNode) -> bool:
        """Whether the node shows what it holds."""
        if node.is_text_node:
            self._text(node.text_content or "")
            return False
        tag = node.tag or ""
        if not node.is_element_node or tag in _HIDDEN or _is_hidden(node, tag):
            return False
        if tag in _BLOCK or tag == "br":
            self._break()
        elif tag in ("td", "th") and self._line:
            self._line.append("\t")
            self._space_due = False
        self._preformatted += tag in _PREFORMATTED
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCK:
            self._break()
        self._preformatted -= tag in _PREFORMATTED

    def _text(self, text: str) -> None:
        if not self._preformatted:
            self._flow(_SPACE.sub(" ", text))
            return
        first, *rest = text.replace("\r\n", "\n").split("\n")
        self._put(first)
        for line in rest:
            self._break()
            self._put(line)

    def _flow(self, text: str) -> None:
        body = text.strip(" ")
        self._space_due |= text.startswith(" ")
        if body:
            self._put(body)
            self._space_due = text.endswith(" ")

    def _put(self, text: str) -> None:
        if self._space_due and self._line and self._line[-1] != "\t":
            self._line.append(" ")
        if text:
            self._line.append(text)
        self._space_due = False

    def _break(self) -> None:
        line = "".join(self._line)
        if line and not line.isspace():
            self._lines.append(line)
        self._line.clear()
        self._space_due = False


def _is_hidden(node: LexborNode, tag: str) -> bool:
    attributes = node.attributes
    if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":
        return True
    if tag == "dialog" and "open" not in attributes:
        return True
    return bool(_INVISIBLE_STYLE.search(attributes.get("style") or ""))
