"""`git assay retrieval list`: the runs of retrieval that were kept, newest first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, count

if TYPE_CHECKING:
    from gitops.runs.measurements import Measurement


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("list", "list the runs that were kept, newest first", list_runs)
    made.add_argument("--limit", type=count, default=20, metavar="N", help="so many at most (default: 20)")
    made.add_argument("--json", action="store_true", help="print JSON")


def list_runs(arguments: argparse.Namespace) -> int:
    """Print them; 0 even where there is none."""
    from gitops.retrieval import measuring
    from gitops.runs import measurements

    context = surroundings.context(arguments, sweep=False)
    runs = measuring.runs(measurements.everything(context)).values()
    only = surroundings.only_of(arguments, {one[-1].workspace for one in runs}, context)
    newest = sorted((one[-1] for one in runs), key=lambda one: (one.started_at, one.run_id), reverse=True)
    shown = [one for one in newest if only in (None, one.workspace)][: arguments.limit]
    if arguments.json:
        surroundings.print_json({"schema": "assay/retrieval-list/1", "runs": [_record(one) for one in shown]})
        return 0
    from gitops.report import retrieval
    from gitops.report.text import show

    show(retrieval.listing(shown) if shown else "no run of retrieval was kept yet: git assay retrieval run")
    return 0


def _record(one: Measurement) -> dict[str, Any]:
    return {
        "run_id": one.run_id,
        "workspace": one.workspace,
        "commit": one.commit,
        "started_at": one.started_at,
        "completed_at": one.completed_at,
        "gold": one.suite,
        "gold_version": one.suite_version,
        "subject": dict(one.subject),
        "queries": len(one.samples),
        "mrr": _value(one, "mrr"),
        "hit@10": _value(one, "hit@10"),
        "ndcg@10": _value(one, "ndcg@10"),
    }


def _value(one: Measurement, name: str) -> float | None:
    return one.metrics[name].value if name in one.metrics else None
