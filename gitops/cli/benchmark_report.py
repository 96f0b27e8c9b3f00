"""`git assay benchmark report`: what a run came to, why cases failed, and where it stands beside its baseline."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import retrieval_files, surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitops.report.benchmark_values import Told
    from gitops.runs.context import Context
    from gitops.suites.baselines import Baselined
    from gitops.suites.model import BenchmarkRun
    from gitops.suites.reported import Reported

FORMATS = ("markdown", "text", "html", "json")


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("report", "report a run: what failed and why, what regressed since the baseline", report)
    run = "a run by its id, a revision, a file of `--json`, a baseline.json"
    made.add_argument("run", metavar="RUN", help=run)
    made.add_argument("--format", choices=FORMATS, metavar="F", help=f"one of {', '.join(FORMATS)} (default: markdown)")
    made.add_argument("--suite", metavar="NAME", help="of several suites this one")
    made.add_argument("--out", metavar="FILE", help="write it to a file")
    made.add_argument("--json", action="store_true", help="print JSON")


def report(arguments: argparse.Namespace) -> int:
    """Print or write it; whatever the run came to, the exit code is 0."""
    from gitops.errors import UsageError

    form = _form(arguments)
    retrieval_files.refuse_to_write(arguments, (arguments.out,), (arguments.run,))
    context = surroundings.context(arguments)
    found = _reported(arguments, context)
    if form == "json" and arguments.out is None:
        surroundings.print_json({"schema": "assay/benchmark-report/1", "reports": [one.record() for one in found]})
        return 0
    if form == "json":
        raise UsageError("--json is printed, not written", "git assay benchmark report RUN --json > FILE")
    _tell(arguments, found, form)
    return 0


def _form(arguments: argparse.Namespace) -> str:
    from gitops.errors import UsageError

    if arguments.json and arguments.format not in (None, "json"):
        raise UsageError(f"--json and --format {arguments.format} are two formats", "leave one of them out")
    return "json" if arguments.json else arguments.format or "markdown"


def _reported(arguments: argparse.Namespace, context: Context) -> list[Reported]:
    from gitops.errors import UsageError
    from gitops.git import snapshot
    from gitops.suites import labels, recalling, reported, skills

    head = snapshot.resolve(context.repository, "HEAD")
    workspace = surroundings.workspace(arguments, context, head)
    found = recalling.recall(context, surroundings.folder(arguments), arguments.run, workspace.name)
    known = [one.suite for one in found]
    found = [one for one in found if arguments.suite in (None, one.suite)]
    if not found:
        raise UsageError(f"{arguments.run} has no run of '{arguments.suite}'", f"it has: {', '.join(known)}")
    bare = skills.without_benchmarks(context, workspace, head)
    every = [labels.labelled(context, one.runs) for one in found]
    return [reported.reported(runs, _baseline(arguments, context, runs[0]), bare) for runs in every]


def _baseline(arguments: argparse.Namespace, context: Context, run: BenchmarkRun) -> Baselined | None:
    """What counts as baseline at the commit that was measured; None where that, or the suite there, is not here."""
    from gitops.errors import CannotRun, UsageError
    from gitops.runs.workspace import find
    from gitops.suites import baselines, loading

    try:
        workspace = find(context.repository, run.commit, run.workspace)
        loaded = loading.suite_at(context, workspace, run.commit, run.suite_id, organic=False)
        return baselines.baseline_of(context, workspace, run.commit, loaded)
    except (CannotRun, UsageError) as error:
        context.warn_once(f"the baseline of {run.suite_id} at {run.commit[:10]} cannot be told: {error.message}")
        return None


def _tell(arguments: argparse.Namespace, found: list[Reported], form: str) -> None:
    from gitops.errors import UsageError
    from gitops.report.benchmark_values import of_report

    told = [of_report(one) for one in found]
    if arguments.out is None and form == "text":
        from gitops.report.benchmark import words
        from gitops.report.text import show

        show(*map(words, told))
    elif arguments.out is None:
        sys.stdout.write("\n".join(text_of(each, form) for each in told))
    elif len(told) > 1:
        raise UsageError(f"{arguments.run} holds runs of several suites", "--suite NAME chooses one")
    else:
        write(arguments, told[0], {form: arguments.out})


def text_of(told: Told, form: str) -> str:
    """What is told, in a format."""
    from gitops.report import benchmark_md, benchmark_page

    if form == "html":
        return benchmark_page.page(told)
    return benchmark_md.markdown(told)


def write(arguments: argparse.Namespace, told: Told, files: Mapping[str, str | None]) -> None:
    """Write what is told to files, by their formats; those that are None are not wanted."""
    wanted = {form: name for form, name in files.items() if name is not None}
    for form, name in wanted.items():
        retrieval_files.write_lines(arguments, name, text_of(told, form).rstrip("\n").split("\n"))
    if not arguments.quiet:
        for name in wanted.values():
            print(f"wrote {name}", file=sys.stderr)
