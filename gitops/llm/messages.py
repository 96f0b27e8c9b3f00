"""What every caller of a model sees: one conversation turn in, one message out, both as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from gitops.usage import Usage


class Messages(Protocol):
    """The Messages interface of one preset, under one budget.

    Bodies and answers are plain JSON as the Messages API has them, so that they can be recorded, replayed and kept.
    """

    @property
    def model(self) -> str:
        """The model that answers."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens the model reads at once."""
        ...

    @property
    def concurrency(self) -> int:
        """How many calls may be under way at a time."""
        ...

    @property
    def used(self) -> Usage:
        """What the calls of this object have used so far."""
        ...

    def create(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request (`system`, `messages`, `tools`, `output_config`; model and bounds are filled in).

        Usable from several threads. OutOfBudget before a call that the budget has no room for; CannotRun, with a line
        that mends it, where no usable answer came. The answer's `stop_reason` is the caller's to judge.
        """
        ...
