"""A link in the prose to a raw file or a source page: `[talk](../raw/talk.md)`, `[[raw/talk]]`, `[[sources/talk]]`.

Where a wiki tells its source pages by their names (`src-*`), also `[[src-talk]]`. A link to what the page itself
names as its source is one too, where it stands beside what it backs: `It fell ([[talk]]).`, `It fell. [[talk]]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.wiki import attribution, own_sources, placeholders, sourcewords, stretches, written
from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading
from gitops.wiki.stretches import Target

ID = "source_link"
_LABEL = re.compile(r"[^.:：!?。]{1,30}[:：]")
_GOES_ON = re.compile(r"[ \t*_]*(?![A-Z])[^\W_]")
"""What follows a link that begins its sentence: in English a small letter would, and a name is none."""
_LISTED = re.compile(r"\s*(?:[—–:：(（|·]|-{1,2}\s)")


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """Marks for links in sentences and cells; a block that only lists links backs the page as a whole."""
    folders = (outline.conventions.raw, *outline.conventions.source_pages)
    is_named = stretches.source_names(outline.conventions) is not None
    own = own_sources.names(outline)
    if not own and not is_named and not any(f"{folder}/" in outline.text for folder in folders):
        return NOTHING
    listed = sourcewords.listed(outline)
    marks: list[Mark] = []
    page_cites: list[Cite] = []
    for index, block in enumerate(outline.blocks):
        if not block.links and block not in outline.wiki:
            continue
        if block.definition >= 0 or block in listed or not (found := sorted(_targets(block, outline), key=_at)):
            marks += _beside(block, outline, own) if block.definition < 0 and block not in listed else ()
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


def _beside(block: Block, outline: Outline, own: frozenset[str]) -> Iterator[Mark]:
    """Marks for links to the page's own sources that are no words of a sentence, in a block without other targets."""
    links = [link for link in outline.wiki.get(block, ()) if not link.is_embed and _folded(link.target) in own]
    if not links or block.kind in ("heading", "cell") or is_listing(block, outline):
        return
    found = [stretches.located(stretches.of_wiki(link), block, len(block.text), in_sentence=True) for link in links]
    for one, cut in attribution.apart(block, found).items():
        if cut[1] > one.until or not _GOES_ON.match(block.text, cut[1]):
            yield _mark(one, cut, block, outline)


def _folded(target: str) -> str:
    return target.strip().casefold().removesuffix(".md")


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
        is_path = link.until > link.at and not link.is_image
        target = stretches.of_link(link) if is_path else None
        if target is not None and not target.is_url and written.has_suffix(target.path):
            yield from _source(target, block, outline)
    for wiki in outline.wiki.get(block, ()):
        if not wiki.is_embed:
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
