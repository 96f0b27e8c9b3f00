"""`git assay eval`: measures the wiki, reports and compares what was measured, keeps gold queries and acks."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

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
    fill_in(parser, "eval_command", MODULES)
