"""`git assay eval run`: measure now, what is due, or a commit of the past."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, count, seed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitops.evals.due import Due
    from gitops.evals.metric import Metric
    from gitops.evals.running import Wanted
    from gitops.runs.context import Context
    from gitops.runs.measurements import Measurement
    from gitops.runs.workspace import Workspace

_LOCK = "EVALUATION"
"""No id of a run can be spelt like this."""
_PATIENCE_S = 600.0


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("run", "measure the wiki, and keep what comes out in the notes", run)
    made.add_argument("--metric", default="all", metavar="M1[,M2]|all", help="which metrics (default: all)")
    made.add_argument("--due", action="store_true", help="only what is due: weekly, M3 monthly, M2 after every ingest")
    past = "measure a commit of the past, as of its own time; it speaks of no gate and gets no line in the log"
    made.add_argument("--at", metavar="REV", help=past)
    made.add_argument("--seed", type=seed, default=0, metavar="N", help="which samples are drawn (default: 0)")
    made.add_argument("--sample", type=count, metavar="N", help="how many are drawn (default: the metric's own number)")
    made.add_argument("--preset", default="", metavar="NAME", help="who answers gold queries (default: [llm] writer)")
    made.add_argument("--fresh", action="store_true", help="ask the judges anew what they have answered before")
    rehearsal = "say what judges that need a model would be asked, and about what it would cost; ask none, keep nothing"
    made.add_argument("--dry-run", action="store_true", help=rehearsal)
    made.add_argument("--no-keep", action="store_true", help="keep no measurement in the notes")
    made.add_argument("--push", action="store_true", help="with --due: land the log's lines on the upstream first")
    made.add_argument("--json", action="store_true", help="print the measurements as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure; 3 where nothing could be measured. What the numbers say is no error: gates act on them, not this.

    A job that measures what is due is not to fail over what the wiki has none of (gold queries, say): with --due 3 is
    for what is there and could not be measured.
    """
    from gitops.errors import UsageError
    from gitops.evals.registry import chosen

    metrics = chosen(arguments.metric)
    if arguments.due and (arguments.at or arguments.no_keep or arguments.dry_run):
        other = next(name for name in ("at", "no_keep", "dry_run") if getattr(arguments, name))
        raise UsageError(f"--due keeps what it measures now: not with --{other.replace('_', '-')}", "leave one out")
    if arguments.push and not arguments.due:
        raise UsageError("--push lands the log's lines, as --due does: alone it pushes nothing", "--due --push")
    context = surroundings.context(arguments)
    commit, target = _subject(arguments, context)
    workspace = surroundings.workspace(arguments, context, commit)
    if arguments.preset:
        workspace.config.llm.preset(arguments.preset)  # UsageError before anything is measured
    if arguments.due:
        return _run_due(arguments, context, workspace, commit, target, metrics)
    wanted = _wanted(arguments, metrics)
    if arguments.dry_run:
        return _rehearsed(context, workspace, commit, wanted)
    return _told(
        arguments, workspace, commit, metrics, _measured(arguments, context, workspace, commit, target, wanted)
    )


def _subject(arguments: argparse.Namespace, context: Context) -> tuple[str, str]:
    """The commit to be measured, and the branch whose log gets the line: '' for none."""
    from gitops.errors import UsageError
    from gitops.git import snapshot
    from gitops.runs.evalruns import is_pull_request
    from gitops.runs.targets import default_target

    if arguments.at is not None:
        return snapshot.resolve(context.repository, arguments.at), ""
    try:
        target = default_target(context.repository)
    except UsageError:
        if context.repository.head_branch() is not None:
            raise  # on a run's branch: what has not landed moves no gate
        return snapshot.resolve(context.repository, "HEAD"), ""  # a detached HEAD, as CI has it
    return surroundings.tip(context, target), "" if is_pull_request(os.environ) else target


def _wanted(arguments: argparse.Namespace, metrics: Mapping[str, Metric]) -> Wanted:
    from gitops import assembly
    from gitops.evals.running import Wanted

    return Wanted(
        metrics,
        seed=arguments.seed,
        size=arguments.sample,
        fresh=arguments.fresh,
        only_kept=arguments.dry_run,
        is_past=bool(arguments.at),
        answering=assembly.answered,
        preset=arguments.preset,
    )


def _measured(
    arguments: argparse.Namespace,
    context: Context,
    workspace: Workspace,
    commit: str,
    target: str,
    wanted: Wanted,
) -> list[Measurement]:
    """Measure; unless nothing is to be kept, record each as soon as it is there."""
    from gitops.evals.running import kept, measured

    if arguments.no_keep:
        return [each.measurement for each in measured(context, workspace, commit, wanted)]
    return kept(context, workspace, commit, wanted, target)


def _rehearsed(context: Context, workspace: Workspace, commit: str, wanted: Wanted) -> int:
    from gitops.evals.running import rehearsed

    told = rehearsed(context, workspace, commit, wanted)
    print("\n".join(told) or "no judge needs a model: nothing to pay")
    return 0


def _run_due(
    arguments: argparse.Namespace,
    context: Context,
    workspace: Workspace,
    commit: str,
    target: str,
    metrics: Mapping[str, Metric],
) -> int:
    from gitops.evals.due import schedule
    from gitops.git.locks import held
    from gitops.runs import evallog, measurements, store

    with held(context.repository.common_dir, _LOCK, wait=_PATIENCE_S):  # two at once would measure the same, and pay
        runs, known = store.all_runs(context).values(), measurements.everything(context)
        times = schedule(context, workspace.name, metrics, known, runs, commit)
        due = {name: metric for name, metric in metrics.items() if times[name].why}
        found = _measured(arguments, context, workspace, commit, target, _wanted(arguments, due)) if due else []
        if target:
            evallog.catch_up(context, runs, known)
            evallog.land(context, workspace, target, push=arguments.push)
    return _told(arguments, workspace, commit, metrics, found, times)


def _told(
    arguments: argparse.Namespace,
    workspace: Workspace,
    commit: str,
    metrics: Mapping[str, Metric],
    found: Sequence[Measurement],
    times: Mapping[str, Due] | None = None,
) -> int:
    if arguments.json:
        surroundings.print_json(_as_json(workspace, commit, found, times))
    else:
        from gitops.report.eval_run import words
        from gitops.report.text import show

        show(words(found, metrics, times, is_kept=not arguments.no_keep))
    return 3 if _is_lacking(found, is_due=times is not None) else 0


def _is_lacking(found: Sequence[Measurement], *, is_due: bool) -> bool:
    """Whether nothing was measured of what was asked for; of what is due, whether something that there is was not."""
    from gitops.evals.metric import could_not_be_measured

    if is_due:
        return any(map(could_not_be_measured, found))
    return bool(found) and all(one.metrics[one.suite].status == "not_measured" for one in found)


def _as_json(
    workspace: Workspace, commit: str, found: Sequence[Measurement], times: Mapping[str, Due] | None
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "schema": "assay/eval-run/1",
        "workspace": workspace.name,
        "commit": commit,
        "measurements": [one.record() for one in found],
    }
    if times is not None:
        told["due"] = {name: _due_json(due) for name, due in times.items()}
    return told


def _due_json(due: Due) -> dict[str, Any]:
    moments = {"last": due.last, "next": due.next}
    return {name: f"{at:%Y-%m-%dT%H:%M:%SZ}" if at is not None else None for name, at in moments.items()} | {
        "why": due.why or None
    }
