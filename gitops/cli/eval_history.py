"""`git assay eval history` and `eval bisect`: what a metric was, commit by commit, and which commit made it worse."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser, count, seed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitops.evals.running import Measured, Wanted
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def declare(inner: Commands) -> None:
    """Add the commands."""
    made = inner.add("history", "tell what a metric was at each commit that changed the wiki", history)
    _common(made)
    made.add_argument("--rev", metavar="[A..]B", default="HEAD", help="the commits behind A, up to B (default: HEAD)")
    made.add_argument("--limit", type=count, default=20, metavar="N", help="so many commits at most (default: 20)")
    made = inner.add("bisect", "find the commit since which a metric is worse", bisect)
    _common(made)
    good = "a commit at which it was good (default: the newest that was measured and is healthy)"
    made.add_argument("--good", metavar="REV", help=good)
    made.add_argument("--bad", metavar="REV", default="HEAD", help="a commit at which it is worse (default: HEAD)")


def _common(made: Parser) -> None:
    made.add_argument("metric", metavar="METRIC", help="the metric: M1, M2, …")
    made.add_argument("--seed", type=seed, default=0, metavar="N", help="which samples are drawn (default: 0)")
    made.add_argument("--sample", type=count, metavar="N", help="how many are drawn (default: the metric's own number)")
    made.add_argument("--preset", default="", metavar="NAME", help="who answers gold queries (default: [llm] writer)")
    made.add_argument("--keep", action="store_true", help="keep what is measured in the notes of each commit")
    made.add_argument("--json", action="store_true", help="print the result as JSON")


def history(arguments: argparse.Namespace) -> int:
    """Measure and print; 3 where nothing could be measured at any commit."""
    from gitops.evals import history as flow
    from gitops.git import snapshot

    wanted = _wanted(arguments)
    context = surroundings.context(arguments)
    before, dots, after = arguments.rev.rpartition("..")
    tip = snapshot.resolve(context.repository, after or "HEAD")
    stop = snapshot.resolve(context.repository, before or "HEAD") if dots else None
    workspace = surroundings.workspace(arguments, context, tip)
    keep = _keep(context, workspace) if arguments.keep else None
    found = flow.history(context, workspace, wanted, tip, stop, arguments.limit, keep)
    if arguments.json:
        surroundings.print_json(found.record())
    else:
        from gitops.report.history import history_words
        from gitops.report.text import show

        show(history_words(found))
    return 3 if found.is_empty else 0


def bisect(arguments: argparse.Namespace) -> int:
    """Search and print."""
    from gitops.evals import bisecting
    from gitops.evals.history import revisiting
    from gitops.git import snapshot

    wanted = _wanted(arguments)
    context = surroundings.context(arguments)
    bad = snapshot.resolve(context.repository, arguments.bad)
    workspace = surroundings.workspace(arguments, context, bad)
    named = snapshot.resolve(context.repository, arguments.good) if arguments.good else None
    with revisiting(context, workspace, wanted, _keep(context, workspace) if arguments.keep else None) as by:
        found = bisecting.bisect(context, by, bad, named or bisecting.known_good(context, by, bad))
    if arguments.json:
        surroundings.print_json(found.record())
    else:
        from gitops.report.history import bisect_words
        from gitops.report.text import show

        show(bisect_words(found))
    return 0


def _wanted(arguments: argparse.Namespace) -> Wanted:
    from gitops import assembly
    from gitops.errors import UsageError
    from gitops.evals.registry import chosen
    from gitops.evals.running import Wanted

    metrics = chosen(arguments.metric)
    if len(metrics) != 1:
        raise UsageError(f"'{arguments.metric}' is not one metric", f"name one: {', '.join(metrics)}")
    return Wanted(
        metrics,
        seed=arguments.seed,
        size=arguments.sample,
        is_past=True,
        answering=assembly.answered,
        preset=arguments.preset,
    )


def _keep(context: Context, workspace: Workspace) -> Callable[[Measured], None]:
    from gitops.runs import evalruns

    def keep(found: Measured) -> None:
        evalruns.record(context, workspace, found.measurement, "", found.used, found.transcripts)

    return keep
