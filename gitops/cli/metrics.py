"""`git assay metrics`."""

from __future__ import annotations

from gitops.cli.arguments import Parser


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
