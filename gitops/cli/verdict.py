"""`git assay verdict show|verify`: what changes landed by, and whether that holds."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.examining import Examined
    from gitops.runs.examining_many import Surveyed


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "verdict_command")
    one = "a commit that landed a run, or that was judged"
    made = inner.add("show", "show the verdict on a commit, and the statement that was signed", show)
    made.add_argument("rev", metavar="REV", help=one)
    _options(made)
    made = inner.add("verify", "recompute what verdicts on commits say, and check who signed them", verify)
    made.add_argument("rev", nargs="?", metavar="REV", help=f"{one}; or a range of commits, A..B")
    made.add_argument("--all", action="store_true", help="every commit of the branch that runs land on")
    _options(made)


def _options(parser: Parser) -> None:
    where = "the branch that they are to stand on (default: the one that each verdict names)"
    parser.add_argument("--target", metavar="BRANCH", help=where)
    parser.add_argument("--json", action="store_true", help="print JSON")


def show(arguments: argparse.Namespace) -> int:
    """Show; the answer is no gate, so the exit code is 0."""
    _print(arguments, _examined(arguments))
    return 0


def verify(arguments: argparse.Namespace) -> int:
    """Verify: 0 where the verdicts hold, 1 where one does not, 3 where nothing was signed and nothing had to be."""
    from gitops.errors import CannotRun, UsageError

    if arguments.all and arguments.rev:
        raise UsageError("--all is every commit, not a revision", "leave out REV or --all")
    if not arguments.all and not arguments.rev:
        raise UsageError("which verdicts?", "git assay verdict verify main, or a range A..B, or --all")
    if arguments.all or ".." in arguments.rev:
        return _verify_many(arguments)
    found = _examined(arguments)
    _print(arguments, found)
    if found.is_open:
        raise CannotRun(f"nothing to verify: the verdict on {found.commit[:10]} is unsigned", "see docs/trust.md")
    return 1 if found.problem else 0


def _examined(arguments: argparse.Namespace) -> Examined:
    from gitops.git import snapshot
    from gitops.runs.examining import examine, examine_on

    context = surroundings.context(arguments)
    commit = snapshot.resolve(context.repository, arguments.rev)
    if arguments.target:
        return examine_on(context, commit, surroundings.target(arguments, context))
    return examine(context, commit)


def _verify_many(arguments: argparse.Namespace) -> int:
    from gitops.errors import CannotRun
    from gitops.git import history
    from gitops.runs.examining_many import survey

    context = surroundings.context(arguments)
    base, tip, asked = _range(arguments, context)
    target = surroundings.target(arguments, context) if arguments.target else None
    found = survey(context, list(history.between(context.repository, base, tip)), target)
    _print_many(arguments, found, asked)
    if not found.wrong and not found.signers:
        raise CannotRun(f"nothing to verify: no verdict in {asked} is signed", "see docs/trust.md")
    return 1 if found.wrong else 0


def _range(arguments: argparse.Namespace, context: Context) -> tuple[str | None, str, str]:
    """Where a range begins (None: with the first commit) and ends, and what it is called."""
    from gitops.errors import UsageError
    from gitops.git import snapshot

    if arguments.all:
        target = surroundings.target(arguments, context)
        return None, surroundings.tip(context, target), target.removeprefix("refs/heads/")
    start, _, end = arguments.rev.partition("..")
    if end.startswith("."):
        raise UsageError(f"{arguments.rev!r} is two sides, not a range", f"write {start}..{end[1:]}")
    base, tip = (snapshot.resolve(context.repository, rev or "HEAD") for rev in (start, end))
    return base, tip, arguments.rev


def _print_many(arguments: argparse.Namespace, found: Surveyed, asked: str) -> None:
    if arguments.json:
        surroundings.print_json(found.as_json(asked))
        return
    from gitops.report.attested import survey_words
    from gitops.report.text import show as print_text

    print_text(survey_words(found, asked))


def _print(arguments: argparse.Namespace, found: Examined) -> None:
    if arguments.json:
        surroundings.print_json(found.as_json())
        return
    from gitops.report.attested import words
    from gitops.report.text import show as print_text

    print_text(words(found, whole=arguments.verdict_command == "show"))
