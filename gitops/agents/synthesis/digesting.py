"""Puts together what a synthesis has to say: which claims, in which topics, beside what else is said of the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from gitops.agents.synthesis.carrying import Statement, carried
from gitops.agents.synthesis.changes import Changes, News
from gitops.agents.synthesis.comparing import Pair, pairs
from gitops.agents.synthesis.digest import Digest, Part, Topic
from gitops.agents.synthesis.topics import topics
from gitops.verify.judge import Judge
from gitops.verify.view import View
from gitops.wiki.dated import normalised
from gitops.wiki.layout import is_entry
from gitops.wiki.reach import standing
from gitops.wiki.walks import linked_from

_LEANS = re.compile(
    r"[:：]\s*$|\b(?:table|list|diagram|figure|chart|section)s? (?:below|above)\b|\bthe table\b", re.IGNORECASE
)
"""What says nothing without what stands around it on its page."""
_MOST_PAGES = 150
"""No more pages than this are told of by their claims, however many have news."""
_MOST_STANDING = 2_000
_MOST_BESIDE = 300
"""So many pages beside the new ones are asked what they say of the same things."""


def digest(
    view: View, found: Changes, judge: Judge, onto: str, most: int, refused: frozenset[str] = frozenset()
) -> Digest:
    """Put together what is new, with at most so many claims; those with `refused` (normalised) words are unread."""
    told = [news for news in _once(found.news) if not _LEANS.search(news.claim.text)]
    said, unread = _read(view, _of_fullest(told, most), onto, refused)
    holding, dated = [each for each in said if not each.news.day], [each for each in said if each.news.day]
    compared = pairs(holding, _beside(view, {each.path for each in holding}, found, onto, refused), judge)
    compared = compared[: max(1, most // 4)]
    left = max(0, most - 2 * len(compared))
    dated = dated[: max(1, left // 4)]
    made = Digest(
        _topics(view, holding, compared, left - len(dated)),
        tuple(pair for pair in compared if pair.kind == "open"),
        tuple(dated),
        *_unlinked(view, found.touched),
        unread,
        _bare(found),
        len(told),
        0,
        len({news.path for news in told}),
    )
    return replace(made, shown=len({id(each) for each in made.statements}))


def _of_fullest(news: Sequence[News], most: int) -> list[News]:
    """The news of as many pages as can be shown, those with most news."""
    counts = Counter(each.path for each in news)
    ranked = sorted(counts, key=lambda path: (-counts[path], path))
    shown = set(ranked[: min(most, _MOST_PAGES)])
    return [each for each in news if each.path in shown]


def _read(
    view: View, news: Iterable[News], onto: str, refused: frozenset[str]
) -> tuple[list[Statement], Mapping[str, int]]:
    """What can be said elsewhere, and of the rest how many claims there are by page."""
    said, unread = [], Counter[str]()
    for each in news:
        statement = carried(view, each, onto)
        if statement is None or normalised(statement.text) in refused:
            unread[each.path] += 1
        else:
            said.append(statement)
    return said, dict(sorted(unread.items()))


def _topics(view: View, holding: Sequence[Statement], compared: Sequence[Pair], most: int) -> tuple[Topic, ...]:
    paired = {id(each) for pair in compared for each in (pair.a, pair.b)}
    groups = topics(_by_page(holding), _links(view, {each.path for each in holding}))
    shown = _chosen([each for each in holding if id(each) not in paired], groups, most)
    made = (_topic(group, holding, shown, compared) for group in groups)
    return tuple(topic for topic in made if topic.parts or topic.alike)


def _unlinked(view: View, paths: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The islands and the orphans among pages."""
    stand = {path: standing(view.graph, view.layout, path) for path in paths[:_MOST_STANDING] if not is_entry(path)}
    islands, orphans = ([path for path, how in stand.items() if how == wanted] for wanted in ("island", "orphan"))
    return tuple(islands), tuple(orphans)


def _bare(found: Changes) -> tuple[str, ...]:
    said = {news.path for news in found.news}
    return tuple(path for path in found.added if path not in said and not is_entry(path))


def _once(news: Iterable[News]) -> list[News]:
    """Each claim once, by its words: pages repeat one another."""
    seen: dict[str, News] = {}
    for each in news:
        heads = "\0".join(each.claim.context[:2]) if each.claim.block == "cell" else ""
        seen.setdefault(f"{normalised(each.claim.text)}\0{normalised(heads)}", each)
    return list(seen.values())


def _beside(view: View, paths: set[str], found: Changes, onto: str, refused: frozenset[str]) -> list[Statement]:
    """What pages that have news, or are linked from there, said before."""
    fresh = {(each.path, each.claim.place.start) for each in found.news}
    linked = sorted(set(chain.from_iterable(linked_from(view.graph, view.layout, path) for path in sorted(paths))))
    folder = onto.rpartition("/")[0] + "/"
    skipped = (view.layout.index, view.layout.log)
    near = [path for path in linked if path not in paths and not path.startswith(folder) and path not in skipped]
    read = [*sorted(paths), *near[:_MOST_BESIDE]]
    old = (
        News(path, claim, "new")
        for path in read
        for claim in view.page(path).claims
        if (path, claim.place.start) not in fresh and not claim.is_struck
    )
    return _read(view, old, onto, refused)[0]


def _by_page(said: Iterable[Statement]) -> dict[str, tuple[str, list[str]]]:
    found: dict[str, tuple[str, list[str]]] = {}
    for each in said:
        found.setdefault(each.path, (each.title, []))[1].append(each.text)
    return found


def _links(view: View, paths: set[str]) -> list[tuple[str, str]]:
    return [(path, to) for path in sorted(paths) for to in linked_from(view.graph, view.layout, path) if to in paths]


def _chosen(rest: Sequence[Statement], groups: Iterable[Sequence[str]], most: int) -> set[int]:
    """Which statements are shown: a page's first, then every page's second, and so on, until there are enough.

    Sentences come before the cells of tables.
    """
    order = {path: number for number, path in enumerate(chain.from_iterable(groups))}
    rounds: Counter[str] = Counter()
    ranked = []
    for each in sorted(rest, key=lambda each: each.news.claim.block == "cell"):
        ranked.append((rounds[each.path], order[each.path], id(each)))
        rounds[each.path] += 1
    return {number for _, _, number in sorted(ranked)[: max(0, most)]}


def _topic(group: Sequence[str], said: Sequence[Statement], shown: set[int], compared: Sequence[Pair]) -> Topic:
    parts = []
    for path in group:
        mine = [each for each in said if each.path == path]
        statements = tuple(each for each in mine if id(each) in shown)
        if statements:
            parts.append(Part(path, statements, len(mine)))
    alike = (pair for pair in compared if pair.kind == "alike" and pair.a.path in group)
    return Topic(tuple(parts), tuple(alike))
