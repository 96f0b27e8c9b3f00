"""What a new gold query might expect: the pages that a search finds for it, and the sources that it finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gitops.runs import searching
from gitops.runs.context import Context
from gitops.runs.gold_checking import slug_of
from gitops.runs.workspace import Workspace
from gitops.wiki import searchwords
from gitops.wiki.layout import is_about_wiki, is_entry

_CHUNKS = 24
_MOST = 5


@dataclass(frozen=True, slots=True)
class Suggested:
    """Slugs of pages and paths of sources, the nearest first."""

    topics: tuple[str, ...]
    citations: tuple[str, ...]


def suggest(context: Context, workspace: Workspace, commit: str, query: str) -> Suggested:
    """The pages and sources that a search finds for a question at a commit. `Absent` where this clone lacks them."""
    words = searchwords.asked(query)
    with searching.opened(context, workspace, commit, "all") as searcher:
        pages = [hit.path for hit in searcher.find(words, _CHUNKS, "wiki")]
        sources = [hit.path for hit in searcher.find(words, _CHUNKS, "raw")]
    layout = workspace.layout
    told = (path for path in pages if path != layout.index and not is_entry(path) and not is_about_wiki(path))
    return Suggested(_first(map(slug_of, told)), _first(map(layout.cited, sources)))


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:_MOST]
