"""`git assay benchmark`: measures agents and skills by suites of cases (silas 20)."""

from __future__ import annotations

from gitops.cli.arguments import Parser, fill_in

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
    fill_in(parser, "benchmark_command", MODULES)
