"""Rankings of 10,000 queries × 100 documents scored, against pytrec_eval, which is trec_eval's own C code in Python.

Both sides take the same judgements and scores and give the same 16 measures of each query and their means; a side that
comes to other numbers is no measurement. In memory they start from the same dictionaries, else from the same files.
"""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.timing import Options, Ratio, Unavailable, against
from gitops.errors import CannotRun
from gitops.retrieval import documents, trec
from gitops.retrieval.measures import CUTS
from gitops.retrieval.scoring import Scored, score

LIMIT = 1.0
QUERIES = 10_000
HITS = 100
JUDGED = 20
"""So many documents of each query are judged, half of them among those that were found."""
ROUNDS_OF_FILES = 5
"""At most: a round of files takes some ten seconds."""

_APART = 5.1e-7
"""Figures have six places."""

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]
Means = Mapping[str, float | None]

_NAMES = {
    "map": "map",
    "ndcg_cut_10": "ndcg@10",
    "recip_rank": "mrr",
    **{f"P_{cut}": f"precision@{cut}" for cut in CUTS},
    **{f"recall_{cut}": f"recall@{cut}_doc" for cut in CUTS},
    **{f"success_{cut}": f"hit@{cut}" for cut in CUTS},
}
"""Theirs and ours; their reciprocal rank is not cut at ten, so that it is measured and not compared."""


def run(options: Options) -> list[Ratio]:
    """Two figures, each with its limit. Unavailable without pytrec_eval."""
    pytrec_eval = _pytrec_eval()
    queries = options.size(QUERIES)
    qrels, rankings = corpus(queries)
    _refuse_others(in_memory(qrels, rankings), theirs(pytrec_eval, qrels, rankings))
    floor = ("pytrec_eval, from dictionaries", lambda: theirs(pytrec_eval, qrels, rankings))
    first = against("in memory", floor, lambda: in_memory(qrels, rankings), options, limit=LIMIT, size=queries)
    files = options.scratch / "qrels.txt", options.scratch / "ranking.txt"
    write(qrels, rankings, *files)
    _refuse_others(from_files(*files), their_files(pytrec_eval, *files))
    few = Options(options.scratch, min(options.rounds, ROUNDS_OF_FILES), options.scale)
    floor = ("pytrec_eval, from files", lambda: their_files(pytrec_eval, *files))
    return [first, against("from files", floor, lambda: from_files(*files), few, limit=LIMIT, size=queries)]


def in_memory(qrels: Grades, rankings: Scores) -> Means:
    """Our side from dictionaries."""
    return _means(score(documents.queries(qrels), documents.results("benchmark", rankings)))


def from_files(qrels: Path, ranking: Path) -> Means:
    """Our side from files, as `git assay retrieval score --qrels Q --ranking R` does it."""
    golden = trec.qrels(qrels.read_bytes(), qrels.name)
    return _means(score(golden, trec.ranking(ranking.read_bytes(), ranking.name)))


def theirs(pytrec_eval: Any, qrels: Grades, rankings: Scores) -> Means:
    """The same by pytrec_eval, under our names."""
    cuts = ",".join(map(str, CUTS))
    wanted = {"map", "recip_rank", "ndcg_cut.10", f"P.{cuts}", f"recall.{cuts}", f"success.{cuts}"}
    rows = list(pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(rankings).values())
    return {ours: math.fsum([row[name] for row in rows]) / len(rows) for name, ours in _NAMES.items()}


def their_files(pytrec_eval: Any, qrels: Path, ranking: Path) -> Means:
    """The same from files."""
    with qrels.open(encoding="utf-8") as judged, ranking.open(encoding="utf-8") as found:
        return theirs(pytrec_eval, pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(found))


def corpus(queries: int) -> tuple[Grades, Scores]:
    """Judgements and rankings, always the same: 100 documents a query, 20 judged with grades from 0 to 3."""
    draw = random.Random(20)
    qrels: Grades = {}
    rankings: Scores = {}
    for number in range(queries):
        names = [f"doc-{each:07}" for each in draw.sample(range(10_000_000), HITS + JUDGED // 2)]
        judged = draw.sample(names[:HITS], JUDGED // 2) + names[HITS:]
        qrels[f"q{number}"] = dict(zip(judged, draw.choices((0, 1, 2, 3), (4, 4, 2, 1), k=JUDGED), strict=True))
        rankings[f"q{number}"] = {name: round(draw.uniform(0, 30), 6) for name in names[:HITS]}
    return qrels, rankings


def write(qrels: Grades, rankings: Scores, judged: Path, found: Path) -> None:
    """The same as TREC's files."""
    judged.write_text("".join(_lines(qrels, "{} 0 {} {}\n")), encoding="utf-8")
    found.write_text("".join(_lines(rankings, "{} Q0 {} 1 {} bench\n")), encoding="utf-8")


def _means(scored: Scored) -> Means:
    return {name: scored.figures[name].value for name in _NAMES.values()}


def _lines(table: Mapping[str, Mapping[str, float]], form: str) -> Iterator[str]:
    return (form.format(query, name, number) for query, row in table.items() for name, number in row.items())


def _refuse_others(ours: Means, floor: Means) -> None:
    for name in ours.keys() - {"mrr"}:
        one, other = ours[name], floor[name]
        if one is None or other is None or abs(one - other) > _APART:
            raise CannotRun(
                f"{name} is {one} here and {other} by pytrec_eval", "pytest tests/retrieval/test_trec_eval.py"
            )


def _pytrec_eval() -> Any:
    try:
        return importlib.import_module("pytrec_eval")
    except ImportError:
        raise Unavailable("pytrec_eval is not installed", "pip install 'git-assay[test]'") from None
