"""`git assay eviction`: what a conversation leaves out, what was kept back, and what is learned from it (silas 19)."""

from __future__ import annotations

import argparse
from importlib import import_module

from gitops.cli.arguments import Commands, Parser

MODULES: tuple[str, ...] = ("eviction_resolve", "eviction_report", "eviction_calibrate")
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "eviction_command")
    for module in MODULES:
        import_module(f"gitops.cli.{module}").declare(inner)
    for each in inner.parsers():
        named = "which workspace of the repository"
        each.add_argument("--workspace", default=argparse.SUPPRESS, metavar="NAME", help=named)
