"""`git assay verify`: judge a revision, or what is staged, without landing anything."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.verify.verdict import Verdict


NOT_RECORDED = "judged here and now: recorded nowhere and signed by nobody, so nothing lands by it"


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=verify)
    parser.add_argument("rev", nargs="?", metavar="REV", help="what to judge (default: HEAD)")
    base = "what to judge it against (default: a run's target, else the first parent; with --staged HEAD)"
    parser.add_argument("--base", metavar="REV", help=base)
    parser.add_argument("--staged", action="store_true", help="judge what is staged for commit")
    parser.add_argument("--fresh", action="store_true", help="ask the judges anew what they have answered before")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the verdict as JSON")
    shape.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")


def verify(arguments: argparse.Namespace) -> int:
    """Judge and print; 0 commit, 1 reject or revise."""
    from gitops.errors import UsageError

    if arguments.staged and arguments.rev:
        raise UsageError("--staged judges the index, not a revision", "leave out REV or --staged")
    context = surroundings.context(arguments)
    if arguments.staged:
        verdicts, several = _staged(arguments, context)
    else:
        verdicts, several = [_verdict(arguments, context)], False
    _print(arguments, verdicts, several)
    return 0 if all(each.verdict == "commit" for each in verdicts) else 1


def _staged(arguments: argparse.Namespace, context: Context) -> tuple[list[Verdict], bool]:
    """The verdicts on what is staged, and whether they are of several workspaces; none where no policy is yet."""
    from gitops.errors import CannotRun
    from gitops.git import snapshot
    from gitops.runs import revisions
    from gitops.runs.workspace import at, roots

    repository = context.repository
    if repository.is_bare:
        raise CannotRun("a bare repository has no index, so nothing is staged", "name what to judge: verify REV")
    if repository.is_unborn and not arguments.base:
        return [], True
    base = snapshot.resolve(repository, arguments.base or "HEAD")
    tree = context.tree(base)
    found = list(roots(tree))
    if not found:
        return [], True
    is_one = bool(arguments.workspace or repository.prefix) or len(found) == 1
    one = [surroundings.workspace(arguments, context, base)] if is_one else []
    workspaces = one or [at(tree, root, base) for root in found]
    return revisions.judge_staged(context, workspaces, base, fresh=arguments.fresh), not is_one


def _verdict(arguments: argparse.Namespace, context: Context) -> Verdict:
    from gitops.git import snapshot
    from gitops.runs import revisions
    from gitops.runs.seating import Asking

    repository = context.repository
    rev = arguments.rev or "HEAD"
    head = snapshot.resolve(repository, rev)
    base = snapshot.resolve(repository, arguments.base or revisions.default_base(context, rev, head))
    _refuse_base_without_policy(context, base, head)
    workspace = surroundings.workspace(arguments, context, base)
    return revisions.judge_revision(context, workspace, base, head, rev, Asking(fresh=arguments.fresh))


def _refuse_base_without_policy(context: Context, base: str, head: str) -> None:
    """A change is judged by its base's policy; where only the change has one, another base has to be named."""
    from gitops.config import FILE_NAME
    from gitops.errors import UsageError
    from gitops.runs.workspace import roots

    def has_policy(commit: str) -> bool:
        return next(roots(context.tree(commit)), None) is not None

    if not has_policy(base) and has_policy(head):
        told = f"the base {base[:10]} has no {FILE_NAME}, so no policy to judge {head[:10]} by"
        raise UsageError(told, "--base REV names another; a commit that brings in the first policy has none to meet")


def _print(arguments: argparse.Namespace, verdicts: list[Verdict], several: bool) -> None:
    from gitops.verify.verdict import shown

    if arguments.json:
        records = [each.record() for each in verdicts]
        surroundings.print_json({"schema": "assay/verdicts/1", "verdicts": records} if several else records[0])
    elif arguments.sarif:
        from gitops.report.sarif import log

        surroundings.print_json(log(finding for each in verdicts for finding in shown(each)))
    else:
        for verdict in verdicts:
            _show(verdict, named=several)
        if verdicts:
            print(NOT_RECORDED)
        else:
            print("there is no policy to judge by yet: no assay.toml is committed")


def _show(verdict: Verdict, named: bool) -> None:
    from gitops.report import text
    from gitops.report.runs import counts
    from gitops.verify.verdict import shown

    if wrong := shown(verdict):
        text.show(text.findings(wrong), "")
    where = f"{verdict.workspace}: " if named else ""
    text.show(text.verdict_line(verdict.verdict, f"{where}{verdict.reasoning}"))
    text.show(text.indented(counts(verdict), len(verdict.verdict) + 2))
