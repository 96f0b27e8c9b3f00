"""The keeper of one conversation: it leaves out what is least relevant once all of it is more than the model reads.

Until then, or until the model asks for room, it changes nothing and asks nobody. Then the least relevant items are
proposed, the model may keep some back, the others are replaced by a line each, and what became of the proposal is
recorded at once (silas 19.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from gitops.eviction import asking, proposing, resolving
from gitops.eviction.model import ContextItem, EvictionFeedback, EvictionProposal
from gitops.eviction.pieces import Piece, pieces, turn_of, without
from gitops.eviction.ranking import Ranked, Ranking
from gitops.eviction.scoring import ABOUT
from gitops.llm.estimate import tokens_of
from gitops.llm.messages import Messages
from gitops.runs.shortening import Turn, Whole

BACKGROUND = 0.5
"""From this share of the limit on, items are ranked in the background."""
HELD_TURNS = 3
"""For so many turns what was kept back is not proposed again."""
MOST_OFF = 2.0
"""By so much, either way, what the model counted may correct what was estimated."""
_COUNTED = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")

Store = Callable[[EvictionProposal, EvictionFeedback], None]


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens a request may have, how many are to be left after a flush, how long the model may take.

    `timeout_s` None waits until it answers.
    """

    limit: int
    left: int
    timeout_s: float | None


class Keeper:
    """See `runs.shortening.ContextKeeper`. `store` records what became of a proposal; `warn` is told what failed.

    Where it `offers_flush`, the model may ask for room before the limit is reached.
    """

    def __init__(
        self,
        scope: str,
        messages: Messages,
        room: Room,
        ranking: Ranking,
        store: Store,
        clock: Callable[[], datetime],
        warn: Callable[[str], None],
        *,
        offers_flush: bool = False,
    ) -> None:
        self.offers_flush = offers_flush
        self._flush_is_asked = False
        self._scope, self._messages, self._room, self._ranking = scope, messages, room, ranking
        self._store, self._clock, self._warn = store, clock, warn
        self._left_out: dict[str, Piece] = {}
        self._kept_back: dict[str, int] = {}
        self._corrected = 1.0

    def shown(self, turns: Sequence[Turn], whole: Whole) -> Sequence[Turn]:
        """The turns to send (see `ContextKeeper`). What cannot be made to fit is sent as it is: the model says so."""
        found = self._without(turns)
        tokens = self._tokens(whole(found))
        if tokens > self._room.limit * BACKGROUND and self._ranking.needs_background:
            self._ranking.look(self._items(turns), turn_of(turns), _about(turns))
        if (self._flush_is_asked or tokens > self._room.limit) and turns and turns[-1]["role"] == "user":
            return self._flushed(turns, whole, tokens)
        return found

    def flush(self) -> None:
        """Make room before the next answer, also where all would fit (see `ContextKeeper`)."""
        self._flush_is_asked = True

    def heard(self, body: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Correct the estimate by what the model counted."""
        usage = answer.get("usage") or {}
        counted = sum(int(usage.get(name) or 0) for name in _COUNTED)
        if counted:
            self._corrected = min(max(counted / max(tokens_of(body), 1), 1 / MOST_OFF), MOST_OFF)

    def _flushed(self, turns: Sequence[Turn], whole: Whole, tokens: int) -> Sequence[Turn]:
        """Propose, ask and leave out: once where the model asked for it, and until it fits or nothing is left."""
        turn, found = turn_of(turns), self._without(turns)
        left = self._left(tokens)
        while self._flush_is_asked or tokens > self._room.limit:
            self._flush_is_asked = False
            ready = {piece.item.ctx_id: piece for piece in self._pieces(turns) if self._may_go(piece, turn)}
            made = self._proposed(turn, ready, tokens - left)
            if made is None:
                break
            resolved = self._resolved(made, whole(found))
            self._kept_back |= {one.ctx_id: turn for one in resolved.excluded}
            self._left_out |= {name: ready[name] for name in resolved.evicted}
            found = self._without(turns)
            tokens = self._tokens(whole(found))
        return found

    def _left(self, tokens: int) -> int:
        """How many tokens are to be left; below the limit the same share of those that there are."""
        return min(self._room.left, tokens * self._room.left // max(1, self._room.limit))

    def _may_go(self, piece: Piece, turn: int) -> bool:
        """What was kept back is not proposed again at once: a model that needs it would be asked in every turn."""
        kept = self._kept_back.get(piece.item.ctx_id)
        return kept is None or turn - kept >= HELD_TURNS

    def _proposed(self, turn: int, ready: Mapping[str, Piece], need: int) -> EvictionProposal | None:
        def saved(one: Ranked) -> int:
            return int(ready[one.item.ctx_id].saved * self._corrected)

        ranked = self._ranking.ranked([piece.item for piece in ready.values()], turn)
        some = proposing.chosen(ranked, need, saved=saved)
        return proposing.proposal(self._scope, turn, self._clock(), some) if some else None

    def _resolved(self, made: EvictionProposal, body: Mapping[str, Any]) -> EvictionFeedback:
        heard = asking.asked(self._messages, body, made, self._room.timeout_s)
        if heard.why:
            self._warn(
                f"{self._messages.model} was not heard on what it still needs, and all was left out: {heard.why}"
            )
        if heard.response is None:
            feedback = resolving.resolved(made, self._clock(), "auto")
        else:
            kept, reason = heard.response.exclude_ctx_ids, heard.response.reason
            feedback = resolving.resolved(made, self._clock(), "llm", kept, reason)
        self._store(made, feedback)
        return feedback

    def _pieces(self, turns: Sequence[Turn]) -> list[Piece]:
        """What may still be left out. To be kept back is to be referenced: such an item is needed."""
        return [self._known(piece) for piece in pieces(turns) if piece.item.ctx_id not in self._left_out]

    def _known(self, piece: Piece) -> Piece:
        turn = self._kept_back.get(piece.item.ctx_id)
        if turn is None:
            return piece
        item = piece.item
        newer = {"last_reference": max(item.last_reference, turn), "references": item.references + 1}
        return Piece(item.model_copy(update=newer), piece.place, piece.stub)

    def _items(self, turns: Sequence[Turn]) -> list[ContextItem]:
        return [piece.item for piece in self._pieces(turns)]

    def _without(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        return without(turns, list(self._left_out.values()))

    def _tokens(self, body: Mapping[str, Any]) -> int:
        return ceil(tokens_of(body) * self._corrected)


def _about(turns: Sequence[Turn]) -> str:
    """What a conversation is about, in short: how the task begins, and what the model said last."""
    first, said = _said(turns[:1]), _said([turn for turn in turns if turn["role"] == "assistant"][-1:])
    return f"{first[: ABOUT // 2]}\n…\n{said[-ABOUT // 2 :]}"


def _said(turns: Sequence[Turn]) -> str:
    return "\n".join(str(block["text"]) for turn in turns for block in turn["content"] if block.get("type") == "text")
