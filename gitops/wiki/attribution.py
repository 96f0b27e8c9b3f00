"""Where a link or path that cites stands: as words of a sentence, or beside it as its attribution."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitops.wiki.blocks import Block
from gitops.wiki.outline import Mark, Outline
from gitops.wiki.stretches import JOINS, Target

_OPENS = ("(", "（", "[", "［", "【")
_CLOSES = (")", "）", "]", "］", "】")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", '."', '!"', '?"', ".”", "!”", "?”", "”", "」", "』", "»")
_NEAR = 60
_SPACE = re.compile(r"[\s*_]*")
_SAYS = re.compile(
    r"(?:[—–-][ ]?)?\b(?:see|see also|cf\.|from|via|sources?|siehe|vgl\.|quellen?|fuentes?)(?:[ ]the)?[ ]?:?[\s*_]*\Z"
    r"|(?:来源|來源|出处|出處|出典|参见|參見|见|見|출처|참고)[ ]?[:：]?[\s*_]*\Z",
    re.IGNORECASE,
)
_OPENS_SENTENCE = re.compile(r"\Z|[.。;；,，、|/·&+(\[]|[^\W\d_a-z]")


def apart(block: Block, found: Sequence[Target]) -> dict[Target, tuple[int, int]]:
    """The targets that are no words of a sentence, with the stretch to cut: one in brackets of its own, one that is a
    sentence of its own (`See …`, `Source: …`) behind another, and one joined to such; also several in one pair of
    brackets.
    """
    text, done = block.text, -1
    cuts = _bracketed(text, found)
    for one in found:
        if one in cuts:
            done = one.until
            continue
        space = _SPACE.match(text, one.until)
        end = space.end() if space else one.until
        begin = max(0, one.at - _NEAR)
        near = text[begin : one.at].rstrip(" *_")
        lead = _SAYS.search(near)
        before = near[: lead.start()].rstrip(" *_") if lead else near
        stop = end + 1 if text.startswith((".", "。"), end) else one.until
        if near.endswith(_OPENS) and text.startswith(_CLOSES, end):
            cuts[one] = (begin + len(near) - 1, end + 1)
        elif before.endswith(_SENTENCE_ENDS) and _OPENS_SENTENCE.match(text, end):
            cuts[one] = (begin + len(before), stop)
        elif done >= 0 and JOINS.fullmatch(text, done, one.at):
            cuts[one] = (done, stop)
        done = one.until if one in cuts else -1
    return cuts


def _bracketed(text: str, found: Sequence[Target]) -> dict[Target, tuple[int, int]]:
    """The targets that stand in one pair of brackets with nothing but joints between them: `([[a]]; [[b]])`."""
    cuts: dict[Target, tuple[int, int]] = {}
    group: list[Target] = []
    for one in found:
        is_joined = group and JOINS.fullmatch(text, _end(text, group[-1]), one.at)
        group = [*group, one] if is_joined else [one]
        opening = text[max(0, group[0].at - _NEAR) : group[0].at].rstrip(" *_")
        end = _end(text, one)
        if len(group) > 1 and opening.endswith(_OPENS) and text.startswith(_CLOSES, end):
            starts = [len(text[: group[0].at].rstrip(" *_")) - 1, *(before.until for before in group)]
            stops = [*(before.until for before in group[:-1]), end + 1]
            cuts.update(zip(group, zip(starts, stops, strict=False), strict=True))
    return cuts


def _end(text: str, target: Target) -> int:
    """Where what follows a target begins, spaces and emphasis left out."""
    space = _SPACE.match(text, target.until)
    return space.end() if space else target.until


def is_attribution(block: Block, above: Block | None, found: Sequence[Target]) -> bool:
    """Whether a block holds nothing but targets and says by a dash, by brackets or by standing right below a quotation
    that they are where the block above is from.
    """
    if block.kind not in ("paragraph", "quote") or above is None or above.kind not in ("paragraph", "quote"):
        return False
    if any(map(str.isalnum, without(block, found))):
        return False
    return above.kind == "quote" or block.text.lstrip().startswith(("—", "–", "- ", "--", *_OPENS))


def is_of_more(block: Block, above: Block | None, marks: Sequence[Mark], outline: Outline) -> bool:
    """Whether a paragraph at a line's very start is nothing but marks, below a list, a table or a heading: they back
    more than the last that is said there.
    """
    start = block.extent[0]
    if not marks or block.kind != "paragraph" or above is None or above.kind not in ("item", "cell", "heading"):
        return False
    if start and outline.text[start - 1] not in "\r\n":
        return False
    left, done = "", 0
    for mark in marks:
        left, done = left + block.text[done : block.at_of(mark.start)], block.at_of(mark.end)
    return not any(map(str.isalnum, left + block.text[done:]))


def without(block: Block, found: Sequence[Target], at: int = 0) -> str:
    """What a block says from `at` on besides its targets."""
    left, done = "", at
    for one in found:
        left, done = left + block.text[done : one.at], max(done, one.until)
    return left + block.text[done:]
