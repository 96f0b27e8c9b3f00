"""`git assay eval floor`: what the ingest workflow reaches with a preset, on sources that are the same everywhere."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import surroundings, unwinding
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitops.evals.floor import Floor
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("floor", "test what a preset is able to do, on ten sources of its own", floor)
    made.add_argument("--preset", metavar="NAME", help="who writes: offline, or a model (default: [llm] writer)")
    judges = "who judges: names with commas between, or none (default: the policy's)"
    made.add_argument("--judge", type=_names, default=(), metavar="NAME[,NAME]", help=judges)
    made.add_argument("--no-keep", action="store_true", help="keep nothing: neither in the notes nor for status")
    made.add_argument("--json", action="store_true", help="print the measurement as JSON")


def floor(arguments: argparse.Namespace) -> int:
    """Test a preset; 3 where M1 or M2 could not be measured. The verdict itself is no error."""
    from gitops.evals import floor_kept
    from gitops.evals.floor_sources import sources, sources_digest
    from gitops.git import snapshot

    context = surroundings.context(arguments)
    commit = snapshot.resolve(context.repository, "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    preset = arguments.preset or workspace.config.llm.writer
    workspace.config.llm.preset(preset)  # UsageError before anything is done
    judges = arguments.judge or workspace.config.verify.judge
    files, started = sources(), context.now
    found = _tested(context, workspace, preset, judges, files, _sayer(arguments))
    made = floor_kept.measurement(context, workspace, commit, found, sources_digest(files), started)
    path = None if arguments.no_keep else floor_kept.keep(context, made)
    if arguments.json:
        surroundings.print_json(made.record())
    else:
        from gitops.report import text
        from gitops.report.floor import words

        text.show(words(made, str(path) if path is not None else ""))
    return 3 if found.verdict == "not_measured" else 0


def _tested(
    context: Context,
    workspace: Workspace,
    preset: str,
    judges: Sequence[str],
    files: Sequence[Path],
    say: Callable[[str], None],
) -> Floor:
    """Test the preset in a repository of its own that is thrown away, where nothing of the user's has a say."""
    from gitops import assembly
    from gitops.demo import undisturbed
    from gitops.evals import floor, floor_ground

    with unwinding.unwinding(), tempfile.TemporaryDirectory(prefix="assay-floor-") as folder, undisturbed():
        ground = floor_ground.begin(context, Path(folder).resolve(), workspace.config, preset, judges)
        return floor.test(ground, preset, files, assembly.ingested, say)


def _sayer(arguments: argparse.Namespace) -> Callable[[str], None]:
    """Tells which source is at hand: it takes minutes with a model; nothing with --quiet."""
    if arguments.quiet or arguments.json:
        return lambda message: None
    return lambda message: print(message, file=sys.stderr)


def _names(given: str) -> Sequence[str]:
    names = tuple(name.strip() for name in given.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{given}' names no judge in one of its places")
    return names
