from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.index import records as rows
from gitops.index.database import open_index
from gitops.retrieval.golden import parse
from gitops.retrieval.model import Chunk, Expected, GoldenQuery
from gitops.retrieval.rescoring import keep, rescored
from gitops.retrieval.running import Gold, by_workflow, measured, of_system
from gitops.retrieval.stores import Store
from gitops.runs import evalruns, measurements, mirror, remaking
from gitops.runs.bad_input import BadInput
from gitops.runs.measurements import Measurement
from tests.retrieval.tide_wiki import FILES, GOLD, QUERIES, Tides, results


@pytest.fixture
def tides(make_repository: Callable[..., Path]) -> Tides:
    return Tides(make_repository(FILES))


def kept(tides: Tides) -> Measurement:
    made = measured(tides.context, tides.workspace, tides.commit, by_workflow(tides.workflow(), tides.gold, 10))
    return evalruns.record(tides.context, tides.workspace, made)


def of_others(tides: Tides) -> Measurement:
    ran = of_system(Gold("g.yaml", QUERIES), results(), "mine", tides.context.now, top=None, store=None)
    made = measured(tides.context, tides.workspace, tides.commit, ran)
    return evalruns.record(tides.context, tides.workspace, made)


def older(measurement: Measurement) -> Measurement:
    """As if older formulas had measured it."""
    aggregate = {**measurement.details["aggregate"], "mrr": 0.1234}
    return measurement.model_copy(update={"details": {**measurement.details, "aggregate": aggregate}}).named()


def index(tides: Tides) -> dict[str, list[tuple[Any, ...]]]:
    with mirror.opened(tides.context) as opened:
        return rows.dump(opened)


def rebuilt(tides: Tides) -> dict[str, list[tuple[Any, ...]]]:
    with closing(open_index(tides.folder / "anew.sqlite3")) as anew:
        assert mirror.replace(anew, remaking.read(tides.context)) == []
        return rows.dump(anew)


def test_a_quotation_for_another_systems_run_takes_a_store(tides: Tides) -> None:
    gold = Gold("g.yaml", [GoldenQuery("a", "?", chunks=(Expected(doc_id="d1", quote="Nine", line=3),))])
    with pytest.raises(BadInput, match=r"g\.yaml:3: no store was given"):
        rescored(tides.context, of_others(tides), gold)
    store = Store.of([Chunk("c1", "d1", ((0, 9),))], {"c1": "Nine lives"})
    assert rescored(tides.context, of_others(tides), gold, store).scored.aggregate.mrr == 0.5


def test_golden_queries_that_the_wiki_cannot_have_answered_are_told(tides: Tides) -> None:
    gold = Gold("g.yaml", parse(GOLD.replace("falls back", "never falls").encode(), "g.yaml"))
    with pytest.raises(BadInput, match=r"g\.yaml:6: "):
        rescored(tides.context, kept(tides), gold)


def test_a_record_that_is_too_large_is_not_kept(tides: Tides, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rescored(tides.context, kept(tides), None)
    monkeypatch.setattr(measurements, "LARGEST", 100)
    with pytest.raises(CannotRun, match="is kept"):
        keep(tides.context, made)
    assert len(measurements.everything(tides.context)) == 1


def test_a_commit_takes_no_more_than_a_forge_would(tides: Tides, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rescored(tides.context, kept(tides), None)
    there = measurements.size_on(tides.context, tides.commit)
    monkeypatch.setattr(measurements, "FULLEST", 2 * there + 1_000)
    kept(tides)
    with pytest.raises(CannotRun, match=f"with this run the notes of {tides.commit[:10]} would be") as refused:
        keep(tides.context, first)
    assert "--no-keep" in refused.value.hint
    assert len(measurements.everything(tides.context)) == 2


def test_a_measurement_that_holds_something_else_breaks_no_index(tides: Tides) -> None:
    first = kept(tides)
    wrongs: tuple[dict[str, Any], ...] = ({"details": {"aggregate": [1]}}, {"metrics": {}})
    for number, wrong in enumerate(wrongs):
        evalruns.record(
            tides.context, tides.workspace, first.model_copy(update={"run_id": f"20240102-030406-{number:08}", **wrong})
        )
    assert [row[0] for row in index(tides)["eval_runs"]] == [first.run_id]
    assert index(tides) == rebuilt(tides)


def test_what_was_killed_before_its_run_was_recorded_is_no_row_and_counts(tides: Tides) -> None:
    first = kept(tides)
    cut = measurements.append(tides.context, first.model_copy(update={"run_id": "20240102-030406-00000000"}))
    assert [row[0] for row in index(tides)["eval_runs"]] == [first.run_id]
    remade = remaking.remake(tides.context)
    assert [told.split(":")[0] for told in remade.left_out] == [f"eval_runs {cut.run_id}"]
    assert not rescored(tides.context, cut, None).is_other


def test_what_comes_out_the_same_is_no_other_outcome(tides: Tides) -> None:
    for before in (kept(tides), of_others(tides)):
        made = rescored(tides.context, before, None)
        assert (made.is_other, made.is_known) == (False, True)
        assert made.now.details == before.details


def test_a_measurement_out_of_a_file_is_scored_and_is_not_of_these_notes(tides: Tides) -> None:
    made = rescored(tides.context, older(kept(tides)).model_copy(update={"run_id": "20240102-030405-00000000"}), None)
    assert (made.is_other, made.is_known) == (True, False)


def test_another_outcome_is_recorded_and_counts_from_then_on(tides: Tides) -> None:
    """The clock stands still here: the later measurement must count all the same."""
    first = older(kept(tides)).model_copy(update={"run_id": "20240102-030405-00000000"})
    evalruns.record(tides.context, tides.workspace, first)
    [before] = [one for one in measurements.everything(tides.context) if one.run_id == first.run_id]
    assert ("20240102-030405-00000000", 0.1234) in [(row[0], _mrr(row)) for row in index(tides)["eval_runs"]]
    now = keep(tides.context, rescored(tides.context, before, None))
    [*_, last] = [one for one in measurements.everything(tides.context) if one.run_id == first.run_id]
    assert (last, last.details["aggregate"]["mrr"]) == (now, 1.0)
    assert ("20240102-030405-00000000", 1.0) in [(row[0], _mrr(row)) for row in index(tides)["eval_runs"]]
    assert index(tides) == rebuilt(tides)
    assert not rescored(tides.context, before, None).is_other


def _mrr(row: tuple[Any, ...]) -> float:
    import json

    return float(json.loads(row[9])["mrr"])


def test_by_other_golden_queries_nothing_that_was_kept_is_lost(tides: Tides) -> None:
    first = kept(tides)
    other = Gold("other.yaml", [replace(tides.gold.queries[1], doc_ids={"wiki/tides.md": 1})])
    again = keep(tides.context, rescored(tides.context, first, other))
    assert (again.suite, len(again.samples)) == ("other.yaml", 1)
    assert [row[1] for row in index(tides)["eval_query_results"]] == ["pull"]
    assert index(tides) == rebuilt(tides)
    plain = rescored(tides.context, again, None)
    assert (plain.is_other, len(plain.now.samples)) == (False, 1)
    back = keep(tides.context, rescored(tides.context, again, tides.gold))
    assert back.metrics["mrr"].value == 1.0
    assert [one.details.get("hits_top_k") for one in back.samples] == [
        one.details["hits_top_k"] for one in first.samples
    ]
    assert index(tides) == rebuilt(tides)
