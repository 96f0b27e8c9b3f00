"""`git assay sync`: the notes and what is kept, in step with a remote."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.runs.printed_sync import Sync
    from gitops.runs.syncing import Synced


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=sync)
    remote = "which remote (default: the one the branch follows, else the only one, else origin)"
    parser.add_argument("remote", nargs="?", metavar="REMOTE", help=remote)
    parser.add_argument("--transcripts", action="store_true", help="carry what was said to models too")
    parser.add_argument("--dry-run", action="store_true", help="say what would come and go; unite and push nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")


def sync(arguments: argparse.Namespace) -> int:
    """Fetch, unite, push; 0 in step, 3 could not."""
    from gitops.runs import syncing

    context = surroundings.context(arguments)
    remote = syncing.remote_of(context, arguments.remote)
    done = syncing.sync(context, remote, transcripts=arguments.transcripts, dry_run=arguments.dry_run)
    if arguments.json:
        surroundings.print_json(_record(done))
    elif not arguments.quiet:
        print("\n".join(_told(done)))
    return 0


def _record(done: Synced) -> Sync:
    return {
        "schema": "assay/sync/1",
        "remote": done.remote,
        "dry_run": done.dry_run,
        "notes": [
            {"ref": each.ref, "came": each.came, "went": each.went, "no_records": each.no_records}
            for each in done.notes
        ],
        "kept": {
            "came": list(done.kept_came),
            "went": list(done.kept_went),
            "differing": list(done.differing),
            "refused": done.refused or None,
        },
    }


def _told(done: Synced) -> list[str]:
    """A line for each ref over which something went, and one before them that says how things stand."""
    moved = [(each.ref, each.came, each.went, "line") for each in done.notes if each.came or each.went]
    if done.kept_came or done.kept_went:
        moved.append(("refs/assay/kept/*", len(done.kept_came), len(done.kept_went), "commit"))
    verb = "would come" if done.dry_run else "came"
    gone = "would go" if done.dry_run else "went"
    lines = [f"  {ref}: {_many(came, what)} {verb}, {_many(went, what)} {gone}" for ref, came, went, what in moved]
    if done.dry_run:
        return [f"{done.remote}: nothing was united or pushed (--dry-run)", *(lines or ["  in step already"])]
    return [f"in step with {done.remote}" + ("" if lines else " already"), *lines]


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
