"""Claims: which sentence each citation backs (`PROTOCOL.md` 7).

A reference belongs to the sentence that holds the last character before it in its block, at the block's
start to the first sentence; adjacent references share it. Where a block holds nothing but references, they
back its table row, or else the last sentence before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite, Claim
from gitops.wiki.positions import Lines
from gitops.wiki.prose import Cut, Prose, before_space, folded, split

_BETWEEN = re.compile(r"[\s,、，;；]*")
_OPENS_WORD = re.compile(r"\w")


class Attached(NamedTuple):
    """Cites at a stretch `[at, until)` of a block's text; footnote references are empty stretches."""

    at: int
    until: int
    cites: tuple[Cite, ...] = ()


@dataclass(eq=False)
class Cited:
    """A block, what is attached to it, and what of it a reader of sentences does not see."""

    block: Block
    attached: Sequence[Attached] = ()
    hidden: Sequence[Cut] = ()
    backed: dict[int, list[Cite]] = field(default_factory=dict)

    @cached_property
    def clusters(self) -> list[list[Attached]]:
        """What is attached, adjacent references together."""
        return _clusters(self.attached, self.block.text)

    @cached_property
    def prose(self) -> Prose:
        """The block's text without its marks."""
        cuts = [*self.hidden, *(_cut(cluster, self.block.text) for cluster in self.clusters)]
        return Prose(self.block, sorted(cuts, key=lambda cut: cut.at))

    @cached_property
    def spots(self) -> list[tuple[int, tuple[Cite, ...]]]:
        """Where in the prose each cluster stands that cites anything, and what it cites."""
        spots = ((one[0].at, tuple(cite for mark in one for cite in mark.cites)) for one in self.clusters)
        return [(self.prose.at(at), cites) for at, cites in spots if cites]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where the sentences stand in the prose."""
        return split(self.prose.text)

    @cached_property
    def starts(self) -> list[int]:
        """Where the sentences begin in the prose."""
        return [start for start, _ in self.sentences]

    def words(self, index: int) -> str:
        """A sentence's words, white space folded; '' outside the block."""
        if not 0 <= index < len(self.sentences):
            return ""
        return folded(self.prose.text[slice(*self.sentences[index])])

    def back(self, index: int, cites: Iterable[Cite]) -> None:
        """Let cites back a sentence; each once."""
        known = self.backed.setdefault(index, [])
        known.extend(cite for cite in cites if cite not in known)


def claims(blocks: Sequence[Cited], lines: Lines) -> tuple[Claim, ...]:
    """The claims of a page in order; `blocks` are all its blocks outside footnote definitions."""
    grid = {(one.block.table, one.block.row, one.block.column): one for one in blocks if one.block.kind == "cell"}
    by_block = {one.block: one for one in blocks}
    rows: list[Claim] = []
    previous: Cited | None = None
    for one in blocks:
        if one.attached and one.spots:
            if one.sentences:
                for at, cites in one.spots:
                    one.back(_sentence_before(one, at), cites)
            elif row := _row(one, grid):
                rows.append(_row_claim(one, row, grid, lines))
            elif previous and previous.sentences:
                previous.back(len(previous.sentences) - 1, (cite for _, cites in one.spots for cite in cites))
        previous = one if one.block.text.strip() else previous
    found = [claim for one in blocks if one.backed for claim in _claims(one, by_block, grid, lines)]
    return _numbered(sorted(found + rows, key=lambda claim: claim.place.start))


def _clusters(attached: Sequence[Attached], text: str) -> list[list[Attached]]:
    clusters: list[list[Attached]] = []
    for mark in attached:
        if clusters and _BETWEEN.fullmatch(text, clusters[-1][-1].until, mark.at):
            clusters[-1].append(mark)
        else:
            clusters.append([mark])
    return clusters


def _cut(cluster: Sequence[Attached], text: str) -> Cut:
    """References and what is between them, and the space before them where punctuation or the end follows."""
    at, until = cluster[0].at, cluster[-1].until
    opens_word = _OPENS_WORD.match(text, until)
    if opens_word and at and text[at - 1] in ".!?…":
        return Cut(at, until, " ")
    return Cut(at if opens_word else before_space(text, at), until)


def _sentence_before(one: Cited, at: int) -> int:
    """The sentence that holds the last visible character before `at`; the first when there is none."""
    return max(0, bisect_left(one.starts, before_space(one.prose.text, at)) - 1)


def _claims(
    one: Cited, by_block: Mapping[Block, Cited], grid: Mapping[tuple[int, int, int], Cited], lines: Lines
) -> Iterator[Claim]:
    around = _heads(one.block, grid) + _lead_ins(one.block, by_block)
    for index, cites in sorted(one.backed.items()):
        place = lines.place(*one.prose.span(*one.sentences[index]))
        near = (one.words(index - 1), one.words(index + 1))
        context = tuple(words for words in (*around, *near) if words)
        is_struck = one.prose.is_struck(*one.sentences[index])
        yield Claim(one.words(index), place, one.block.kind, tuple(cites), context, is_struck=is_struck)


def _heads(block: Block, grid: Mapping[tuple[int, int, int], Cited]) -> tuple[str, ...]:
    if block.kind != "cell":
        return ()
    row = grid[block.table, block.row, 0] if block.column else None
    column = grid.get((block.table, 0, block.column)) if block.row else None
    return tuple(folded(head.prose.text) for head in (row, column) if head)


def _lead_ins(block: Block, by_block: Mapping[Block, Cited]) -> tuple[str, ...]:
    leads = [by_block[lead] for lead in block.leads if lead in by_block]
    return tuple(lead.words(len(lead.sentences) - 1) for lead in leads)


def _row(one: Cited, grid: Mapping[tuple[int, int, int], Cited]) -> list[Cited]:
    """The cells of the row that say something; none when the block is no cell."""
    block = one.block
    if block.kind != "cell":
        return []
    cells, column = [], 0
    while (cell := grid.get((block.table, block.row, column))) is not None:
        cells += [cell] if cell.sentences else []
        column += 1
    return cells


def _row_claim(one: Cited, row: Sequence[Cited], grid: Mapping[tuple[int, int, int], Cited], lines: Lines) -> Claim:
    start = row[0].prose.span(*row[0].sentences[0])[0]
    end = row[-1].prose.span(*row[-1].sentences[-1])[1]
    heads = (grid.get((cell.block.table, 0, cell.block.column)) for cell in row)
    context = tuple(head.words(0) for head in heads if head and head.sentences and one.block.row)
    cites = tuple(dict.fromkeys(cite for _, cites in one.spots for cite in cites))
    text = " ".join(folded(cell.prose.text) for cell in row)
    is_struck = any(cell.prose.is_struck(0, len(cell.prose.text)) for cell in row)
    return Claim(text, lines.place(start, end), "cell", cites, context, is_struck=is_struck)


def _numbered(found: Iterable[Claim]) -> tuple[Claim, ...]:
    seen: dict[str, int] = {}
    numbered = []
    for claim in found:
        ordinal = seen.get(claim.text, 0)
        seen[claim.text] = ordinal + 1
        numbered.append(replace(claim, ordinal=ordinal) if ordinal else claim)
    return tuple(numbered)
