"""`git assay gold`: all that was authored to measure by."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

MODULES: tuple[str, ...] = ("gold_check",)
"""The modules below `gitops.cli` that declare the commands."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    fill_in(parser, "gold_command", MODULES)
