"""Topics and pairs drawn for M5 out of 100,000 pages, the index warm, against the same out of 1,000.

Twenty topics, the pages that mention them, their statements in pairs: read and parsed on both sides, and nothing else;
no judge votes. The sample is that of one seed, as in measurements, for whose order the index's links are kept. Then the
same with a new seed each time, whose order has to be made first; and one topic alone that three pages of ten mention,
30,000 of the large wiki: which pages these are is asked of the index, and of forty that are drawn the text is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, repeat
from pathlib import Path

from benchmarks import topic_wikis
from benchmarks.timing import Options, Ratio, interleave
from gitops.evals import topic_pairs
from gitops.evals.metrics.m5 import SIZE
from gitops.evals.topics import topic
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.runs.workspace import find

LIMIT = 1.5
SMALL, LARGE = 1_000, 100_000
LEAST = 200
"""In fewer pages there are not so many topics to draw, nor so many pages that mention one."""


def run(options: Options) -> list[Ratio]:
    """The whole sample, as it is measured and with new seeds, and a topic that is spoken of everywhere."""
    fewer = max(LEAST, options.size(SMALL))
    pages = max(fewer, options.size(LARGE))
    few = topic_wikis.build(options.scratch / "few.git", fewer)
    many = topic_wikis.build(options.scratch / "many.git", pages)
    sampled = interleave({"floor": _sampling(few, repeat(0)), "ours": _sampling(many, repeat(0))}, options.rounds)
    anew = interleave({"floor": _sampling(few, count(1)), "ours": _sampling(many, count(1))}, options.rounds)
    common = interleave({"floor": _common(few), "ours": _common(many)}, options.rounds)
    of_few = f"the same of {fewer:,} pages"
    return [
        Ratio("topics and pairs drawn", of_few, LIMIT, pages, sampled["ours"], sampled["floor"]),
        Ratio("the same, a new seed", of_few, None, pages, anew["ours"], anew["floor"]),
        Ratio("a topic on three pages of ten", of_few, None, pages, common["ours"], common["floor"]),
    ]


def _sampling(folder: Path, seeds: Iterator[int]) -> Callable[[], None]:
    open_bench = _bench(folder)

    def sample() -> None:
        with open_bench() as bench:
            view, holding = bench.base_view(), bench.page_terms().holding
            found = list(topic_pairs.sample(view, holding, next(seeds), SIZE))
            assert sum(bool(one.pairs) for one in found) == SIZE

    return sample


def _common(folder: Path) -> Callable[[], None]:
    open_bench, seeds = _bench(folder), count(1)

    def sample() -> None:
        with open_bench() as bench:
            view, holding = bench.base_view(), bench.page_terms().holding
            asked = topic(view, topic_wikis.path(topic_wikis.COMMON))
            found = topic_pairs.of_topic(view, asked, holding, topic_pairs.Reading(view), next(seeds), set())
            assert len(found.pages) == topic_pairs.MOST_PAGES

    return sample


def _bench(folder: Path) -> Callable[[], Bench]:
    """What is measured on a wiki, its index warm."""
    context = Context(open_repository(folder))
    commit = snapshot.resolve(context.repository, "refs/heads/main")
    workspace = find(context.repository, commit)
    with Bench(context, workspace, commit) as bench:
        bench.base_view()
        assert bench.page_terms().documents
    return lambda: Bench(context, workspace, commit)
