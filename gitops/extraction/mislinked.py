"""Edges that are missing and edges that are too many, told together where one stands in the place of the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from gitops.extraction.model import EdgeScore, Link, Stages
from gitops.okf.model import ORDERED

_SHOWN = 12
"""So many stages of a workflow are named at most."""


@dataclass(frozen=True, slots=True)
class Mislinked:
    """What is wrong about one edge, or two: `path` is a file that was extracted, `gold` one of the gold, '' for none.

    `source` is the gold's id of the atom that the edge begins at, where it has one.
    """

    what: str
    source: str
    path: str = ""
    line: int = 0
    gold: str = ""
    gold_line: int = 0


def mislinked(score: EdgeScore, missed: Collection[str] = (), spurious: Collection[str] = ()) -> list[Mislinked]:
    """All that is wrong about edges, stages last.

    Those that begin at an atom that is missed (its id in the gold) or spurious (the path of its file) are left out
    where they stand alone: they are wrong because their atom is.
    """
    lost = [link for link in score.missed if link.rel != ORDERED]
    extra = [link for link in score.spurious if link.rel != ORDERED]
    found = list(_instead(lost, extra))
    found += [_gone(link) for link in lost if link.source not in missed]
    found += [_more(link) for link in extra if link.path not in spurious]
    return [*found, *_stages(score, missed, spurious)]


_Key = tuple[str, ...]
_INSTEAD: Sequence[tuple[Callable[[Link], _Key], Callable[[Link], _Key], Callable[[Link, Link], str]]] = (
    (
        lambda lost: (lost.source, lost.rel, lost.target),
        lambda extra: (extra.target, extra.rel, extra.source),
        lambda lost, extra: f"{_edge(lost)} was extracted the other way round: {_edge(extra)}",
    ),
    (
        lambda lost: (lost.source, lost.target),
        lambda extra: (extra.source, extra.target),
        lambda lost, extra: f"{_edge(lost)} was extracted as {extra.rel}",
    ),
    (
        lambda lost: (lost.source, lost.rel),
        lambda extra: (extra.source, extra.rel),
        lambda lost, extra: f"{_edge(lost)} was extracted as leading to {extra.target}",
    ),
)
"""When one edge stands in the place of another (what both have in common), the surest first, and how that is told."""


def _instead(lost: list[Link], extra: list[Link]) -> Iterator[Mislinked]:
    """Take out of both lists what belongs together, in their order."""
    for key_of_lost, key_of_extra, words in _INSTEAD:
        waiting: dict[_Key, deque[Link]] = {}
        for link in extra:
            waiting.setdefault(key_of_extra(link), deque()).append(link)
        left: list[Link] = []
        taken: set[Link] = set()
        for one in lost:
            if others := waiting.get(key_of_lost(one)):
                taken.add(other := others.popleft())
                yield Mislinked(words(one, other), one.source, other.path, other.line, one.path, one.line)
            else:
                left.append(one)
        lost[:], extra[:] = left, [link for link in extra if link not in taken]


def _gone(link: Link) -> Mislinked:
    return Mislinked(f"{_edge(link)} was not extracted", link.source, gold=link.path, gold_line=link.line)


def _more(link: Link) -> Mislinked:
    return Mislinked(f"{_edge(link)} is not in the gold", link.source, link.path, link.line)


def _stages(score: EdgeScore, missed: Collection[str], spurious: Collection[str]) -> Iterator[Mislinked]:
    lines = {link.source: link for link in score.missed if link.rel == ORDERED}
    extra = {link.source: link for link in score.spurious if link.rel == ORDERED}
    for one in score.stages:
        gold, emitted = lines.get(one.workflow), extra.get(one.workflow)
        is_told = one.workflow in missed or (emitted is not None and emitted.path in spurious)
        if one.is_exact or is_told:
            continue
        yield Mislinked(
            _sequences(one),
            one.workflow,
            emitted.path if emitted else "",
            emitted.line if emitted else 0,
            gold.path if gold else "",
            gold.line if gold else 0,
        )


def _sequences(one: Stages) -> str:
    if not one.emitted:
        return f"{one.workflow}: no stages were extracted, the gold has {_path(one.gold)}"
    if not one.gold:
        return f"{one.workflow}: stages {_path(one.emitted)} were extracted, the gold has none"
    return f"{one.workflow}: stages {_path(one.emitted)} were extracted, the gold has {_path(one.gold)}"


def _path(ids: Sequence[str]) -> str:
    more = " → …" if len(ids) > _SHOWN else ""
    return " → ".join(ids[:_SHOWN]) + more


def _edge(link: Link) -> str:
    return f"{link.source} {link.rel} {link.target}"
