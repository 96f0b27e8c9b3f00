"""`python -m benchmarks.eviction`: what calibrated eviction keeps of what simulated conversations need."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.eviction.study import LEARNED, TRIED, Size, again, redrawn, shift, study
from gitops.eviction.simulating import EPHEMERAL, RETURNING, WORLDS
from gitops.stats.comparison import Compared


def main(arguments: list[str] | None = None) -> int:
    """Print the tables, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eviction", description=__doc__)
    parser.add_argument("--learned", type=int, default=LEARNED, help="conversations to learn from (default 40)")
    parser.add_argument("--tried", type=int, default=TRIED, help="others to try weights on (default 200)")
    options = parser.parse_args(arguments)
    if options.learned < 1 or options.tried < 2:
        parser.error("it takes one conversation to learn from and two to try weights on")
    size = Size(options.learned, options.tried)
    for world in WORLDS.values():
        print(f"\n### {world.name}\n")
        _table(study(world, size))
        gains = redrawn(world, size)
        print(f"\nlearned from {len(gains)} other sets of conversations: {min(gains):+.3f} to {max(gains):+.3f}")
    print(f"\n### {RETURNING.name}, once calibrated\n")
    _table(again(RETURNING, size))
    print(f"\n### {EPHEMERAL.name}, with weights of {RETURNING.name}\n")
    _table(shift(EPHEMERAL, RETURNING, size))
    return 0


def _table(compared: Sequence[Compared]) -> None:
    print("| variant | metric | reference | variant | difference | 95 % | adjusted p | reads |")
    print("|---|---|---|---|---|---|---|---|")
    for one in sorted(compared, key=lambda one: one.other.name):
        print("| " + " | ".join(_cells(one)) + " |")


def _cells(one: Compared) -> list[str]:
    digits = 0 if one.metric == "tokens" else 3
    low, high = one.interval or (float("nan"), float("nan"))
    return [
        one.other.name,
        one.metric,
        _number(one.reference.value, digits),
        _number(one.other.value, digits),
        _number(one.difference, digits, "+"),
        f"{low:+.{digits}f} to {high:+.{digits}f}",
        _number(one.adjusted_p, 4),
        one.reading.replace("_", " "),
    ]


def _number(value: float | None, digits: int, sign: str = "") -> str:
    return "-" if value is None else f"{value:{sign},.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
