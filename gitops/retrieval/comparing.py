"""Two runs of the same golden queries compared: metric by metric, and query by query (kebab p5-2, `compare_runs`).

Both are scored again by the formulas of today, so that one criterion and one depth serve for both. Whether a difference
is more than chance is the engine's to say (`comparing/measured.py`), as of all that is measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.comparing.measured import Comparison
from gitops.errors import CannotRun, UsageError
from gitops.retrieval import compare_remarks as remarks
from gitops.retrieval.aggregate import Aggregate
from gitops.retrieval.borrowed_spans import Borrowed, with_spans
from gitops.retrieval.kinds import KINDS, Kind, QueryComparison, compared_queries, differing
from gitops.retrieval.matching import Criterion
from gitops.retrieval.model import Results, Versions
from gitops.retrieval.paired_runs import paired_runs
from gitops.retrieval.placed_hits import Places, places_of
from gitops.retrieval.score_record import versions_record
from gitops.retrieval.scoring import Scored, score
from gitops.retrieval.sides import Side, are_rechunked, common_depth

SCHEMA = "assay/retrieval-compare/1"


@dataclass(frozen=True, slots=True)
class CompareReport:
    """What two runs came to beside each other. `gold_a` and `gold_b` are the digests of what they were asked.

    `deltas` nests as an aggregate does and holds b − a of its four-place values, None where either is None, and besides
    `chunker_version_match`, the criterion that both were scored by. `comparison` has the engine's rows, `remarks` what
    has to be told aloud.
    """

    run_a: str
    run_b: str
    gold_a: str
    gold_b: str
    versions_a: Versions
    versions_b: Versions
    aggregate_a: Aggregate
    aggregate_b: Aggregate
    deltas: Mapping[str, Any]
    per_query: tuple[QueryComparison, ...]
    comparison: Comparison
    remarks: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[Kind, int]:
        """How many queries there are of each kind."""
        found = Counter(one.kind for one in self.per_query)
        return {kind: found[kind] for kind in KINDS}

    def record(self) -> dict[str, Any]:
        """The report as `--json` prints it."""
        told = self.comparison.record()
        return {
            "schema": SCHEMA,
            "run_a": self.run_a,
            "run_b": self.run_b,
            "commit_a": told["sides"][0]["commit"],
            "commit_b": told["sides"][1]["commit"],
            "gold_a": self.gold_a,
            "gold_b": self.gold_b,
            "versions_a": versions_record(self.versions_a),
            "versions_b": versions_record(self.versions_b),
            "aggregate_a": self.aggregate_a.record(),
            "aggregate_b": self.aggregate_b.record(),
            "deltas": self.deltas,
            "counts": self.counts,
            "per_query": [one.record() for one in self.per_query],
            "alpha": told["alpha"],
            "compared": told["compared"],
            "remarks": list(self.remarks),
        }


def compare_runs(
    a: Side, b: Side, *, wanted: str = "all", alpha: float = 0.05, is_strict: bool = False
) -> CompareReport:
    """Compare two runs, b with a, by the metrics that `wanted` names with commas between, or by all.

    Where both tell their chunkers' versions and these differ, hits are matched by document and span. UsageError where
    that is refused (`is_strict`) and for an unknown metric; CannotRun where nothing could be matched, of one or both,
    and where scores have to be tested without SciPy. Runs of other golden queries are not compared: then the engine's
    rows say so, there is nothing per query, and every delta is None.
    """
    criterion: Criterion = "fallback_doc_span" if are_rechunked(a, b) else "exact"
    if is_strict and criterion != "exact":
        raise UsageError(
            f"the runs are of different chunkers: {a.chunker} in {a.name}, {b.chunker} in {b.name}",
            "leave --strict-chunker-version out: then hits are matched by document and span",
        )
    if a.gold != b.gold:
        return _apart(a, b, wanted, alpha)
    depth = common_depth(a, b)
    results = a.cut(depth), b.cut(depth)
    golden = a.golden, b.in_order_of(a)
    borrowed = with_spans(golden, results) if criterion != "exact" else Borrowed(*golden)
    _refuse_unmatchable(a, b, borrowed, criterion)
    unplaced = _unplaced((a, b), borrowed, results) if criterion != "exact" else {}
    scored = [
        score(queries, found, criterion, has_store=side.has_store)
        for side, queries, found in zip((a, b), (borrowed.a, borrowed.b), results, strict=True)
    ]
    told = [
        *remarks.of_match(a, b, criterion, borrowed),
        *remarks.of_places(unplaced),
        *remarks.of_depth(a, b),
        *remarks.of_count(len(a.golden), alpha),
    ]
    told += remarks.of_scores(a, b, scored)
    if criterion == "exact":
        told += remarks.of_stored(a, b, scored)
    causes = "; ".join(differing(a.results.versions, b.results.versions))
    queries = tuple(compared_queries(scored[0], scored[1], causes))
    deltas = {"chunker_version_match": criterion, **_deltas(*(each.aggregate.record() for each in scored))}
    return _report((a, b), scored, deltas, queries, paired_runs((a, b), scored, wanted, alpha), told)


def _apart(a: Side, b: Side, wanted: str, alpha: float) -> CompareReport:
    """The report of runs that were measured by other golden queries: each side for itself."""
    scored = [score(side.golden, side.results, has_store=side.has_store) for side in (a, b)]
    nothing = _without_numbers(scored[0].aggregate.record())
    told = [remarks.OTHER_GOLD, *remarks.of_scores(a, b, scored)]
    deltas = {"chunker_version_match": "exact", **nothing}
    return _report((a, b), scored, deltas, (), paired_runs((a, b), scored, wanted, alpha), told)


def _report(
    sides: tuple[Side, Side],
    scored: Sequence[Scored],
    deltas: Mapping[str, Any],
    queries: tuple[QueryComparison, ...],
    comparison: Comparison,
    told: Sequence[str],
) -> CompareReport:
    (a, b), (first, second) = sides, scored
    return CompareReport(
        run_a=a.name,
        run_b=b.name,
        gold_a=a.gold,
        gold_b=b.gold,
        versions_a=a.results.versions,
        versions_b=b.results.versions,
        aggregate_a=first.aggregate,
        aggregate_b=second.aggregate,
        deltas=deltas,
        per_query=queries,
        comparison=comparison,
        remarks=tuple(told),
    )


def _refuse_unmatchable(a: Side, b: Side, borrowed: Borrowed, criterion: Criterion) -> None:
    """CannotRun where not one query could be found in the other chunker's chunks: all draws would say nothing."""
    golden = (*borrowed.a, *borrowed.b)
    if criterion == "exact" or any(query.doc_ids is not None for query in golden):
        return
    chunks = [each for query in golden for each in query.chunks or ()]
    if chunks and not any(each.spans for each in chunks):
        raise CannotRun(
            f"the chunkers differ ({a.chunker} → {b.chunker}), and no expected chunk has spans to know it by in both",
            remarks.GIVE_SPANS,
        )


def _unplaced(sides: tuple[Side, Side], borrowed: Borrowed, results: tuple[Results, Results]) -> dict[str, Places]:
    """How many hits of each side tell where they lie. CannotRun where of one none does: all would seem lost."""
    found = {}
    for name, side, golden, one in zip("AB", sides, (borrowed.a, borrowed.b), results, strict=True):
        found[name] = places = places_of(golden, one)
        if places.hits and places.unplaced == places.hits:
            raise CannotRun(
                f"the chunkers differ ({sides[0].chunker} → {sides[1].chunker}), and no hit of {side.name} tells both "
                "its document and its spans to know it by",
                remarks.GIVE_PLACES,
            )
    return found


def _deltas(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    """What each number of an aggregate's record has become more by."""
    return {name: _delta(before, b[name]) for name, before in a.items()}


def _delta(before: Any, after: Any) -> Any:
    if isinstance(before, Mapping):
        return _deltas(before, after)
    return None if before is None or after is None else round(after - before, 4)


def _without_numbers(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _without_numbers(each) if isinstance(each, Mapping) else None for name, each in record.items()}
