"""`[[target#heading|alias]]` in a block's visible text: never in code, another link, HTML or a formula."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gitops.wiki.blocks import Block
from gitops.wiki.formulas import find_formulas as find_formulas
from gitops.wiki.formulas import is_escaped
from gitops.wiki.formulas import within as within

_WIKI = re.compile(r"!?\[\[([^\[\]]+)\]\]")
_WRITTEN = re.compile(r"!?\[\[[^\r\n]+\]\]")
_BAR = re.compile(r"\\?\|")
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:", re.IGNORECASE)


class WikiLink(NamedTuple):
    """A wiki-link: `[at, until)` in the block's text, `[start, end)` in the page.

    `shown` is the part of the block's text that a reader sees: the alias, or else all between the brackets.
    """

    is_embed: bool
    target: str
    anchor: str
    alias: str
    at: int
    until: int
    start: int
    end: int
    target_start: int
    target_end: int
    shown: tuple[int, int]


def find(block: Block, text: str) -> tuple[WikiLink, ...]:
    """The wiki-links of a block, in order."""
    return tuple(_find(block, text)) if "[[" in block.text else ()


def _find(block: Block, text: str) -> Iterator[WikiLink]:
    formulas = find_formulas(block, text)
    links = [(link.at, link.until) for link in block.links if not link.is_image]
    for found in _WIKI.finditer(block.text):
        at, until = found.span()
        start, end = block.start_of(at), block.end_of(until)
        written = text[start:end]
        opening = 3 if written.startswith("!") else 2
        if written != found[0] and not _WRITTEN.fullmatch(written):
            continue
        if text[start - 1 : start] == "\\" and is_escaped(text, start):
            continue
        if block.codes and (block.is_code(at) or block.is_code(until - 1)):
            continue
        if (formulas and within(start, formulas)) or (links and within(at, links)):
            continue
        if link := _read(written, found, opening, start):
            yield link


def _read(written: str, found: re.Match[str], opening: int, start: int) -> WikiLink | None:
    inner = written[opening:-2]
    bar = _BAR.search(inner) if "|" in inner else None
    name = inner[: bar.start()] if bar else inner
    alias = inner[bar.end() :].strip() if bar else ""
    target, _, anchor = name.partition("#")
    target_start = start + opening
    if (trimmed := target.strip()) != target:
        target_start += len(target) - len(target.lstrip())
        target = trimmed
    if not name.strip() or (":" in target and _EXTERNAL.match(target)):
        return None
    shown = found.span(1)
    if alias and (seen_bar := found[1].find("|")) >= 0:
        shown = (shown[0] + seen_bar + 1, shown[1])
    at, until = found.span()
    end, target_end = start + len(written), target_start + len(target)
    return WikiLink(opening == 3, target, anchor.strip(), alias, at, until, start, end, target_start, target_end, shown)
