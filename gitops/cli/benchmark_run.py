"""`git assay benchmark run`: run suites, and keep what came of it with the commit measured."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import surroundings, unwinding
from gitops.cli.arguments import Commands, amount, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitops.cli.benchmark_plan import Planned
    from gitops.runs.context import Context
    from gitops.runs.measurements import Measurement
    from gitops.suites.criteria import CriteriaJudge
    from gitops.suites.executing import Trial
    from gitops.suites.model import BenchmarkRun


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("run", "run suites against a commit, and keep what came of it in the notes", run)
    suites = "suites by their id, folder or skill"
    made.add_argument("suites", nargs="*", metavar="SUITE", help=suites)
    made.add_argument("--all", action="store_true", help="every suite of the workspace, and those of its skills")
    made.add_argument("--skill", metavar="NAME", help="the suite of this skill")
    made.add_argument("--rev", metavar="REV", help="the commit that is measured (default: HEAD)")
    made.add_argument("--worktree", action="store_true", help="measure the files as they stand; nothing is kept")
    made.add_argument("--repeats", type=count, metavar="N", help="each case so many times (default: as the suite says)")
    made.add_argument(
        "--jobs", type=count, metavar="N", help="so many cases at once (default: cores less one, 4 at most)"
    )
    made.add_argument("--seed", type=_seed, metavar="N", help="the seed of the first repeat (default: 0)")
    made.add_argument("--case", action="append", default=[], metavar="ID", help="this case alone; nothing is kept")
    config = "a .json or .toml file with config_overrides (and name, rev): what the target is told otherwise"
    made.add_argument("--config", metavar="FILE", help=config)
    made.add_argument("--judge", metavar="PRESET", help="who judges by criteria (default: [verify] judge)")
    made.add_argument("--like", metavar="RUN", help="do a recorded run again, by its record alone")
    made.add_argument("--no-keep", action="store_true", help="keep nothing in the notes")
    made.add_argument("--dry-run", action="store_true", help="say what would be run; run nothing")
    made.add_argument("--json", action="store_true", help="print the measurements as JSON")


def run(arguments: argparse.Namespace) -> int:
    """0 where every case that was tried passed, 1 where one did not, 3 where none could be tried or judged."""
    from gitops.cli import benchmark_plan

    context = surroundings.context(arguments)
    planned = benchmark_plan.planned(arguments, context)
    if arguments.dry_run:
        return _rehearsed(planned)
    ran: list[list[BenchmarkRun]] = []
    why_not = _why_not(arguments)
    kept: list[Measurement] = []
    for one in planned:
        runs = _ran(arguments, context, one)
        ran.append(runs)
        if arguments.json or not why_not:
            kept += _kept(context, one, runs, why_not)
        _tell(arguments, runs, why_not)
    state = _state(ran)
    if arguments.json:
        body = {"state": state, "kept": not why_not, "why_not": why_not}
        told = [one.record() for one in kept]
        surroundings.print_json({"schema": "assay/benchmark-ran/1", **body, "measurements": told})
    return {"passed": 0, "failed": 1, "not_run": 3}[state]


def _rehearsed(planned: Sequence[Planned]) -> int:
    from gitops.report import benchmark_run
    from gitops.suites import flow

    for one in planned:
        one.loaded.demand_target()
        size = len(flow.chosen(one.loaded, one.wanted.cases))
        repeats = one.wanted.repeats or one.loaded.suite.repeats
        print(benchmark_run.planned(one.loaded, size, repeats))
    return 0


def _ran(arguments: argparse.Namespace, context: Context, one: Planned) -> list[BenchmarkRun]:
    """Run one suite. Interrupted, it ends all that it started, and says how far it came."""
    from gitops import assembly
    from gitops.cli import tell
    from gitops.suites import flow

    revision = one.tree.tree_id if one.tree is not None else one.commit
    progress = Progress(one.loaded.suite.suite_id, is_shown=not (arguments.quiet or arguments.json))
    try:
        with unwinding.unwinding():  # what runs is ended with us
            return flow.run_suite(
                context,
                one.workspace,
                one.commit,
                one.loaded,
                one.wanted,
                _judge(arguments, context, one),
                prompt=assembly.prompted(context, one.workspace, revision),
                tree=one.tree,
                watch=progress.watch,
            )
    except (KeyboardInterrupt, SystemExit):
        if progress.total:
            told = f"{progress.done:,} of {progress.total:,} cases of {one.loaded.suite.suite_id} were tried"
            tell(f"{told}; nothing of them is kept")
        raise


def _judge(arguments: argparse.Namespace, context: Context, one: Planned) -> CriteriaJudge | None:
    """Who holds outputs to criteria, where any case has some."""
    from gitops import assembly

    if not any("llm_judge" in case.expected.modes for case in one.loaded.suite.cases):
        return None
    return assembly.criteria_judge(context, one.workspace, preset=arguments.judge or "")


class Progress:
    """A bar on a terminal, and how far it came."""

    def __init__(self, name: str, *, is_shown: bool) -> None:
        self.done = self.total = 0
        self._name = name
        self._is_shown = is_shown and sys.stderr.isatty()

    def watch(self, trials: Sequence[Trial]) -> Iterator[Trial]:
        """The same trials, one by one."""
        self.total = len(trials)
        shown: Iterator[Trial] = iter(trials)
        if self._is_shown:
            from rich.console import Console
            from rich.progress import track

            console = Console(stderr=True)
            shown = iter(track(trials, self._name, total=self.total, console=console, transient=True))
        for each in shown:
            yield each
            self.done += 1


def _why_not(arguments: argparse.Namespace) -> str:
    """Why nothing is kept, '' where it is."""
    if arguments.worktree:
        return "the working tree was measured, which is no commit"
    return "a part of the cases was tried" if arguments.case else "--no-keep" if arguments.no_keep else ""


def _kept(context: Context, one: Planned, runs: Sequence[BenchmarkRun], why_not: str) -> list[Measurement]:
    from gitops.suites import measuring

    if not why_not:
        return measuring.record(context, one.workspace, runs)
    return [measuring.measurement(each).named() for each in runs]


def _state(ran: Sequence[Sequence[BenchmarkRun]]) -> str:
    """Green never means that nothing ran: of each suite some case has to be tried."""
    from gitops.suites.grading import TRIED

    by_suite = [[result.status for run in runs for result in run.results] for runs in ran]
    if any(status in TRIED and status != "pass" for statuses in by_suite for status in statuses):
        return "failed"
    return "passed" if all(any(status in TRIED for status in statuses) for statuses in by_suite) else "not_run"


def _tell(arguments: argparse.Namespace, runs: Sequence[BenchmarkRun], why_not: str) -> None:
    if arguments.json:
        return
    from gitops.report import benchmark_run
    from gitops.report.text import show

    show(benchmark_run.words(runs), benchmark_run.where(runs, why_not))


def _seed(text: str) -> int:
    number = amount(text)
    if number != int(number):
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number")
    return int(number)
