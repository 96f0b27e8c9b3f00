"""Fifty claims drawn for M1 out of 100,000 pages, the index warm, against the same out of 1,000.

The pages that claims are drawn from are read and parsed on both sides, and no other. Then the claims themselves: what
the index gives before a page is read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks import wikis
from benchmarks.timing import Options, Ratio, interleave
from gitops.evals import claim_sample
from gitops.evals.metrics.m1 import SIZE
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.runs.workspace import find

LIMIT = 1.5
SMALL, LARGE = 1_000, 100_000
LEAST = 100
"""In fewer pages there are not so many claims to draw."""


def run(options: Options) -> list[Ratio]:
    """The whole drawing, and the claims' places alone."""
    fewer = max(LEAST, options.size(SMALL))
    pages = max(fewer, options.size(LARGE))
    few = wikis.build(options.scratch / "few", fewer).folder
    many = wikis.build(options.scratch / "many", pages).folder
    drawn = interleave({"floor": _drawing(few), "ours": _drawing(many)}, options.rounds)
    located = interleave({"floor": _locating(few), "ours": _locating(many)}, options.rounds)
    of_few = f"the same of {fewer:,} pages"
    return [
        Ratio("claims drawn and read", of_few, LIMIT, pages, drawn["ours"], drawn["floor"]),
        Ratio("claims located", of_few, LIMIT, pages, located["ours"], located["floor"]),
    ]


def _drawing(folder: Path) -> Callable[[], None]:
    open_bench = _bench(folder)
    seeds = iter(range(1, 10**9))

    def draw() -> None:
        with open_bench() as bench:
            assert len(claim_sample.draw(bench, SIZE, next(seeds)).claims) == SIZE

    return draw


def _locating(folder: Path) -> Callable[[], None]:
    open_bench = _bench(folder)
    seeds = iter(range(1, 10**9))

    def locate() -> None:
        with open_bench() as bench, claim_sample.opened(bench) as reader:
            assert len(claim_sample.located(reader, reader.strata(), SIZE, next(seeds))) == SIZE

    return locate


def _bench(folder: Path) -> Callable[[], Bench]:
    """What is measured on a wiki, its index warm."""
    context = Context(open_repository(folder))
    commit = snapshot.resolve(context.repository, "refs/heads/main")
    workspace = find(context.repository, commit)
    with Bench(context, workspace, commit) as bench, claim_sample.opened(bench) as reader:
        assert reader.strata()
    return lambda: Bench(context, workspace, commit)
