"""`git assay benchmark check`: whether the files of suites are in order."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.suites.loading import Every, Loaded


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("check", "say whether the files of suites are in order", check)
    named = "a suite, or a folder that holds one (default: all of the workspace)"
    made.add_argument("suite", nargs="?", metavar="SUITE|FOLDER", help=named)
    made.add_argument("--rev", metavar="REV", help="as this revision has them (default: the working tree)")
    made.add_argument("--json", action="store_true", help="print JSON")


def check(arguments: argparse.Namespace) -> int:
    """Print the suites; what is wrong with others goes the way of errors, with 2."""
    from gitops.suites.reading import BadSuite

    found, skills = _looked_at(arguments)
    if arguments.json:
        suites = [_record(one) for one in found.loaded]
        body = {"schema": "assay/benchmark-check/1", "suites": suites, "faults": found.faults}
        surroundings.print_json({**body, "skills_without": skills})
        return 2 if found.faults else 0
    from gitops.report import benchmark_cases as words
    from gitops.report.text import show

    told = words.checked(found.loaded, skills, len(found.wrong))
    show(told if found.loaded or skills else "no suite is in order")
    if found.faults:
        _tell_all_but_last(found.faults)
        raise BadSuite(found.faults[-1:])
    return 0


def _looked_at(arguments: argparse.Namespace) -> tuple[Every, list[str]]:
    """The suites that are asked about, and the skills without any where all are."""
    from gitops.errors import UsageError
    from gitops.git import snapshot
    from gitops.suites import loading, skills

    folder = surroundings.folder(arguments) / arguments.suite if arguments.suite else None
    if folder is not None and arguments.rev is None and (folder / "suite.json").exists():
        return loading.every_in(folder, arguments.suite), []
    context = surroundings.context(arguments, sweep=False)
    commit = snapshot.resolve(context.repository, arguments.rev or "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    if arguments.rev is None and not context.repository.is_bare:
        every = loading.every_in_worktree(context, workspace)
        without = skills.without_benchmarks_in_worktree(context, workspace)
    else:
        every = loading.every_at(context, workspace, commit)
        without = skills.without_benchmarks(context, workspace, commit)
    if arguments.suite:
        return loading.only(every, arguments.suite), []
    if not (every.loaded or every.wrong or without):
        told = f"there is no suite below {workspace.layout.gold}/suites/ nor in a skill's benchmarks/"
        raise UsageError(told, "docs/benchmark-cases.md shows how to write one")
    return every, without


def _record(one: Loaded) -> dict[str, Any]:
    from collections import Counter

    suite = one.suite
    return {
        "suite_id": suite.suite_id,
        "folder": one.folder,
        "target": suite.target,
        "runs": suite.runs.kind if suite.runs is not None else None,
        "cases": dict(Counter(case.difficulty for case in suite.cases)),
        "organic": len(one.organic),
        "has_baseline": one.baseline is not None,
        "digest": one.digest,
    }


def _tell_all_but_last(faults: list[str]) -> None:
    from gitops.cli import tell

    for told in faults[:-1]:
        tell(told)
