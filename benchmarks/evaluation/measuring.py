"""Every wiki of a folder, measured by every metric: the same functions as `git assay eval run`, and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from benchmarks.evaluation import taking
from gitops import assembly
from gitops.evals.floor_ground import MAIN
from gitops.evals.registry import registry
from gitops.evals.running import Measured, Wanted, measured
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import Workspace, rooted

SOURCES = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """Which samples are drawn, how large (None: each metric's own number), and how many sources make a wiki anew."""

    seed: int = 0
    size: int | None = None
    sources: int = SOURCES


@dataclass(frozen=True, slots=True)
class Report:
    """One workspace, measured: how large it is, a measurement by each metric, and how long each took, in seconds.

    `ingested` counts the sources that were brought into an empty wiki, where it is such a one; `left_out` says which
    were not, and why.
    """

    name: str
    pages: int
    sources: int
    measurements: tuple[Measurement, ...]
    seconds: Mapping[str, float]
    ingested: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def claims(self) -> int:
        """The claims that cite something by themselves: those that M1 draws from."""
        return next((one.metrics["M1"].counts.get("claims", 0) for one in self.measurements if one.suite == "M1"), 0)


def reports(wikis: Path, scratch: Path, choice: Choice) -> Iterator[Report]:
    """A report of each workspace of each wiki; and of the wiki made anew from its sources, where it has any.

    UsageError where there is no wiki. Nobody is asked who costs something, whatever a wiki's own policy names.
    """
    for wiki in taking.wikis(wikis):
        context, found = taking.adopted(wiki, scratch / wiki.name)
        for number, workspace in enumerate(found):
            name = wiki.name if len(found) == 1 else f"{wiki.name}: {workspace.name}"
            yield _report(context, workspace, name, choice)
            if files := [wiki / path for path in _sources(context, workspace)[: choice.sources]]:
                folder = scratch / f"{wiki.name}.{number}.anew"
                made, left_out = taking.ingested(files, folder, context, workspace)
                anew = rooted(made.repository, resolve(made.repository, MAIN), "")
                report = _report(made, anew, f"{name}, anew", choice)
                yield replace(report, ingested=len(files) - len(left_out), left_out=tuple(left_out))


def _report(context: Context, workspace: Workspace, name: str, choice: Choice) -> Report:
    tip = resolve(context.repository, MAIN)
    seconds: dict[str, float] = {}
    started = perf_counter()

    def settled(one: Measured) -> None:
        seconds[one.measurement.suite] = perf_counter() - started - sum(seconds.values())

    wanted = Wanted(registry(), choice.seed, choice.size, only_kept=True, answering=assembly.answered, preset="offline")
    found = measured(context, workspace, tip, wanted, settled=settled)
    layout = workspace.layout
    pages = sum(layout.is_page(path) and path != layout.log for path in context.tree(tip).paths(layout.wiki))
    sources = len(_sources(context, workspace))
    return Report(name, pages, sources, tuple(one.measurement for one in found), seconds)


def _sources(context: Context, workspace: Workspace) -> list[str]:
    """The files below the folder of the sources, hidden ones left out."""
    tree, layout = context.tree(resolve(context.repository, MAIN)), workspace.layout
    every = sorted(path for path in tree.paths(layout.raw) if layout.is_source(path))
    return [path for path in every if not path.rpartition("/")[2].startswith(".")]
