from __future__ import annotations

import json

import pytest

from gitops.errors import UsageError
from gitops.retrieval.measuring import Setting, measurement
from gitops.retrieval.model import Versions
from gitops.retrieval.scoring import score
from gitops.retrieval.sides import Side, are_rechunked, common_depth, is_measurement, of_measurement
from gitops.runs.measurements import Measurement
from tests.evals.scores import passing
from tests.retrieval.comparable import golden, results, side


def of(chunker: str = "", top: int | None = None) -> Side:
    return side("run", golden(2), results([1, 2], versions=Versions(chunker)), top=top)


def measured() -> Measurement:
    queries, found = golden(2), results([1, 2])
    return measurement(score(queries, found), found, Setting(gold="gold.yaml", system="other", top=5))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[" * 100_000,
        b"[1]",
        b'{"schema": "assay/retrieval-results/1"}\n{"query_id": "q"}\n',
        b'{"query_id": "q", "answer": {"text": "assay/measurement/1"}}\n',
    ],
)
def test_what_holds_no_measurement_is_none(data: bytes) -> None:
    assert not is_measurement(data)


def test_a_measurement_is_one_however_it_is_printed() -> None:
    told = measured().record()
    for data in (json.dumps(told), json.dumps(told, indent=1), f"\ufeff\n{json.dumps(told)}\n{json.dumps(told)}\n"):
        assert is_measurement(data.encode())


def test_a_measurement_of_another_kind_is_no_run_of_retrieval() -> None:
    with pytest.raises(UsageError, match="none of retrieval"):
        of_measurement("M1", passing(1, 2))


def test_a_measurement_knows_what_it_was_made_of() -> None:
    made = of_measurement("run", measured())
    assert (made.name, made.top, made.has_store, made.chunker) == ("run", 5, False, "1")
    assert list(made.golden) == golden(2)
    assert made.gold == side("run", golden(2), results([1, 2])).gold
    assert made.stored is not None
    assert made.stored.mrr == 0.75


@pytest.mark.parametrize(
    ("a", "b", "told"), [("1", "2", True), ("1", "1", False), ("1", "", False), ("", "2", False), ("", "", False)]
)
def test_chunkers_differ_where_both_are_told_and_are_not_the_same(a: str, b: str, told: bool) -> None:
    assert are_rechunked(of(a), of(b)) is told


@pytest.mark.parametrize(("a", "b", "depth"), [(None, None, None), (10, None, 10), (None, 5, 5), (10, 5, 5)])
def test_the_lesser_depth_is_known_of_both(a: int | None, b: int | None, depth: int | None) -> None:
    assert common_depth(of(top=a), of(top=b)) == depth


def test_results_are_cut_to_their_first_hits() -> None:
    whole = of()
    assert whole.cut(None) is whole.results
    assert [len(one.hits) for one in whole.cut(3).by_query.values()] == [3, 3]


def test_golden_queries_come_in_the_others_order() -> None:
    queries = golden(3)
    one, other = (side("run", each, results([1, 2, 3])) for each in (queries, queries[::-1]))
    assert one.in_order_of(other) == queries[::-1]
