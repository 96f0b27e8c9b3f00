"""The topics of a wiki: the pages that its index leads to, drawn in an order that stays the same over history."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from gitops.canonical import dumps
from gitops.evals.statements import is_stating
from gitops.runs.views import PARSER_VERSION
from gitops.verify.view import View
from gitops.wiki.graph import entries, resolved
from gitops.wiki.layout import is_entry
from gitops.wiki.model import Page
from gitops.wiki.names import ALIAS, FOLDER, HEADING, TITLE, called, without_suffix
from gitops.wiki.terms import STOP_WORDS, tokens

VERSION = 1
"""Part of the key under which an index page's links are kept in order; rises with another order."""
KEPT = 128
"""So many links of an index page are kept in the order in which they are drawn; the rest is ranked when needed."""
_KIND = "topics"
_TAGS = (TITLE, ALIAS, HEADING, FOLDER)


@dataclass(frozen=True, slots=True)
class Topic:
    """A page that the index leads to, and what the topic is called: its title, its aliases, the name of its file.

    `names` are folded as `names.spaced` does it; those that are no word that an index knows are left out.
    """

    path: str
    title: str
    names: tuple[str, ...]


def rank(seed: int, *parts: str) -> bytes:
    """What a sample is drawn by, smallest first: the sha256 of the seed and of what is drawn, and of nothing else."""
    return sha256("\0".join((str(seed), *parts)).encode("utf-8", "surrogatepass")).digest()


def drawn(view: View, seed: int) -> Iterator[Topic]:
    """Every topic of the index, in the order in which they are drawn; of a page that is not asked for nothing is read.

    An index that leads to the index page of a folder leads to what that one leads to.
    """
    seen: set[str] = set()
    for lead in heapq.merge(*(_in_order(view, path, seed) for path in _indexes(view, seed))):
        found = resolved(view.graph, view.layout, lead.path, lead.kind, lead.target)
        if found.status != "ok" or found.paths[0] in seen:
            continue
        seen.add(found.paths[0])
        if is_stating(view, found.paths[0]) and view.snapshot.blob(found.paths[0]) is not None:
            yield topic(view, found.paths[0])


class _Lead(NamedTuple):
    """A link of an index page; they are drawn by rank."""

    rank: str
    path: str
    kind: str
    target: str


def _indexes(view: View, seed: int) -> list[str]:
    """The index, and the index pages that it leads to, and those that they lead to; without one, every folder's."""
    graph, layout = view.graph, view.layout
    found = [layout.index] if graph.exists(layout.index) else sorted(entries(graph, layout))
    seen = set(found)
    for path in found:
        for kind, target in _kept(view, path, seed)["entries"]:
            for to in resolved(graph, layout, path, kind, target).paths:
                if to not in seen and is_entry(to) and layout.is_page(to):
                    seen.add(to)
                    found.append(to)
    return found


def _in_order(view: View, path: str, seed: int) -> Iterator[_Lead]:
    kept = _kept(view, path, seed)
    leads = (_Lead(ranked, path, kind, target) for ranked, kind, target in kept["leads"])
    yield from leads
    if kept["has_more"]:
        rest = _ranked(view, path, seed)["leads"]
        yield from (_Lead(ranked, path, kind, target) for ranked, kind, target in rest[KEPT:])


def _kept(view: View, path: str, seed: int) -> dict[str, Any]:
    """What an index page leads to, as much of it as will be drawn: kept by its blob, for an index may have 100,000
    links, and to rank them all takes longer than to read what is drawn.
    """
    cache, key = view.library.cache, f"{view.snapshot.blob(path)} {seed}"
    version = f"{VERSION}.{PARSER_VERSION}"
    if (known := _read(cache.get(_KIND, version, key))) is not None:
        return known
    ranked = _ranked(view, path, seed)
    found = {**ranked, "leads": ranked["leads"][:KEPT], "has_more": len(ranked["leads"]) > KEPT}
    cache.put(_KIND, version, key, dumps(found).encode())
    return found


def _read(kept: bytes | None) -> dict[str, Any] | None:
    """What was kept; None for nothing, and for what is damaged."""
    try:
        value = json.loads(kept or b"null")
    except ValueError:
        return None
    return value if isinstance(value, dict) and set(value) == {"leads", "entries", "has_more"} else None


def _ranked(view: View, path: str, seed: int) -> dict[str, Any]:
    leads, onward = [], []
    for kind, target, _ in view.graph.links(path):
        if target.endswith("/") or is_entry(f"{without_suffix(target)}.md"):
            onward.append([kind, target])
        else:
            leads.append([rank(seed, target).hex()[:16], kind, target])
    return {"leads": sorted(leads), "entries": onward, "has_more": False}


def topic(view: View, path: str) -> Topic:
    """What a page is about, by what it is called."""
    page = view.page(path)
    keys = called(page, path, view.layout.index)
    names = dict.fromkeys(map(_untagged, keys))
    return Topic(path, _title(page) or path.rpartition("/")[2], tuple(name for name in names if _is_word(name)))


def _untagged(key: str) -> str:
    return next((key.removeprefix(tag) for tag in _TAGS if key.startswith(tag)), key)


def _title(page: Page) -> str:
    title = page.frontmatter.get("title")
    if isinstance(title, str | int | float) and str(title).strip():
        return str(title).strip()
    return next((heading.text.strip() for heading in page.headings if heading.level == 1), "")


def _is_word(name: str) -> bool:
    """Whether a name can be looked up and says anything: `the` and `2024` do not."""
    return any(word not in STOP_WORDS for word in tokens(name))
