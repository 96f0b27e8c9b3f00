"""`git assay eval`: measures the wiki, reports and compares what was measured, keeps gold queries and acks."""

from __future__ import annotations

import argparse
from importlib import import_module

from gitops.cli.arguments import Commands, Parser

MODULES: tuple[str, ...] = (
    "eval_run",
    "eval_ack",
    "eval_report",
    "eval_compare",
    "eval_history",
    "eval_gold",
    "eval_floor",
)
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "eval_command")
    for module in MODULES:
        import_module(f"gitops.cli.{module}").declare(inner)
    for each in inner.parsers():
        if "--workspace" not in each._option_string_actions:
            # The specification's own place for it; before the command, as everywhere else, it does as well.
            named = "which workspace of the repository"
            each.add_argument("--workspace", default=argparse.SUPPRESS, metavar="NAME", help=named)
