"""`git assay verify`: judge a revision, or what is staged, without landing anything."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.verify.verdict import Verdict


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=verify)
    parser.add_argument("rev", nargs="?", metavar="REV", help="what to judge (default: HEAD)")
    base = "what to judge it against (default: a run's target, else the first parent; with --staged HEAD)"
    parser.add_argument("--base", metavar="REV", help=base)
    parser.add_argument("--staged", action="store_true", help="judge what is staged for commit")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the verdict as JSON")
    shape.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")


def verify(arguments: argparse.Namespace) -> int:
    """Judge and print; 0 commit, 1 reject or revise."""
    from gitops.errors import UsageError

    if arguments.staged and arguments.rev:
        raise UsageError("--staged judges the index, not a revision", "leave out REV or --staged")
    context = surroundings.context(arguments)
    verdict = _verdict(arguments, context)
    _print(arguments, verdict)
    return 0 if verdict.verdict == "commit" else 1


def _verdict(arguments: argparse.Namespace, context: Context) -> Verdict:
    from gitops.errors import CannotRun
    from gitops.git import snapshot
    from gitops.runs import revisions

    repository = context.repository
    if arguments.staged:
        if repository.is_bare:
            raise CannotRun("a bare repository has no index, so nothing is staged", "name what to judge: verify REV")
        base = snapshot.resolve(repository, arguments.base or "HEAD")
        workspace = surroundings.workspace(arguments, context, base)
        return revisions.judge_staged(context, workspace, base)
    rev = arguments.rev or "HEAD"
    head = snapshot.resolve(repository, rev)
    base = snapshot.resolve(repository, arguments.base or revisions.default_base(context, rev, head))
    workspace = surroundings.workspace(arguments, context, base)
    return revisions.judge_revision(context, workspace, base, head, rev)


def _print(arguments: argparse.Namespace, verdict: Verdict) -> None:
    if arguments.json:
        surroundings.print_json(verdict.record())
        return
    from gitops.verify.verdict import shown

    if arguments.sarif:
        from gitops.report.sarif import log

        surroundings.print_json(log(shown(verdict)))
        return
    from gitops.report import text

    wrong = shown(verdict)
    if wrong:
        text.show(text.findings(wrong), "")
    text.show(text.verdict_line(verdict.verdict, verdict.reasoning))
