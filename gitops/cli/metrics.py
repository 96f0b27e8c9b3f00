"""`git assay metrics`: all that was measured, as text that a monitoring system reads."""

from __future__ import annotations

import argparse
import sys

from gitops.cli import surroundings
from gitops.cli.arguments import Parser


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.add_argument(
        "--workspace", default=argparse.SUPPRESS, metavar="NAME", help="of this workspace alone (default: of all)"
    )
    told = "write a file, whole or not at all, as the textfile collector of node_exporter wants it"
    parser.add_argument("--output", metavar="FILE", help=told)
    parser.set_defaults(function=metrics)


def metrics(arguments: argparse.Namespace) -> int:
    """Print or write the text. Nothing is measured, and no model is asked."""
    from gitops.extraction import monitored as extractions
    from gitops.report import openmetrics
    from gitops.runs import monitored
    from gitops.suites import monitored as benchmarks
    from gitops.suites import monitored_ablations

    context = surroundings.context(arguments, sweep=False)
    if arguments.workspace is not None:
        surroundings.workspace(arguments, context, "HEAD")
    every = (monitored, benchmarks, monitored_ablations, extractions)
    found = [family for each in every for family in each.families(context, arguments.workspace)]
    data = openmetrics.text(found).encode()
    if arguments.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return 0
    from gitops.runs.gold_keeping import write

    write(surroundings.folder(arguments) / arguments.output, data)
    return 0
