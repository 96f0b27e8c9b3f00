"""`python -m benchmarks.ablations`: how often simulated ablations are wrong, and how often right.

`--check` fails where a level is not kept: of variants that are alike a difference, and harm, in any metric of any
treatment is shown in at most 5 % of all ablations each, and of a treatment that is worse by the margin no harm in at
most 2.5 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks import levels
from benchmarks.ablations.simulated import WORLDS, ablation
from gitops.stats.intervals import wilson
from gitops.suites.concluding import Conclusion

ALPHA, LET = 0.05, 0.025
"""The levels that are stated."""
_ALIKE = ("alike", "alike, drifting")
_MARGIN = "worse by the margin"


@dataclass(frozen=True, slots=True)
class Counted:
    """Of so many ablations of one kind: in how many a difference was shown in any metric, harm, and no harm."""

    world: str
    times: int
    shown: int
    harm: int
    no_harm: int


def count(world: str, times: int, first: int = 0) -> Counted:
    """Simulate one kind so many times."""
    found = [ablation(WORLDS[world], seed) for seed in range(first, first + times)]
    return Counted(
        world, times, sum(map(_shows, found)), sum(map(_harms, found)), sum(one.is_harmless for one in found)
    )


def broken(counted: Iterable[Counted]) -> list[str]:
    """The levels that so many ablations are enough to say of that they are not kept."""
    told = []
    for one in counted:
        if one.world in _ALIKE and _is_above(one.shown, one.times, ALPHA):
            told.append(f"{one.world}: a difference is shown in {one.shown} of {one.times}, more than {ALPHA:.1%}")
        if one.world in _ALIKE and _is_above(one.harm, one.times, ALPHA):
            told.append(f"{one.world}: harm is shown in {one.harm} of {one.times}, more than {ALPHA:.1%}")
        if one.world == _MARGIN and _is_above(one.no_harm, one.times, LET):
            told.append(f"{one.world}: no harm is shown in {one.no_harm} of {one.times}, more than {LET:.1%}")
    return told


def _shows(found: Conclusion) -> bool:
    return any(one.reading in ("better", "worse") for one in found.comparison.compared)


def _harms(found: Conclusion) -> bool:
    return any(one.harm.held == "harm" for one in found.findings)


def _is_above(hits: int, of: int, level: float) -> bool:
    interval = wilson(hits, of)
    return interval is not None and interval[0] > level


def main(words: Sequence[str] | None = None) -> int:
    """Simulate, and print a table or JSON; 1 where a level is not kept and that was asked."""
    return levels.main("python -m benchmarks.ablations", __doc__, WORLDS, count, _line, broken, words)


def _line(one: Counted) -> str:
    shares = ((name, getattr(one, name)) for name in ("shown", "harm", "no_harm"))
    told = ", ".join(
        f"{name.replace('_', ' ')} {hits / one.times:.1%} {_ends(hits, one.times)}" for name, hits in shares
    )
    return f"{one.world} ({one.times:,}): {told}"


def _ends(hits: int, of: int) -> str:
    interval = wilson(hits, of)
    return f"[{interval[0]:.1%}, {interval[1]:.1%}]" if interval else ""


if __name__ == "__main__":
    raise SystemExit(main())
