"""A model under a system prompt, with tools or without, as a target. Who asks it is brought by the doors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gitops.runs.replied import Replying
from gitops.suites import environment
from gitops.suites.model import BenchmarkCase, Limits
from gitops.suites.target import Attempt


class Prompt:
    """Puts cases to a model: nothing of them runs on this machine but the reading tools."""

    def __init__(self, replying: Replying, limits: Limits) -> None:
        self._replying = replying
        self._limits = limits
        self.is_timed = replying.is_timed

    def snapshot(self) -> dict[str, Any]:
        """The model, the preset, the digest of the prompt, the tools."""
        return self._replying.snapshot()

    def attempt(self, case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> Attempt:
        """Ask it once. A reply that came later than it may is none."""
        found = self._replying.reply(environment.request(case, config, seed), config)
        is_late = self.is_timed and found.latency_ms > self._limits.timeout_ms
        return Attempt(
            output=None if is_late else found.output,
            error=f"it took longer than {self._limits.timeout_ms / 1000:g} s" if is_late else found.error,
            category="timeout" if is_late else found.category,
            is_timeout=is_late,
            latency_ms=found.latency_ms,
            tokens=found.used.read + found.used.output,
            usd=found.used.usd,
            metrics=found.metrics,
        )

    def close(self) -> None:
        """Nothing was started."""
