"""Pages that belong together: those that link to one another and share the terms of what is new on them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from gitops.wiki.terms import STOP_WORDS, tokens

MOST = 5
"""A topic has no more pages than this: beyond it the wiki as a whole would be one."""
_NEAR = 0.20
"""Pages from this nearness on are of one topic."""
_LINKED = 0.12
"""What a link from one page to another adds to the cosine of their terms; one back adds it again."""
_TITLE_WEIGHT = 3

Vector = Mapping[str, float]


def topics(pages: Mapping[str, tuple[str, Sequence[str]]], links: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Paths with title and statements, and which links to which → the topics, each with its pages, the fullest first.

    The nearest two topics are joined as long as their pages are near one another on average.
    """
    vectors = _vectors({path: _words(*said) for path, said in pages.items()})
    linked = Counter(frozenset(each) for each in links)
    near = {
        (a, b): _cosine(vectors[a], vectors[b]) + _LINKED * min(2, linked[frozenset((a, b))])
        for a, b in combinations(sorted(pages), 2)
    }
    groups = _joined([(path,) for path in sorted(pages)], near)
    sized = [tuple(sorted(group, key=lambda path: (-len(pages[path][1]), path))) for group in groups]
    return sorted(sized, key=lambda group: (-sum(len(pages[path][1]) for path in group), group))


def _joined(groups: list[tuple[str, ...]], near: Mapping[tuple[str, str], float]) -> list[tuple[str, ...]]:
    means = {(a, b): near[a[0], b[0]] for a, b in combinations(groups, 2)}
    while means:
        (one, other), mean = max(means.items(), key=lambda each: (each[1], each[0]))
        if mean < _NEAR:
            break
        del means[one, other]
        if len(one) + len(other) > MOST:
            continue
        both = one + other
        groups = [group for group in groups if group not in (one, other)]
        means = {pair: value for pair, value in means.items() if not {one, other} & set(pair)}
        means |= {(group, both): _mean(group, both, near) for group in groups}
        groups.append(both)
    return groups


def _mean(one: Sequence[str], other: Sequence[str], near: Mapping[tuple[str, str], float]) -> float:
    return sum(near[min(a, b), max(a, b)] for a in one for b in other) / (len(one) * len(other))


def _words(title: str, statements: Sequence[str]) -> Counter[str]:
    words = Counter(tokens(" ".join(statements)))
    for word in tokens(title):
        words[word] += _TITLE_WEIGHT
    return Counter({word: number for word, number in words.items() if word not in STOP_WORDS})


def _vectors(words: Mapping[str, Counter[str]]) -> dict[str, Vector]:
    """TF-IDF among these pages, of length 1; how often a word stands counts by its logarithm."""
    held = Counter(word for counted in words.values() for word in counted)
    found: dict[str, Vector] = {}
    for path, counted in words.items():
        weights = {w: (1 + math.log(n)) * math.log((1 + len(words)) / held[w]) for w, n in counted.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        found[path] = {word: weight / length for word, weight in weights.items()}
    return found


def _cosine(one: Vector, other: Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return math.fsum(weight * other.get(word, 0.0) for word, weight in one.items())
