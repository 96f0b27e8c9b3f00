"""Budgets: what an operation has used, what is under way, and whether the next call still fits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from gitops.config import Budget, Price
from gitops.errors import OutOfBudget
from gitops.llm import usagelog
from gitops.llm.prices import MILLION, dollars
from gitops.usage import NOTHING, Usage

Role = Literal["writer", "verifier", "judge", "scorer"]
_SHARES = {"writer": "", "scorer": " (the scorer of what a conversation leaves out has a tenth of it)"}


@dataclass(frozen=True, eq=False, slots=True)
class Held:
    """Room that a call under way holds: at most so much will it use. `usage.output` bounds its answer."""

    usage: Usage


class Ledger:
    """What one role of one operation spends, bounded by its budget. Usable from several threads.

    `folder` takes the usage log; `clock` gives aware times. Room is held before a call and given back after it, so
    that calls at the same time cannot overdraw together.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], datetime],
        workspace: str,
        run_type: str,
        role: Role,
        run_id: str = "",
        budget: Budget | None = None,
    ) -> None:
        self.folder = folder
        self.budget = budget or Budget()
        self._clock = clock
        self._names = {"workspace": workspace, "run_type": run_type, "role": role, "run_id": run_id}
        self._used = NOTHING
        self._held: set[Held] = set()
        self._changed = threading.Condition()

    @property
    def used(self) -> Usage:
        """What all calls have used so far."""
        with self._changed:
            return self._used

    def now(self) -> datetime:
        """The clock's time."""
        return self._clock()

    def reserve(self, read: int, output: int, price: Price | None) -> Held:
        """Hold room for a call that reads `read` tokens and may answer with `output`.

        Where the budget has less left, the answer is bounded by that. Where it only has less because of calls that are
        under way, it waits for them. OutOfBudget where nothing fits; input is reckoned at the price of a cache write,
        the dearest that it can cost.
        """
        with self._changed:
            while (fits := self._fits(read, output, price)) is None:
                self._changed.wait()
            tokens = Usage(cache_write=read, output=fits)
            held = Held(tokens + Usage(usd=dollars(tokens, price)))
            self._held.add(held)
            return held

    def settle(self, held: Held, used: Usage, record: Mapping[str, Any]) -> None:
        """Book what a call used in place of the room it held, and log it. CannotRun where the log cannot be written."""
        with self._changed:
            self._held.discard(held)
            self._used += used
            self._changed.notify_all()
        tokens = {"tokens_in": used.input, "tokens_out": used.output}
        cached = {"cache_read": used.cache_read, "cache_write": used.cache_write}
        usagelog.append(
            self.folder, self.now(), {**self._names, **tokens, **cached, "usd": round(used.usd, 9), **record}
        )

    def _fits(self, read: int, output: int, price: Price | None) -> int | None:
        """How long the answer may be; None where it is worth waiting for calls that are under way."""
        fits, _ = _room(self.budget, sum((held.usage for held in self._held), self._used), read, output, price)
        if fits >= output:
            return fits
        alone, lacking = _room(self.budget, self._used, read, output, price)
        if alone <= 0:
            raise self._exceeded(lacking, read)
        return None if self._held else alone

    def _exceeded(self, bound: str, read: int) -> OutOfBudget:
        limit, used = getattr(self.budget, bound), self._used.record()[bound]
        told = f"{used:g} of {limit:g} {bound} are used, and the next call reads about {read} tokens"
        key = f"[llm.budgets.{self._names['run_type']}] {bound}"
        share = _SHARES.get(self._names["role"], " (the verifier has its share, verifier_budget_multiplier)")
        return OutOfBudget(f"the {self._names['role']}'s budget has no room: {told}", f"raise {key}{share}")


def _room(budget: Budget, used: Usage, read: int, output: int, price: Price | None) -> tuple[int, str]:
    """How many tokens of an answer fit (0 or less: the call does not), and the bound that says so."""
    fits, lacking = output, ""
    if budget.input_tokens and used.read + read > budget.input_tokens:
        return 0, "input_tokens"
    if budget.output_tokens and (left := budget.output_tokens - used.output) < fits:
        fits, lacking = left, "output_tokens"
    if budget.usd and price is not None:
        left_usd = budget.usd - used.usd - dollars(Usage(cache_write=read), price)
        bought = int(left_usd * MILLION / price.output) if price.output else output
        if left_usd <= 0 or bought < fits:
            fits, lacking = (bought if left_usd > 0 else 0), "usd"
    return fits, lacking
