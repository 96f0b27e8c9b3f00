"""`git assay extract compare`: two runs of `extract eval`, metric by metric and case by case."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import benchmark_report, retrieval_files, surroundings
from gitops.cli.arguments import Commands, how_compared

if TYPE_CHECKING:
    from gitops.extraction.comparing import CompareReport
    from gitops.runs.context import Context
    from gitops.runs.measurements import Measurement


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("compare", "compare two runs: deltas, what is more than chance, what moved case by case", compare)
    made.add_argument("a", metavar="A", help="a run of `extract eval`, a revision, or a file of measurements")
    made.add_argument("b", metavar="B", help="what is compared with A")
    chosen = "which metrics (default: those of a bare name, pooled by canonical ids): atom_f1, edge_f1_strict, …"
    made.add_argument("--metric", metavar="NAME[,NAME]|all", help=chosen)
    how_compared(made, has_files=True)


def compare(arguments: argparse.Namespace) -> int:
    """Compare, print and write; whoever wins, the exit code is 0, and 3 where nothing could be compared."""
    from gitops.errors import CannotRun
    from gitops.extraction.comparing import compare_runs

    words = (arguments.a, arguments.b)
    retrieval_files.refuse_to_write(arguments, (arguments.report, arguments.html), words)
    context = _context(arguments)
    a, b = (_measurement(arguments, context, word) for word in words)
    report = compare_runs(words, a, b, wanted=arguments.metric, alpha=arguments.alpha)
    _write(arguments, report)
    _show(arguments, report)
    if report.comparison.is_empty:
        raise CannotRun("nothing could be compared", _mend(report))
    return 0


def _context(arguments: argparse.Namespace) -> Context | None:
    """What is around; None outside of any repository, where files alone can be compared."""
    from gitops.git.repository import NoRepository

    try:
        return surroundings.context(arguments)
    except NoRepository:
        return None


def _measurement(arguments: argparse.Namespace, context: Context | None, word: str) -> Measurement:
    from gitops.extraction import comparing

    def workspace_at(commit: str) -> str:
        assert context is not None  # without a repository no word is a commit
        return surroundings.workspace(arguments, context, commit).name

    return comparing.recall(context, surroundings.folder(arguments), word, workspace_at, arguments.workspace)


def _mend(report: CompareReport) -> str:
    if any(one.differing for one in report.comparison.compared):
        return "score both by the same gold and version: git assay extract eval --gold DIR --emitted DIR"
    return "leave --metric out: then all that were measured are compared"


def _write(arguments: argparse.Namespace, report: CompareReport) -> None:
    """Write the files that are wanted, each whole or not at all."""
    if arguments.report is None and arguments.html is None:
        return
    from gitops.report.extraction_compare_values import of_comparison

    benchmark_report.write(arguments, of_comparison(report), {"markdown": arguments.report, "html": arguments.html})


def _show(arguments: argparse.Namespace, report: CompareReport) -> None:
    if arguments.json:
        surroundings.print_json(report.record())
        return
    from gitops.report.extraction_compare import words
    from gitops.report.text import show

    show(words(report))
