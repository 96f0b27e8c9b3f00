"""`git assay verdict show|verify REV`: what a change landed by, and whether that holds."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from gitops.runs.examining import Examined


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "verdict_command")
    for told, help, function in (
        ("show", "show the verdict on a commit, and the statement that was signed", show),
        ("verify", "recompute what the verdict on a commit says, and check who signed it", verify),
    ):
        made = inner.add(told, help, function)
        made.add_argument("rev", metavar="REV", help="a commit that landed a run, or that was judged")
        where = "the branch that it is to stand on (default: the one that the verdict names)"
        made.add_argument("--target", metavar="BRANCH", help=where)
        made.add_argument("--json", action="store_true", help="print JSON")


def show(arguments: argparse.Namespace) -> int:
    """Show; the answer is no gate, so the exit code is 0."""
    _print(arguments, _examined(arguments))
    return 0


def verify(arguments: argparse.Namespace) -> int:
    """Verify: 0 where the verdict holds, 1 where it does not, 3 where nothing was signed and nothing had to be."""
    from gitops.errors import CannotRun

    found = _examined(arguments)
    _print(arguments, found)
    if found.is_open:
        raise CannotRun(f"nothing to verify: the verdict on {found.commit[:10]} is unsigned", "see docs/trust.md")
    return 1 if found.problem else 0


def _examined(arguments: argparse.Namespace) -> Examined:
    from gitops.git import snapshot
    from gitops.runs.examining import examine

    context = surroundings.context(arguments)
    target = surroundings.target(arguments, context) if arguments.target else None
    return examine(context, snapshot.resolve(context.repository, arguments.rev), target)


def _print(arguments: argparse.Namespace, found: Examined) -> None:
    if arguments.json:
        surroundings.print_json(found.as_json())
        return
    from gitops.report.attested import words
    from gitops.report.text import show as print_text

    print_text(words(found, whole=arguments.verdict_command == "show"))
