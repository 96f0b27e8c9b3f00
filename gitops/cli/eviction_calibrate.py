"""`git assay eviction calibrate`: weights from what was kept back, offline for a person to commit, or online."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, chance, seed

if TYPE_CHECKING:
    from gitops.eviction.features import Row
    from gitops.runs.workspace import Workspace


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("calibrate", "fit the scorer to what was kept back, and show how well it foretells the rest", run)
    how = made.add_mutually_exclusive_group()
    offline = "fit weights on one part of the feedback, show them on the other, print them (default)"
    how.add_argument("--offline", action="store_true", help=offline)
    online = "the weights as rolling statistics have moved them; refused before an ablation shows no harm"
    how.add_argument("--online", action="store_true", help=online)
    prompt = "what the prompt of a scoring preset is told of its own mistakes, in place of weights"
    how.add_argument("--prompt", action="store_true", help=prompt)
    made.add_argument("--scope", metavar="ID", help="from the feedback of one scope alone")
    holdout = "the part of proposals or scopes that the weights are shown on (default: 0.3)"
    made.add_argument("--holdout", type=chance, metavar="SHARE", help=holdout)
    made.add_argument("--by-time", action="store_true", help="hold out what came last, in place of a drawn part")
    made.add_argument("--seed", type=seed, metavar="N", help="which part is drawn (default: 0)")
    made.add_argument("--write", metavar="FILE", help="write the table for assay.toml to FILE")
    made.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Calibrate and print; what is printed is in force once a person has committed it."""
    _refuse_what_does_not_fit(arguments)
    if arguments.online:
        return _online(arguments)
    return _prompt(arguments) if arguments.prompt else _offline(arguments)


def _refuse_what_does_not_fit(arguments: argparse.Namespace) -> None:
    from pathlib import Path

    from gitops.cli import retrieval_files
    from gitops.errors import UsageError

    is_offline = not (arguments.online or arguments.prompt)
    for name, is_given, fits, where in (
        ("holdout", arguments.holdout is not None, is_offline, "--offline"),
        ("seed", arguments.seed is not None, is_offline, "--offline"),
        ("by-time", arguments.by_time, is_offline, "--offline"),
        ("seed", arguments.seed is not None, not arguments.by_time, "a drawn part, and --by-time draws none"),
        ("write", arguments.write is not None, not arguments.online, "--offline and --prompt"),
        ("scope", arguments.scope is not None, not arguments.online, "--offline and --prompt"),
        ("json", arguments.json, not arguments.prompt, "--offline and --online"),
    ):
        if is_given and not fits:
            raise UsageError(f"--{name} is for {where}", f"leave --{name} out")
    if arguments.write is not None:
        retrieval_files.refuse_to_write(arguments, (arguments.write,), ())
        if Path(arguments.write).name == "assay.toml":
            told = f"{arguments.write} has more than this table, and would be written over"
            raise UsageError(told, "write to another file, and put its lines into assay.toml")


def _rows(arguments: argparse.Namespace) -> tuple[Workspace, list[Row]]:
    from gitops.cli.eviction_report import resolved
    from gitops.eviction import features

    workspace, pairs = resolved(arguments)
    return workspace, features.rows(pairs, arguments.scope)


def _offline(arguments: argparse.Namespace) -> int:
    from gitops.eviction import calibrating, features, records
    from gitops.eviction.heuristic import Weights

    workspace, rows = _rows(arguments)
    found = calibrating.calibrated(
        features.first_seen(rows),
        Weights.of(workspace.config.eviction.weights),
        holdout=arguments.holdout or calibrating.HOLDOUT,
        by_time=arguments.by_time,
        seed=arguments.seed or 0,
    )
    table = calibrating.toml(found.after)
    _write(arguments, table)
    if arguments.json:
        surroundings.print_json(records.of_calibration(found))
        return 0
    from gitops.report import eviction
    from gitops.report.text import show

    show(eviction.calibration_words(found, table, arguments.write or ""))
    return 0


def _prompt(arguments: argparse.Namespace) -> int:
    from gitops.errors import CannotRun
    from gitops.eviction import guidance

    _, rows = _rows(arguments)
    told = guidance.guidance(rows)
    if not told:
        raise CannotRun(
            f"too little feedback to tell a scorer anything: it takes {guidance.LEAST} items of one zone and age",
            "git assay eviction report counts what there is",
        )
    table = guidance.toml(told)
    _write(arguments, table)
    if arguments.write is None:
        print(table, end="")
    return 0


def _write(arguments: argparse.Namespace, table: str) -> None:
    from gitops.cli import retrieval_files

    if arguments.write is not None:
        retrieval_files.write_lines(arguments, arguments.write, table.splitlines())
        if not arguments.quiet:
            print(f"wrote {arguments.write}", file=sys.stderr)


def _online(arguments: argparse.Namespace) -> int:
    """Print where online calibration has come to; 1 where it may not be switched on."""
    from gitops import assembly
    from gitops.eviction import calibrating, features, online, records, storing
    from gitops.eviction.heuristic import Weights
    from gitops.git import snapshot

    context = surroundings.context(arguments)
    commit = snapshot.resolve(context.repository, "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    suites = assembly.refuse_online(context, workspace, commit)
    policy = Weights.of(workspace.config.eviction.weights)
    rows = features.rows(storing.feedback(context, workspace.name))
    now = online.followed(rows, policy)
    if arguments.json:
        surroundings.print_json(records.of_online(policy, now, rows, suites))
        return 0
    from gitops.report import eviction
    from gitops.report.text import show

    show(eviction.online_words(policy, now, calibrating.part(rows), suites))
    return 0
