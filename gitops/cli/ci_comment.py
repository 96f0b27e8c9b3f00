"""`git assay ci comment`: one comment on the pull request, kept up to date. It needs no repository around it."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from gitops.cli import one_line, surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gitops.ci.telling import Report, Teller

AUTHOR = "ASSAY_COMMENT_AUTHOR"
"""Whose comments are ours, where an app of one's own writes them (`our-app[bot]`)."""


def comment(arguments: argparse.Namespace) -> int:
    """Tell what a check left behind. 0 told, or nothing to tell; 1 what it left does not count; 3 could not."""
    from gitops.errors import Refused

    path = surroundings.folder(arguments) / arguments.result
    if arguments.dry_run:
        return _print(path)
    report = _told(arguments, path)
    if not arguments.quiet:
        for line in report.done:
            print(one_line(line))
    for line in report.remarks:
        _notice(line)
    for body in report.unwritten:
        _summarise(body)
    _output(report.addresses)
    if report.refused is not None:
        raise Refused(f"what the check left behind does not count: {report.refused.message}", report.refused.hint)
    return 0


def _print(path: Path) -> int:
    """The comments as they would be written."""
    from gitops.ci import artifact
    from gitops.ci.comment import render_comment
    from gitops.report.visible import visible

    for each in artifact.results(path):
        sys.stdout.write(visible(render_comment(each, run_url=_run_url())))
    return 0


def _told(arguments: argparse.Namespace, path: Path) -> Report:
    from gitops.ci import telling, workflow_run

    run = workflow_run.read(os.environ) if arguments.pr is None else None
    teller = _teller(arguments)
    if run is not None:
        return telling.after(teller, run, path)
    return telling.by_hand(teller, path, _number() if arguments.pr is None else arguments.pr, _run_url())


def _teller(arguments: argparse.Namespace) -> Teller:
    from gitops.ci import github
    from gitops.ci.telling import Teller

    return Teller(github.from_environment(os.environ), arguments.mode, os.environ.get(AUTHOR, "").strip())


def _number() -> int | None:
    """The pull request that a job runs for, as its `GITHUB_REF` says (`refs/pull/7/merge`)."""
    parts = os.environ.get("GITHUB_REF", "").split("/")
    is_pull = len(parts) == 4 and parts[:2] == ["refs", "pull"] and parts[2].isdecimal()
    return int(parts[2]) if is_pull else None


def _run_url() -> str:
    """Where this very job's log is; '' outside of one."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (os.environ.get(name, "") for name in names)
    return f"{server}/{repository}/actions/runs/{run}" if server and repository and run else ""


def _notice(line: str) -> None:
    """A remark: on the run's own page in a workflow, else on standard error."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        print("::notice title=git-assay::" + one_line(line).replace("%", "%25"))
    else:
        print(f"note: {one_line(line)}", file=sys.stderr)


def _summarise(body: str) -> None:
    """A comment that may not be written goes to the job's summary, else to standard output."""
    path = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        print(body, end="")
        return
    from pathlib import Path

    from gitops.ci import outputs

    outputs.append_markdown(Path(path), body.rstrip() + "\n\n")


def _output(addresses: Sequence[str]) -> None:
    """Where the comments are, as an output of a workflow's step: `comment-url`, a line for each."""
    path = os.environ.get("GITHUB_OUTPUT", "")
    if path and addresses:
        from pathlib import Path

        from gitops.ci import outputs

        outputs.append_outputs(Path(path), {"comment-url": "\n".join(addresses)})
