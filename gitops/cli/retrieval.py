"""`git assay retrieval`: how well what is asked for is found, by this wiki's own search or by any other system."""

from __future__ import annotations

import argparse
from importlib import import_module

from gitops.cli.arguments import Commands, Parser

MODULES: tuple[str, ...] = ("retrieval_run", "retrieval_score", "retrieval_compare", "retrieval_list")
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "retrieval_command")
    for module in MODULES:
        import_module(f"gitops.cli.{module}").declare(inner)
    for each in inner.parsers():
        named = "which workspace of the repository"
        each.add_argument("--workspace", default=argparse.SUPPRESS, metavar="NAME", help=named)
