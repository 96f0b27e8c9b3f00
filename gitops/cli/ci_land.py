"""`git assay ci land`: what was pushed as a run, verified again and landed, or put up as a pull request."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.ci.landed import Landed
    from gitops.runs.context import Context


def land(arguments: argparse.Namespace) -> int:
    """Land runs. 0 landed, put up, or nothing to do; 1 a verdict said no; 3 no verdict, or it could not land."""
    from dataclasses import replace

    from gitops.ci import github, landed, landing
    from gitops.runs import names, syncing

    asked = [names.checked_id(each) for each in arguments.runs]
    followed = [] if asked else _followed()
    context = replace(surroundings.context(arguments), triggered_by="ci:land")
    remote = syncing.remote_of(context, None)
    lander = landing.Lander(context, remote, arguments.pull_request, lambda: github.from_environment(os.environ))
    done, behind = lander.land(asked or followed, others=not asked)
    _record_labels(context, arguments.workspace)
    _tell(done, quiet=arguments.quiet)
    if behind is not None:
        raise behind
    return landed.worst(done)


def _followed() -> list[str]:
    """The run whose push set this job off. Refused where it was not a push to this repository: anybody can have a
    branch of that name in a fork, and a workflow of that name there.
    """
    from gitops.ci import workflow_run
    from gitops.errors import Refused, UsageError
    from gitops.runs import names

    run = workflow_run.read(os.environ)
    if run is None:
        return []
    if run.event != "push" or not run.is_own:
        where = run.head_repository.full_name if run.head_repository is not None else "a fork that is gone"
        here = run.repository.full_name
        told = f"a {run.event} of {where} set this off, and only what was pushed to {here} is landed"
        raise Refused(told, "if: github.event.workflow_run.event == 'push', in the workflow")
    branch = run.head_branch or ""
    if not branch.startswith("run/"):
        raise UsageError(f"{branch!r} is no run's branch", 'branches: ["run/**"], in the workflow')
    return [names.checked_id(branch)]


def _record_labels(context: Context, only: str | None) -> None:
    """Write down what labels on merged pull requests accepted, and share it. Nothing that landed hangs on it."""
    from gitops.cli import ci_accepted
    from gitops.errors import AssayError
    from gitops.runs import syncing
    from gitops.runs.targets import default_target

    if not ci_accepted.is_asked():
        return
    try:
        if ci_accepted.record(context, default_target(context.repository), only):
            syncing.sync(context, syncing.remote_of(context, None))
    except AssayError as error:
        context.warn(f"what labels accepted is not recorded: {error.message}; {error.hint}")


def _tell(done: Sequence[Landed], *, quiet: bool) -> None:
    from pathlib import Path

    from gitops.ci import landed_words as words
    from gitops.ci import outputs

    if not done and not quiet:
        print("no run waits to be landed")
    for each in done:
        if quiet and not each.code:
            continue
        print(words.line(each))
        for finding in each.findings:
            print(words.found(finding))
        if each.hint:
            print(f"  {words.mend(each)}")
    path = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if path:
        outputs.append_markdown(Path(path), words.summary(done) + "\n")
