"""`git assay benchmark`: measures agents and skills by suites of cases (silas 20)."""

from __future__ import annotations

import argparse
from importlib import import_module

from gitops.cli.arguments import Commands, Parser

MODULES: tuple[str, ...] = (
    "benchmark_run",
    "benchmark_compare",
    "benchmark_ablation",
    "benchmark_label",
    "benchmark_check",
    "benchmark_cases",
)
"""The modules below `gitops.cli` that declare the commands, in the order in which the help shows them."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "benchmark_command")
    for module in MODULES:
        import_module(f"gitops.cli.{module}").declare(inner)
    for each in inner.parsers():
        named = "which workspace of the repository"
        each.add_argument("--workspace", default=argparse.SUPPRESS, metavar="NAME", help=named)
