"""`[[target#heading|alias]]` in a block's visible text: never in code, another link, HTML or a formula."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from gitops.wiki.blocks import Block
from gitops.wiki.footnotes import is_escaped

_WIKI = re.compile(r"!?\[\[([^\[\]]+)\]\]")
_WRITTEN = re.compile(r"!?\[\[[^\r\n]+\]\]")
_BAR = re.compile(r"\\?\|")
_FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$(?![\s$])[^$\r\n]*?(?<![\s\\$])\$(?![\d$])", re.DOTALL)
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
        if not _WRITTEN.fullmatch(written) or is_escaped(text, start):
            continue
        if block.codes and (block.is_code(at) or block.is_code(until - 1)):
            continue
        if (formulas and within(start, formulas)) or (links and within(at, links)):
            continue
        if link := _read(written, found, opening, start):
            yield link


def _read(written: str, found: re.Match[str], opening: int, start: int) -> WikiLink | None:
    inner = written[opening:-2]
    bar = _BAR.search(inner)
    name = inner[: bar.start()] if bar else inner
    alias = inner[bar.end() :].strip() if bar else ""
    target, _, anchor = name.partition("#")
    target_start = start + opening + len(target) - len(target.lstrip())
    target = target.strip()
    if not name.strip() or _EXTERNAL.match(target):
        return None
    at, until = found.span(1)
    seen_bar = found[1].find("|")
    shown = (at + seen_bar + 1, until) if alias and seen_bar >= 0 else (at, until)
    return WikiLink(
        is_embed=opening == 3,
        target=target,
        anchor=anchor.strip(),
        alias=alias,
        at=found.start(),
        until=found.end(),
        start=start,
        end=start + len(written),
        target_start=target_start,
        target_end=target_start + len(target),
        shown=shown,
    )


def find_formulas(block: Block, text: str) -> tuple[tuple[int, int], ...]:
    """Where `$…$` and `$$…$$` stand in the page, by pandoc's rule: no space inside the marks, no digit after."""
    if block.text.count("$") < 2:
        return ()
    return tuple(found.span() for found in _FORMULA.finditer(text, *block.extent))


def within(point: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether `point` lies in one of the spans, which are in order and apart."""
    before = bisect_right(spans, point, key=itemgetter(0)) - 1
    return before >= 0 and point < spans[before][1]
