"""Claims: which sentence each citation backs (`PROTOCOL.md` 7).

A reference belongs to the sentence that holds the last character before it in its block, at the block's
start to the first sentence; adjacent references share it. Where a block holds nothing but references, they
back its table row, or else the last sentence before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite, Claim
from gitops.wiki.positions import Lines
from gitops.wiki.prose import Cut, Prose, before_space, folded, link_cuts, split
from gitops.wiki.values import once
from gitops.wiki.wikilinks import WikiLink

_BETWEEN = re.compile(r"[\s,、，;；]*")
_OPENS_WORD = re.compile(r"\w")


class Attached(NamedTuple):
    """Cites at a stretch `[at, until)` of a block's text; footnote references are empty stretches."""

    at: int
    until: int
    cites: tuple[Cite, ...] = ()


_Group = tuple[Cite, ...]
"""What one mark cites; the same object for every reference to one footnote."""


class Cited:
    """A block, what is attached to it, and what of it a reader of sentences does not see."""

    # Most blocks are never cited: what only a cited one has stands here once for all.
    _words: dict[int, str] | None = None
    _backed: dict[int, list[_Group]] | None = None

    def __init__(self, block: Block, attached: Sequence[Attached] = (), links: Sequence[WikiLink] = ()) -> None:
        self.block = block
        self.attached = attached
        self.links = links

    @property
    def hidden(self) -> Iterator[Cut]:
        """What a reader does not see of the block's wiki-links."""
        return link_cuts(self.links)

    @once
    def clusters(self) -> list[list[Attached]]:
        """What is attached, adjacent references together."""
        return _clusters(self.attached, self.block.text)

    @once
    def prose(self) -> Prose:
        """The block's text without its marks."""
        cuts = [*self.hidden]
        if self.attached:
            cuts += (_cut(cluster, self.block.text) for cluster in self.clusters)
            cuts.sort(key=lambda cut: cut.at)
        return Prose(self.block, cuts)

    @once
    def spots(self) -> list[tuple[int, list[_Group]]]:
        """Where in the prose each cluster stands that cites anything, and what its marks cite."""
        spots = ((one[0].at, [mark.cites for mark in one if mark.cites]) for one in self.clusters)
        return [(self.prose.at(at), groups) for at, groups in spots if groups]

    @once
    def sentences(self) -> list[tuple[int, int]]:
        """Where the sentences stand in the prose."""
        return split(self.prose.text)

    @once
    def starts(self) -> list[int]:
        """Where the sentences begin in the prose."""
        return [start for start, _ in self.sentences]

    @once
    def folded(self) -> str:
        """The prose, white space folded."""
        return folded(self.prose.text)

    def words(self, index: int) -> str:
        """A sentence's words, white space folded; '' outside the block."""
        if self._words is None:
            self._words = {}
        words = self._words.get(index)
        if words is None:
            inside = 0 <= index < len(self.sentences)
            words = folded(self.prose.text[slice(*self.sentences[index])]) if inside else ""
            self._words[index] = words
        return words

    def back(self, index: int, groups: Iterable[_Group]) -> None:
        """Let what some marks cite back a sentence."""
        if self._backed is None:
            self._backed = {}
        self._backed.setdefault(index, []).extend(groups)

    @property
    def is_backed(self) -> bool:
        """Whether anything cited backs one of its sentences."""
        return bool(self._backed)

    @property
    def backed(self) -> list[tuple[int, tuple[Cite, ...]]]:
        """The sentences that are backed, in order, each with its cites."""
        if not self._backed:
            return []
        return [(index, _distinct(groups)) for index, groups in sorted(self._backed.items())]


def claims(blocks: Sequence[Cited], lines: Lines) -> tuple[Claim, ...]:
    """The claims of a page in order; `blocks` are all its blocks outside footnote definitions."""
    grid = {(one.block.table, one.block.row, one.block.column): one for one in blocks if one.block.kind == "cell"}
    by_block = {one.block: one for one in blocks}
    rows: dict[tuple[int, int], Claim | None] = {}
    found: list[Claim] = []
    previous: Cited | None = None
    for one in blocks:
        if one.attached and one.spots:
            if one.sentences:
                for at, groups in one.spots:
                    one.back(_sentence_before(one, at), groups)
            elif row := _row(one.block, grid, rows, lines):
                found.append(replace(row, cites=_distinct(_all_groups(one))))
            elif previous and previous.sentences:
                previous.back(len(previous.sentences) - 1, _all_groups(one))
        if (text := one.block.text) and not text.isspace():
            previous = one
    found += (claim for one in blocks if one.is_backed for claim in _claims(one, by_block, grid, lines))
    return _numbered(sorted(found, key=lambda claim: claim.place.start))


def _all_groups(one: Cited) -> Iterator[_Group]:
    return (group for _, groups in one.spots for group in groups)


def _distinct(groups: Iterable[_Group]) -> tuple[Cite, ...]:
    """Each cite once. By identity first: one footnote may be referred to a hundred thousand times."""
    by_identity = {id(group): group for group in groups}
    if len(by_identity) == 1:
        (only,) = by_identity.values()
        if len(only) == 1:
            return only  # the tuple itself: hashing a cite costs more than all the rest
    return tuple(dict.fromkeys(cite for group in by_identity.values() for cite in group))


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
    for index, cites in one.backed:
        place = lines.place(*one.prose.span(*one.sentences[index]))
        before, after = one.words(index - 1), one.words(index + 1)
        context = tuple(words for words in (*around, before, after) if words)
        is_struck = bool(one.block.struck) and one.prose.is_struck(*one.sentences[index])
        words, kind = one.words(index), one.block.kind
        yield Claim(words, place, kind, cites, context, is_struck=is_struck, before=before, after=after)


def _heads(block: Block, grid: Mapping[tuple[int, int, int], Cited]) -> tuple[str, ...]:
    if block.kind != "cell":
        return ()
    row = grid[block.table, block.row, 0] if block.column else None
    column = grid.get((block.table, 0, block.column)) if block.row else None
    return tuple(head.folded for head in (row, column) if head)


def _lead_ins(block: Block, by_block: Mapping[Block, Cited]) -> tuple[str, ...]:
    leads = [by_block[lead] for lead in block.leads if lead in by_block]
    return tuple(lead.words(len(lead.sentences) - 1) for lead in leads)


def _row(
    block: Block, grid: Mapping[tuple[int, int, int], Cited], known: dict[tuple[int, int], Claim | None], lines: Lines
) -> Claim | None:
    """The row of a cell as a claim that nothing backs yet; None when the block is no cell or its row says nothing."""
    if block.kind != "cell":
        return None
    if (block.table, block.row) not in known:
        known[block.table, block.row] = _row_claim(block, grid, lines)
    return known[block.table, block.row]


def _row_claim(block: Block, grid: Mapping[tuple[int, int, int], Cited], lines: Lines) -> Claim | None:
    row, column = [], 0
    while (cell := grid.get((block.table, block.row, column))) is not None:
        row += [cell] if cell.sentences else []
        column += 1
    if not row:
        return None
    start = row[0].prose.span(*row[0].sentences[0])[0]
    end = row[-1].prose.span(*row[-1].sentences[-1])[1]
    heads = (grid.get((cell.block.table, 0, cell.block.column)) for cell in row)
    context = tuple(head.words(0) for head in heads if head and head.sentences and block.row)
    text = " ".join(cell.folded for cell in row)
    is_struck = any(cell.prose.is_struck(0, len(cell.prose.text)) for cell in row)
    return Claim(text, lines.place(start, end), "cell", (), context, is_struck=is_struck)


def _numbered(found: Iterable[Claim]) -> tuple[Claim, ...]:
    seen: dict[str, int] = {}
    numbered = []
    for claim in found:
        ordinal = seen.get(claim.text, 0)
        seen[claim.text] = ordinal + 1
        numbered.append(replace(claim, ordinal=ordinal) if ordinal else claim)
    return tuple(numbered)
