"""`git assay extract`: atoms out of sources, and how right, linked and grounded they are."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

MODULES: tuple[str, ...] = ("extract_run", "extract_eval", "extract_compare", "extract_list")
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    fill_in(parser, "extract_command", MODULES)
