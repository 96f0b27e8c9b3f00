"""`git assay verifier test`: plants errors in sound claims and tells how many of them the verifier catches."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser, count, seed

if TYPE_CHECKING:
    from collections.abc import Sequence


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "verifier_command")
    made = inner.add("test", "plant errors in sound claims, and tell how many are caught", test)
    made.add_argument(
        "--rev", metavar="REV", default="HEAD", help="the revision whose claims are taken (default: HEAD)"
    )
    named = "who judges: names with commas between, or none (default: the policy's)"
    made.add_argument("--judge", type=_names, default=(), metavar="NAME[,NAME]", help=named)
    made.add_argument("--seed", type=seed, default=0, metavar="N", help="which claims are drawn (default: 0)")
    size = "how many errors of each kind, and how many claims left as they are (default: 50)"
    made.add_argument("--sample", type=count, default=50, metavar="N", help=size)
    made.add_argument("--fresh", action="store_true", help="ask the judges anew what they have answered before")
    rehearsal = "say what judges that need a model would be asked, and about what it would cost; ask none, keep nothing"
    made.add_argument("--dry-run", action="store_true", help=rehearsal)
    made.add_argument("--no-keep", action="store_true", help="keep no measurement in the notes")
    made.add_argument("--json", action="store_true", help="print the measurement as JSON")


def test(arguments: argparse.Namespace) -> int:
    """Measure and print; the answer is no gate, so the exit code is 0."""
    from gitops.evals.verifier_test import Wanted, measure, rehearse
    from gitops.git import snapshot

    context = surroundings.context(arguments)
    commit = snapshot.resolve(context.repository, arguments.rev)
    workspace = surroundings.workspace(arguments, context, commit)
    is_kept = not arguments.no_keep
    wanted = Wanted(arguments.judge, arguments.seed, arguments.sample, arguments.fresh, is_kept)
    if arguments.dry_run:
        told = rehearse(context, workspace, commit, wanted)
        print("\n".join(told) or "no judge needs a model: nothing to pay")
        return 0
    measured = measure(context, workspace, commit, wanted)
    if arguments.json:
        surroundings.print_json(measured.record())
        return 0
    from gitops.report import text
    from gitops.report.verifier import words

    text.show(words(measured, is_kept=is_kept))
    return 0


def _names(given: str) -> Sequence[str]:
    names = tuple(name.strip() for name in given.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{given}' names no judge in one of its places")
    return names
