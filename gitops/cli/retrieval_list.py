"""`git assay retrieval list`: the runs of retrieval that were kept, newest first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import kept_runs, surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.runs.measurements import Measurement


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("list", "list the runs that were kept, newest first", list_runs)
    kept_runs.options(made)


def list_runs(arguments: argparse.Namespace) -> int:
    """Print them; 0 even where there is none."""
    from gitops.retrieval import measuring
    from gitops.runs import measurements

    context = surroundings.context(arguments, sweep=False)
    runs = measuring.runs(measurements.everything(context)).values()
    shown = kept_runs.newest(arguments, context, [one[-1] for one in runs])
    if arguments.json:
        surroundings.print_json({"schema": "assay/retrieval-list/1", "runs": [_record(one) for one in shown]})
        return 0
    from gitops.report import retrieval
    from gitops.report.text import show

    show(retrieval.listing(shown) if shown else "no run of retrieval was kept yet: git assay retrieval run")
    return 0


def _record(one: Measurement) -> dict[str, Any]:
    return kept_runs.identity(one) | {
        "queries": len(one.samples),
        "mrr": _value(one, "mrr"),
        "hit@10": _value(one, "hit@10"),
        "ndcg@10": _value(one, "ndcg@10"),
    }


def _value(one: Measurement, name: str) -> float | None:
    return one.metrics[name].value if name in one.metrics else None
