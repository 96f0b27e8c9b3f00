"""`git assay ci scheduled`: what is due, measured, put together, landed and brought in step by one command.

A metric that holds a synthesis up is no failure of the job, nor is a synthesis that waits to be merged, nor are lines
of the log that a protected branch does not take: it did what there was to do, and says what waits and why.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import ci_accepted, parser, surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace

_FAILURES = (2, 3, 1)
"""Which exit code the whole ends with: the first of these that a step ended with."""
_CODES = {0: "done", 1: "refused", 2: "wrong", 3: "could not run", 4: "held up by a metric"}


@dataclass(frozen=True, slots=True)
class Step:
    """One of the commands that are run, and what came of it. `told` is why, and the mend, where it did not go well."""

    words: tuple[str, ...]
    code: int
    told: str = ""
    waits: bool = False
    """Nothing is lost by it, and the job has not failed over it."""
    unlanded: str = ""
    """The run that was verified and could not be pushed."""

    @property
    def row(self) -> tuple[str, str, str, str]:
        """As a line of a table."""
        came_to = "waits" if self.waits and self.code in _FAILURES else _CODES.get(self.code, "")
        return " ".join(self.words), str(self.code), came_to, self.told


def scheduled(arguments: argparse.Namespace) -> int:
    """Run all that is due: 0 where all of it went well or waits, else the exit code that matters most."""
    from gitops.report.github import as_text

    context = surroundings.context(arguments)
    with as_text(os.environ):
        steps = [step for words in _words(arguments, context) for step in _carried(arguments, words)]
        _tell(steps, quiet=arguments.quiet)
    codes = {step.code for step in steps if not step.waits}
    return next((code for code in _FAILURES if code in codes), 0)


def _words(arguments: argparse.Namespace, context: Context) -> Iterator[tuple[str, ...]]:
    """The commands. With --push the notes are fetched first: what others measured is not due again, and a landing that
    a merge button left without its line is known.
    """
    push = ("--push",) if arguments.push else ()
    if push:
        yield ("sync",)
    yield "log", "sync", *push
    for name in _workspaces(arguments, context):
        yield "--workspace", name, "eval", "run", "--due", *push
        yield "--workspace", name, "synthesize", "--due", *push
    if push and ci_accepted.is_asked():
        yield "ci", "accepted"
    for name in _workspaces(arguments, context, with_suites=True):
        yield "--workspace", name, "ci", "benchmarks"
    if push:
        yield ("sync",)


def _workspaces(arguments: argparse.Namespace, context: Context, *, with_suites: bool = False) -> list[str]:
    """The workspaces at the tip of the branch that is landed on, or the one that is meant; all, or those with suites of
    benchmarks.
    """
    from gitops.errors import UsageError
    from gitops.runs.workspace import at, roots

    tip = surroundings.tip(context, surroundings.target(arguments, context))
    if arguments.workspace:
        found = [surroundings.workspace(arguments, context, tip)]
    else:
        tree = context.tree(tip)
        found = [at(tree, root, tip) for root in roots(tree)]
    if not found:
        raise UsageError(f"there is no workspace at {tip[:10]}, so nothing is ever due", "git assay init")
    return [each.name for each in found if not with_suites or _has_suites(context, each, tip)]


def _has_suites(context: Context, workspace: Workspace, tip: str) -> bool:
    from gitops.suites import places

    wrong: dict[str, list[str]] = {}
    return any(places.folders(context.tree(tip), workspace.layout, wrong)) or bool(wrong)


def _carried(arguments: argparse.Namespace, words: tuple[str, ...]) -> list[Step]:
    """A command; and where what it verified may not be pushed, what puts it up as a pull request."""
    step = _run(arguments, words)
    if not step.unlanded:
        return [step]
    landing = _run(arguments, ("ci", "land", step.unlanded))
    return [replace(step, waits=landing.code == 0), landing]


def _run(arguments: argparse.Namespace, words: tuple[str, ...]) -> Step:
    """Run one command as if it had been typed; what it says is told as it goes."""
    from gitops.agents.synthesizing import AnotherOpen
    from gitops.cli import tell
    from gitops.errors import AssayError, Blocked
    from gitops.runs.outcome import NotLanded
    from gitops.runs.pushing import PushRefused

    where = ("-C", arguments.directory) if arguments.directory else ()
    how = ("-q",) if arguments.quiet else ()
    if not arguments.quiet:
        print(f"$ git assay {' '.join(words)}", flush=True)
    try:
        meant = parser.parse([*where, *how, *words])
        return Step(words, int(meant.function(meant) or 0))
    except AssayError as error:
        tell(error.message, error.hint)
        told = f"{error.message}; {error.hint}" if error.hint else error.message
        waits = isinstance(error, Blocked | AnotherOpen) or (isinstance(error, PushRefused) and words[0] == "log")
        unlanded = error.outcome.run.id if isinstance(error, NotLanded) and arguments.push else ""
        return Step(words, error.exit_code, told, waits, unlanded)


def _tell(steps: Sequence[Step], *, quiet: bool) -> None:
    rows = [step.row for step in steps]
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        from gitops.ci.outputs import append_steps

        append_steps(Path(summary), rows)
    if not quiet:
        from gitops.report.text import show, table

        show(table(("command", "exit", "", ""), rows))
