"""`git assay benchmark baseline`: accept a run as what later ones are compared with."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.suites.model import BenchmarkRun


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("baseline", "accept a run as what later ones are compared with", baseline)
    run = "a run that is kept, by its id; of a revision the newest"
    made.add_argument("run", metavar="RUN", help=run)
    made.add_argument("--suite", default="", metavar="NAME", help="of several suites this one")
    made.add_argument("--reason", default="", metavar="TEXT", help="why it is accepted")
    made.add_argument("--no-export", action="store_true", help="write no baseline.json into the working tree")
    made.add_argument("--json", action="store_true", help="print JSON")


def baseline(arguments: argparse.Namespace) -> int:
    """Record it, write it beside the suite, and tell what counts from now on."""
    from gitops.suites import baselines, kept, labels
    from gitops.suites.remembered import run_of

    context = surroundings.context(arguments)
    workspace = surroundings.workspace(arguments, context, "HEAD")
    measured = kept.kept(context, arguments.run, workspace.name, arguments.suite)
    runs = [run_of(one) for one in measured]
    baselines.refuse(labels.labelled(context, runs))
    remarks = _remarks(context, labels.labelled(context, runs)) + _worse(arguments, context, runs)
    made = baselines.accept(context, workspace, runs, [one.id for one in measured], arguments.reason)
    file, why_not = _exported(arguments, context, runs)
    record = {"schema": "assay/benchmark-baseline/1", "baseline": made.record(), "exported": file or None}
    _tell(arguments, record | {"remarks": [*remarks, *why_not]}, runs)
    return 0


def _exported(arguments: argparse.Namespace, context: Context, runs: list[BenchmarkRun]) -> tuple[str, list[str]]:
    """The file that was written, '' for none, and why there is none."""
    from gitops.errors import UsageError
    from gitops.suites import kept, loading

    if arguments.no_export:
        return "", []
    try:
        workspace = surroundings.workspace(arguments, context, "HEAD")
        loaded = loading.suite_in_worktree(context, workspace, runs[0].suite_id)
    except UsageError as error:
        return "", [f"no baseline.json was written: {error.message}"]
    worktree = context.repository.worktree
    if worktree is None:
        return "", ["no baseline.json was written: a bare repository has no working tree"]
    kept.export(worktree / loaded.folder, runs)
    return f"{loaded.folder}/baseline.json", []


def _remarks(context: Context, runs: list[BenchmarkRun]) -> list[str]:
    """What whoever accepts the run should know of it."""
    from gitops.errors import UsageError
    from gitops.git import history, refs
    from gitops.runs.targets import default_target
    from gitops.suites.overview import Overview

    seen = Overview(runs)
    told = []
    if failed := len(seen.failures):
        told.append(
            f"{failed:,} of {len(seen.cases):,} cases did not always pass: those gate nothing, or by their rate"
        )
    if skipped := len(seen.skipped):
        told.append(f"{skipped:,} of {len(seen.cases):,} cases were not judged, and gate nothing")
    try:
        target = default_target(context.repository)
    except UsageError:  # a detached HEAD
        return told
    tip, commit = refs.read(context.repository, target), runs[0].commit
    if tip is None or commit not in history.first_parent(context.repository, tip):
        short = target.removeprefix("refs/heads/")
        told.append(f"{commit[:10]} is not in the first-parent history of {short}: it counts there only once it is")
    return told


def _worse(arguments: argparse.Namespace, context: Context, runs: list[BenchmarkRun]) -> list[str]:
    """What of it is worse than what counted until now: later runs are not held to that any more."""
    from gitops.errors import CannotRun, UsageError
    from gitops.git import snapshot
    from gitops.suites import baselines, labels, loading
    from gitops.suites.regressions import findings

    commit, name = snapshot.resolve(context.repository, "HEAD"), runs[0].suite_id
    workspace = surroundings.workspace(arguments, context, commit)
    try:
        loaded = loading.suite_at(context, workspace, commit, name, organic=False)
        counted = baselines.baseline_of(context, workspace, commit, loaded)
        found = findings(counted.runs, labels.labelled(context, runs)) if counted is not None else None
    except (CannotRun, UsageError) as error:
        return [f"what is worse than the baseline until now is not told: {error.message}"]
    if counted is None or found is None:
        return []
    worse = list(dict.fromkeys([each.case_id for each in found.regressions] + list(found.lost)))
    more = f" and {len(worse) - 5:,} more" if len(worse) > 5 else ""
    return [f"worse than {counted.told}: {', '.join(worse[:5])}{more}"] if worse else []


def _tell(arguments: argparse.Namespace, record: dict[str, Any], runs: list[BenchmarkRun]) -> None:
    if arguments.json:
        surroundings.print_json(record)
        return
    from rich.text import Text

    from gitops.report.benchmark_values import passes
    from gitops.report.text import show
    from gitops.report.visible import inline
    from gitops.suites.overview import Overview

    seen, first = Overview(runs), runs[0]
    head = f"run {first.run_id} is the baseline of {first.suite_id} from {first.commit[:10]} on"
    show(Text.assemble((inline(head), "bold"), f"  {passes(seen.passed, seen.interval)}"))
    for line in record["remarks"]:
        show(Text(inline(line), style="yellow"))
    if record["exported"]:
        show(Text(inline(f"wrote {record['exported']}: commit it with the suite"), style="dim"))
