"""The frontmatter of a synthesis: what the policy requires of every page, and what the wiki's pages have as a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gitops.config import Config
from gitops.wiki.model import Page

_SHARE = 0.6
"""Of the pages, the share that must have a field for the synthesis to have it too, where it is not required."""
_DATES = ("date", "created", "updated", "last_updated", "last-updated", "modified", "timestamp", "generated")
_TITLES = ("title", "name")
_KINDS = ("type", "kind", "category")
_LISTS = ("tags", "aliases", "related", "keywords")


def frontmatter(config: Config, pages: Sequence[Page], title: str, day: str, sources: Sequence[str]) -> dict[str, Any]:
    """The fields with their values. Where a required field is none that is known, what most pages say there."""
    held = Counter(name for page in pages for name in page.frontmatter)
    known = _known(title, day)
    usual = [name for name, number in held.items() if number >= _SHARE * len(pages) and name in known]
    wanted = dict.fromkeys([*sorted(usual, key=list(known).index), *config.pages.required])
    return {name: _value(name, known, config, pages, sources) for name in wanted}


def _known(title: str, day: str) -> dict[str, Any]:
    values: dict[str, Any] = dict.fromkeys(_TITLES, title)
    values |= dict.fromkeys(_KINDS, "synthesis")
    values |= {"description": f"What came into the wiki by {day}.", "summary": f"What came into the wiki by {day}."}
    return values | dict.fromkeys(_DATES, day) | {"tags": ["synthesis"]}


def _value(name: str, known: Mapping[str, Any], config: Config, pages: Sequence[Page], sources: Sequence[str]) -> Any:
    if name in known:
        return known[name]
    if name in config.citations.fields:
        return list(sources)
    values = [page.frontmatter[name] for page in pages if page.frontmatter.get(name) not in (None, "", [])]
    if not values or isinstance(values[0], list) or name in _LISTS:
        return ["synthesis"]
    told = Counter(str(value) for value in values)
    return told.most_common(1)[0][0]
