"""The names by which a page calls its own sources: in its frontmatter, and in its list of them.

What stands for a source and what not can seldom be told by a link's name. That the page says so can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gitops.wiki import sourcewords
from gitops.wiki.outline import Outline

_WIKI = re.compile(r"\[\[([^\[\]|#\n]+)")
_NAME = re.compile(r"[^\s/\[\]|#:]{3,120}")


def names(outline: Outline) -> frozenset[str]:
    """Link targets of the page's own sources, casefolded, without `.md`."""
    if "[[" not in outline.text:
        return frozenset()
    fields = {field.casefold() for field in outline.conventions.fields}
    keys = [key for key in outline.frontmatter if str(key).casefold() in fields]
    found = {_folded(said) for key in keys for said in _named(outline.frontmatter[key])}
    for _, section in sourcewords.list_sections(outline):
        for block in section:
            if block.kind == "item":
                found.update(_folded(link.target) for link in outline.wiki.get(block, ())[:1])
    return frozenset(found)


def _named(value: Any) -> Iterator[str]:
    """The wiki-links, and the bare names, of a value or a list of them."""
    if isinstance(value, list):
        for one in value:
            yield from _named(one)
    elif isinstance(value, str):
        linked = _WIKI.findall(value)
        yield from linked or (_NAME.findall(value) if _NAME.fullmatch(value) else ())


def _folded(target: str) -> str:
    return target.strip().casefold().removesuffix(".md")
