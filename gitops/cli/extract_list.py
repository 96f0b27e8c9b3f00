"""`git assay extract list`: the extractions that were scored and kept, newest first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import kept_runs, surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.runs.measurements import Measurement


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("list", "list the extractions that were scored and kept, newest first", list_runs)
    kept_runs.options(made)


def list_runs(arguments: argparse.Namespace) -> int:
    """Print them; 0 even where there is none."""
    from gitops.runs import measurements

    context = surroundings.context(arguments, sweep=False)
    runs = [one for one in measurements.everything(context) if one.kind == measurements.EXTRACTION]
    shown = kept_runs.newest(arguments, context, runs)
    if arguments.json:
        surroundings.print_json({"schema": "assay/extract-list/1", "runs": [_record(one) for one in shown]})
        return 0
    from gitops.report import extraction
    from gitops.report.text import show

    show(extraction.listing(shown) if shown else "no extraction was scored and kept yet: git assay extract eval")
    return 0


def _record(one: Measurement) -> dict[str, Any]:
    from gitops.extraction import bars, measuring

    return kept_runs.identity(one) | {
        "cases": len(one.samples),
        "state": measuring.state(one),
        "metrics": {name: one.metrics[name].value if name in one.metrics else None for name in bars.NAMES},
    }
