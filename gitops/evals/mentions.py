"""Where a topic is spoken of: the pages and the statements that mention it, by whole words."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

from gitops.evals.statements import Stated, Statement, is_stating
from gitops.evals.topics import Topic, rank
from gitops.verify.view import View
from gitops.wiki.boundaries import begins_inside, ends_inside
from gitops.wiki.names import spaced
from gitops.wiki.terms import tokens

Holding = Callable[[Sequence[str]], Sequence[str]]
"""Some terms → the pages that hold every one of them, by the index: nothing is read for it."""
Read = Callable[[str], Stated]
"""What a page states."""


def candidates(view: View, topic: Topic, holding: Holding) -> set[str]:
    """The pages that have the words of one of the topic's names, together or apart; the topic's own among them."""
    found = {path for name in topic.names for path in holding(tokens(name))}
    return {path for path in found if is_stating(view, path)} | {topic.path}


def speaking(topic: Topic, paths: set[str], read: Read, seed: int, most: int, most_read: int) -> Iterator[str]:
    """At most so many of some pages that do mention the topic, drawn by hash, its own page first.

    At most `most_read` pages are read for it: where a name's words often stand apart, there may be fewer.
    """
    order = heapq.nsmallest(most_read, paths - {topic.path}, key=lambda path: rank(seed, topic.path, path))
    yield topic.path
    found = 1
    for path in order:
        if found == most:
            return
        if about(topic, read(path), path):
            found += 1
            yield path


def about(topic: Topic, stated: Stated, path: str) -> list[Statement]:
    """The statements of a page that are about a topic: those that mention it, all of them on the topic's own page.

    What is dated, struck out or said to be disputed speaks against nothing, and is left out.
    """
    standing = (one for one in stated.statements if not one.settled)
    return [one for one in standing if path == topic.path or mentions(topic, one.text)]


def mentions(topic: Topic, text: str) -> bool:
    """Whether a text has one of a topic's names, from word to word in any script; case and hyphens don't count."""
    searched = spaced(text)
    return any(_stands(name, searched) for name in topic.names)


def _stands(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        if not begins_inside(text, at) and not ends_inside(text, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False
