"""The cost curve of alexandria 14, M4: what writing a wiki has cost week by week, and what answering without one would.

Weeks are seven days each, from midnight (UTC) before the first run; the first is week 1. All sums are cumulative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import floor
from typing import Any

from gitops.evals.spending import KINDS, Amount, Kind

WEEK = timedelta(days=7)
TREND_WEEKS = 4
"""The trend is that of so many weeks, the last ones that are over."""
FARTHEST = 520
"""Ten years: what lies farther ahead is no estimate."""
INGEST: tuple[Kind, ...] = ("ingest", "cascade", "verifier")
"""What `ingest_cumulative_tokens` sums up."""


@dataclass(frozen=True, slots=True)
class Week:
    """All until the end of a week. `corpus` is the tokens of the sources then, `sound` the sound estimate."""

    number: int
    begins: datetime
    tokens: Mapping[str, int]
    usd: Mapping[str, float]
    queries: int
    corpus: int
    sound: int

    @property
    def ingest(self) -> int:
        """`ingest_cumulative_tokens`: what writing and verifying has cost."""
        return sum(self.tokens[kind] for kind in INGEST)

    @property
    def query(self) -> int:
        """`query_cumulative_tokens`."""
        return self.tokens["query"]

    @property
    def hypothetical(self) -> int:
        """`hypothetical_on_the_fly_tokens`, as written: average tokens per query × number of queries × corpus tokens.

        The number of queries cancels out, and the unit is tokens², which is compared with tokens all the same.
        """
        return self.query * self.corpus

    def row(self) -> dict[str, Any]:
        """The week as a point of the curve."""
        return {
            "week": self.number,
            "from": f"{self.begins:%Y-%m-%d}",
            "ingest": self.ingest,
            "query": self.query,
            "queries": self.queries,
            "corpus": self.corpus,
            "hypothetical": self.hypothetical,
            "sound": self.sound,
            "usd": round(sum(self.usd.values()), 6),
            "tokens": {kind: count for kind, count in self.tokens.items() if count},
        }


@dataclass
class _Sums:
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    usd: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    queries: int = 0
    sound: int = 0


def week_ends(start: datetime, moment: datetime) -> list[datetime]:
    """When each week is over, from that of `start` to that of `moment`, which ends there and then."""
    begins = _midnight(start)
    count = max(0, (moment - begins) // WEEK)
    return [*(begins + WEEK * number for number in range(1, count + 1)), moment]


def _midnight(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def curve(
    start: datetime, ends: Sequence[datetime], amounts: Iterable[Amount], corpora: Sequence[int], context_tokens: int
) -> list[Week]:
    """The weeks that end at `ends`, with the tokens of the sources at each end.

    Amounts of before the first week count in it. The sound estimate takes it that each query reads all sources as they
    were in its week, or as much of them as a model reads at once (`context_tokens`).
    """
    begins = _midnight(start)
    waiting = sorted(amounts, key=lambda amount: amount.at, reverse=True)
    sums = _Sums()
    weeks = []
    for number, (end, corpus) in enumerate(zip(ends, corpora, strict=True), 1):
        is_last = number == len(ends)
        while waiting and (waiting[-1].at < end or is_last):
            amount = waiting.pop()
            sums.tokens[amount.kind] += amount.tokens
            sums.usd[amount.kind] += amount.used.usd
            sums.queries += amount.queries
            sums.sound += amount.queries * min(corpus, context_tokens)
        at = begins + WEEK * (number - 1)
        weeks.append(Week(number, at, dict(sums.tokens), dict(sums.usd), sums.queries, corpus, sums.sound))
    return weeks


def crossover(weeks: Sequence[Week]) -> int | None:
    """`M4_crossover_week`: the first week at which `ingest_cumulative_tokens < hypothetical_on_the_fly_tokens`."""
    return next((week.number for week in weeks if week.ingest < week.hypothetical), None)


def sound_crossover(weeks: Sequence[Week]) -> int | None:
    """The first week at which writing and asking together have cost less than the sound estimate."""
    return next((week.number for week in weeks if week.ingest + week.query < week.sound), None)


def estimated(weeks: Sequence[Week]) -> int | None:
    """The week at which the crossover comes if the last weeks' trend goes on; None where it does not come.

    The least-squares line through (ingest − hypothetical) of the last four weeks that are over, and where it is below
    zero for the first time. None with fewer than two such weeks.
    """
    over = weeks[:-1][-TREND_WEEKS:]
    if len(over) < 2:
        return None
    numbers = [week.number for week in over]
    gaps = [week.ingest - week.hypothetical for week in over]
    middle, level = sum(numbers) / len(over), sum(gaps) / len(over)
    slope = sum((x - middle) * (y - level) for x, y in zip(numbers, gaps, strict=True))
    slope /= sum((x - middle) ** 2 for x in numbers)
    if slope >= 0:
        return None
    # The last week, which is not over yet, has been looked at already.
    found = max(floor(middle - level / slope) + 1, weeks[-1].number + 1)
    return found if found <= weeks[-1].number + FARTHEST else None


def is_negative(weeks: Sequence[Week]) -> bool:
    """Whether the crossover is negative, as alexandria 14 calls it: the last weeks tell that it does not come."""
    is_told = len(weeks) > 2 and weeks[-1].queries > 0
    return is_told and crossover(weeks) is None and estimated(weeks) is None


def rows(weeks: Sequence[Week]) -> list[dict[str, Any]]:
    """The curve. A week in which nothing changed is left out: its sums are those of the week before."""
    told: list[dict[str, Any]] = []
    for week in weeks:
        row = week.row()
        is_same = bool(told) and all(row[name] == told[-1][name] for name in row.keys() - {"week", "from"})
        if not is_same or week is weeks[-1]:
            told.append(row)
    return told
