"""A small wiki on tides with golden queries, as its own query workflow or anybody else may be asked them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from gitops import assembly
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.retrieval.golden import parse
from gitops.retrieval.model import Answer, Cited, Expected, GoldenQuery, Hit, Result, Results, Versions
from gitops.retrieval.running import Gold
from gitops.retrieval.workflow import Workflow
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, find

FALLS = "The sea falls back twice a day on most coasts."
PULLS = "The moon pulls the sea towards it."
SPRING = "Spring tides are the highest of all tides."
GOLD = f"""\
# expected_doc_ids: [] means *should refuse*
- query_id: falls
  query: How often does the sea fall back?
  expected_doc_ids: [wiki/tides.md]
  expected_chunk_ids:
    - {{doc_id: wiki/tides.md, quote: {FALLS[:20]}}}
  must_contain: [twice a day]
- query_id: pull
  query: What does the moon pull?
  expected_doc_ids: [wiki/moon.md]
- query_id: lucene
  query: When was Apache Lucene released?
  expected_doc_ids: []
"""
FILES = {
    "assay.toml": '[workspace]\nname = "tides"\n',
    "raw/tides.md": f"# On tides\n\n{FALLS}\n\n{SPRING}\n\n{PULLS}\n",
    "wiki/index.md": "# Index\n\n- [Tides](tides.md)\n- [Moon](moon.md)\n",
    "wiki/log.md": "# Log\n",
    "wiki/tides.md": f"# Tides\n\n{FALLS}[^1]\n\n## Spring tides\n\n{SPRING}[^1]\n\n[^1]: raw/tides.md\n",
    "wiki/moon.md": f"# Moon\n\n{PULLS}[^1]\n\n[^1]: raw/tides.md\n",
    "gold/retrieval.yaml": GOLD,
}


@dataclass
class Tides:
    """The wiki in a folder; what a person is told collects in `told`."""

    folder: Path
    now: datetime = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
    told: list[str] = field(default_factory=list)

    @property
    def context(self) -> Context:
        return Context(open_repository(self.folder), clock=lambda: self.now, warn=self.told.append)

    @property
    def commit(self) -> str:
        return snapshot.resolve(open_repository(self.folder), "HEAD")

    @property
    def workspace(self) -> Workspace:
        return find(open_repository(self.folder), self.commit)

    @property
    def gold(self) -> Gold:
        return Gold("gold/retrieval.yaml", parse(GOLD.encode(), "gold/retrieval.yaml"))

    def workflow(self, top: int = 10) -> Workflow:
        return Workflow(self.context, self.workspace, self.commit, partial(assembly.answered, limit=top))

    def later(self, **passed: float) -> None:
        self.now += timedelta(**passed)


QUERIES = (
    GoldenQuery("a", "What is A?", {"d1": 1}, (Expected("c1", "d1", ((0, 9),)),), must_contain=("A",)),
    GoldenQuery("b", "What is B?", {"d2": 2, "d3": 1}, None),
    GoldenQuery("refuse", "What is the Moon made of?", should_refuse=True, forbidden=("cheese",)),
    GoldenQuery("unjudged", "Why?"),
)


def results(*, without: Sequence[str] = (), more: Sequence[Result] = ()) -> Results:
    """Results of a system for `QUERIES`: all well but for the second, which failed."""
    hits = (Hit(1, "c0", "d0", ((4, 8),), 2.5), Hit(2, "c1", "d1", ((0, 9),), 1.5))
    every = [
        Result("a", hits, Answer("A is A.", (Cited("c1", resolves=True),), True), "", 12.5, 30, 0.001, duplicates=2),
        Result("b", error="it broke"),
        Result("refuse", (), Answer("Nobody says.", (), False), latency_ms=7.25),
        Result("unjudged", hits[:1]),
    ]
    kept = {one.query_id: one for one in [*every, *more] if one.query_id not in without}
    versions = Versions("7", "e5", "p-3", "m-1", {"note": "odd", "depth": 3})
    return Results("mine.jsonl", kept, versions, True, ("a remark of the reader",))
