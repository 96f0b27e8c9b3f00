"""How often candidates are kept back, by zone, age, scope and score, and which patterns that shows (silas 19.4).

Intervals are Wilson's at 95 %, of as many candidates as the clusters that they were drawn in are worth, wider where
these are few; of one cluster there is none. Patterns are told where the interval says so, and nowhere else: 0.05 is
shared by all tests of a report (Bonferroni).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from gitops.eviction import features
from gitops.eviction.features import Row
from gitops.eviction.model import EvictionFeedback, EvictionProposal
from gitops.stats.clustered import of_few

Interval = tuple[float, float]
ZONES = ("chronicle", "memory", "workspace")
AGES = ((0, 1), (2, 3), (4, 7), (8, 15), (16, 31), (32, None))
"""Bands of ages in turns, both ends counted; None is no end."""
OLD = 16
SCORES = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)
"""Where bands of scores begin, the last one's end counted."""
LOW = 0.3
"""What scores below it was thought to be irrelevant: the specification's cut."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Of `n` candidates of so many proposals, `kept` were kept back. `score` is the mean of what the scorer gave."""

    name: str
    kept: int
    n: int
    proposals: int
    rate: float | None
    interval: Interval | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Remark:
    """A pattern that the interval shows: its kind, of which zone or scope, and in words."""

    kind: str
    of: str
    told: str


@dataclass(frozen=True, slots=True)
class Rates:
    """A report. `resolved` counts proposals by who resolved them; those resolved by `auto` are in no rate."""

    resolved: dict[str, int]
    overall: Rate
    zones: tuple[Rate, ...]
    ages: tuple[Rate, ...]
    scores: tuple[Rate, ...]
    scopes: tuple[Rate, ...]
    scorers: tuple[Rate, ...]
    unit: str
    remarks: tuple[Remark, ...]


def rates(pairs: Sequence[tuple[EvictionProposal, EvictionFeedback]], scope: str | None = None) -> Rates:
    """The report over resolved proposals, of all scopes or one."""
    chosen = [pair for pair in pairs if scope in (None, pair[0].scope_id)]
    rows = features.rows(chosen)
    resolved = Counter(feedback.resolved_by for _, feedback in chosen)
    return Rates(
        {name: resolved[name] for name in ("llm", "user", "auto")},
        rate("all", rows),
        _by(rows, ZONES, lambda row: row.candidate.zone),
        _by(rows, age_names(), lambda row: age_band(row.candidate.age_turns)),
        _by(rows, _score_names(), lambda row: score_band(row.candidate.relevance_score)),
        _by(rows, sorted({row.scope for row in rows}), lambda row: row.scope),
        _by(rows, sorted({row.scorer for row in rows}), lambda row: row.scorer),
        features.unit_name(rows),
        tuple(remarks(rows)),
    )


def rate(name: str, rows: Sequence[Row], tail: float = 0.025) -> Rate:
    """The share of rows that were kept back, with its interval, which leaves out so much at each end; None of none."""
    kept, n = sum(row.is_excluded for row in rows), len(rows)
    counts = [(sum(row.is_excluded for row in each), len(each)) for each in features.by_unit(rows).values()]
    interval = of_few(counts, tail)
    score = fmean(row.candidate.relevance_score for row in rows) if rows else None
    return Rate(name, kept, n, len({row.proposal for row in rows}), kept / n if n else None, interval, score)


def age_band(age: int) -> str:
    """The name of the band that an age in turns lies in."""
    return next(_age_name(low, high) for low, high in AGES if high is None or age <= high)


def age_names() -> list[str]:
    """The names of the bands of ages, youngest first."""
    return [_age_name(*band) for band in AGES]


def score_band(score: float) -> str:
    """The name of the band that a score from 0 to 1 lies in."""
    names = _score_names()
    return next((name for name, end in zip(names, SCORES[1:], strict=True) if score < end), names[-1])


def _age_name(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else f"{low}-{high}"


def _score_names() -> list[str]:
    return [f"{low:g}-{high:g}" for low, high in pairwise(SCORES)]


def _by(rows: Sequence[Row], names: Iterable[str], key: Callable[[Row], Hashable]) -> tuple[Rate, ...]:
    grouped: dict[Hashable, list[Row]] = {}
    for row in rows:
        grouped.setdefault(key(row), []).append(row)
    return tuple(rate(name, grouped[name]) for name in names if name in grouped)


def remarks(rows: Sequence[Row]) -> Iterator[Remark]:
    """The specification's three patterns, where the interval says so.

    A zone is miscalibrated where what it scored below 0.3 is kept back in more than 0.3 of all cases; ages decay too
    fast where what is old is kept back more often than its scores say; a scope has needs of its own where its rate is
    another than that of all others.
    """
    scopes: dict[str, list[Row]] = {}
    for row in rows:
        scopes.setdefault(row.scope, []).append(row)
    tests = len(ZONES) + 1 + (len(scopes) if len(scopes) > 1 else 0)
    tail = 0.025 / tests
    for zone in ZONES:
        yield from _zone(zone, [row for row in rows if row.candidate.zone == zone], tail)
    yield from _old([row for row in rows if row.candidate.age_turns >= OLD], tail)
    if len(scopes) > 1:
        yield from _scopes(scopes, tail)


def _zone(zone: str, rows: Sequence[Row], tail: float) -> Iterator[Remark]:
    low = rate(zone, [row for row in rows if row.candidate.relevance_score < LOW], tail)
    if low.interval is not None and low.interval[0] > LOW:
        told = f"{zone} items scored below {LOW:g} were kept back in {_of(low)}: the weight of the zone is too low"
        yield Remark("zone", zone, told)


def _old(rows: Sequence[Row], tail: float) -> Iterator[Remark]:
    old = rate("old", rows, tail)
    if old.interval is not None and old.score is not None and old.interval[0] > old.score:
        told = f"items of {OLD} turns and more were kept back in {_of(old)}, scored {old.score:.2f} on average"
        yield Remark("age", "", f"{told}: they are forgotten too fast")


def _scopes(scopes: Mapping[str, Sequence[Row]], tail: float) -> Iterator[Remark]:
    counted = {scope: _counts(rows) for scope, rows in scopes.items()}
    for scope, rows in sorted(scopes.items()):
        here = rate(scope, rows, tail)
        others = [each for name, counts in counted.items() if name != scope for each in counts]
        there = of_few(others, tail)
        if here.interval is None or there is None:
            continue
        if here.interval[0] > there[1] or here.interval[1] < there[0]:
            much = "more" if here.interval[0] > there[1] else "less"
            told = _share(sum(kept for kept, _ in others), sum(n for _, n in others), there)
            yield Remark("scope", scope, f"{scope} keeps back {much} than the others: {_of(here)}; the others {told}")


def _counts(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Of what was drawn together in one scope, how many were kept back of how many: the scope itself, or proposals."""
    drawn: dict[str, list[Row]] = {}
    for row in rows:
        drawn.setdefault(row.unit, []).append(row)
    return [(sum(row.is_excluded for row in each), len(each)) for each in drawn.values()]


def _of(found: Rate) -> str:
    return _share(found.kept, found.n, found.interval or (0.0, 1.0))


def _share(kept: int, n: int, interval: Interval) -> str:
    return f"{kept} of {n} cases ({interval[0]:.0%}-{interval[1]:.0%})"
