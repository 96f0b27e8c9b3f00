"""Where a link or path that cites stands: as words of a sentence, or beside it as its attribution."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitops.wiki.blocks import Block
from gitops.wiki.stretches import JOINS, Target

_OPENS = ("(", "（", "[", "［", "【")
_CLOSES = (")", "）", "]", "］", "】")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", '."', '!"', '?"', ".”", "!”", "?”", "”", "」", "』", "»")
_NEAR = 60
_SPACE = re.compile(r"[\s*_]*")
_SAYS = re.compile(
    r"(?:[—–-][ ]?)?\b(?:see|see also|cf\.|from|via|sources?|siehe|vgl\.|quellen?|fuentes?)[ ]?:?[\s*_]*\Z"
    r"|(?:来源|來源|出处|出處|出典|参见|參見|见|見|출처|참고)[ ]?[:：]?[\s*_]*\Z",
    re.IGNORECASE,
)
_OPENS_SENTENCE = re.compile(r"\Z|[.。;；,，、|/·&+(\[]|[^\W\d_a-z]")


def apart(block: Block, found: Sequence[Target]) -> dict[Target, tuple[int, int]]:
    """The targets that are no words of a sentence, with the stretch to cut: one in brackets of its own, one that is a
    sentence of its own (`See …`, `Source: …`) behind another, and one joined to such.
    """
    text, done = block.text, -1
    cuts: dict[Target, tuple[int, int]] = {}
    for one in found:
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


def is_attribution(block: Block, above: Block | None, found: Sequence[Target]) -> bool:
    """Whether a block holds nothing but targets and says by a dash, by brackets or by standing right below a quotation
    that they are where the block above is from.
    """
    if block.kind not in ("paragraph", "quote") or above is None or above.kind not in ("paragraph", "quote"):
        return False
    if any(map(str.isalnum, without(block, found))):
        return False
    return above.kind == "quote" or block.text.lstrip().startswith(("—", "–", "- ", "--", *_OPENS))


def without(block: Block, found: Sequence[Target], at: int = 0) -> str:
    """What a block says from `at` on besides its targets."""
    left, done = "", at
    for one in found:
        left, done = left + block.text[done : one.at], max(done, one.until)
    return left + block.text[done:]
