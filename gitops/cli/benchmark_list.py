"""`git assay benchmark list`: suites with their newest runs and baselines, their cases, and the runs that were kept."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, count

if TYPE_CHECKING:
    from gitops.suites.listing import Listing


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("list", "list the suites with their newest runs and baselines, or the runs", list_suites)
    made.add_argument("suite", nargs="?", metavar="SUITE", help="list the cases of this one")
    made.add_argument("--runs", action="store_true", help="list the runs that were kept, newest first")
    made.add_argument("--limit", type=count, default=20, metavar="N", help="so many runs at most (default: 20)")
    made.add_argument("--rev", metavar="REV", default="HEAD", help="the suites of this commit (default: HEAD)")
    made.add_argument("--json", action="store_true", help="print JSON")


def list_suites(arguments: argparse.Namespace) -> int:
    """Print them; 0 even where there is none."""
    from dataclasses import replace

    from gitops.git import snapshot
    from gitops.suites import listing, loading

    context = surroundings.context(arguments, sweep=False)
    commit = snapshot.resolve(context.repository, arguments.rev)
    workspace = surroundings.workspace(arguments, context, commit)
    found = listing.listing(context, workspace, commit, arguments.limit)
    if arguments.suite is not None:
        name = loading.suite_at(context, workspace, commit, arguments.suite).suite.suite_id
        runs = tuple(one for one in found.runs if one.first.suite_id == name)
        found = replace(found, suites=tuple(listing.some_of(found, [name])), runs=runs)
    _tell(arguments, found)
    return 0


def _tell(arguments: argparse.Namespace, found: Listing) -> None:
    if arguments.json:
        surroundings.print_json(found.record())
        return
    from gitops.report import benchmark_list
    from gitops.report.text import show

    if arguments.runs:
        show(benchmark_list.runs(found))
    else:
        show(benchmark_list.cases(found) if arguments.suite is not None else benchmark_list.suites(found))
