r"""The canonical citation, read and written (`PROTOCOL.md` 6).

def   = "[^" label "]:" SP cite *( ";" SP cite ) EOL             one physical line
cite  = path ["," SP "p." [SP] n ["-" n]] ["," SP quote] [SP "@" offset]
path  = "<" 1*(not < > NL) ">"  /  1*(not , < > " ; NL)          NFC; <…> if it holds , ; or "
quote = DQUOTE *( "\\" / "\"" / char ) DQUOTE                    the writer escapes \ and "
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from gitops.wiki.values import value_class

EXPECTED = 'path, p.N, "quotation" @offset'

_PATH = re.compile(r"""<([^<>\r\n]+)>|[^,<>";\r\n]+""")
_PAGES = re.compile(r"\s*,\s*pp?\.\s*(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?(?=\s*(?:[,;@]|$))", re.IGNORECASE)
_QUOTE_OPENS = re.compile(r'\s*,\s*"')
_OFFSET = re.compile(r"\s*@(\d{1,15})(?=\s*(?:;|$))")
_PATH_OFFSET = re.compile(r"\s+@(\d{1,15})\s*$")
_NEXT = re.compile(r"\s*;\s*")
_CLOSES = re.compile(r'"(?:\s*@\d{1,15})?\s*(?:$|;\s*(?:<[^<>]+>(?:\s*@\d{1,15})?|[^,<>";]+)\s*(?:[,;]|$))')
_ESCAPE = re.compile(r'\\([\\"])')
_MARKDOWN = re.compile(r"\]\(|\[\[|`")
_PLAIN = re.compile(r"""([^,<>";@`\[\]\s]+), "([^"\\\s][^"\\]*+)"(?: @(\d{1,15}))?+""")
"""A path without anything special, and a quotation without an escape or a mark inside: what most definitions are."""


@value_class
class Parsed:
    """One cite of a definition's body; spans are code points into that body."""

    path: str
    span: tuple[int, int]
    first_page: int | None = None
    last_page: int | None = None
    quote: str | None = None
    offset: int | None = None
    quote_span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the body leaves the grammar, and how."""

    at: int
    message: str


def parse(body: str) -> tuple[Parsed, ...] | Fault:
    """The cites of a definition's body: what stands after `]:` on its line. Spans include nothing around them."""
    if plain := _PLAIN.fullmatch(body):
        path = unicodedata.normalize("NFC", plain[1])
        offset = int(plain[3]) if plain[3] else None
        return (Parsed(path, (0, len(body)), None, None, plain[2], offset, plain.span(2)),)
    cites: list[Parsed] = []
    at = len(body) - len(body.lstrip())
    end = len(body.rstrip())
    while True:
        read = _cite(body, at, end)
        if isinstance(read, Fault):
            return read
        cites.append(read)
        at = read.span[1]
        if at == end:
            return tuple(cites)
        separator = _NEXT.match(body, at, end)
        if separator is None:
            return Fault(at, "a citation ends here, but the line goes on without ';'")
        at = separator.end()


def _cite(body: str, start: int, end: int) -> Parsed | Fault:
    found = _PATH.match(body, start, end)
    if found is None:
        return Fault(start, "a path should stand here")
    path, at, offset = found[1] or "", found.end(), None
    if not path:
        path, at, offset = _bare_path(found)
    if not path.strip() or (not found[1] and _MARKDOWN.search(path)):
        return Fault(start, "a plain path should stand here, not Markdown")
    if offset is not None:
        return Parsed(unicodedata.normalize("NFC", path), (start, at), offset=offset)
    first = last = None
    if pages := _PAGES.match(body, at, end):
        first, last, at = int(pages[1]), int(pages[2] or pages[1]), pages.end()
        if not 1 <= first <= last:
            return Fault(pages.start(1), "page numbers count from 1 and do not run backwards")
    quote_span = None
    if opens := _QUOTE_OPENS.match(body, at, end):
        closes = _quote_end(body, opens.end(), end)
        if closes is None:
            return Fault(opens.end() - 1, "the quotation is not closed by a '\"' before '@', ';' or the end")
        quote_span, at = (opens.end(), closes), closes + 1
        if not body[opens.end() : closes].strip():
            return Fault(opens.end() - 1, "the quotation is empty")
    if number := _OFFSET.match(body, at, end):
        offset, at = int(number[1]), number.end()
    if at < end and not _NEXT.match(body, at, end):
        return Fault(at, "after the path only a page, a quotation and an offset may follow")
    quote = unescape(body[slice(*quote_span)]) if quote_span else None
    return Parsed(unicodedata.normalize("NFC", path), (start, at), first, last, quote, offset, quote_span)


def _bare_path(found: re.Match[str]) -> tuple[str, int, int | None]:
    """A path without `<>` also swallows ` @offset`, which is given back."""
    path = found[0].rstrip()
    at = found.start() + len(path)
    if number := _PATH_OFFSET.search(path):
        return path[: number.start()], at, int(number[1])
    return path, at, None


def _quote_end(body: str, at: int, end: int) -> int | None:
    r"""Where the closing `"` stands: the first, unescaped, that only `@n`, another citation or the end follows."""
    while at < end:
        if body[at] == "\\" and at + 1 < end and body[at + 1] in '\\"':
            at += 2
        elif body[at] == '"' and _CLOSES.match(body, at, end):
            return at
        else:
            at += 1
    return None


def unescape(written: str) -> str:
    r"""A quotation without its escapes: `\\` and `\"`; any other backslash is itself."""
    return _ESCAPE.sub(r"\1", written)


def escape(quote: str) -> str:
    r"""A quotation as the writer spells it: runs of white space become one space, `\` and `"` are escaped."""
    return " ".join(quote.split()).replace("\\", "\\\\").replace('"', '\\"')


def format_cite(
    path: str,
    first_page: int | None = None,
    last_page: int | None = None,
    quote: str | None = None,
    offset: int | None = None,
) -> str:
    """One cite in canonical spelling. ValueError when the path holds `<`, `>` or a line end, or the quote is blank."""
    words = [_spell_path(unicodedata.normalize("NFC", path))]
    if first_page is not None:
        pages = f"p.{first_page}" if last_page in (None, first_page) else f"p.{first_page}-{last_page}"
        words.append(pages)
    if quote is not None:
        if not quote.strip():
            raise ValueError("a quotation must hold something")
        words.append(f'"{escape(quote)}"')
    return ", ".join(words) + (f" @{offset}" if offset is not None else "")


def format_citation(label: str, cites: Iterable[str]) -> str:
    """A whole definition, without its line end, of cites written by `format_cite`."""
    if not label or not re.fullmatch(r"[^\[\]\s]+", label):
        raise ValueError(f"not a footnote label: {label!r}")
    return f"[^{label}]: " + "; ".join(cites)


def _spell_path(path: str) -> str:
    if not path.strip() or re.search(r"[<>\r\n]", path):
        raise ValueError(f"no citation can name the path {path!r}")
    plain = not re.search(r'[,;"]', path) and path == path.strip()
    plain = plain and not _PATH_OFFSET.search(path) and not _MARKDOWN.search(path)
    return path if plain else f"<{path}>"
