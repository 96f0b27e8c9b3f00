"""A small wiki about a mill, whose ingests can be worked out by hand, and the metric's view of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from gitops.evals.metric import MetricResult
from gitops.evals.metrics import m2
from gitops.evals.subject import Subject
from gitops.git.snapshot import resolve
from gitops.runs.outcome import Outcome
from gitops.runs.views import Bench
from gitops.runs.workspace import find
from tests.runs.driving import Wiki

FILES = {
    "assay.toml": '[workspace]\nname = "mill"\n\n[pages]\nexempt = ["notes/*"]\n',
    "raw/mill.md": "turbine turbine turbine sluice sluice miller",
    "raw/other.md": "grain flour bread",
    "raw/scan.pdf": b"",
    "wiki/index.md": "# Turbine and sluice\n\n- [[a]] [[b]] [[c]] [[d]] [[e]] [[new]]\n",
    "wiki/log.md": "# Log\n\n- turbine, sluice\n",
    "wiki/notes/free.md": "The turbine, of which nobody has to write.\n",
    "wiki/a.md": "The Turbine.\n",
    "wiki/b.md": "A `sluice`.\n",
    "wiki/c.md": "---\ntags: [miller]\n---\n\nHe.\n",
    "wiki/d.md": "The turbine and the sluice; turbine again.\n",
    "wiki/e.md": "Flour. Turbines in the plural, and hydroturbine.\n",
}
"""Of the words of `raw/mill.md`, pages a to d hold one or two, and e none as a whole word."""
MILL = {
    "wiki/a.md": "The turbine turns.\n",
    "wiki/b.md": "A sluice opens.\n",
    "wiki/e.md": "Flour, and no more.\n",
    "wiki/new.md": "# The turbine\n\nIt is new.\n",
}
"""What an ingest of `raw/mill.md` writes that reaches two of four pages, one in vain, and makes one."""


def ingest(wiki: Wiki, pages: Mapping[str, str | None], *sources: str, run_type: str = "ingest") -> Outcome:
    """Land a run that writes some pages, judged by nobody."""
    run = wiki.run(pages, run_type=run_type, sources=sources, reason="as a test wants it")
    landed = wiki.finish(run, no_verify=True)
    assert landed.result == "landed"
    return landed


def measured(wiki: Wiki, moment: datetime | None = None, rev: str = "main") -> MetricResult:
    """M2 of a revision, at the wiki's moment or another one."""
    context = wiki.context()
    commit = resolve(context.repository, rev)
    with Bench(context, find(context.repository, commit), commit) as bench:
        return m2.compute(Subject(bench, moment or wiki.now))
