"""`git assay eviction report` and `eviction export`: what was kept back, as rates and as a labelled data set."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.eviction.storing import Resolved
    from gitops.runs.workspace import Workspace


def declare(inner: Commands) -> None:
    """Add the commands."""
    made = inner.add("report", "tell how often what was to be evicted was kept back, and what that shows", report)
    scope = "one scope alone: a conversation, or whatever the harness calls so"
    made.add_argument("--scope", metavar="ID", help=scope)
    made.add_argument("--json", action="store_true", help="print JSON")
    made = inner.add("export", "write the feedback as a labelled data set: a row for each candidate", export)
    made.add_argument("--output", metavar="FILE", help="write to FILE (default: standard output)")
    made.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="JSON Lines (default) or CSV")
    made.add_argument("--scope", metavar="ID", help=scope)
    texts = "with ids of items, their first words, and the reasons that were given: somebody's text"
    made.add_argument("--snippets", action="store_true", help=texts)


def resolved(arguments: argparse.Namespace) -> tuple[Workspace, list[Resolved]]:
    """The workspace, and its proposals that were resolved. UsageError for a scope that there is not."""
    from gitops.errors import UsageError
    from gitops.eviction import storing
    from gitops.verify.registry import nearest

    context = surroundings.context(arguments)
    workspace = surroundings.workspace(arguments, context, "HEAD")
    found = storing.feedback(context, workspace.name)
    scopes = {proposal.scope_id for proposal, _ in found}
    if arguments.scope is not None and arguments.scope not in scopes:
        raise UsageError(f"nothing was proposed in a scope '{arguments.scope}'", nearest(arguments.scope, scopes))
    return workspace, found


def report(arguments: argparse.Namespace) -> int:
    """Print the rates; 3 where no proposal was resolved yet."""
    from gitops.errors import CannotRun
    from gitops.eviction import records
    from gitops.eviction.rates import rates

    _, pairs = resolved(arguments)
    if not pairs:
        raise CannotRun("no proposal to evict anything was resolved yet", "git assay eviction resolve PROPOSAL")
    found = rates(pairs, arguments.scope)
    if arguments.json:
        surroundings.print_json(records.of_rates(found, arguments.scope))
        return 0
    from gitops.report import eviction
    from gitops.report.text import show

    show(eviction.report_words(found))
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Write the data set; 3 where nobody decided on anything yet."""
    from gitops.cli import retrieval_files
    from gitops.errors import CannotRun
    from gitops.eviction import exporting, features

    retrieval_files.refuse_to_write(arguments, (arguments.output,), ())
    _, pairs = resolved(arguments)
    rows = features.rows(pairs, arguments.scope)
    if not rows:
        auto = sum(feedback.resolved_by == "auto" for _, feedback in pairs)
        told = f"nobody decided on any proposal yet ({auto:,} were resolved by themselves)"
        raise CannotRun(told, "git assay eviction resolve PROPOSAL --by user")
    made = exporting.csv_lines if arguments.format == "csv" else exporting.json_lines
    lines = made(rows, with_texts=arguments.snippets)
    if arguments.output is None:
        for line in lines:
            print(line)
        return 0
    retrieval_files.write_lines(arguments, arguments.output, lines)
    if not arguments.quiet:
        print(f"wrote {arguments.output}: {len(rows):,} candidates", file=sys.stderr)
    return 0
