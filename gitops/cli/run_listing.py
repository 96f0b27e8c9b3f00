"""`git assay run list|show|diff`: what runs there are, and what is known of one."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.records import Run


def list_runs(arguments: argparse.Namespace) -> int:
    """List runs."""
    from gitops.runs import store

    context = surroundings.context(arguments)
    runs = sorted(store.all_runs(context).values(), key=lambda run: (run.record.started_at, run.id), reverse=True)
    only = surroundings.only_of(arguments, (run.record.workspace for run in runs), context)
    mine = [run for run in runs if only in (None, run.record.workspace)]
    shown = [run for run in mine if arguments.status in (None, run.status)][: arguments.limit]
    if arguments.json:
        surroundings.print_json({"schema": "assay/run-list/1", "runs": [as_json(run) for run in shown]})
        return 0
    from gitops.report.runs import listing
    from gitops.report.text import show as print_text
    from gitops.runs.examining import signers, verdict_of

    landed = [found for run in shown if run.status == "committed" and (found := verdict_of(context, run)) is not None]
    none = f"no run is {arguments.status}" if mine else "no runs yet: git assay run start"
    print_text(listing(shown, landed, signers(context, landed)) if shown else none)
    return 0


def show(arguments: argparse.Namespace) -> int:
    """Show one run, also as the records say that `git fetch` has brought."""
    from gitops.runs import examining, fetched, store

    context = surroundings.context(arguments)
    fetched.take(context)
    run = store.find(context, arguments.run)
    if arguments.transcript:
        return _show_transcripts(context, run, arguments.json)
    commit = run.state.candidate
    verdicts = store.verdicts_on(context, commit) if commit else []
    verdict = next((each for each in verdicts if each.id == run.state.verdict_id), store.standing(verdicts, commit))
    signer = examining.signer(context, verdict)
    if arguments.json:
        body = as_json(run) | {"verdict": verdict.record() if verdict else None, "signed_by": signer or None}
        surroundings.print_json(body)
        return 0
    from gitops.report.runs import detail
    from gitops.report.text import show as print_text

    print_text(detail(run, verdict, signer))
    return 0


def _show_transcripts(context: Context, run: Run, is_json: bool) -> int:
    """Show the conversations of a run (schema `assay/run-transcript/1`)."""
    from gitops.runs import transcripts

    records = transcripts.of(context, run)
    if is_json:
        found = [record.model_dump(mode="json", by_alias=True) for record in records]
        surroundings.print_json({"schema": "assay/run-transcript/1", "run_id": run.id, "transcripts": found})
        return 0
    from gitops.report import transcripts as report
    from gitops.report.text import show as print_text

    print_text(report.told(records) if records else f"no model was asked anything in run {run.id}")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Show what a run changes, as git shows it."""
    from gitops.runs.diffing import show_diff

    context = surroundings.context(arguments)
    if sys.stdout.isatty():
        from gitops.report.text import show_diff_line

        code = show_diff(context, arguments.run, stat=arguments.stat, show=show_diff_line)
    else:
        code = show_diff(context, arguments.run, stat=arguments.stat)
    return code if code >= 0 else 128 - code  # git was ended by a signal, such as that of a closed pipe


def as_json(run: Run) -> dict[str, Any]:
    """A run as `run list` and `run show` print it (schema `assay/run-show/1`)."""
    from gitops.runs.listed import listed

    return listed(run)
