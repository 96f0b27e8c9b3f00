"""Sources in the frontmatter, cited by footnotes whose labels are their ids (Open Knowledge Format 0.2, §5.1).

`sources: [{id: rev-policy, resource: policies/revenue.md}]` and `[^rev-policy]`: the label is the key, and the words of
the definition, if there is one, are not read. An entry that no footnote uses backs the page as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from gitops.wiki import footnotes, locators, written
from gitops.wiki.model import Cite, How, Place
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "okf"


class _Entry(NamedTuple):
    id: str
    resource: str


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """The source whose id is the definition's label."""
    label = footnotes.fold(definition.label)
    if not any(footnotes.fold(entry.id) == label for entry in _entries(outline.frontmatter)):
        return None
    return _labels(outline)[label]


def read(outline: Outline) -> Reading:
    """Every source for the page; the ids are labels that need no definition."""
    if not any(_entries(outline.frontmatter)):
        return NOTHING
    return Reading(page_cites=tuple(cite for _, cite in _cites(outline)), labels=_labels(outline))


def _labels(outline: Outline) -> dict[str, tuple[Cite, ...]]:
    labels: dict[str, tuple[Cite, ...]] = {}
    for entry, cite in _cites(outline):
        if entry.id:
            labels.setdefault(footnotes.fold(entry.id), (cite,))
    return labels


def _entries(frontmatter: Mapping[str, Any]) -> Iterator[_Entry]:
    """The entries of `sources` that name a resource; one mapping stands for a list of one, as it does elsewhere."""
    sources = frontmatter.get("sources")
    for one in [sources] if isinstance(sources, dict) else sources if isinstance(sources, list) else ():
        if isinstance(one, dict) and isinstance(one.get("resource"), str) and one["resource"].strip():
            name = one.get("id")
            yield _Entry(str(name) if isinstance(name, str | int) else "", one["resource"].strip())


def _cites(outline: Outline) -> Iterator[tuple[_Entry, Cite]]:
    at = outline.text.find("sources", 0, outline.body)
    for entry in _entries(outline.frontmatter):
        place = _place(entry.resource, outline, max(at, 0))
        at = place.end
        yield entry, _cite(entry.resource, place)


def _cite(resource: str, place: Place) -> Cite:
    """A path is relative to the page or, with `/`, to the bundle's root (§6.2); words name what nobody can open."""
    if written.has_scheme(resource):
        return Cite(ID, written.composed(resource), place, how="link")
    path, _, fragment = resource.partition("#")
    located = locators.of_fragment(fragment)
    how: How = "link" if "/" in path or written.has_suffix(path) else "loose"
    if " " in path and not written.has_suffix(path):
        how = "loose"
    return Cite(
        ID,
        written.composed(unquote(path)),
        place,
        how=how,
        first_page=located.first_page if located else None,
        last_page=located.last_page if located else None,
        locator=located.locator if located else None,
    )


def _place(resource: str, outline: Outline, at: int) -> Place:
    """Where the frontmatter has a resource; of one that YAML folds or escapes, its key."""
    value = re.compile(rf"""resource["']?[ \t]*:\s*["']?({re.escape(resource)})""")
    found = value.search(outline.text, at, outline.body)
    if found is None and (key := re.compile(r"(resource)[\"']?[ \t]*:").search(outline.text, at, outline.body)):
        found = key
    return outline.lines.place(*found.span(1)) if found else outline.lines.place(at, at)
