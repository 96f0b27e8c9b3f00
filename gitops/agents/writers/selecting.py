"""Which of a source's sentences go where: the best about a topic, the best of each section, in the source's order."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gitops.agents.writers.document import Sentence
from gitops.agents.writers.extracting import bearing
from gitops.agents.writers.phrases import keys, mentions, phrase

MOST = 12
"""Claims that one source brings to one page."""
LONGEST = 48
"""Claims of a page about a source."""
_NEAR_FRONT = 3
_LEAST = 0.3
"""Below this a sentence is talk and backs nothing."""


def about(sentences: Sequence[Sentence], names: Collection[str], most: int = MOST) -> tuple[Sentence, ...]:
    """The sentences that say most of what any of these names (`phrases.phrase`) means, in the source's order."""
    weighed = [(_weight(one, names), -one.start, one) for one in sentences if any(mentions(one.text, n) for n in names)]
    best = sorted((each for each in weighed if each[0] >= _LEAST), reverse=True)[:most]
    return in_order([one for _, _, one in best])


def overview(sentences: Sequence[Sentence], topics: Collection[str], most: int = 0) -> tuple[Sentence, ...]:
    """The best sentences of the whole source, from every section some, in the source's order; by default every other
    one, since this page is where people look for what a source says: at least `MOST`, at most `LONGEST`.
    """
    most = most or min(LONGEST, max(MOST, len(sentences) // 2))
    by_section: dict[str, list[tuple[float, int, Sentence]]] = {}
    for one in sentences:
        hits = sum(mentions(one.text, name) for name in topics)
        weight = bearing(one) * (1 + 0.25 * min(hits, 3))
        if weight >= _LEAST:
            by_section.setdefault(one.section, []).append((weight, -one.start, one))
    ranked = [sorted(each, reverse=True) for each in by_section.values()]
    chosen: list[Sentence] = []
    for depth in range(max(map(len, ranked), default=0)):
        layer = sorted((each[depth] for each in ranked if depth < len(each)), reverse=True)
        chosen += [one for _, _, one in layer[: most - len(chosen)]]
        if len(chosen) >= most:
            break
    return in_order(chosen)


def in_order(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """As they stand in the source."""
    return tuple(sorted(sentences, key=lambda one: one.start))


def _weight(one: Sentence, names: Collection[str]) -> float:
    """A sentence that begins with the name most likely says what it is; one that repeats the section's name, too."""
    opening = " ".join(keys(one.text)[:_NEAR_FRONT])
    is_subject = any(f" {name} " in f" {opening} " or opening.startswith(name) for name in names)
    is_headed = any(f" {name} " in f" {phrase(one.section)} " for name in names)
    return bearing(one) * (1.8 if is_subject else 1.0) * (1.3 if is_headed else 1.0)
