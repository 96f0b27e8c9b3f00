"""The links of a page to pages and files: Markdown links and images, wiki-links and embeds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from gitops.wiki.blocks import Block, InlineLink
from gitops.wiki.events import reference_definitions
from gitops.wiki.footnotes import fold
from gitops.wiki.formulas import find_formulas, start_of, within
from gitops.wiki.model import Link
from gitops.wiki.positions import Lines, code_points
from gitops.wiki.wikilinks import WikiLink

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//|\\\\")
_SPACE = re.compile(r"[ \t]*(?:\r\n?|\n)?[ \t]*")
_ANGLE = re.compile(r"<((?:\\.|[^<>\\\r\n])*)>")
_BRACKET = re.compile(r"(?<!\\)[()]")
_PATH = re.compile(r"/|\.[A-Za-z]\w*$|#")
_UNPLAIN = re.compile(r"[()<\\\s]")
_BARE = re.compile(r"(?:\\.|[^\s\\])*")

Destinations = Mapping[str, tuple[int, int]]
"""Where the destinations of link reference definitions stand in the page, by folded label."""


def links(block: Block, wiki: Iterable[WikiLink], text: str, lines: Lines, defined: Destinations) -> Iterator[Link]:
    """The links of a block in the order they stand, without those that lead out of the repository."""
    found = [_wiki(link, lines) for link in wiki]
    inner = [link for link in block.links if link.dest and not link.is_auto and not _EXTERNAL.match(link.dest)]
    if inner:
        formulas = find_formulas(block, text)
        found += (
            _markdown(link, block, text, lines, defined)
            for link in inner
            if not within(link.start, formulas) or _is_bracketed(link, text, formulas)
        )
    if len(found) > 1:
        found.sort(key=lambda link: link.place.start)
    return iter(found)


def _is_bracketed(link: InlineLink, text: str, formulas: Sequence[tuple[int, int]]) -> bool:
    r"""Whether it is a link to a path between escaped brackets, `\[[see](a.md)\]`, which TeX takes for a formula."""
    return text[start_of(link.start, formulas)] == "\\" and _PATH.search(link.dest) is not None


def destinations(text: str, start: int) -> Destinations:
    """Find the destinations of `[label]: destination`; a second pass, for pages that have reference links."""
    body = text[start:]
    point = code_points(body, start)
    found = {}
    for label, first_byte, last_byte in reference_definitions(body):
        begin, end = point(first_byte), point(last_byte)
        colon = text.find("]:", begin, end)
        found[fold(label)] = _destination(text, (begin if colon < 0 else colon) + 2, end)
    return found


def _wiki(link: WikiLink, lines: Lines) -> Link:
    kind = "embed" if link.is_embed else "wiki"
    shown = link.alias or link.target or link.anchor
    place, target_place = lines.place(link.start, link.end), lines.place(link.target_start, link.target_end)
    return Link(kind, link.target, link.anchor, shown, place, target_place)


def _markdown(link: InlineLink, block: Block, text: str, lines: Lines, defined: Destinations) -> Link:
    path, _, anchor = link.dest.partition("#")
    path = path.partition("?")[0]
    if "%" in link.dest:
        path, anchor = unquote(path), unquote(anchor)
    if link.reference:
        start, end = defined.get(fold(link.reference), (link.start, link.end))
    else:
        opening = text.find("](", link.text_end, link.end)
        start, end = _plain_destination(text, opening + 2, link.dest)
        if end < 0:
            start, end = _destination(text, opening + 2, link.end) if opening >= 0 else (link.start, link.end)
    kind = "image" if link.is_image else "markdown"
    shown = text[link.text_end : max(link.text_end, start - 2)] if link.is_image else block.text[link.at : link.until]
    return Link(kind, path, anchor, shown, lines.place(link.start, link.end), lines.place(start, end))


def _plain_destination(text: str, at: int, dest: str) -> tuple[int, int]:
    """The destination where it stands as the parser gives it, straight between the brackets; an end of -1 elsewhere."""
    end = at + len(dest)
    if at < 2 or text[end : end + 1] != ")" or not text.startswith(dest, at) or _UNPLAIN.search(dest):
        return at, -1
    return at, end


def _destination(text: str, at: int, end: int) -> tuple[int, int]:
    """The destination as written from `at` on: between `<>`, or up to white space or the closing bracket."""
    space = _SPACE.match(text, at, end)
    at = space.end() if space else at
    if angle := _ANGLE.match(text, at, end):
        return angle.span(1)
    bare = _BARE.match(text, at, end)
    until, depth = (bare.end() if bare else at), 0
    for bracket in _BRACKET.finditer(text, at, until):
        depth += 1 if bracket[0] == "(" else -1
        if depth < 0:
            return at, bracket.start()
    return at, until
