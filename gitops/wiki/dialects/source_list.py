"""A list or table of sources under a heading of its own: `## Sources`, `## 출처`, `### 3. References:`.

Each item is one citation of the page: its link, wiki-link, code span or path, else what it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitops.wiki import sourcewords, stretches
from gitops.wiki.blocks import Block
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "source_list"


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """What the items under such headings name."""
    found: list[Cite] = []
    for level, section in sourcewords.list_sections(outline):
        found += _section(section, outline, has_words=level > 1)
    return Reading(page_cites=tuple(found)) if found else NOTHING


def _section(blocks: Sequence[Block], outline: Outline, *, has_words: bool) -> Iterator[Cite]:
    """The cites of a section; under a page's own title, where prose stands too, only those of files and links."""
    cited_rows: set[tuple[int, int]] = set()
    for block in blocks:
        if block.definition >= 0 or block.kind == "heading" or block.is_lead:
            continue
        if block.kind == "cell":
            row = (block.table, block.row)
            if block.row and row not in cited_rows and (cites := _cites(block, outline, words=False)):
                cited_rows.add(row)
                yield from cites
        else:
            yield from _cites(block, outline, words=has_words and block.kind == "item")


def _cites(block: Block, outline: Outline, *, words: bool) -> tuple[Cite, ...]:
    return stretches.cites(block, outline, 0, len(block.text), ID, words=words)
