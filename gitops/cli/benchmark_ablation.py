"""`git assay benchmark ablation`: variants of a configuration side by side, and whether any of them does harm."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import benchmark_ablation_plan as plan
from gitops.cli import benchmark_ablation_told as telling
from gitops.cli import surroundings, unwinding
from gitops.cli.arguments import Commands, chance, count, seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.cli.benchmark_ablation_plan import Planned
    from gitops.runs.context import Context
    from gitops.suites.criteria import CriteriaJudge
    from gitops.suites.model import BenchmarkRun


def declare(inner: Commands) -> None:
    """Add the command."""
    told = "run variants side by side, and say what differs and whether any does harm"
    made = inner.add("ablation", told, ablation)
    configs = "revisions, or .json or .toml files with name, config_overrides, rev; the first is the control"
    made.add_argument("configs", nargs="*", metavar="CONFIG", help=configs)
    made.add_argument("--runs", type=count, metavar="N", help="each case so many times with each variant (default: 5)")
    which = made.add_mutually_exclusive_group()
    default = "this suite; may be given again (default: those that depend on what differs; with config_overrides all)"
    which.add_argument("--suite", action="append", default=[], metavar="NAME", help=default)
    which.add_argument("--all", action="store_true", help="every suite of the control")
    key = "suites that depend on this: eviction, llm.presets.NAME, llm.writer, a prompt's path, or a component"
    which.add_argument("--affected-by", metavar="KEY", help=key)
    made.add_argument("--seed", type=seed, default=0, metavar="N", help="draws the order, and is told to targets")
    made.add_argument("--jobs", type=count, metavar="N", help="so many at once (default: cores less one, 4 at most)")
    made.add_argument("--judge", metavar="PRESET", help="who judges by criteria (default: [verify] judge)")
    alpha = "how often chance alone may look like a difference, over all metrics (default: 0.05)"
    made.add_argument("--alpha", type=chance, default=0.05, metavar="P", help=alpha)
    made.add_argument("--show", metavar="ID|FILE", help="show one that was kept, by its id or its .json; run nothing")
    made.add_argument("--html", metavar="FILE", help="write one page that holds everything, to look at in a browser")
    made.add_argument("--no-keep", action="store_true", help=f"keep nothing, in the notes or in {telling.FOLDER}/")
    made.add_argument("--dry-run", action="store_true", help="say what would be run; run nothing")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print Markdown")


def ablation(arguments: argparse.Namespace) -> int:
    """0 where every treatment was shown to do no harm, 1 where one was not, 3 where nothing was tried and judged."""
    from gitops.cli.retrieval_files import refuse_to_write

    _refuse_what_does_not_fit(arguments)
    refuse_to_write(arguments, (arguments.html,), ())
    context = surroundings.context(arguments)
    if arguments.show is not None:
        return _shown(arguments, context)
    planned = plan.planned(arguments, context)
    if arguments.dry_run:
        return plan.rehearsed(planned)
    return _done(arguments, context, planned)


def _refuse_what_does_not_fit(arguments: argparse.Namespace) -> None:
    from gitops.errors import UsageError

    if arguments.show is None:
        return
    given = ("runs", "suite", "all", "affected_by", "jobs", "judge", "dry_run", "no_keep")
    named = [*arguments.configs, *(f"--{name.replace('_', '-')}" for name in given if getattr(arguments, name))]
    if named:
        raise UsageError(f"--show runs nothing: {named[0]} is one too many", f"leave {named[0]} out")


def _done(arguments: argparse.Namespace, context: Context, planned: Planned) -> int:
    from gitops.errors import CannotRun
    from gitops.suites import measuring

    _demand_all_it_takes(arguments, context, planned)
    for line in plan.too_few(planned):
        context.warn(line)
    with unwinding.unwinding():  # what runs is ended with us
        runs = _ablating(arguments, context, planned)
    if arguments.no_keep:
        return _told(arguments, context, planned, runs, "--no-keep")
    try:
        measuring.record(context, planned.workspace, runs, "", "ablation")
    except CannotRun as error:  # what took hours is told at least
        _told(arguments, context, planned, runs, error.message)
        raise
    return _told(arguments, context, planned, runs)


def _demand_all_it_takes(arguments: argparse.Namespace, context: Context, planned: Planned) -> None:
    """CannotRun, before anything is spent, where SciPy or a key to sign with is missing."""
    from gitops.runs import evalruns
    from gitops.stats.randomized import scipy_stats

    scipy_stats()
    if not arguments.no_keep:
        for commit in dict.fromkeys(one.commit for one in planned.variants):
            evalruns.demand_key(context, planned.workspace, commit)


def _told(
    arguments: argparse.Namespace, context: Context, planned: Planned, runs: Sequence[BenchmarkRun], why_not: str = ""
) -> int:
    from gitops.suites import measuring
    from gitops.suites.ablations import put_together
    from gitops.suites.concluding import concluded

    [made] = put_together(measuring.measurement(one, "ablation").named() for one in runs)
    conclusion = concluded(made, planned.margin, arguments.alpha)
    return telling.told(arguments, context, planned.workspace, conclusion, why_not)


def _ablating(arguments: argparse.Namespace, context: Context, planned: Planned) -> Sequence[BenchmarkRun]:
    from gitops import assembly
    from gitops.cli import tell
    from gitops.cli.benchmark_run import Progress
    from gitops.suites.ablating import Ablating

    progress = Progress("ablation", is_shown=not (arguments.quiet or arguments.json))
    ablating = Ablating(
        context,
        planned.workspace,
        planned.variants,
        planned.wanted,
        judge=_judge(arguments, context, planned),
        prompting=lambda workspace, commit: assembly.prompted(context, workspace, commit),
        watch=progress.watch,
    )
    try:
        return ablating.runs(planned.suites)
    except (KeyboardInterrupt, SystemExit):
        if progress.total:
            tell(f"{progress.done:,} of {progress.total:,} trials of a suite were made; nothing of them is kept")
        raise


def _judge(arguments: argparse.Namespace, context: Context, planned: Planned) -> CriteriaJudge | None:
    """Who holds outputs to criteria, where any case has some."""
    from gitops import assembly

    if not any("llm_judge" in case.expected.modes for one in planned.suites for case in one.suite.cases):
        return None
    return assembly.criteria_judge(context, planned.workspace, preset=arguments.judge or "")


def _shown(arguments: argparse.Namespace, context: Context) -> int:
    """Tell an ablation that is in the notes, by the margin of today's policy."""
    from gitops.git import snapshot
    from gitops.suites.ablations import of_id
    from gitops.suites.concluding import concluded

    found = of_id(context, _id(arguments))
    workspace = surroundings.workspace(arguments, context, snapshot.resolve(context.repository, "HEAD"))
    margin = workspace.config.benchmarks.margin
    return telling.told_again(arguments, concluded(found, margin, arguments.alpha))


def _id(arguments: argparse.Namespace) -> str:
    """The id that is asked for, by itself or in the JSON of a report."""
    from gitops.canonical import strict_json
    from gitops.cli.retrieval_files import data_of
    from gitops.errors import UsageError
    from gitops.suites.ablation_record import SCHEMA

    word: str = arguments.show
    if not word.endswith(".json"):
        return word
    try:
        value = strict_json(data_of(arguments, word).decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{word}: {error}", f"name a .json of {telling.FOLDER}/") from error
    if value.get("schema") != SCHEMA or not isinstance(value.get("id"), str):
        raise UsageError(f"{word} is no report of an ablation", f"name a .json of {telling.FOLDER}/")
    return str(value.get("id"))
