"""A source in brackets behind what it backs: `(source: raw/talk.md#5:40)`, `（来源：[[talk]]）`, `[E: a.md:67]`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from gitops.wiki import attribution, sourcewords, stretches
from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading

ID = "inline_source"
_CLOSES = {"(": ")", "（": "）", "[": "]", "［": "］", "【": "】"}
_BRACKET = re.compile(r"[()（）\[\]［］【】]")
_CALLED = re.compile(r"[A-Za-z0-9_]")
_NEAR = 60
_LONGEST = 600
_LEADS_TO_EXAMPLE = re.compile(
    r"[:：]\Z|\b(?:like|as|e\.g\.|i\.e\.|use|using|uses|write|writes|inline|format|form|syntax|with|a|an|the|of|by|in|"
    r"add|adds|cite|cites|want|needs?|each|every|no|or|and|per|via|its?)\Z",
    re.IGNORECASE,
)


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """A mark for each bracket that names a source; a form to fill in and an example of the syntax are none.

    Brackets in a paragraph of their own below a list, a table or a heading cite for the page as a whole.
    """
    opening = _opening(outline.conventions.raw)
    if opening.search(outline.text, outline.body) is None:
        return NOTHING
    listed = sourcewords.listed(outline)
    marks: list[Mark] = []
    page_cites: list[Cite] = []
    above: Block | None = None
    for block in outline.blocks:
        if block.definition < 0 and block not in listed:
            found = list(_marks(block, outline, opening))
            if attribution.is_of_more(block, above, found, outline):
                page_cites += (cite for mark in found for cite in mark.cites)
            else:
                marks += found
        above = block if block.text.strip() else above
    return Reading(tuple(marks), tuple(page_cites))


@cache
def _opening(raw: str) -> re.Pattern[str]:
    """A bracket and a word with a colon, or a bracket right before a path below the raw folder."""
    return re.compile(
        r"[(（\[［【](?<!\[\[)(?<![!^]\[)[ \t*_]*(?:(?P<label>[^\W\d][^:：,;.()（）\[\]［］【】\r\n]{0,24})[:：][\s*_]*"
        r"|(?:(?:see|cf\.|from|via|per|siehe|vgl\.|见|見|参见)[ \t]*)?"
        rf"(?=`?(?:\.{{0,2}}/)*{re.escape(raw)}/[^\s]))",
        re.IGNORECASE,
    )


def _marks(block: Block, outline: Outline, opening: re.Pattern[str]) -> Iterator[Mark]:
    done = 0
    for found in opening.finditer(block.text):
        at, label = found.start(), found["label"]
        if label and not sourcewords.is_label(label, outline.conventions.headings):
            continue
        if at < done or (end := _closing(block.text, at)) is None or _is_behind_label(block.text, at, outline):
            continue
        if block.codes and not _is_mark_in_code(block, at, end + 1, found.end()):
            continue
        is_firm = label is not None and sourcewords.is_firm(label) and not _CALLED.fullmatch(block.text[at - 1 : at])
        if cites := stretches.cites(block, outline, found.end(), end, ID, words=is_firm):
            done = end + 1
            if label or _is_bare_citation(block, outline, found.end(), end):
                yield Mark(block.start_of(at), block.end_of(done), cites)


def _is_behind_label(text: str, at: int, outline: Outline) -> bool:
    """Whether nothing but a word for sources stands before it: `Citation: (raw/a.md)` is a line of `source_line`'s."""
    before = text[text.rfind("\n", 0, at) + 1 : at].strip(" \t*_")
    if len(before) > _NEAR or not before.endswith((":", "：")) or "source_line" not in outline.conventions.dialects:
        return False
    return sourcewords.is_label(before[:-1].strip(" *_"), outline.conventions.headings)


def _closing(text: str, at: int) -> int | None:
    """Where the bracket that opens at `at` closes, others of its kind inside it counted."""
    opens, closes, depth = text[at], _CLOSES[text[at]], 0
    for found in _BRACKET.finditer(text, at, at + _LONGEST):
        depth += (found[0] == opens) - (found[0] == closes)
        if not depth:
            return found.start()
    return None


def _is_mark_in_code(block: Block, at: int, until: int, named: int) -> bool:
    """Whether code spans leave a mark what it is: all of it and nothing else stands in one, or its word in none.

    What it names begins at `named`.
    """
    if not block.is_code(at):
        return not block.is_code(max(at, named - 1))
    code = block.codes[bisect_right(block.codes, (at, len(block.text))) - 1]
    return block.text[slice(*code)].strip() == block.text[at:until] and not _is_example(block.text, *code)


def _is_example(text: str, at: int, until: int) -> bool:
    """Whether a mark in a code span is talked about: it does not follow what it could back, or the sentence goes on."""
    before, after = text[max(0, at - _NEAR) : at].rstrip(), text[until : until + _NEAR].lstrip()
    if not before:
        return bool(after) and not after.startswith("(")
    return bool(after and after[0].islower()) or _LEADS_TO_EXAMPLE.search(before) is not None


def _is_bare_citation(block: Block, outline: Outline, at: int, until: int) -> bool:
    """Whether a bracket without a word for it holds paths and nothing else."""
    found = stretches.targets(block, outline, at, until)
    left, done = "", at
    for one in found:
        left, done = left + block.text[done : one.at], one.until
    left += block.text[done:until]
    return bool(found) and not any(map(str.isalnum, left.replace("and", "")))
