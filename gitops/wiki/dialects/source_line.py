"""A label that names the source: `**Source**: [talk](../raw/talk.md)`, `> Source: raw/talk.md`, `- **출처**: [[talk]]`.

As a line at the head of a page, under a heading and among other such lines it backs the whole page; right behind a
paragraph, a quotation or a sentence it backs that; over a list of quotations, each of them; over a column of a table,
each cell backs its row.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile

from gitops.wiki import attribution, sourcewords, stretches
from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading

ID = "source_line"
_OPENING = (
    r"[ \t]*+(?:>[ \t]?)*+(?:<(?:sub|small|i|em|p|b|strong)>)?+"
    r"(?:(?:[-*+•]|\d{1,3}[.)])[ \t]++)?+(?:\[[ xX]\][ \t]++)?+(?:[—–-]{1,2}[ \t]*+)?+"
    r"(?:[^\w\s*_>|\[(`<#\\:：-]{1,4}+[ \t]*+)?+[*_]{0,3}+(?P<label>[^\W\d_][^:：|*_`\[\]()<>\r\n]{0,24}+)"
    r"(?:\([^()\n]{1,30}\))?+[*_]{0,3}+[ \t]?+[:：][*_]{0,3}(?!/)"
)
_BEGINNING = re.compile(_OPENING)
_LINE = re.compile(rf"[\r\n]{_OPENING}")
_BEHIND = re.compile(
    r"[.!?。！？…)\]”\"」』»—–←]\s*(?P<dash>[—–←]\s*)?"
    r"(?:(?P<label>[^\W\d_][^:：|.,;()\[\]<>\n]{0,24})[:：]\s*)?(?=\S)"
)
_DASHES = "—–←"
_LONGEST_TRAIL = 300
_LABELLED = re.compile(r"[^\w\n]{0,8}[^\s:：|](?:[^:：|\n]{0,28}[^\s:：|])?[*_]{0,3}\s?[:：]")

_PROSE = re.compile(r":\s|[.!?。]\s+[^\W\d_]+\s+[^\W\d_]+\s")
_LONGEST_WORDS = 100
_QUOTES = ('"', "“", "„", "«", "»", "「", "『", "‹")


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """Marks for lines that directly follow what they back, cites of the page for all others."""
    text, raw = outline.text, outline.conventions.raw
    has_labels = ":" in text or "：" in text
    if not has_labels and f"{raw}/" not in text and "|" not in text:
        return NOTHING
    listed = sourcewords.listed(outline)
    blocks = [block for block in outline.blocks if block.definition < 0 and (block.text or block.references)]
    lines = [one for one in _lines(outline) if has_labels]
    marks, page_cites = _of_lines(lines, blocks, listed, outline)
    known = {one.start("label") for one in lines}
    for block in blocks:
        if block.kind != "heading" and block not in listed and (mark := _trailing(block, known, outline)):
            marks.append(mark)
    if "|" in text:
        marks += _columns(blocks, listed, outline)
    return Reading(tuple(marks), tuple(page_cites))


def _of_lines(
    lines: Iterable[re.Match[str]], blocks: Sequence[Block], listed: set[Block], outline: Outline
) -> tuple[list[Mark], list[Cite]]:
    starts = [block.extent[0] for block in blocks]
    marks: list[Mark] = []
    page_cites: list[Cite] = []
    for one in lines:
        index = bisect_right(starts, one.start("label")) - 1
        block = blocks[index] if index >= 0 else None
        if block is None or block in listed or not _is_label(one, block):
            continue
        at, until = block.at_of(one.start()), _until(block, one, outline)
        cites = _cites(one, block, until, outline, blocks[index + 1 :])
        if cites and _backs(block, at, until, blocks[:index], outline):
            marks.append(Mark(block.start_of(at), block.end_of(until), cites))
        elif cites and (quoting := _quoting_below(block, at, until, blocks[index + 1 :])):
            ends = (item.end_of(len(item.text)) for item in quoting)
            marks += (Mark(end, end, cites, is_shown=True) for end in ends)
        else:
            page_cites += cites
    return marks, page_cites


def _quoting_below(block: Block, at: int, until: int, after: Iterable[Block]) -> list[Block]:
    """The items of a list right below a line of its own that begin with a quotation: they are from there."""
    if block.text[:at].strip() or block.text[until:].strip():
        return []
    return list(takewhile(lambda item: item.kind == "item" and item.text.lstrip().startswith(_QUOTES), after))


def _trailing(block: Block, known: set[int], outline: Outline) -> Mark | None:
    """`It fell. Source: raw/a.md` or `It fell — raw/a.md` at a block's end, if nothing but sources follows; `known` are
    the labels that begin a line.
    """
    until = len(block.text)
    if not block.links and not block.codes and block not in outline.wiki and "/" not in block.text:
        return None
    for found in _BEHIND.finditer(block.text, max(0, until - _LONGEST_TRAIL)):
        is_dash, label = found[0][0] in _DASHES, found["label"]
        at = found.start() + (not is_dash)
        if not (label or is_dash or found["dash"]) or block.is_code(found.start()):
            continue
        if label and not (_is_behind(block, found.start("label"), known) and _is_known(label, outline)):
            continue
        if cites := _nothing_but_sources(block, found.end(), outline, below_raw=not label):
            return Mark(block.start_of(at), block.end_of(until), cites)
    return None


def _is_behind(block: Block, at: int, known: set[int]) -> bool:
    """Whether a label at `at` in a block neither stands in code nor begins a line."""
    return not block.is_code(at) and block.start_of(at) not in known


def _is_known(label: str, outline: Outline) -> bool:
    return sourcewords.is_label(label, outline.conventions.headings)


def _nothing_but_sources(block: Block, at: int, outline: Outline, *, below_raw: bool) -> tuple[Cite, ...]:
    """What the rest of a block from `at` on cites; nothing when it says anything else."""
    targets = stretches.targets(block, outline, at, len(block.text))
    if below_raw and not all(stretches.leads_to_source(one.path, outline.conventions) for one in targets):
        return ()
    if any(map(str.isalnum, attribution.without(block, targets, at))):
        return ()
    return stretches.cites(block, outline, at, len(block.text), ID, words=False)


def _columns(blocks: Sequence[Block], listed: set[Block], outline: Outline) -> Iterator[Mark]:
    """The cells below the head of a column of sources."""
    heads = set()
    for block in blocks:
        if block.kind != "cell" or block in listed or not block.text:
            continue
        if not block.row and _is_known(block.text, outline):
            heads.add((block.table, block.column))
            continue
        is_below = block.row > 0 and (block.table, block.column) in heads
        if is_below and (cites := stretches.cites(block, outline, 0, len(block.text), ID, words=False)):
            yield Mark(block.start_of(0), block.end_of(len(block.text)), cites)


def _lines(outline: Outline) -> Iterator[re.Match[str]]:
    """The beginnings of lines up to a colon behind a label for sources."""
    text, body = outline.text, outline.body
    first = _BEGINNING.match(text, body)
    found = _LINE.finditer(text, body)
    for one in chain((first,) if first else (), found):
        if _is_known(one["label"], outline):
            yield one


def _is_label(found: re.Match[str], block: Block) -> bool:
    start, end = block.extent
    at = found.start("label")
    is_inside = start <= at < end and block.kind not in ("heading", "cell") and block.definition < 0
    return is_inside and not block.is_code(block.at_of(at))


def _until(block: Block, found: re.Match[str], outline: Outline) -> int:
    """Where the line ends in the block's text."""
    ends = [at for at in (outline.text.find("\n", found.end()), outline.text.find("\r", found.end())) if at >= 0]
    line_end = min(ends, default=len(outline.text))
    return len(block.text) if line_end >= block.extent[1] else block.at_of(line_end)


def _cites(
    found: re.Match[str], block: Block, until: int, outline: Outline, after: Iterable[Block]
) -> tuple[Cite, ...]:
    """What the line names; where nothing follows the colon, what the items of the list below it name."""
    at = min(block.at_of(found.end()), until)
    said = block.text[at:until]
    is_short = len(said) <= _LONGEST_WORDS and not _PROSE.search(said) and not _goes_on(block, until, outline)
    words = is_short and sourcewords.is_firm(found["label"])
    if block.text[at:until].strip():
        return stretches.cites(block, outline, at, until, ID, words=words)
    cites: list[Cite] = []
    for item in after:
        if not item.leads or block not in item.leads:
            break
        if item.leads[-1] is block:
            cites += stretches.cites(item, outline, 0, len(item.text), ID, words=words)
    return tuple(cites)


def _goes_on(block: Block, until: int, outline: Outline) -> bool:
    """Whether what stands in the line is prose that the next line goes on with."""
    if not block.text[until:].strip():
        return False
    return _LABELLED.match(outline.text, block.start_of(until + 1)) is None


def _backs(block: Block, at: int, until: int, before: Sequence[Block], outline: Outline) -> bool:
    """Whether the line belongs to what stands right before it: in its own block, or in the block above."""
    if block.text[:at].strip():
        return not _is_labelled(block, at, outline)
    if block.text[until:].strip() or not before:
        return False
    above = before[-1]
    if block.kind == "item":
        is_child = bool(block.leads) and block.leads[-1] is above and above.kind != "heading"
        return is_child and not above.text.rstrip().endswith((":", "："))
    if above.kind not in ("paragraph", "quote") or _is_labelled(above, len(above.text), outline):
        return False
    return not _is_head(before)


def _is_labelled(block: Block, until: int, outline: Outline) -> bool:
    """Whether the line of a block that ends at `until` begins with a label too, as in a list of a page's data."""
    end = block.end_of(until)
    start = max(outline.text.rfind("\n", 0, max(0, end - 1)), outline.text.rfind("\r", 0, max(0, end - 1))) + 1
    return _LABELLED.match(outline.text, start, end) is not None


def _is_head(before: Sequence[Block]) -> bool:
    """Whether no heading but the page's title stands before, and no quotation right before."""
    return before[-1].kind != "quote" and not any(one.kind == "heading" and one.level > 1 for one in before)
