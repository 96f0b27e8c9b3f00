"""What a scorer's prompt is told of its own mistakes: how often items of a kind were kept back (silas 19.5, variant B).

Numbers alone: nothing that anybody said goes into a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitops.eviction import rates
from gitops.eviction.features import Row, first_seen
from gitops.eviction.rates import Rate

LEAST = 20
"""Of fewer cases nothing is told."""
_HEAD = """\
What became of items that were proposed before, in conversations like this one. Of each kind the share that had to be
kept back, because it was still needed, and what you should score such an item, unless its words tell you otherwise:
"""


def guidance(rows: Sequence[Row]) -> str:
    """The lines that are added to the scorer's prompt; '' where there is too little feedback to tell anything."""
    lines = [_line(zone, found) for zone in rates.ZONES for found in cells(rows, zone) if found.n >= LEAST]
    return "\n".join([_HEAD.rstrip(), *lines]) + "\n" if lines else ""


def toml(told: str) -> str:
    """The table that goes into `assay.toml`."""
    return f'[eviction]\nguidance = """\n{told}"""\n'


def cells(rows: Sequence[Row], zone: str) -> list[Rate]:
    """The rates of a zone by bands of age, of items that were proposed for the first time."""
    chosen = [row for row in first_seen(rows) if row.candidate.zone == zone]
    grouped: dict[str, list[Row]] = {}
    for row in chosen:
        grouped.setdefault(rates.age_band(row.candidate.age_turns), []).append(row)
    return [rates.rate(name, grouped[name]) for name in rates.age_names() if name in grouped]


def _line(zone: str, found: Rate) -> str:
    low, high = found.interval or (0.0, 1.0)
    share = found.rate or 0.0
    return (
        f"- {zone}, {found.name} turns since its last use: {share:.0%} of {found.n} ({low:.0%} to {high:.0%}); "
        f"score about {share:.2f}"
    )
