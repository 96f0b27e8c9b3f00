"""Simulated conversations whose needs are known: what weights are tried on before anybody's conversation is.

A conversation wanders between topics: it stays, goes on to a new one, or comes back to one it had left. Each turn
brings what is said (chronicle), at times what tools showed (workspace) or what was remembered (memory), all about the
topic. And each turn needs some of the items that came before; which, is drawn as the `World` says, beforehand and for
good: what is evicted changes nothing of what is needed. So weights can be compared on the same conversation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from random import Random

from gitops.eviction.model import ContextItem, ContextZone


@dataclass(frozen=True, slots=True)
class Need:
    """How an item of a zone is needed: a chance in each turn of its topic, falling with its age, and at other times.

    `life` is the age in turns at which the chance has fallen to a third.
    """

    on_topic: float
    life: float
    off_topic: float = 0.0


@dataclass(frozen=True, slots=True)
class World:
    """How conversations go: what they need of each zone, how many turns they have, how they wander."""

    name: str
    needs: Mapping[ContextZone, Need]
    turns: int = 60
    stays: float = 0.7
    """The chance that a turn has the topic of the one before."""
    returns: float = 0.6
    """The chance that it comes back to another topic, where it does not stay."""


RETURNING = World(
    "returning",
    {
        "chronicle": Need(on_topic=0.25, life=60.0, off_topic=0.002),
        "memory": Need(on_topic=0.1, life=1000.0, off_topic=0.03),
        "workspace": Need(on_topic=0.5, life=2.0),
    },
)
"""Topics come back, and with them what was said of them; what tools showed is stale after a few turns."""
EPHEMERAL = World(
    "ephemeral",
    {
        "chronicle": Need(on_topic=0.4, life=4.0),
        "memory": Need(on_topic=0.1, life=8.0),
        "workspace": Need(on_topic=0.5, life=3.0),
    },
    returns=0.1,
)
"""Topics hardly ever come back, and everything is stale soon."""
WORLDS = {world.name: world for world in (RETURNING, EPHEMERAL)}
_SIZES: dict[ContextZone, tuple[int, int]] = {"chronicle": (40, 300), "memory": (60, 250), "workspace": (200, 1500)}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: which items it needs, and which come in with it."""

    number: int
    topic: int
    needed: frozenset[str]
    arriving: tuple[ContextItem, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with everything that it is going to need."""

    scope: str
    turns: tuple[Turn, ...]

    def needed_within(self, ctx_id: str, turn: int, horizon: int) -> bool:
        """Whether an item is needed in one of the turns after this one, up to so many."""
        return any(ctx_id in each.needed for each in self.turns[turn + 1 : turn + 1 + horizon])


@dataclass(slots=True)
class _Item:
    """An item while a conversation is drawn: when it was last needed, and how often."""

    item: ContextItem
    topic: int
    last: int
    references: int = 0


def conversation(world: World, seed: int) -> Conversation:
    """The conversation of a world and a seed: always the same."""
    draw = Random(f"{world.name} {seed}")
    known: list[_Item] = []
    turns: list[Turn] = []
    topic, topics = 0, 1
    for number in range(world.turns):
        if number and draw.random() > world.stays:
            topic, topics = _next(draw, world, topic, topics)
        needed = frozenset(each.item.ctx_id for each in known if draw.random() < _chance(world, each, topic, number))
        for each in known:
            if each.item.ctx_id in needed:
                each.last, each.references = number, each.references + 1
        arriving = _arriving(draw, number)
        known += [_Item(item, topic, number) for item in arriving]
        turns.append(Turn(number, topic, needed, arriving))
    return Conversation(f"{world.name}-{seed}", tuple(turns))


def _next(draw: Random, world: World, topic: int, topics: int) -> tuple[int, int]:
    """Another topic, and how many there are then."""
    if topics > 1 and draw.random() < world.returns:
        return draw.choice([each for each in range(topics) if each != topic]), topics
    return topics, topics + 1


def _arriving(draw: Random, number: int) -> tuple[ContextItem, ...]:
    """What a turn brings: two parts of what is said, often what a tool showed, now and then what was remembered."""
    zones: list[ContextZone] = ["chronicle", "chronicle"]
    zones += ["workspace"] * draw.choice((0, 1, 1, 2))
    zones += ["memory"] * (draw.random() < 0.25)
    return tuple(
        ContextItem(
            ctx_id=f"t{number}-{place}",
            zone=zone,
            token_count=draw.randint(*_SIZES[zone]),
            turn=number,
            last_reference=number,
        )
        for place, zone in enumerate(zones)
    )


def _chance(world: World, each: _Item, topic: int, number: int) -> float:
    """The chance that an item is needed in a turn."""
    need = world.needs[each.item.zone]
    fallen = exp(-(number - each.item.turn) / need.life)
    return need.off_topic + (need.on_topic * fallen if each.topic == topic else 0.0)
