"""The same numbers as trec_eval itself, and as its C code under Python."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitops.retrieval import documents, trec
from gitops.retrieval.query_scores import Terms, score_query
from gitops.retrieval.scoring import Scored, score

TREC = Path(__file__).parents[2] / "../shared/data/trec"
has_trec = pytest.mark.skipif(not TREC.exists(), reason="trec_eval's own test files are not here")
CUTS = (1, 3, 5, 10)
OURS = {
    "map": "map",
    "ndcg_cut_10": "ndcg@10",
    "recip_rank_cut_10": "mrr",
    **{f"P_{k}": f"precision@{k}" for k in CUTS},
    **{f"recall_{k}": f"recall@{k}_doc" for k in CUTS},
    **{f"success_{k}": f"hit@{k}" for k in CUTS},
}
"""trec_eval's names of what we measure; `recip_rank`, which it does not cut, is compared apart."""


def scored(ranking: str) -> Scored:
    """A ranking of trec_eval's test files, read and scored as `retrieval score` does it."""
    qrels = trec.qrels((TREC / "test/qrels.test").read_bytes(), "qrels.test")
    return score(qrels, trec.ranking((TREC / "test" / ranking).read_bytes(), ranking))


def by_topic(run: Scored) -> dict[str, Mapping[str, float]]:
    return {each.query.query_id: each.scores for each in run.queries}


def expected_rows() -> list[Any]:
    """Each figure that was recorded: which ranking, topic and name, and the number."""
    if not TREC.exists():
        return []
    table = json.loads((TREC / "expected.json").read_text())
    rankings = {
        "results.test": "results.test",
        "results.test@M10": "results.test",
        "results.trunc(-c)": "results.trunc",
    }
    recorded = [
        pytest.param(rankings[run], topic, name, value, id=f"{run} {topic} {name}")
        for run, topics in table.items()
        for topic, values in topics.items()
        for name, value in values.items()
    ]
    return recorded + [
        pytest.param(ranking, topic, name, float(value), id=f"{output} {topic} {name}")
        for output, ranking in (("out.test.aq", "results.test"), ("out.test.aqc", "results.trunc"))
        for name, topic, value in (line.split() for line in (TREC / "test" / output).read_text().splitlines())
        if name in OURS or name in ("recip_rank", "num_ret", "num_rel")
    ]


KNOWN = [row for row in expected_rows() if row.values[2] in OURS]
FIRST = [row for row in expected_rows() if row.values[2] == "recip_rank" and row.values[1] != "all"]
COUNTS = [row for row in expected_rows() if row.values[2] in ("num_ret", "num_rel")]


@pytest.fixture(scope="module")
def runs() -> dict[str, Scored]:
    return {name: scored(name) for name in ("results.test", "results.trunc")}


@has_trec
def test_no_recorded_figure_of_ours_is_passed_over() -> None:
    table = json.loads((TREC / "expected.json").read_text())
    names = {name for topics in table.values() for values in topics.values() for name in values}
    others = {"num_ret", "num_rel", "recip_rank", "ndcg_cut_5", "ndcg_cut_20", "success_20", "success_100"}
    others |= {f"recall_{k}" for k in (20, 100, 1000)}
    assert names - others == names & OURS.keys()
    assert len(KNOWN) > 100


@has_trec
@pytest.mark.parametrize(("ranking", "topic", "name", "value"), KNOWN)
def test_a_figure_is_trec_eval_s_to_four_places(
    runs: dict[str, Scored], ranking: str, topic: str, name: str, value: float
) -> None:
    if topic == "all":
        assert runs[ranking].aggregate.metric(OURS[name]) == value
    else:
        assert round(by_topic(runs[ranking])[topic][OURS[name]], 4) == value


@has_trec
@pytest.mark.parametrize(("ranking", "topic", "name", "value"), FIRST)
def test_a_reciprocal_rank_is_trec_eval_s_down_to_the_tenth(
    runs: dict[str, Scored], ranking: str, topic: str, name: str, value: float
) -> None:
    assert round(by_topic(runs[ranking])[topic]["mrr"], 4) == (value if value >= 0.1 else 0.0)


@has_trec
@pytest.mark.parametrize(("ranking", "topic", "name", "value"), COUNTS)
def test_as_many_are_retrieved_and_relevant(
    runs: dict[str, Scored], ranking: str, topic: str, name: str, value: float
) -> None:
    every = [each for each in runs[ranking].queries if topic in ("all", each.query.query_id)]
    if name == "num_ret":
        assert sum(len(each.result.hits) for each in every if each.result) == value
    else:
        assert sum(len(each.query.doc_ids or {}) for each in every) == value


@has_trec
def test_a_topic_that_the_ranking_lacks_is_told_and_counts(runs: dict[str, Scored]) -> None:
    assert runs["results.trunc"].aggregate.missing_queries == 1
    assert any("302" in told for told in runs["results.trunc"].remarks)


DOCUMENTS = [f"d{number}" for number in range(30)] + ["é", "e\u0301", "漢", "\uffee", "\U0001f600", "Z", "a b"]
SCORES = st.sampled_from([inf, 3.5, 2.0, 1.0 + 2**-30, 1.0, 1.0 - 2**-30, 0.1, 0.0, -0.0, -1.0, 1e-46, 1e300, -inf])
GRADES = st.integers(-2, 4)
JUDGED = st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1, max_size=20)
TOPIC = st.tuples(
    JUDGED.filter(lambda grades: max(grades.values()) >= 0),  # of grades below 0 alone trec_eval's C code may crash
    st.dictionaries(st.sampled_from(DOCUMENTS), SCORES | st.floats(-5, 5), max_size=len(DOCUMENTS)),
)


@pytest.mark.slow
@example([({"d1": 1}, {})])
@example([({"d1": 0, "d2": -1}, {"d1": 1.0, "d2": 2.0})])
@example([({"d1": 2, "d2": 1}, dict.fromkeys(DOCUMENTS, 1.0))])
@settings(max_examples=200, deadline=None)
@given(st.lists(TOPIC, min_size=1, max_size=4))
def test_a_random_ranking_scores_as_in_trec_eval_s_own_code(
    topics: list[tuple[dict[str, int], dict[str, float]]],
) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = {str(number): grades for number, (grades, _) in enumerate(topics)}
    rankings = {str(number): scores for number, (_, scores) in enumerate(topics)}
    cuts = ",".join(map(str, CUTS))
    names = {"map", "recip_rank", "ndcg_cut.10", f"P.{cuts}", f"recall.{cuts}", f"success.{cuts}"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(rankings)
    golden, results = documents.queries(qrels), documents.results("run", rankings)
    terms = Terms("exact", has_store=False)
    ours = {one.query_id: score_query(one, results.by_query.get(one.query_id), terms).exact for one in golden}
    kept = by_topic(score(golden, results))
    assert theirs.keys() == ours.keys()
    for topic, values in theirs.items():
        whole = values.pop("recip_rank")
        values["recip_rank_cut_10"] = whole if values["success_10"] else 0.0
        named = {OURS[name]: value for name, value in values.items()} | {"empty_result_rate": not rankings[topic]}
        assert named == pytest.approx(ours[topic], abs=1e-9)
        assert kept[topic] == pytest.approx(ours[topic], abs=5.1e-7)
