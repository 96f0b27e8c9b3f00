"""A path below the raw folder in a code span that backs what stands before it: ``It fell. `raw/report.pdf`, p. 3``."""

from __future__ import annotations

import re

from gitops.wiki import attribution, sourcewords, stretches, written
from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading
from gitops.wiki.stretches import Target
from gitops.wiki.wikilinks import within

ID = "code_path"
_SOURCE_WORD = re.compile(
    r"\b(?:according to|as (?:shown|described|stated|told|given|noted) at|(?:back|points?|refers?|referring) to|"
    r"(?:slides?|transcript|article|paper|report|recording|interview|video|document|pdf|source) at)\s*:?\s*\Z",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:to|into|as|onto|called|named|no|not|without|create[sd]?|delete[sd]?|rename[sd]?|add(?:ed|s)?|mov(?:e[sd]?|ing)|"
    r"copy|copies|writ(?:e|es|ing|ten)|save[sd]?|put|drop|run|edit(?:s|ed)?|future|planned|missing|expected|at|like|"
    r"todo|such as|e\.g\.,?|for example,?|say,?|z\. ?B\.|例如|比如|例えば|예:?|예를 들어)\s*:?\s*\Z",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(
    r"[^.。]{0,40}\b(?:planned|todo|tbd|missing|future|not yet|deleted|removed|does(?: not|n.t) exist|no longer|"
    r"(?:was|were|is|been) (?:since |then )?(?:renamed|moved|dropped|archived))\b",
    re.IGNORECASE,
)
_NEAR = 60


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """Marks for paths that stand where a citation stands; a path that is all of its block backs the whole page."""
    if f"{outline.conventions.raw}/" not in outline.text:
        return NOTHING
    listed = sourcewords.listed(outline)
    marks: list[Mark] = []
    page_cites: list[Cite] = []
    for index, block in enumerate(outline.blocks):
        if not block.codes or block.definition >= 0 or block in listed:
            continue
        found = _citations(block, [one for one in _paths(block, outline) if not _is_struck(one, outline)])
        if block.kind == "heading":
            marks += (_mark(one, None, block, outline) for one in found)
            continue
        if found and attribution.is_attribution(block, outline.blocks[index - 1] if index else None, found):
            cites = tuple(stretches.cite(one, ID, outline) for one in found)
            marks.append(Mark(block.start_of(0), block.end_of(len(block.text)), cites))
            continue
        fills = bool(found) and not any(map(str.isalnum, attribution.without(block, found)))
        cuts = attribution.apart(block, found)
        for one in found:
            if block.kind != "cell" and (fills or _heads(one, block)):
                page_cites.append(stretches.cite(one, ID, outline))
            else:
                marks.append(_mark(one, (one.at, one.until) if fills else cuts.get(one), block, outline))
    return Reading(tuple(marks), tuple(page_cites))


def _paths(block: Block, outline: Outline) -> list[Target]:
    """The code spans of a block that hold one path to a file below the raw folder."""
    raw = outline.conventions.raw
    is_below = re.compile(rf"(?:\.{{0,2}}/)*{re.escape(raw)}/", re.IGNORECASE)
    linked = sorted((link.at, link.until) for link in block.links if not link.is_image)
    found = []
    for at, until in block.codes:
        if not is_below.match(block.text, at, until) or within(at, linked):
            continue
        target = stretches.of_code(block, raw, at, until)
        if target and written.has_suffix(target.path) and not stretches.is_placeholder(block, outline, at, until):
            found.append(stretches.located(target, block, len(block.text), in_sentence=True))
    return found


def _citations(block: Block, found: list[Target]) -> list[Target]:
    """The paths that are citations, and those before one that are joined to it."""
    kept: list[Target] = []
    for one in reversed(found):
        is_joined = bool(kept) and stretches.JOINS.fullmatch(block.text, one.until, kept[-1].at) is not None
        if is_joined or _is_citation(one, block):
            kept.append(one)
    return kept[::-1]


def _is_citation(target: Target, block: Block) -> bool:
    """Any path but an example, one that something is done to (`written to`), and one that is said not to be there."""
    before = block.text[max(0, target.at - _NEAR) : target.at].rstrip(" *_([（")
    after = block.text[target.until : target.until + _NEAR]
    if _NOT_THERE.match(after):
        return False
    return _heads(target, block) or bool(_SOURCE_WORD.search(before)) or not _WORK.search(before)


def _is_struck(target: Target, outline: Outline) -> bool:
    """Whether a path is struck out by itself: it holds no longer."""
    before, after = outline.text[max(0, target.start - 4) : target.start], outline.text[target.end : target.end + 4]
    return before.rstrip("`").endswith("~~") and after.lstrip("`").startswith("~~")


def _heads(target: Target, block: Block) -> bool:
    """Whether a path begins its item, cell or quote, or is all of its paragraph."""
    return not block.text[: target.at].strip(" *_") and (
        block.kind != "paragraph" or not block.text[target.until :].strip(" .。")
    )


def _mark(target: Target, cut: tuple[int, int] | None, block: Block, outline: Outline) -> Mark:
    at, until = cut or (target.at, target.until)
    cites = (stretches.cite(target, ID, outline),)
    return Mark(block.start_of(at), block.end_of(until), cites, is_shown=cut is None)
