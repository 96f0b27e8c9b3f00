"""`git assay okf`: bundles of the Open Knowledge Format."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

MODULES: tuple[str, ...] = ("okf_validate",)
"""The modules below `gitops.cli` that declare the commands."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    fill_in(parser, "okf_command", MODULES)
