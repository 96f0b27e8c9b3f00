"""A link in the prose to a raw file or a source page: `[talk](../raw/talk.md)`, `[[raw/talk]]`, `[[sources/talk]]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.wiki import attribution, placeholders, sourcewords, stretches, written
from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading
from gitops.wiki.stretches import Target

ID = "source_link"
_LABEL = re.compile(r"[^.:：!?。]{1,30}[:：]")
_LISTED = re.compile(r"\s*(?:[—–:：(（|·]|-{1,2}\s)")


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """Marks for links in sentences and cells; a block that only lists links backs the page as a whole."""
    folders = (outline.conventions.raw, *outline.conventions.source_pages)
    if not any(f"{folder}/" in outline.text for folder in folders):
        return NOTHING
    listed = sourcewords.listed(outline)
    marks: list[Mark] = []
    page_cites: list[Cite] = []
    for index, block in enumerate(outline.blocks):
        if not block.links and block not in outline.wiki:
            continue
        if block.definition >= 0 or block in listed or not (found := sorted(_targets(block, outline), key=_at)):
            continue
        if attribution.is_attribution(block, outline.blocks[index - 1] if index else None, found):
            cites = tuple(stretches.cite(one, ID, outline) for one in found)
            marks.append(Mark(block.start_of(0), block.end_of(len(block.text)), cites))
        elif block.kind == "heading" or is_listing(block, outline):
            page_cites += (stretches.cite(one, ID, outline) for one in found)
        else:
            cuts = attribution.apart(block, found)
            marks += (_mark(one, cuts.get(one) or _cell(one, block), block, outline) for one in found)
    return Reading(tuple(marks), tuple(page_cites))


def is_listing(block: Block, outline: Outline) -> bool:
    """Whether a block is nothing but links, or an item that begins with a link and says what is there.

    The cell of a table is none: what stands beside it is what it backs.
    """
    spans = sorted(
        [(link.at, link.until) for link in block.links] + [(one.at, one.until) for one in outline.wiki.get(block, ())]
    )
    if block.kind == "cell" or not spans:
        return False
    if block.kind == "item" and not block.text[: spans[0][0]].strip() and _LISTED.match(block.text, spans[0][1]):
        return True
    left, done = "", 0
    for at, until in spans:
        left, done = left + block.text[done:at], max(done, until)
    left += block.text[done:]
    return not any(map(str.isalnum, _LABEL.sub("", left.strip(), count=1)))


def _at(target: Target) -> int:
    return target.at


def _targets(block: Block, outline: Outline) -> Iterator[Target]:
    for link in block.links:
        is_path = "/" in link.dest and link.until > link.at and not link.is_image
        target = stretches.of_link(link) if is_path else None
        if target is not None and not target.is_url and written.has_suffix(target.path):
            yield from _source(target, block, outline)
    for wiki in outline.wiki.get(block, ()):
        if "/" in wiki.target and not wiki.is_embed:
            yield from _source(stretches.of_wiki(wiki), block, outline)


def _source(target: Target, block: Block, outline: Outline) -> Iterator[Target]:
    if stretches.leads_to_source(target.path, outline.conventions) and not placeholders.has_placeholder(target.path):
        yield stretches.located(target, block, len(block.text), in_sentence=True)


def _cell(target: Target, block: Block) -> tuple[int, int] | None:
    """The stretch of a link that fills its cell: cut from it, it backs the row."""
    is_all = block.kind == "cell" and not block.text[: target.at].strip() and not block.text[target.until :].strip()
    return (target.at, target.until) if is_all else None


def _mark(target: Target, cut: tuple[int, int] | None, block: Block, outline: Outline) -> Mark:
    at, until = cut or (target.at, target.until)
    cites = (stretches.cite(target, ID, outline),)
    return Mark(block.start_of(at), block.end_of(until), cites, is_shown=cut is None)
