"""Two sides measured in one run, round-robin, so that a busy machine slows both alike: ratios, not milliseconds."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitops.errors import CannotRun

ROUNDS = 9
"""The fewest rounds a figure is quoted from."""


class Unavailable(CannotRun):
    """What a benchmark compares with cannot be had here: it is passed over, and said to be."""


@dataclass(frozen=True)
class Options:
    """How large and how long: `scale` multiplies every size (1 is the issue's), `rounds` is per side."""

    scratch: Path
    rounds: int = ROUNDS
    scale: float = 1.0

    def size(self, full: int) -> int:
        """A size at this scale, at least 1."""
        return max(1, round(full * self.scale))


@dataclass(frozen=True)
class Ratio:
    """One side against its floor: seconds of each round, paired by round; `limit` None means none is set."""

    name: str
    floor: str
    limit: float | None
    size: int
    seconds: tuple[float, ...]
    floor_seconds: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median over median."""
        return statistics.median(self.seconds) / statistics.median(self.floor_seconds)

    @property
    def spread(self) -> tuple[float, float]:
        """The quartiles of the ratios of the single rounds."""
        rounds = [ours / floor for ours, floor in zip(self.seconds, self.floor_seconds, strict=True)]
        if len(rounds) < 2:
            return rounds[0], rounds[0]
        low, _, high = statistics.quantiles(rounds, n=4, method="inclusive")
        return low, high

    @property
    def within(self) -> bool:
        """Whether the ratio keeps its limit."""
        return self.limit is None or self.ratio <= self.limit


def interleave(sides: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, tuple[float, ...]]:
    """Seconds of wall time per side and round: one warm-up round, then every side once a round, in turn."""
    for run in sides.values():
        run()
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    names = list(sides)
    for number in range(rounds):
        turn = number % len(names)  # nobody always goes first
        for name in names[turn:] + names[:turn]:
            start = time.perf_counter()
            sides[name]()
            seconds[name].append(time.perf_counter() - start)
    return {name: tuple(values) for name, values in seconds.items()}


def process(
    command: Sequence[str], directory: Path, environment: Mapping[str, str] | None = None
) -> Callable[[], None]:
    """A whole process as a side. CannotRun if it does not end with 0: what fails fast is not fast."""
    env = {**os.environ, **(environment or {})}
    null = subprocess.DEVNULL

    def run() -> None:
        code = subprocess.run(
            command, cwd=directory, env=env, stdin=null, stdout=null, stderr=null, check=False
        ).returncode
        if code:
            raise CannotRun(f"{' '.join(command)}: exit code {code}", f"run it by hand in {directory}")

    return run


def against(
    name: str,
    floor: tuple[str, Callable[[], object]],
    ours: Callable[[], object],
    options: Options,
    *,
    limit: float | None,
    size: int,
) -> Ratio:
    """Measure one side against one floor."""
    label, run_floor = floor
    seconds = interleave({"floor": run_floor, "ours": ours}, options.rounds)
    return Ratio(name, label, limit, size, seconds["ours"], seconds["floor"])
