"""What a run of golden queries comes to: kebab p5-2's `AggregateMetrics`, and what users expect besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from gitops.retrieval.measures import CUTS
from gitops.retrieval.metrics import BY_NAME, NAMES

AtCuts = Mapping[int, float | None]
"""A metric at k of 1, 3, 5 and 10."""
PLACES = 4
"""How many decimal places are stored."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Means over the queries that a metric applies to, rounded to four places; None where it applies to none.

    What each metric means and which way is better stands in `metrics.TABLE`. `total_queries` are the golden ones.
    `failed_queries` have a result with an error; `missing_queries` have none; `unjudged_queries` say nothing of what
    should be found; `unknown_queries` are results of queries that are not golden, and left out. `duplicate_hits` named
    a chunk again, and were left out.
    """

    hit_at_k: AtCuts
    mrr: float | None
    recall_at_k_doc: AtCuts
    citation_coverage: float | None
    groundedness: float | None
    empty_result_rate: float | None
    refusal_correctness: float | None
    total_queries: int
    failed_queries: int
    ndcg_at_10: float | None
    map: float | None
    precision_at_k: AtCuts
    over_refusal: float | None
    p50_latency_ms: float | None
    p95_latency_ms: float | None
    tokens: float | None
    missing_queries: int
    unknown_queries: int
    unjudged_queries: int
    duplicate_hits: int

    def metric(self, name: str) -> float | None:
        """A number by its metric's name (`hit@3`). KeyError for a name that no metric has."""
        known = BY_NAME[name]
        held: Any = getattr(self, known.field)
        number: float | None = held if known.cut is None else held[known.cut]
        return number

    def record(self) -> dict[str, Any]:
        """The aggregate as JSON has it: k as text, null where there is no number."""
        return {
            name: {str(cut): number for cut, number in held.items()} if isinstance(held, Mapping) else held
            for name, held in asdict(self).items()
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Aggregate:
        """The aggregate of such a record; ValueError names the first field that is none.

        A metric that an older record lacks is None, a count 0. Fields that a later one adds are overlooked.
        """
        numbers = {name: _number(record, BY_NAME[name].field, BY_NAME[name].cut) for name in NAMES}
        counts = {each.name: _count(record, each.name) for each in fields(cls) if each.type == "int"}
        return made(numbers, counts)


def made(numbers: Mapping[str, float | None], counts: Mapping[str, int]) -> Aggregate:
    """An aggregate from its numbers by their metrics' names, which are rounded here, and its counts by their fields."""
    held: dict[str, Any] = dict(counts)
    for name in NAMES:
        known, number = BY_NAME[name], numbers[name]
        stored = None if number is None else round(number, PLACES)
        if known.cut is None:
            held[known.field] = stored
        else:
            held.setdefault(known.field, {})[known.cut] = stored
    return Aggregate(**held)


def _number(record: Mapping[str, Any], field: str, cut: int | None) -> float | None:
    value = record.get(field)
    if cut is not None and value is not None:
        if not isinstance(value, Mapping):
            raise ValueError(f"'{field}' has to hold a number for each k of {', '.join(map(str, CUTS))}")
        value = value.get(str(cut))
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"'{field}' is no number: {value!r}")
    return float(value)


def _count(record: Mapping[str, Any], field: str) -> int:
    value = record.get(field, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"'{field}' is no count: {value!r}")
    return value
