"""`python -m benchmarks.regressions`: how often a simulated system that did not change is called worse.

`--check` fails where the stated level is not kept: with as many repeats now as at the baseline, five or more, at most
5 % of all comparisons of a system that did not change find anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks import levels
from benchmarks.regressions.simulated import UNCHANGED, WORLDS, World, compared, planted_in
from gitops.stats.intervals import wilson
from gitops.suites.regressions import ALPHA


@dataclass(frozen=True, slots=True)
class Counted:
    """Of so many comparisons of one kind: in how many anything was found, and in how many what was planted."""

    world: str
    times: int
    found: int
    planted: int


def count(world: str, times: int) -> Counted:
    """Simulate one kind so many times."""
    every = [compared(WORLDS[world], seed).regressions for seed in range(times)]
    names = planted_in(WORLDS[world])
    planted = sum(any(one.case_id in names for one in found) for found in every)
    return Counted(world, times, sum(bool(found) for found in every), 0 if world in UNCHANGED else planted)


def broken(counted: Iterable[Counted]) -> list[str]:
    """The levels that so many comparisons are enough to say of that they are not kept."""
    told = []
    for one in counted:
        known = UNCHANGED.get(one.world)
        if known is not None and _is_stated(known) and (wilson(one.found, one.times) or (0, 0))[0] > ALPHA:
            told.append(f"{one.world}: something is found in {one.found} of {one.times}, more than {ALPHA:.0%}")
    return told


def _is_stated(world: World) -> bool:
    return world.now >= world.before >= 5


def main(words: Sequence[str] | None = None) -> int:
    """Simulate, and print a table or JSON; 1 where a level is not kept and that was asked."""
    return levels.main("python -m benchmarks.regressions", __doc__, WORLDS, count, _line, broken, words)


def _line(one: Counted) -> str:
    hits = one.found if one.world in UNCHANGED else one.planted
    what = "called worse" if one.world in UNCHANGED else "found"
    low, high = wilson(hits, one.times) or (0.0, 1.0)
    return f"{one.world} ({one.times:,}): {what} {hits / one.times:.1%} [{low:.1%}, {high:.1%}]"


if __name__ == "__main__":
    raise SystemExit(main())
