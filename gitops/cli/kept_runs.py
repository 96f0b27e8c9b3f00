"""What lists of kept runs share (`retrieval list`, `extract list`): options, which are shown, what names one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser, count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitops.runs.context import Context
    from gitops.runs.measurements import Measurement


def options(made: Parser) -> None:
    """Add how many are shown, and as what."""
    made.add_argument("--limit", type=count, default=20, metavar="N", help="so many at most (default: 20)")
    made.add_argument("--json", action="store_true", help="print JSON")


def newest(arguments: argparse.Namespace, context: Context, runs: Iterable[Measurement]) -> list[Measurement]:
    """The runs that are shown, of one workspace where one is meant, newest first."""
    every = sorted(runs, key=lambda one: (one.started_at, one.run_id), reverse=True)
    only = surroundings.only_of(arguments, {one.workspace for one in every}, context)
    shown: list[Measurement] = [one for one in every if only in (None, one.workspace)]
    return shown[: arguments.limit]


def identity(one: Measurement) -> dict[str, Any]:
    """Which run it is, and of what, as JSON has it."""
    return {
        "run_id": one.run_id,
        "workspace": one.workspace,
        "commit": one.commit,
        "started_at": one.started_at,
        "completed_at": one.completed_at,
        "gold": one.suite,
        "gold_version": one.suite_version,
        "subject": dict(one.subject),
    }
