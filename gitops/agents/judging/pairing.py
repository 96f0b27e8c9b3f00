"""Votes between claims: many pairs a request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gitops.agents.judging import families
from gitops.agents.judging.fencing import plain
from gitops.agents.judging.planning import Room
from gitops.verify.judge import PairQuestion, PairVote

Ask = Callable[[Sequence[PairQuestion]], list[PairVote]]
"""Some pairs → a vote for each."""
TOGETHER = 25
"""The most pairs of one request."""


def votes(ask: Ask, pairs: Sequence[PairQuestion], room: Room, concurrency: int) -> list[PairVote]:
    """One vote for each pair, in order; equal pairs are asked once. Raises what `ask` raises."""
    cleaned = [PairQuestion(plain(pair.a), plain(pair.b), plain(pair.topic)) for pair in pairs]
    batches = _batches(list(dict.fromkeys(cleaned)), room.source + room.claims)
    answers = families.run([[partial(ask, batch)] for batch in batches], concurrency)
    given = {
        pair: vote
        for batch, (found,) in zip(batches, answers, strict=True)
        for pair, vote in zip(batch, found, strict=True)
    }
    return [given[pair] for pair in cleaned]


def _batches(pairs: Sequence[PairQuestion], room: int) -> list[list[PairQuestion]]:
    batches: list[list[PairQuestion]] = []
    used = 0
    for pair in pairs:
        length = len(f"{pair.a}{pair.b}{pair.topic}".encode())
        if batches and len(batches[-1]) < TOGETHER and used + length <= room:
            batches[-1].append(pair)
            used += length
        else:
            batches.append([pair])
            used = length
    return batches
