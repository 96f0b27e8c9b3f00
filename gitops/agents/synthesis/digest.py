"""What a synthesis has to say, as values: topics with their statements, pairs, and what is left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from gitops.agents.synthesis.carrying import Statement
from gitops.agents.synthesis.comparing import Pair


@dataclass(frozen=True, slots=True)
class Part:
    """A page within a topic: the statements shown, in its order, and how many there are."""

    path: str
    statements: tuple[Statement, ...]
    claims: int


@dataclass(frozen=True, slots=True)
class Topic:
    """Pages that belong together, and what different sources say alike on them."""

    parts: tuple[Part, ...]
    alike: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """All of it. `unread` has the pages with claims whose citations could not be carried over, and how many."""

    topics: tuple[Topic, ...] = ()
    open: tuple[Pair, ...] = ()
    dated: tuple[Statement, ...] = ()
    islands: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    unread: Mapping[str, int] = field(default_factory=dict)
    bare: tuple[str, ...] = ()
    """Pages that came in and of which no claim by itself cites a source."""
    claims: int = 0
    shown: int = 0
    pages: int = 0

    @property
    def statements(self) -> list[Statement]:
        """All statements that are shown."""
        parts = chain.from_iterable(topic.parts for topic in self.topics)
        paired = chain(self.open, *(topic.alike for topic in self.topics))
        return [*chain(*(part.statements for part in parts)), *chain(*((p.a, p.b) for p in paired)), *self.dated]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say that cites a source."""
        return not self.statements
