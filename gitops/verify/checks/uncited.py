"""A sentence that a change adds stands in a block that cites a source.

Headings, lead-ins, list items that are links alone, the index, the log and exempt globs (`[pages] exempt`)
owe none, nor does a page that names its sources as a whole. What names no source here, an address, a mere name, a
remark in a footnote, is no citation of one. Prose in an HTML block, where nothing can cite, is owed
one too. What stood at the base already is not new and does not gate.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from gitops.verify.backing import backs
from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt
from gitops.wiki.conventions import CANONICAL
from gitops.wiki.page import sentences

_CITE = "cite the source that says so, or leave the sentence out"


def examine(at: PageAt) -> Iterator[Draft]:
    """The uncited sentences of the page."""
    layout = at.view.layout
    if at.path in (layout.index, layout.log):
        return
    if any(fnmatchcase(layout.inside(at.path), pattern) for pattern in at.view.config.pages.exempt):
        return
    # A wiki that was not adopted may be read anywhere, where Obsidian's comments and titles are plain text.
    is_adopted = at.view.config.citations.dialects != CANONICAL.dialects
    for sentence in sentences(at.page, backs(at.view, at.path), is_obsidian=is_adopted):
        if not sentence.cited and not sentence.free:
            message = "no source is cited in this " + ("paragraph" if sentence.block == "paragraph" else sentence.block)
            is_html = sentence.block == "HTML block"
            repair = "write it in Markdown and cite its source" if is_html else _CITE
            yield Draft("uncited", message, sentence.text, at.path, sentence.place, sentence.text, repair=repair)


CHECK = Check(scope="page", version=3, results={"uncited": Level.WARNING}, page=examine, of_additions=True)
