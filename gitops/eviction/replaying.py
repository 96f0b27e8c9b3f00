"""A simulated conversation carried on under a token limit: what is evicted, and what is missing when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from gitops.eviction import proposing, resolving
from gitops.eviction.heuristic import BUILT_IN
from gitops.eviction.model import ContextItem, EvictionFeedback, EvictionProposal, ResolvedBy
from gitops.eviction.ranking import Ranked
from gitops.eviction.scoring import HEURISTIC, Heuristic, Scorer
from gitops.eviction.simulating import Conversation

LIMIT = 8_000
KEEP = 0.6
PROTECTED = 2
"""What came in the last two turns is never proposed."""
HORIZON = 15
"""So many turns ahead who keeps items back can see, more or less."""
_BEGUN = datetime(2026, 1, 1, tzinfo=UTC)

Judge = Callable[[ContextItem, int], bool]
Pair = tuple[EvictionProposal, EvictionFeedback]


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a conversation.

    Of `needed` items, turn by turn, `there` were still in the context; of `turns` that needed any, `answered` had all.
    `tokens` is the mean of what was in the context after each turn. `pairs` is what became of each proposal.
    """

    scope: str
    needed: int
    there: int
    turns: int
    answered: int
    tokens: float
    pairs: tuple[Pair, ...]

    @property
    def kept(self) -> float | None:
        """The share of needed items that were there; None where nothing was needed."""
        return self.there / self.needed if self.needed else None


@dataclass(frozen=True, slots=True)
class Room:
    """How much fits, and how much is left after a flush: tokens, and a share of them."""

    limit: int = LIMIT
    keep: float = KEEP


def replay(told: Conversation, scorer: Scorer, room: Room = Room(), keeps: Judge | None = None) -> Replay:
    """Carry on a conversation: at the limit, the least relevant items are proposed until what is left fits.

    `keeps` says of an item and a turn whether it is kept back; without it everything that is proposed goes. Where items
    are kept back, no others go in their place: the next flush comes the sooner.
    """
    context: dict[str, ContextItem] = {}
    pairs: list[Pair] = []
    needed = there = answered = asking = 0
    tokens = 0
    for turn in told.turns:
        missing = turn.needed - context.keys()
        needed, there = needed + len(turn.needed), there + len(turn.needed) - len(missing)
        asking, answered = asking + bool(turn.needed), answered + (bool(turn.needed) and not missing)
        context |= {ctx_id: _used(context[ctx_id], turn.number) for ctx_id in turn.needed & context.keys()}
        context |= {item.ctx_id: item for item in turn.arriving}
        if sum(item.token_count for item in context.values()) > room.limit:
            pair = _flushed(told.scope, list(context.values()), turn.number, scorer, room, keeps)
            pairs.append(pair)
            for ctx_id in pair[1].evicted:
                del context[ctx_id]
            for one in pair[1].excluded:  # to be kept back is to be referenced
                context[one.ctx_id] = _used(context[one.ctx_id], turn.number)
        tokens += sum(item.token_count for item in context.values())
    return Replay(told.scope, needed, there, asking, answered, tokens / max(1, len(told.turns)), tuple(pairs))


def _used(item: ContextItem, turn: int) -> ContextItem:
    return item.model_copy(update={"last_reference": turn, "references": item.references + 1})


def _flushed(scope: str, items: list[ContextItem], turn: int, scorer: Scorer, room: Room, keeps: Judge | None) -> Pair:
    """A proposal and what becomes of it."""
    excess = sum(item.token_count for item in items) - int(room.limit * room.keep)
    free = [item for item in items if item.turn <= turn - PROTECTED]
    ranked = sorted(_ranked(free, turn, scorer), key=lambda one: one.score)
    chosen = proposing.chosen(ranked, need=excess)
    moment = _BEGUN + timedelta(minutes=turn)
    proposal = proposing.proposal(scope, turn, moment, chosen)
    kept = [one.item.ctx_id for one in chosen if keeps is not None and keeps(one.item, turn)]
    by: ResolvedBy = "auto" if keeps is None else "llm"
    return proposal, resolving.resolved(proposal, moment + timedelta(seconds=1), by, kept)


def _ranked(items: list[ContextItem], turn: int, scorer: Scorer) -> Iterator[Ranked]:
    """The items with their scores; what a scorer says nothing of the heuristic scores, as in a conversation."""
    found, otherwise = scorer.scores(items, turn, ""), Heuristic(BUILT_IN).scores(items, turn)
    for item in items:
        said = found.get(item.ctx_id)
        yield Ranked(item, otherwise[item.ctx_id], HEURISTIC) if said is None else Ranked(item, said, scorer.name)


def oracle(told: Conversation, seed: int, *, misses: float = 0.15, mistakes: float = 0.05) -> Judge:
    """Who keeps back what the conversation is going to need, but for chance: it overlooks some, and keeps some else."""
    draw = Random(f"oracle {told.scope} {seed}")

    def keeps(item: ContextItem, turn: int) -> bool:
        is_needed = told.needed_within(item.ctx_id, turn, HORIZON)
        return draw.random() >= misses if is_needed else draw.random() < mistakes

    return keeps
