"""`git assay retrieval`: how well what is asked for is found, by this wiki's own search or by any other system."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

MODULES: tuple[str, ...] = ("retrieval_run", "retrieval_score", "retrieval_compare", "retrieval_list")
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    fill_in(parser, "retrieval_command", MODULES)
