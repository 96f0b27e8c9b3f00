"""Pointers as they are written in a stretch of Markdown: links, wiki-links, addresses, and paths, bare or as code.

Read off the raw text, because that is what a footnote's definition and an entry of a list of sources keep exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from gitops.wiki import locators, placeholders, written
from gitops.wiki.locators import Located

_MARKUP = re.compile(
    r"""
      (?<!`)(?P<ticks>`+)(?!`)(?P<code>[^\r\n]{1,400}?)(?<!`)(?P=ticks)(?!`)
    | !\[\[[^\[\]\r\n]+\]\]
    | \[\[(?P<wiki>[^\[\]\r\n]+)\]\](?:\((?P<hybrid>[^()\s]+)\))?
    | (?P<image>!?)\[(?:\\.|[^\[\]\\]|\[[^\[\]]*\])*\]
      \(\s*(?:<(?P<angled>[^<>\r\n]*)>|(?P<dest>(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*))
      (?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*\)
    | <(?P<auto>[^<>\r\n]+)>
    """,
    re.VERBOSE,
)
_SAID_FIRST = re.compile(r"\s*(?:(?:see(?: also)?|cf\.?|from|sources?|출처|来源|出典|Quelle)[\s:：]+)?", re.IGNORECASE)
_HEAD_ENDS = re.compile(r"[,;:#\r\n]|\s[(\u2013\u2014-]|\Z")
_TELL_TALE = re.compile(r"/\w|\.\w|:\s?\w")
_BAR = re.compile(r"\\?\|")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_NO_SOURCE = re.compile(r"(?:mailto|javascript|data|tel):", re.IGNORECASE)

Kind = Literal["link", "wiki", "address", "path"]


@dataclass(frozen=True, slots=True)
class Pointer:
    """What a stretch of text points to: `[start, end)` in the page; the target decoded, NFC, without its fragment."""

    kind: Kind
    target: str
    start: int
    end: int
    located: Located | None = None


def find(text: str, start: int, end: int, raw: str = "raw") -> tuple[Pointer, ...]:
    """The pointers of a stretch in order, apart from each other; neither images and embeds nor templates.

    `raw` is the name of the raw folder: what begins with it is a path even where it has no suffix.
    """
    return tuple(
        one for one in _find(text, start, end, raw) if one.target and not placeholders.has_placeholder(one.target)
    )


def _find(text: str, start: int, end: int, raw: str) -> Iterator[Pointer]:
    at = start
    for found in _MARKUP.finditer(text, start, end):
        yield from _bare(text, at, found.start(), raw, is_first=at == start)
        at = found.end()
        if (pointer := _marked(found, raw)) is not None:
            yield pointer
    yield from _bare(text, at, end, raw, is_first=at == start)


def _marked(found: re.Match[str], raw: str) -> Pointer | None:
    if found["code"] is not None:
        return _code(found, raw)
    if found["wiki"] is not None:
        return _wiki(found)
    if found["auto"] is not None:
        return _angled(found)
    if found["image"] is None or found["image"]:
        return None
    dest = found["angled"] if found["angled"] is not None else found["dest"]
    return _linked(_ESCAPED.sub(r"\1", dest), *found.span())


def _linked(dest: str, start: int, end: int) -> Pointer | None:
    if _NO_SOURCE.match(dest):
        return None
    if written.has_scheme(dest):
        return Pointer("address", written.composed(dest), start, end)
    path, _, fragment = dest.partition("#")
    path = unquote(path.partition("?")[0])
    return Pointer("link", written.composed(path), start, end, locators.of_fragment(fragment))


def _wiki(found: re.Match[str]) -> Pointer | None:
    if found["hybrid"]:
        return _linked(found["hybrid"], *found.span())
    target, _, fragment = _BAR.split(found["wiki"], maxsplit=1)[0].partition("#")
    target = target.strip()
    if written.has_scheme(target) and "//" in target:
        return Pointer("address", written.composed(target), *found.span())
    located = None if fragment.startswith("^") else locators.of_fragment(fragment)
    return Pointer("wiki", written.composed(target), *found.span(), located)


def _code(found: re.Match[str], raw: str) -> Pointer | None:
    """A code span that holds a path or address and nothing else."""
    start, end = found.span("code")
    inside = found["code"].strip()
    for one in written.scan(found.string, start, end, raw):
        if found.string[one.at : one.until].strip() == inside:
            return _of_written(one, *found.span())
    return None


def _angled(found: re.Match[str]) -> Pointer | None:
    """What stands between `<` and `>`: an address, a path, or a tag, which points to nothing."""
    inside, span = found["auto"], found.span()
    if _NO_SOURCE.match(inside) or inside.startswith("/"):
        return None
    if written.has_scheme(inside):
        return Pointer("address", written.composed(inside), *span)
    path, _, fragment = inside.partition("#")
    is_path = written.has_suffix(path) and "=" not in path
    return Pointer("path", written.composed(path), *span, locators.of_fragment(fragment)) if is_path else None


def _bare(text: str, start: int, end: int, raw: str, *, is_first: bool) -> Iterator[Pointer]:
    """Bare paths and addresses. A path with spaces in it is known by standing first, up to a separator."""
    if not _TELL_TALE.search(text, start, end):
        return
    if is_first:
        said = _SAID_FIRST.match(text, start, end)
        begin = said.end() if said else start
        head = _HEAD_ENDS.search(text, begin, end)
        stop = head.start() if head else end
        first = next(written.scan(text, begin, stop, raw), None)
        if first is not None and first.at == begin and first.until == stop:
            start = first.until
            yield _of_written(first, first.at, first.until)
    for one in written.scan(text, start, end, raw):
        yield _of_written(one, one.at, one.until)


def _of_written(one: written.Written, start: int, end: int) -> Pointer:
    return Pointer("address" if one.is_url else "path", one.path, start, end, one.located)
