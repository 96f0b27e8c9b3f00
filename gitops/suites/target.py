"""What every target is: something that is given a case and says what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from gitops.suites.model import BenchmarkCase


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a target made of a case. `error` is why there is no output, in one line, `category` its kind in a word.

    `latency_ms` is of the attempt that counts, without those that were tried before it (`retries`).
    """

    output: str | None = None
    error: str = ""
    category: str = ""
    is_timeout: bool = False
    latency_ms: float = 0.0
    tokens: int = 0
    usd: float = 0.0
    metrics: Mapping[str, float] = field(default_factory=dict)
    retries: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a suite is run, on disk: the measured tree, and in it the folders of the suite and of its workspace."""

    root: Path
    suite: Path
    workspace: Path


class Target(Protocol):
    """Something that is asked cases, several at once."""

    is_timed: bool
    """Whether its latency is its own: not where answers are mocked or replayed."""

    def snapshot(self) -> dict[str, Any]:
        """What `config_snapshot` has of it: model, digest of the prompt, versions."""
        ...

    def attempt(self, case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> Attempt:
        """Ask it one case, once, with this configuration. Raises nothing that is the target's fault."""
        ...

    def close(self) -> None:
        """End what it started."""
        ...
