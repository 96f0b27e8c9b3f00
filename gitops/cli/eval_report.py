"""`git assay eval report`: how the metrics stand, how they came to, and each case behind a number."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gitops.evals.reporting import Report, Standing

_ALL = "all"


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("report", "how each metric stands, its trend, what it holds up, and why", report)
    made.add_argument("metric", nargs="?", metavar="METRIC", help="one metric alone, with the cases behind its number")
    details = "with the cases behind the number: those that failed, by page and line (default: of every metric)"
    made.add_argument("--details", nargs="?", const=_ALL, metavar="METRIC", help=details)
    since = "how far back: 30d, 12w, 48h, or a date as 2026-03-01 (default: 30d)"
    made.add_argument("--since", type=_since, default=_since("30d"), metavar="WHEN", help=since)
    made.add_argument("--html", metavar="FILE", help="write one page that holds everything, to look at in a browser")
    made.add_argument("--json", action="store_true", help="print JSON")


def report(arguments: argparse.Namespace) -> int:
    """Print the report; it decides nothing, so the exit code is 0."""
    from gitops.errors import CannotRun
    from gitops.evals.reporting import report as made
    from gitops.git import snapshot
    from gitops.runs.floors import floor_warning

    context = surroundings.context(arguments)
    if context.repository.is_unborn:
        raise CannotRun("the repository has no commit yet", "git assay init, or make a first commit")
    commit = snapshot.resolve(context.repository, "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    since = arguments.since if isinstance(arguments.since, datetime) else context.clock() - arguments.since
    told = replace(made(context, workspace.name, commit, since), floor=floor_warning(context, workspace) or "")
    named, is_detailed = _asked(arguments, [one.id for one in told.standings])
    wanted = [one for one in told.standings if named in ("", one.id)]
    if arguments.html is not None:
        _write(arguments, told)
    if arguments.json:
        from gitops.report.evalrecord import record

        surroundings.print_json(record(told, wanted if is_detailed else ()))
    elif arguments.html is None:
        _show(told, wanted if is_detailed else (), is_whole=not named)
    return 0


def _asked(arguments: argparse.Namespace, there: Collection[str]) -> tuple[str, bool]:
    """The metric that is meant, '' for all, and whether its cases are wanted. UsageError for one that there is not.

    Notes may have measurements of one that this version does not know: it can be asked for all the same.
    """
    from gitops.errors import UsageError
    from gitops.evals.registry import chosen

    said = [name for name in (arguments.metric, arguments.details) if name not in (None, _ALL)]
    names = list(dict.fromkeys(name for each in said for name in ((each,) if each in there else chosen(each))))
    if len(names) > 1:
        raise UsageError(f"one metric at a time: {' or '.join(names)}", "git assay eval report --details shows all")
    return names[0] if names else "", bool(said) or arguments.details is not None


def _show(told: Report, detailed: Sequence[Standing], *, is_whole: bool) -> None:
    from rich.text import Text

    from gitops.report import evaldetails, evaluation
    from gitops.report.text import show

    if is_whole or told.is_empty:
        show(evaluation.words(told))
    for number, one in enumerate(detailed):
        if number or is_whole:
            show(Text())
        if not is_whole:
            show(evaluation.one(told, one), Text())
        show(evaldetails.words(one))


def _write(arguments: argparse.Namespace, told: Report) -> None:
    """Write the page, whole or not at all."""
    from gitops.errors import CannotRun
    from gitops.report.evalpage import page

    file = surroundings.folder(arguments) / arguments.html
    try:
        file.write_text(page(told), "utf-8")
    except OSError as error:
        raise CannotRun(f"cannot write {arguments.html}: {error.strerror or error}", "name another file") from error
    if not arguments.quiet:
        print(f"wrote {arguments.html}", file=sys.stderr)


def _since(text: str) -> datetime | timedelta:
    """A span of time before now, or the day that a date names."""
    from gitops.runs.spans import HINT, span

    try:
        return span(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a span of time nor a date: {HINT}") from None
