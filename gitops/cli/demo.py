"""`git assay demo`: the promise kept, in a minute, on real branches."""

from __future__ import annotations

import argparse

from gitops.cli.arguments import Parser


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=demo)
    parser.add_argument("--keep", metavar="DIR", help="make the workspace in DIR (default: a temporary folder)")


def demo(arguments: argparse.Namespace) -> int:
    """Show it."""
    from gitops.cli.surroundings import fixed_clock
    from gitops.demo import show_demo
    from gitops.runs.context import system_clock

    return show_demo(arguments.keep, fixed_clock() or system_clock)
