"""`git assay eval compare`: two or more revisions, eval runs or files of measurements, metric by metric."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, how_compared

if TYPE_CHECKING:
    from gitops.comparing.measured import Comparison
    from gitops.comparing.recalling import Recalled


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("compare", "compare measurements: what differs, and whether by more than chance", compare)
    sides = "revisions, runs of `eval run`, or files of measurements; the first is what the others are compared with"
    made.add_argument("sides", nargs="+", metavar="A B", help=sides)
    chosen = (
        "which metrics (default: all but those of retrieval, benchmarks and extraction): M1, retrieval, extraction, …"
    )
    made.add_argument("--metric", metavar="M1[,M2]|all", help=chosen)
    how_compared(made)


def compare(arguments: argparse.Namespace) -> int:
    """Compare and print; 3 where nothing could be compared."""
    from gitops.comparing.measured import compared
    from gitops.errors import CannotRun

    comparison = compared(_sides(arguments), arguments.metric, arguments.alpha)
    _show(arguments, comparison)
    if comparison.is_empty:
        raise CannotRun("nothing could be compared", _hint(comparison))
    return 0


def _sides(arguments: argparse.Namespace) -> list[Recalled]:
    from gitops.comparing.recalling import recall

    context, folder = surroundings.context(arguments), surroundings.folder(arguments)

    def workspace_at(commit: str) -> str:
        return surroundings.workspace(arguments, context, commit).name

    each = (recall(context, folder, word, workspace_at, arguments.workspace) for word in arguments.sides)
    return [side for sides in each for side in sides]


def _show(arguments: argparse.Namespace, comparison: Comparison) -> None:
    if arguments.json:
        surroundings.print_json(comparison.record())
        return
    from gitops.report.comparison import words
    from gitops.report.text import show

    show(words(comparison))


def _hint(comparison: Comparison) -> str:
    if any(one.differing for one in comparison.compared):
        return "measure both with the same instrument: git assay eval run --at REV"
    return "measure what has no score: git assay eval run --at REV"
