"""Pairs of statements about one topic on different pages: a sample of them without bias, the same in every clone."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from gitops.canonical import digest
from gitops.evals import mentions
from gitops.evals.mentions import Holding, Read
from gitops.evals.statements import Stated, Statement, stated
from gitops.evals.topics import Topic, drawn, rank
from gitops.verify.view import View

MOST_PAIRS = 200
"""Of one topic."""
MOST_PAGES = 40
"""Of those that mention a topic, so many are looked at."""
MOST_READ = 120
"""And so many are read to find them."""
MOST_OF_PAGE = 12
"""Of the statements of one page about one topic."""
TRIED = 5
"""Topics are drawn until there are as many as wanted that two pages speak of, from so many times as many at most."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements of different pages about one topic, in the order of their ids."""

    topic: Topic
    a: Statement
    b: Statement

    @property
    def id(self) -> str:
        """The digest of both: the same in every revision that has them, whatever topic led to them."""
        return digest([self.a.id, self.b.id])[:16]


@dataclass(frozen=True, slots=True)
class Sampled:
    """One topic: the pages that mention it by the index, those that were looked at, its pairs, those that were drawn.

    `same` counts pairs that say the same words, `disputed` those that both pages say to be at odds: neither is asked.
    """

    topic: Topic
    mentioning: int
    pages: tuple[str, ...] = ()
    of: int = 0
    pairs: tuple[Pair, ...] = ()
    same: int = 0
    disputed: int = 0


@dataclass
class Reading:
    """Reads pages, each once, and only those that are asked for."""

    view: View
    read: dict[str, Stated] = field(default_factory=dict)

    def __call__(self, path: str) -> Stated:
        """What a page states."""
        if path not in self.read:
            self.read[path] = stated(self.view.page(path), path)
        return self.read[path]


def sample(view: View, holding: Holding, seed: int, topics: int) -> Iterator[Sampled]:
    """Topics with their pairs, until so many have any; those that only one page speaks of come without.

    A pair that two topics lead to is the first one's.
    """
    reading = Reading(view)
    found, taken = 0, set[str]()
    for number, topic in enumerate(drawn(view, seed)):
        if found == topics or number == topics * TRIED:
            return
        one = of_topic(view, topic, holding, reading, seed, taken)
        taken.update(pair.id for pair in one.pairs)
        found += bool(one.pairs)
        yield one


def of_topic(view: View, topic: Topic, holding: Holding, read: Read, seed: int, taken: set[str]) -> Sampled:
    """The pairs of one topic, less those that are `taken` already."""
    paths = mentions.candidates(view, topic, holding)
    if len(paths) < 2:
        return Sampled(topic, len(paths))
    pages = tuple(mentions.speaking(topic, paths, read, seed, MOST_PAGES, MOST_READ))
    said = {path: _drawn(mentions.about(topic, read(path), path), seed) for path in pages}
    ranked: list[tuple[bytes, Statement, Statement]] = []
    same = disputed = 0
    for one, other in _across(said):
        if one.words == other.words:
            same += 1
        elif read(one.path).disputes_both(one, other) and read(other.path).disputes_both(one, other):
            disputed += 1
        else:
            a, b = sorted((one, other), key=lambda each: each.id)
            ranked.append((rank(seed, a.id, b.id), a, b))
    ranked.sort(key=lambda each: each[0])
    every = (Pair(topic, a, b) for _, a, b in ranked)
    pairs = tuple(islice((pair for pair in every if pair.id not in taken), MOST_PAIRS))
    return Sampled(topic, len(paths), pages, len(ranked), pairs, same, disputed)


def _drawn(statements: Sequence[Statement], seed: int) -> list[Statement]:
    return heapq.nsmallest(MOST_OF_PAGE, statements, key=lambda one: rank(seed, one.id))


def _across(said: Mapping[str, Sequence[Statement]]) -> Iterator[tuple[Statement, Statement]]:
    for one, other in combinations(said.values(), 2):
        yield from product(one, other)
