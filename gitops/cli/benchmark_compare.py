"""`git assay benchmark compare`, `report`, `baseline` and `list`: runs, and what they are held to.

Each is in a module of its own but for the first.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import benchmark_baseline, benchmark_list, benchmark_report, retrieval_files, surroundings
from gitops.cli.arguments import Commands, how_compared

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.suites.compared import Report
    from gitops.suites.recalling import Recalled

BASELINE = "baseline"
"""What means the baseline of the suites that the other side has."""


def declare(inner: Commands) -> None:
    """Add the commands."""
    made = inner.add("compare", "compare two runs: what regressed, and what is more than chance", compare)
    side = "a run by its id, a revision, a file of `--json`, a baseline.json; `baseline`: what counts at HEAD"
    made.add_argument("a", metavar="RUN1", help=side)
    made.add_argument("b", metavar="RUN2", help="what is compared with RUN1")
    chosen = "which metrics (default: all): pass_rate, mean_quality_score, mean_latency_ms, mean_token_cost, …"
    made.add_argument("--metric", default="all", metavar="NAME[,NAME]|all", help=chosen)
    how_compared(made, has_files=True)
    fails = "exit 1 where something regressed, and 3 where what passed in RUN1 is not known of RUN2"
    made.add_argument("--fail-on-regression", action="store_true", help=fails)
    benchmark_report.declare(inner)
    benchmark_baseline.declare(inner)
    benchmark_list.declare(inner)


def compare(arguments: argparse.Namespace) -> int:
    """Compare, print and write; 3 where nothing could be compared. Whoever wins, the exit code is 0, unless asked."""
    from gitops.errors import CannotRun
    from gitops.suites.compared import compared

    retrieval_files.refuse_to_write(arguments, (arguments.report, arguments.html), (arguments.a, arguments.b))
    report = compared(*_sides(arguments), arguments.metric, arguments.alpha)
    _write(arguments, report)
    _show(arguments, report)
    if report.is_empty:
        raise CannotRun("nothing could be compared", "the cases of both have to be tried by the same judge")
    if arguments.fail_on_regression and report.regressed:
        return 1
    if arguments.fail_on_regression and (lost := report.lost):
        told = f"what passed in {report.a} is not known of {report.b}: {', '.join(lost[:5])}"
        raise CannotRun(told, "git assay benchmark run SUITE tries all of its cases")
    return 0


def _sides(arguments: argparse.Namespace) -> tuple[list[Recalled], list[Recalled]]:
    from gitops.errors import UsageError

    context = surroundings.context(arguments)
    words = (arguments.a, arguments.b)
    if words == (BASELINE, BASELINE):
        raise UsageError("the baseline beside itself is no comparison", "git assay benchmark compare baseline RUN")
    found = [None if word == BASELINE else _recalled(arguments, context, word) for word in words]
    a, b = ([*_baselines(arguments, context, found)] if side is None else side for side in found)
    return a, b


def _recalled(arguments: argparse.Namespace, context: Context, word: str) -> list[Recalled]:
    from dataclasses import replace

    from gitops.suites import labels, recalling

    name = surroundings.workspace(arguments, context, "HEAD").name
    found = recalling.recall(context, surroundings.folder(arguments), word, name)
    return [replace(one, runs=tuple(labels.labelled(context, one.runs))) for one in found]


def _baselines(arguments: argparse.Namespace, context: Context, sides: list[list[Recalled] | None]) -> list[Recalled]:
    """What counts at HEAD as baseline of each suite of the other side."""
    from gitops.errors import CannotRun
    from gitops.git import snapshot
    from gitops.suites import baselines, loading
    from gitops.suites.recalling import Recalled

    commit = snapshot.resolve(context.repository, "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    names = [one.suite for side in sides if side is not None for one in side]
    loaded = [loading.suite_at(context, workspace, commit, name) for name in names]
    found = [baselines.baseline_of(context, workspace, commit, one) for one in loaded]
    if not any(found):
        hint = "git assay benchmark baseline RUN accepts a run as one"
        raise CannotRun(f"nobody has accepted a run of {', '.join(names)} as baseline", hint)
    return [Recalled(BASELINE, one.runs, BASELINE) for one in found if one is not None]


def _write(arguments: argparse.Namespace, report: Report) -> None:
    """Write the files that are wanted, each whole or not at all."""
    if arguments.report is None and arguments.html is None:
        return
    from gitops.report.benchmark_compare import of_comparison

    benchmark_report.write(arguments, of_comparison(report), {"markdown": arguments.report, "html": arguments.html})


def _show(arguments: argparse.Namespace, report: Report) -> None:
    if arguments.json:
        surroundings.print_json(report.record())
        return
    from gitops.report.benchmark import words
    from gitops.report.benchmark_compare import of_comparison
    from gitops.report.text import show

    show(words(of_comparison(report)))
