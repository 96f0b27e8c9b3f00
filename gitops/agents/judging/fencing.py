"""Text that is data: put between marks that it cannot hold, so that nothing in it passes for what stands outside."""

from __future__ import annotations

from gitops.agents.fencing import fence_code, revealed, storable

_PAGE = "\f"
_HINTS = {ord("\u00ad"): None, ord("\ufeff"): None}
"""Where a word may be hyphenated, and in which order bytes come: neither is part of what is said."""


def fenced(name: str, text: str) -> str:
    """A text between marks that are made from it: a source cannot know, and so not write, the mark that ends it."""
    mark = f"{name}-{fence_code(text)}"
    return f"<{mark}>\n{text}\n</{mark}>"


def plain(text: str) -> str:
    """A text that any server takes and of which every character is seen. Page breaks stay."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.translate(_HINTS).replace("\r\n", "\n").replace("\r", "\n")
    return _PAGE.join(storable(revealed(page)) for page in lines.split(_PAGE))
