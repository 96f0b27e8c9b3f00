from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from gitops.errors import CannotRun, UsageError
from gitops.retrieval.comparing import CompareReport, compare_runs
from gitops.retrieval.kinds import NO_SPAN
from gitops.retrieval.metrics import NAMES
from gitops.retrieval.model import Cited, Expected, GoldenQuery, Hit, Result, Results, Versions
from gitops.retrieval.scoring import score
from gitops.retrieval.sides import Side, of_measurement
from gitops.runs.printed_comparison import ComparedMetric
from gitops.runs.printed_retrieval_compare import RetrievalCompare, RetrievalDeltas
from tests.retrieval.comparable import ONE, TWO, answered, golden, relabelled, results, side, without

SNAPSHOT = Path(__file__).parents[1] / "fixtures/retrieval/compare-1.json"


def compared(a: list[int | None], b: list[int | None], **options: Any) -> CompareReport:
    queries = golden(len(a))
    return compare_runs(side("before", queries, results(a)), side("after", queries, results(b)), **options)


def row(report: CompareReport, metric: str) -> Any:
    return next(one for one in report.comparison.compared if one.metric == metric)


def numbers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for each in value.values():
            yield from numbers(each)
    else:
        yield value


def test_strictly_runs_of_other_chunkers_are_refused_with_both_versions() -> None:
    queries = golden(2)
    a, b = side("a", queries, results([1, 1])), side("b", queries, results([1, 1], versions=TWO))
    with pytest.raises(UsageError) as refused:
        compare_runs(a, b, is_strict=True)
    assert refused.value.message == "the runs are of different chunkers: 1 in a, 2 in b"
    assert "leave --strict-chunker-version out" in refused.value.hint


def test_strictly_runs_of_one_chunker_or_of_an_unknown_one_are_compared() -> None:
    queries = golden(2)
    for versions in (ONE, replace(ONE, chunker_version="")):
        found = results([1, 1], versions=versions)
        report = compare_runs(side("a", queries, results([1, 1])), side("b", queries, found), is_strict=True)
        assert report.deltas["chunker_version_match"] == "exact"


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(UsageError, match="has a metric 'hit@2'"):
        compared([1, 2], [1, 2], wanted="hit@2")


def test_nothing_can_be_matched_across_chunkers_without_any_span() -> None:
    queries = [replace(one, doc_ids=None) for one in golden(3, spans=False)]
    a = side("a", queries, results([1, 2, 3], spans=False))
    b = side("b", queries, relabelled(results([1, 2, 3], spans=False)))
    with pytest.raises(CannotRun, match=r"the chunkers differ \(1 → 2\)") as refused:
        compare_runs(a, b)
    assert "--chunks FILE" in refused.value.hint


@pytest.mark.parametrize("lacks", ["doc_id", "spans"])
def test_a_run_whose_hits_do_not_tell_where_they_lie_is_no_loser_across_chunkers(lacks: str) -> None:
    queries = golden(3)
    bare = _bare(results([1, 2, 3]), lacks, "q000", "q001", "q002")
    placed = relabelled(results([1, 2, 3]))
    for a, b in ((bare, placed), (placed, bare)):
        with pytest.raises(CannotRun, match=r"no hit of bare tells both its document and its spans") as refused:
            compare_runs(*(side("bare" if one is bare else "placed", queries, one) for one in (a, b)))
        assert "source_spans of each hit" in refused.value.hint
    same = compare_runs(side("a", queries, bare), side("b", queries, results([1, 2, 3])))
    assert {one.kind for one in same.per_query} == {"Draw"}, "by ids they are compared all the same"


def test_hits_that_do_not_tell_where_they_lie_are_counted_aloud_across_chunkers() -> None:
    queries = golden(3)
    a = side("a", queries, _bare(results([1, 2, 3]), "spans", "q001"))
    report = compare_runs(a, side("b", queries, relabelled(results([1, 2, 3]))))
    [told] = [one for one in report.remarks if "match nothing of another chunker" in one]
    assert told.startswith("A: 12 of 36 hits do not tell both their document and their spans")
    full = compare_runs(side("a", queries, results([1, 2, 3])), side("b", queries, relabelled(results([1, 2, 3]))))
    assert not any("match nothing" in one for one in full.remarks)


def test_runs_of_other_golden_queries_are_not_compared() -> None:
    a, b = golden(3), [replace(one, must_contain=("more",)) for one in golden(3)]
    report = compare_runs(side("a", a, results([1, 1, 1])), side("b", b, results([1, 2, 3])))
    assert report.comparison.is_empty
    assert report.per_query == ()
    told = report.record()["deltas"]
    assert told.pop("chunker_version_match") == "exact"
    assert set(numbers(told)) == {None}
    assert [one.name for one in row(report, "mrr").differing] == ["gold"]
    assert any("--gold FILE scores both by the same" in remark for remark in report.remarks)


def test_the_same_golden_queries_in_another_order_are_the_same() -> None:
    queries = golden(3)
    a, b = side("a", queries, results([1, 2, None])), side("b", queries[::-1], results([1, 2, None]))
    report = compare_runs(a, b)
    assert report.counts == {"Win": 0, "Loss": 0, "Regression": 0, "Draw": 3}


def test_the_queries_are_counted_by_kind() -> None:
    report = compared([None, 2, 3, 1, 5, None, 4], [1, 1, 3, 2, None, None, 11])
    assert [one.kind for one in report.per_query] == ["Win", "Win", "Draw", "Loss", "Regression", "Draw", "Regression"]
    assert report.counts == {"Win": 2, "Loss": 1, "Regression": 2, "Draw": 2}


def test_deltas_are_those_of_the_rounded_aggregates() -> None:
    report = compared([1, 1, None], [1, 3, None])
    first, second, deltas = report.aggregate_a.record(), report.aggregate_b.record(), report.deltas
    assert (first["mrr"], second["mrr"], deltas["mrr"]) == (0.6667, 0.4444, -0.2223)
    assert deltas["hit_at_k"] == {"1": -0.3334, "3": 0.0, "5": 0.0, "10": 0.0}
    assert (deltas["groundedness"], deltas["tokens"], deltas["failed_queries"]) == (None, None, 0)
    assert deltas.keys() - {"chunker_version_match"} == first.keys()


def test_a_metric_that_one_run_lacks_is_not_compared_and_one_that_both_lack_is_left_out() -> None:
    queries = golden(4)
    b = answered(results([1, 2, 3, 4]), {})
    report = compare_runs(side("a", queries, results([1, 2, 3, 4])), side("b", queries, b))
    told = {one.metric: one.reading for one in report.comparison.compared}
    assert (told["groundedness"], report.deltas["groundedness"]) == ("not_compared", None)
    assert "tokens" not in told
    assert "citation_coverage" not in told
    assert list(told) == [name for name in NAMES if name in told]


def test_a_metric_that_both_lack_is_told_where_it_is_asked_for() -> None:
    report = compared([1, 2], [1, 2], wanted="tokens")
    assert [(one.metric, one.reading) for one in report.comparison.compared] == [("tokens", "not_compared")]
    assert report.comparison.is_empty


def test_a_query_missing_in_one_run_is_a_regression_and_counted_aloud() -> None:
    queries, found = golden(4), results([1, 2, 3, 4])
    report = compare_runs(side("a", queries, found), side("b", queries, without(found, "q001")))
    assert (report.per_query[1].kind, report.per_query[1].note) == ("Regression", "not in the results of B")
    assert (report.deltas["missing_queries"], report.deltas["hit_at_k"]["10"]) == (1, -0.25)
    [few, told] = report.remarks
    assert "can show no difference" in few
    assert told.startswith("B: ")
    assert "q001" in told


def test_what_both_runs_lack_is_told_once() -> None:
    queries, found = golden(4), without(results([1, 2, 3, 4]), "q001")
    few, told = compare_runs(side("a", queries, found), side("b", queries, found)).remarks
    assert "can show no difference" in few
    assert not told.startswith(("A: ", "B: "))


def test_a_run_that_found_nothing_loses_what_the_other_found() -> None:
    queries = golden(12)
    empty = Results("run", {one.query_id: Result(one.query_id) for one in queries}, ONE)
    report = compare_runs(side("a", queries, results([1] * 12)), side("b", queries, empty))
    assert report.counts == {"Win": 0, "Loss": 0, "Regression": 12, "Draw": 0}
    assert (report.deltas["empty_result_rate"], row(report, "empty_result_rate").reading) == (1.0, "worse")


def test_the_same_run_twice_is_all_draws() -> None:
    report = compared([1, None, 3, 4, 5, 6], [1, None, 3, 4, 5, 6])
    assert report.counts == {"Win": 0, "Loss": 0, "Regression": 0, "Draw": 6}
    assert set(numbers(dict(report.deltas))) == {"exact", 0, None}
    assert {one.reading for one in report.comparison.compared} <= {"no_difference_shown", "not_tested"}
    assert report.remarks == ()


def test_a_relabelled_but_equal_run_of_another_chunker_is_all_draws() -> None:
    queries, found = golden(9), results([1, 2, 3, 4, 5, None, 9, 10, 11])
    report = compare_runs(side("a", queries, found), side("b", queries, relabelled(found)))
    assert report.deltas["chunker_version_match"] == "fallback_doc_span"
    assert report.counts == {"Win": 0, "Loss": 0, "Regression": 0, "Draw": 9}
    assert set(numbers(dict(report.deltas))) == {"fallback_doc_span", 0, None}
    assert [(one.a_hit_rank, one.b_hit_rank) for one in report.per_query][4:7] == [(5, 5), (None, None), (9, 9)]
    assert "the chunkers differ (1 → 2)" in report.remarks[0]


def test_golden_queries_of_mere_ids_are_matched_by_the_spans_of_the_hits_that_bear_them() -> None:
    queries, found = golden(6, spans=False), results([1, 2, 3, 4, 5, 6])
    for a, b in ((found, relabelled(found)), (relabelled(found), found)):
        report = compare_runs(side("a", queries, a), side("b", queries, b))
        assert [(one.kind, one.a_hit_rank) for one in report.per_query] == [("Draw", at) for at in range(1, 7)]
        assert any("the spans of 6 expected chunks are those of the hits" in told for told in report.remarks)


def test_an_expected_chunk_whose_span_nobody_tells_is_matched_by_nothing_and_says_so() -> None:
    queries, found = golden(2, spans=False), results([1, None])
    report = compare_runs(side("a", queries, found), side("b", queries, relabelled(found)))
    assert [one.note for one in report.per_query] == ["", NO_SPAN]
    assert any(told.startswith("1 expected chunk has no spans") for told in report.remarks)


def test_ids_that_both_chunkers_use_for_other_places_are_told() -> None:
    queries, found = golden(2, spans=False), results([1, 2])
    moved = {
        name: replace(one, hits=tuple(replace(hit, spans=((0, 3),)) for hit in one.hits))
        for name, one in found.by_query.items()
    }
    b = side("b", queries, replace(found, by_query=moved, versions=TWO))
    report = compare_runs(side("a", queries, found), b)
    assert any("both runs have chunks of the expected ids" in told for told in report.remarks)
    assert {one.kind for one in report.per_query} == {"Draw"}


def test_a_hit_of_half_the_expected_span_counts_and_of_less_does_not() -> None:
    queries = golden(2)
    wide = {
        "q000": Result("q000", (Hit(1, "n", "other.md", ((100, 200),)), Hit(2, "m", "d0.md", ((0, 150),)))),
        "q001": Result("q001", (Hit(1, "n", "d1.md", ((0, 149),)),)),
    }
    report = compare_runs(side("a", queries, results([1, 1])), side("b", queries, Results("b", wide, TWO)))
    assert [(one.kind, one.b_hit_rank) for one in report.per_query] == [("Loss", 2), ("Loss", None)]
    assert report.per_query[1].note == "chunker 1 → 2"


def test_a_quotation_is_each_runs_own_chunk() -> None:
    def own(chunk: str, start: int) -> list[GoldenQuery]:
        expected = Expected(chunk, "d.md", ((start, start + 100),), "what it says")
        return [GoldenQuery("q", "what?", {"d.md": 1}, (expected,))]

    a = Results("a", {"q": Result("q", (Hit(1, "old", "d.md", ((0, 100),)),))}, ONE)
    b = Results("b", {"q": Result("q", (Hit(1, "new", "d.md", ((500, 600),)),))}, ONE)
    for versions in (ONE, TWO):
        found = replace(b, versions=versions)
        report = compare_runs(side("a", own("old", 0), a), side("b", own("new", 500), found))
        assert [(one.kind, one.a_hit_rank, one.b_hit_rank) for one in report.per_query] == [("Draw", 1, 1)]


def test_where_one_run_does_not_tell_its_chunker_ids_are_compared_and_that_is_told() -> None:
    queries, found = golden(2), results([1, 2])
    report = compare_runs(side("a", queries, found), side("b", queries, replace(found, versions=Versions())))
    assert report.deltas["chunker_version_match"] == "exact"
    assert "the chunker of B is unknown (of A it is 1): chunks are compared by their ids" in report.remarks


def test_runs_that_kept_more_and_fewer_hits_are_compared_by_the_fewer() -> None:
    queries = golden(3)
    a, b = side("a", queries, results([1, 4, 9]), top=12), side("b", queries, results([1, 4, 2], depth=5), top=5)
    report = compare_runs(a, b)
    assert [(one.a_hit_rank, one.b_hit_rank) for one in report.per_query] == [(1, 1), (4, 4), (None, 2)]
    assert any("compared by the first 5" in told for told in report.remarks)


def test_an_aggregate_that_was_recorded_by_other_formulas_is_told() -> None:
    queries, found = golden(2), results([1, 2])
    stored = score(queries, found).aggregate
    same, other = (
        side(name, queries, found, stored=each) for name, each in (("a", stored), ("b", replace(stored, mrr=0.1)))
    )
    report = compare_runs(same, other)
    assert [told[:2] for told in report.remarks] == ["2 ", "B:"]
    assert report.deltas["mrr"] == 0


def test_a_planted_fault_shows_as_regressions_by_more_than_chance() -> None:
    ranks: list[int | None] = [at % 5 + 1 for at in range(60)]
    queries = golden(60)
    a = results(ranks)
    dropped = {
        name: replace(one, hits=tuple(hit for hit in one.hits if not hit.chunk_id.startswith("x")))
        if at % 3 == 0
        else one
        for at, (name, one) in enumerate(a.by_query.items())
    }
    report = compare_runs(side("a", queries, a), side("b", queries, replace(a, by_query=dropped)))
    assert report.counts == {"Win": 0, "Loss": 0, "Regression": 20, "Draw": 40}
    found = row(report, "mrr")
    assert found.test == "permutation"
    assert (found.reading, row(report, "hit@10").reading) == ("worse", "worse")
    assert max(found.adjusted_p, row(report, "hit@10").adjusted_p) < 0.05
    assert found.interval[1] < 0 < found.detectable


def test_the_same_comparison_comes_out_the_same() -> None:
    first, second = (compared([1, None, 3, 4], [2, 2, None, 4]).record() for _ in range(2))
    assert first == second


def test_which_queries_moved_is_told_by_them_alone() -> None:
    told = compared([1, None], [None, 1]).record()
    assert [(one["kind"], one["query_id"]) for one in told["per_query"]] == [("Regression", "q000"), ("Win", "q001")]
    assert all(one["lost"] == one["won"] == [] for one in told["compared"])


def fixed() -> CompareReport:
    """The pair of the snapshot: eight queries with answers, one missing, one failed, one to be refused."""
    queries = [*golden(8)[:6], replace(golden(8)[6], chunks=None), GoldenQuery("q007", "who?", should_refuse=True)]
    a = answered(results([1, 2, None, 1, 3, 2, 4, None]), {"q007": False})
    b = answered(results([1, 1, 2, 4, None, None, 1, None], versions=Versions("1", "e5-large", "7", "m-1")), {})
    failed = {**b.by_query, "q005": Result("q005", error="timed out")}
    told = {**a.by_query, "q000": _citing(a.by_query["q000"])}
    b = without(replace(b, by_query=failed), "q004")
    return compare_runs(
        side("20260102-030405-a", queries, replace(a, by_query=told), commit="a" * 40),
        side("20260102-030405-b", queries, b, commit="b" * 40),
    )


def _bare(found: Results, lacks: str, *queries: str) -> Results:
    """The results, of which some queries' hits do not tell one thing."""
    nothing: dict[str, Any] = {lacks: {"doc_id": "", "spans": ()}[lacks]}
    changed = {
        name: replace(one, hits=tuple(replace(hit, **nothing) for hit in one.hits))
        for name, one in found.by_query.items()
        if name in queries
    }
    return replace(found, by_query={**found.by_query, **changed})


def _citing(result: Result) -> Result:
    assert result.answer is not None
    cited = (Cited("x0", resolves=True), Cited("gone", resolves=False))
    return replace(result, answer=replace(result.answer, citations=cited), latency_ms=12.5, tokens=100)


def _rounded(value: Any) -> Any:
    """SciPy's versions differ in the last digits."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return round(value, 6) + 0.0 if isinstance(value, float) else value


def test_the_json_of_a_fixed_pair_is_stable() -> None:
    assert _rounded(json.loads(json.dumps(fixed().record()))) == json.loads(SNAPSHOT.read_text("utf-8"))


def test_the_json_has_the_shape_that_is_told() -> None:
    queries = golden(2)
    apart = compare_runs(side("a", queries, results([1, 1])), side("b", golden(3), results([1, 1, 1])))
    for report in (fixed(), compared([1], [None]), apart):
        told = json.loads(json.dumps(report.record()))
        TypeAdapter(RetrievalCompare).validate_python(told, strict=True)
        assert told.keys() == RetrievalCompare.__annotations__.keys()
        assert told["deltas"].keys() == RetrievalDeltas.__annotations__.keys()
        assert all(one.keys() == ComparedMetric.__annotations__.keys() for one in told["compared"])


def test_a_side_is_made_of_a_measurement() -> None:
    from gitops.retrieval.measuring import Setting, measurement

    queries, found = golden(3), results([1, 2, None])
    scored = score(queries, found)
    setting = Setting(gold="gold.yaml", system="other", run_id="r", commit="c" * 40, top=12)
    made = of_measurement("r", measurement(scored, found, setting))
    assert isinstance(made, Side)
    assert (made.commit, made.top, made.stored, made.chunker) == ("c" * 40, 12, scored.aggregate, "1")
    report = compare_runs(made, side("b", queries, results([1, 1, 1])))
    assert report.counts == {"Win": 2, "Loss": 0, "Regression": 0, "Draw": 1}


@pytest.mark.parametrize(("count", "alpha", "needed"), [(1, 0.05, 6), (5, 0.05, 6), (6, 0.01, 8)])
def test_so_few_queries_that_nothing_could_be_shown_are_told(count: int, alpha: float, needed: int) -> None:
    queries = golden(count)
    sides = side("a", queries, results([1] * count)), side("b", queries, results([None] * count))
    said = f"can show no difference at p ≤ {alpha:g}, whatever moves: {needed} could"
    assert any(said in told for told in compare_runs(*sides, alpha=alpha).remarks)


def test_queries_that_could_show_something_need_no_remark() -> None:
    queries = golden(6)
    sides = side("a", queries, results([1] * 6)), side("b", queries, results([None] * 6))
    told = compare_runs(*sides, wanted="hit@1")
    assert not any("can show no difference" in each for each in told.remarks)
    assert [one.reading for one in told.comparison.compared] == ["worse"]
