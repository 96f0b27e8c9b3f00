"""`git assay eviction`: what a conversation leaves out, what was kept back, and what is learned from it (silas 19)."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

MODULES: tuple[str, ...] = ("eviction_resolve", "eviction_report", "eviction_calibrate")
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    fill_in(parser, "eviction_command", MODULES)
