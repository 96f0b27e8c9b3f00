"""The numbered list of a page's sources: which entries it has, and what each of them names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gitops.wiki import pointers, sourcewords
from gitops.wiki.blocks import Block
from gitops.wiki.footnote_sources import HOW, behind, names_source
from gitops.wiki.model import Cite
from gitops.wiki.outline import Outline
from gitops.wiki.pointers import Pointer
from gitops.wiki.written import composed

_ENTRY = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\|?[ \t]*(?:\*\*)?\\?[\[【［](?P<bracketed>\d{1,3})\\?[\]】］](?:\*\*)?:?[ \t|]+"
    r"|(?P<plain>\d{1,3})[.)][ \t]+|\|[ \t]*(?P<cell>\d{1,3})[ \t]*\|)",
    re.MULTILINE,
)
_LINE_END = re.compile(r"[\r\n]|\Z")
_LONGEST_WORDS = 200


@dataclass(slots=True)
class NumberedList:
    """The cites of each numbered entry, and all the blocks that belong to lists of sources, entries or not."""

    entries: dict[int, tuple[Cite, ...]] = field(default_factory=dict)
    blocks: set[Block] = field(default_factory=set)


def read(outline: Outline, dialect: str) -> NumberedList:
    """The numbered sources under the headings of such lists; else those that end the page, written `[1] …`."""
    found = NumberedList()
    for _, section in sourcewords.list_sections(outline):
        found.blocks.update(section)
        _add(section, outline, dialect, found)
    if not found.entries and (tail := _tail(outline)):
        found.blocks.update(tail)
        _add(tail, outline, dialect, found)
    return found


def _add(blocks: Sequence[Block], outline: Outline, dialect: str, found: NumberedList) -> None:
    """A number that stands twice means all that either entry names. `1. 1. 1.` count on, as they are shown."""
    written = list(_entries(blocks, outline.text))
    counts_on = len(written) > 1 and all(number == 1 for number, _, _ in written)
    for index, (number, start, end) in enumerate(written, start=1):
        key = index if counts_on else number
        found.entries[key] = (*found.entries.get(key, ()), *_cites(start, end, outline, dialect))


def _entries(blocks: Sequence[Block], text: str) -> Iterator[tuple[int, int, int]]:
    """The number and the stretch of each entry: from its number to the next, or to the end of its block's line."""
    done = 0
    for block in blocks:
        if block.kind == "heading" or block.extent[1] <= done:
            continue
        first, last = block.extent
        start = max(done, text.rfind("\n", 0, first) + 1)
        line_end = _LINE_END.search(text, last)
        done = line_end.start() if line_end else last
        heads = list(_ENTRY.finditer(text, start, done))
        for index, head in enumerate(heads):
            end = heads[index + 1].start() if index + 1 < len(heads) else done
            yield int(head["bracketed"] or head["plain"] or head["cell"]), head.end(), end


def _tail(outline: Outline) -> Sequence[Block]:
    """The last blocks of the page, if they all begin with a number in brackets and count from 1."""
    blocks, at = outline.blocks, len(outline.blocks)
    while at and (block := blocks[at - 1]).kind in ("paragraph", "item") and block.text.startswith("["):
        if not _ENTRY.match(outline.text, outline.text.rfind("\n", 0, block.extent[0]) + 1):
            break
        at -= 1
    numbers = [number for number, _, _ in _entries(blocks[at:], outline.text)]
    return blocks[at:] if numbers and numbers == list(range(1, len(numbers) + 1)) else ()


def _cites(start: int, end: int, outline: Outline, dialect: str) -> tuple[Cite, ...]:
    """What an entry names: its files, else its address, else itself in words, which nobody can open here."""
    found = pointers.find(outline.text, start, end, outline.conventions.raw)
    files = [one for one in found if one.kind != "address"]
    named = [one for one in files if names_source(one.target, outline.conventions)]
    chosen = named or files[:1] or [one for one in found if one.kind == "address"][:1]
    if chosen:
        return tuple(_cite(one, end, outline, dialect) for one in chosen)
    written = outline.text[start:end].strip(" \t\r\n|.")[:_LONGEST_WORDS].rstrip()
    if not written:
        return ()
    at = outline.text.find(written, start, end)
    return (Cite(dialect, composed(written), outline.lines.place(at, at + len(written)), how="loose"),)


def _cite(one: Pointer, end: int, outline: Outline, dialect: str) -> Cite:
    located, until = behind(outline.text, one, end)
    return Cite(
        dialect=dialect,
        path=one.target,
        place=outline.lines.place(one.start, until),
        first_page=located.first_page if located else None,
        last_page=located.last_page if located else None,
        how=HOW[one.kind],
        locator=located.locator if located else None,
    )
