"""`git assay benchmark label`: what a person says of cases that were run."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitops.runs.context import Context
    from gitops.runs.feedback import HumanLabel
    from gitops.suites.labelling import Shown
    from gitops.suites.model import BenchmarkRun


def declare(inner: Commands) -> None:
    """Add the command."""
    told = "say whether cases of a run are good; asks on a terminal for those that wait for a person"
    made = inner.add("label", told, label)
    made.add_argument("run", metavar="RUN", help="the id of the run")
    made.add_argument("case", nargs="?", metavar="CASE", help="this case, whatever its mode")
    made.add_argument("label", nargs="?", choices=("pass", "fail"), metavar="pass|fail", help="what you say of it")
    made.add_argument("--reason", default="", metavar="TEXT", help="why; it is recorded with your name")
    made.add_argument("--suite", metavar="SUITE", help="of this suite alone, where the run was of several")
    made.add_argument(
        "--repeat", type=int, metavar="N", help="of this repeat alone (default: all that gave that output)"
    )
    made.add_argument("--variant", metavar="NAME", help="of this variant of an ablation alone")
    made.add_argument("--json", action="store_true", help="print the labels as JSON")


def label(arguments: argparse.Namespace) -> int:
    """Label a case, or ask for those that wait."""
    from gitops.errors import UsageError
    from gitops.suites import labelling, labels

    context = surroundings.context(arguments)
    runs = _runs(arguments, context)
    if arguments.label is not None:
        meant = labelling.only(labelling.of_case(runs, arguments.case))
        made = [labels.keep(context, run, meant.case_id, arguments.label, arguments.reason) for run in meant.runs]
        return _told(arguments, runs, made, context)
    laid = labels.labelled(context, runs)
    every = labelling.of_case(laid, arguments.case) if arguments.case else labelling.waiting(laid)
    shown = [one for one in every if one.output is not None]
    if len(shown) < len(every):
        _tell_unseen(context, len(every) - len(shown))
    if shown and not sys.stdin.isatty():
        told = "CASE and pass or fail must be given where nobody can be asked"
        raise UsageError(told, f"git assay benchmark label {runs[0].run_id} {shown[0].case_id} pass")
    return _told(arguments, runs, list(_asked(arguments, context, shown)), context)


def _tell_unseen(context: Context, count: int) -> None:
    """Nobody is asked about what they cannot see."""
    told = "1 output is" if count == 1 else f"{count} outputs are"
    context.warn(f"{told} not shown: no record holds what real sessions came to; label such a case by its name")


def _runs(arguments: argparse.Namespace, context: Context) -> list[BenchmarkRun]:
    """The repeats that are meant. UsageError where none is left."""
    from gitops.errors import UsageError
    from gitops.suites import recalling, remembered

    wanted = {"suite_id": arguments.suite, "repeat": arguments.repeat, "variant": arguments.variant}
    every = [remembered.run_of(one) for one in recalling.of_run(context, arguments.run)]
    found = [run for run in every if all(value in (None, getattr(run, name)) for name, value in wanted.items())]
    if not found:
        there = ", ".join(dict.fromkeys(_called(run) for run in every))
        raise UsageError(f"the run {arguments.run} has no such repeat", f"it has: {there}")
    return found


def _called(run: BenchmarkRun) -> str:
    variant = f" --variant {run.variant}" if run.variant else ""
    return f"--suite {run.suite_id}{variant} --repeat {run.repeat}"


def _asked(arguments: argparse.Namespace, context: Context, shown: list[Shown]) -> Iterator[HumanLabel]:
    """The labels that a person gives; each is kept before the next is asked for."""
    from gitops.cli.label_asking import answers
    from gitops.suites import labels

    for said in answers(shown, arguments.run):
        for run in said.shown.runs:
            yield labels.keep(context, run, said.shown.case_id, said.label, said.reason or arguments.reason)


def _told(arguments: argparse.Namespace, runs: list[BenchmarkRun], made: list[HumanLabel], context: Context) -> int:
    """Tell what was labelled, and how many cases still wait."""
    from gitops.suites import labels

    left = sum(len(labels.waiting(run)) for run in labels.labelled(context, runs))
    if arguments.json:
        body = {"schema": "assay/benchmark-label/1", "run": runs[0].run_id, "waiting": left}
        surroundings.print_json({**body, "labels": [each.record() for each in made]})
    elif not arguments.quiet:
        from gitops.report.text import show
        from gitops.report.visible import inline

        for each in made:
            which = f", repeat {each.repeat}" if len(runs) > 1 else ""
            show(inline(f"{each.suite}/{each.case}{which}: {each.label}, says {each.by.name}"))
        waits = f"{left} {'waits' if left == 1 else 'wait'} for a person"
        show(waits if made or left else "nothing waits for a person")
    return 0
