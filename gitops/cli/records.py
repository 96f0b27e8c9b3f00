"""`git assay status` and `git assay log`: what the repository itself remembers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser, count

if TYPE_CHECKING:
    from gitops.runs.context import Context


def declare(name: str, parser: Parser) -> None:
    """Fill in a command."""
    parser.set_defaults(function={"status": status, "log": log}[name])
    if name == "log":
        _declare_sync(parser)
        parser.add_argument("--limit", type=count, default=20, metavar="N", help="at most N verdicts (default 20)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _declare_sync(parser: Parser) -> None:
    what = "write the lines into the wiki's log that a merge button left out, as a commit on the target"
    parser.add_argument("action", nargs="?", choices=("sync",), metavar="sync", help=what)
    parser.add_argument("--push", action="store_true", help="with sync: push the commit to the target's upstream first")
    parser.add_argument("--dry-run", action="store_true", help="with sync: show the lines, write nothing")
    parser.add_argument("--target", metavar="BRANCH", help="with sync: the branch (default: where runs land)")


def status(arguments: argparse.Namespace) -> int:
    """Say how things stand."""
    from gitops.runs import store
    from gitops.runs.standing import standing

    context = surroundings.context(arguments)
    if arguments.workspace is not None:
        runs = store.all_runs(context).values()
        surroundings.only_of(arguments, (run.record.workspace for run in runs), context)
    _refuse_unknown_judges(context)
    found = standing(context, arguments.workspace)
    warnings = _warnings(arguments, context)
    if arguments.json:
        surroundings.print_json({**found.as_json(), "floor": warnings})
        return 0
    from gitops.report.standing import words
    from gitops.report.text import show as print_text

    print_text(words(found, warnings))
    return 0


def _refuse_unknown_judges(context: Context) -> None:
    """No run could come to a verdict: that is how things stand, and it is told before one is begun."""
    from gitops.git import snapshot
    from gitops.runs.roots import roots

    if not context.repository.is_unborn:
        tree = context.tree(snapshot.resolve(context.repository, "HEAD"))
        surroundings.refuse_unknown_judges(tree, roots(tree), "HEAD")


def _warnings(arguments: argparse.Namespace, context: Context) -> list[str]:
    """What is to be told of the presets that write: below the floor, or never tested (alexandria 14, R8)."""
    from gitops.errors import UsageError
    from gitops.git import snapshot
    from gitops.runs.floors import floor_warning
    from gitops.runs.roots import roots
    from gitops.runs.workspace import at

    if context.repository.is_unborn:
        return []
    commit = snapshot.resolve(context.repository, "HEAD")
    tree = context.tree(commit)
    told: list[str | None] = []
    for root in roots(tree):
        try:
            workspace = at(tree, root, commit)
        except UsageError as error:  # what is wrong with a policy is no reason not to say how runs stand
            told.append(error.message)
            continue
        if arguments.workspace in (None, workspace.name):
            told.append(floor_warning(context, workspace))
    return list(dict.fromkeys(each for each in told if each))


def log(arguments: argparse.Namespace) -> int:
    """List verdicts with their runs, or bring the wiki's log up."""
    from gitops.runs import store
    from gitops.runs.examining import signers

    if arguments.action or arguments.push or arguments.dry_run or arguments.target:
        from gitops.cli.log_sync import sync

        return sync(arguments)
    context = surroundings.context(arguments)
    verdicts = sorted(store.all_verdicts(context), key=lambda each: (each.created_at, each.id), reverse=True)
    only = surroundings.only_of(arguments, (each.workspace for each in verdicts), context)
    shown = [each for each in verdicts if only in (None, each.workspace)][: arguments.limit]
    signed_by = signers(context, shown)
    if arguments.json:
        body: dict[str, Any] = {"schema": "assay/log/1", "verdicts": [each.record() for each in shown]}
        surroundings.print_json(body | {"signed_by": signed_by})
        return 0
    from gitops.report.runs import verdict_table
    from gitops.report.text import show as print_text

    print_text(verdict_table(shown, signed_by) if shown else "no verdicts yet: git assay run finish gives one")
    return 0
