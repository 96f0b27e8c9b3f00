"""`git assay ci benchmarks`: suites that are due at the tip of the branch, run; baselines that follow it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import surroundings, unwinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.ci.suites_due import Followed
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def benchmarks(arguments: argparse.Namespace) -> int:
    """0 where every baseline stands or has followed, 1 where a suite regressed, 3 where one has no answer."""
    from gitops.ci import suites_due
    from gitops.ci.suite_answers import How

    context = surroundings.context(arguments)
    tip = surroundings.tip(context, surroundings.target(arguments, context))
    done: list[tuple[str, Followed]] = []
    with unwinding.unwinding():
        for workspace in _workspaces(arguments, context, tip):
            found = suites_due.followed(context, workspace, tip, How(jobs=arguments.jobs or 0))
            done += [(workspace.name, each) for each in found]
    _tell(done, quiet=arguments.quiet)
    codes = {each.code for _, each in done}
    return next((code for code in (1, 3) if code in codes), 0)


def _workspaces(arguments: argparse.Namespace, context: Context, tip: str) -> list[Workspace]:
    from gitops.runs.workspace import at, roots

    if arguments.workspace:
        return [surroundings.workspace(arguments, context, tip)]
    tree = context.tree(tip)
    return [at(tree, root, tip) for root in roots(tree)]


def _tell(done: Sequence[tuple[str, Followed]], *, quiet: bool) -> None:
    from gitops.report.text import show, table

    summary = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if summary and done:
        _append(Path(summary), done)
    if not done and not quiet:
        print("no suite of benchmarks is there, so none is due")
    told = [each for each in done if each[1].code or not quiet]
    if told:
        rows = [(name, each.suite, each.became, _why(each)) for name, each in told]
        show(table(("workspace", "suite", "baseline", ""), rows))


def _append(path: Path, done: Sequence[tuple[str, Followed]]) -> None:
    """The same for the job's summary. What suites and cases are called, and what targets said, is foreign."""
    from gitops.ci.outputs import append_markdown
    from gitops.ci.taming import code, said
    from gitops.report import markdown as md

    rows = [(code(name), code(each.suite), each.became, said(_why(each), 400)) for name, each in done]
    table = md.table(("workspace", "suite", "baseline", "why"), rows)
    append_markdown(path, f"## git-assay benchmarks\n\n{table}\n")


def _why(each: Followed) -> str:
    return f"{each.told}; {each.mend}" if each.mend else each.told
