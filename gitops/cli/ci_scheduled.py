"""`git assay ci scheduled`: what is due, measured, put together, landed and brought in step; one command a week."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.cli import parser, surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context

_WORST = (2, 3, 1, 4)
"""Which exit code the whole ends with: the first of these that a step ended with."""


@dataclass(frozen=True, slots=True)
class Step:
    """One of the commands that are run, and what came of it. `told` is why it ended as it did, where that is said."""

    words: tuple[str, ...]
    code: int
    told: str = ""


def scheduled(arguments: argparse.Namespace) -> int:
    """Run all that is due: 0 where all of it went well, else the exit code that matters most."""
    context = surroundings.context(arguments)
    steps = [_run(arguments, words) for words in _words(arguments, context)]
    if not arguments.quiet:
        _tell(steps)
    codes = {step.code for step in steps}
    return next((code for code in _WORST if code in codes), 0)


def _words(arguments: argparse.Namespace, context: Context) -> Iterator[tuple[str, ...]]:
    """The commands. With --push the notes are fetched first: what others measured is not due again."""
    push = ("--push",) if arguments.push else ()
    if push:
        yield ("sync",)
    for name in _workspaces(arguments, context):
        yield "--workspace", name, "eval", "run", "--due", *push
        yield "--workspace", name, "synthesize", "--due", *push
    if push:
        yield ("sync",)


def _workspaces(arguments: argparse.Namespace, context: Context) -> list[str]:
    """The workspaces at the tip of the branch that is landed on, or the one that is meant."""
    from gitops.errors import UsageError
    from gitops.runs.workspace import at, roots

    tip = surroundings.tip(context, surroundings.target(arguments, context))
    if arguments.workspace:
        return [surroundings.workspace(arguments, context, tip).name]
    tree = context.tree(tip)
    found = [at(tree, root, tip).name for root in roots(tree)]
    if not found:
        raise UsageError(f"there is no workspace at {tip[:10]}, so nothing is ever due", "git assay init")
    return found


def _run(arguments: argparse.Namespace, words: tuple[str, ...]) -> Step:
    """Run one command as if it had been typed; what it says is told as it goes."""
    from gitops.cli import tell
    from gitops.errors import AssayError

    where = ("-C", arguments.directory) if arguments.directory else ()
    how = ("-q",) if arguments.quiet else ()
    if not arguments.quiet:
        print(f"$ git assay {' '.join(words)}", flush=True)
    try:
        meant = parser.parse([*where, *how, *words])
        return Step(words, int(meant.function(meant) or 0))
    except AssayError as error:
        tell(error.message, error.hint)
        return Step(words, error.exit_code, error.message)


def _tell(steps: Sequence[Step]) -> None:
    from gitops.report.text import show, table

    rows = [(" ".join(step.words), str(step.code), _CODES.get(step.code, ""), step.told) for step in steps]
    show(table(("command", "exit", "", ""), rows))


_CODES = {0: "done", 1: "refused", 2: "wrong", 3: "could not run", 4: "held up by a metric"}
