"""A source behind a caret: `^[talk.md:42-58]`, `^[a.md, raw/b.md#L3-L5]`. `^[some words]` is a note of pandoc's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gitops.wiki import attribution, locators, placeholders, stretches, written
from gitops.wiki.blocks import Block
from gitops.wiki.footnotes import is_escaped
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading
from gitops.wiki.wikilinks import find_formulas, within

ID = "caret"
_MARK = re.compile(r"\^\[([^\[\]\n]{1,400})\]")
_ITEM = re.compile(r"[^,;，；]+")
_POINTER = re.compile(r"(?P<path>[^:#]+?)(?:#(?P<fragment>[^:]+|\d+:\d\d(?::\d\d)?)|:(?P<lines>[^#]+))?")
_MORE_LINES = re.compile(r"L?\d{1,7}(?:[-\u2010-\u2015]L?\d{1,7})?")


@dataclass(frozen=True, slots=True)
class _Item:
    path: str
    at: int
    until: int
    located: locators.Located


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """A mark for each `^[…]` in which everything names a file, a path or lines of one; what stands alone below a list,
    a table or a heading cites for the page as a whole.
    """
    if "^[" not in outline.text:
        return NOTHING
    marks: list[Mark] = []
    page_cites: list[Cite] = []
    above: Block | None = None
    for block in outline.blocks:
        found = list(_marks(block, outline)) if block.definition < 0 and "^[" in block.text else []
        if attribution.is_of_more(block, above, found, outline):
            page_cites += (cite for mark in found for cite in mark.cites)
        else:
            marks += found
        above = block if block.text.strip() else above
    return Reading(tuple(marks), tuple(page_cites))


def _marks(block: Block, outline: Outline) -> Iterator[Mark]:
    formulas = find_formulas(block, outline.text)
    for found in _MARK.finditer(block.text):
        start, end = block.start_of(found.start()), block.end_of(found.end())
        if block.is_code(found.start()) or is_escaped(outline.text, start) or within(start, formulas):
            continue
        if not placeholders.has_placeholder(outline.text[start:end]) and (items := _items(found, outline)):
            yield Mark(start, end, tuple(_cite(one, block, outline) for one in items))


def _items(found: re.Match[str], outline: Outline) -> list[_Item]:
    """What stands in the brackets, as pointers; nothing when any of it is none."""
    items: list[_Item] = []
    for part in _ITEM.finditer(found.string, *found.span(1)):
        said = part[0].strip()
        at = part.start() + len(part[0]) - len(part[0].lstrip())
        path = items[-1].path if items and _MORE_LINES.fullmatch(said) else None
        item = _item(said, at, outline) if path is None else _Item(path, at, at + len(said), _lines(said))
        if item is None:
            return []
        items.append(item)
    return items


def _item(said: str, at: int, outline: Outline) -> _Item | None:
    found = _POINTER.fullmatch(said)
    if found is None:
        return None
    path, located = found["path"].strip(), locators.Located()
    if found["lines"] is not None:
        lines = locators.of_lines(found["lines"]) or locators.of_words(found["lines"])
        if lines is None:
            return None
        located = lines
    elif found["fragment"] is not None:
        located = locators.of_fragment(found["fragment"]) or located
    elif not _is_file(path, outline):
        return None
    return _Item(written.composed(path), at, at + len(said), located)


def _is_file(path: str, outline: Outline) -> bool:
    if " " in path:
        first = next(written.scan(path, raw=outline.conventions.raw), None)
        return first is not None and not first.is_url and (first.at, first.until) == (0, len(path))
    return written.has_suffix(path) or stretches.leads_to_source(path, outline.conventions)


def _lines(said: str) -> locators.Located:
    return locators.of_lines(said) or locators.Located()


def _cite(item: _Item, block: Block, outline: Outline) -> Cite:
    start, end = block.start_of(item.at), block.end_of(item.until)
    target = stretches.Target(item.path, "loose", item.at, item.until, start, end, item.located)
    return stretches.cite(target, ID, outline)
