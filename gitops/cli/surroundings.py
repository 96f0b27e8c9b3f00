"""Puts the parts together for a command: repository, clock, workspace, and how to tell a person things."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from gitops.errors import AssayError
    from gitops.git.repository import Repository
    from gitops.git.snapshot import TreeSnapshot
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def repository(arguments: argparse.Namespace) -> Repository:
    """The repository that the command was started in; a bare one may be written to by several accounts."""
    from pathlib import Path

    from gitops.git import permissions
    from gitops.git.repository import open_repository

    found = open_repository(Path(arguments.directory) if arguments.directory else None)
    if found.is_bare:
        permissions.share(found.git_config("core.sharedRepository"))
    return found


def folder(arguments: argparse.Namespace) -> Path:
    """The folder that files named on the command line are relative to."""
    from pathlib import Path

    return Path(arguments.directory or ".").absolute()


def context(arguments: argparse.Namespace, *, sweep: bool = True) -> Context:
    """What flows need around them; puts right first what a killed process left behind."""
    from gitops import assembly
    from gitops.git import refs
    from gitops.runs.context import Context, system_clock
    from gitops.runs.names import CANDIDATES

    clock = fixed_clock() or system_clock
    made = Context(
        repository(arguments),
        clock=clock,
        warn=_quiet if arguments.quiet else _warn,
        progress=without_progress if arguments.quiet else progress,
        triggered_by="cli:" + getattr(arguments, "command", ""),
        seating=assembly.seated,
        keeping=assembly.keeping,
    )
    if sweep and refs.listed(made.repository, CANDIDATES):  # else all that landing takes need not be imported
        from gitops.runs.sweep import quick

        for told in quick(made):
            made.warn(told)
    return made


def fixed_clock() -> Any:
    """A clock that stands still at ASSAY_CLOCK (seconds since 1970), where that is set: for tests and demos."""
    from datetime import UTC, datetime

    epoch = os.environ.get("ASSAY_CLOCK", "")
    if not epoch.isdigit():
        return None
    moment = datetime.fromtimestamp(int(epoch), UTC)
    return lambda: moment


def workspace(arguments: argparse.Namespace, made: Context, commit: str) -> Workspace:
    """The workspace that the command is about, as a commit has it."""
    from gitops.runs.workspace import find

    found = find(made.repository, commit, arguments.workspace, made.repository.prefix)
    _refuse_unknown_judges(found)
    return found


def _refuse_unknown_judges(found: Workspace) -> None:
    """UsageError where the policy names a judge that there is not: by the first command, not by the first verdict."""
    from gitops.config import FREE_JUDGES

    named = set(found.config.verify.judge) - FREE_JUDGES
    if named:
        from gitops.agents.seating import refuse_unknown

        refuse_unknown(sorted(named), found.layout.config)


def refuse_unknown_judges(tree: TreeSnapshot, folders: Iterable[str], called: str) -> None:
    """The same for the policies in some folders of a tree, by commands that need none. Only those that may name another
    judge than the usual are parsed: what parses them takes long to load.
    """
    import re

    from gitops.runs.roots import FILE_NAME

    named = re.compile(rb"""\bjudge["']?\s*=(?!\s*["'](?:offline|none)["'])""")
    for root in folders:
        if named.search(tree.read(f"{root}/{FILE_NAME}" if root else FILE_NAME)):
            from gitops.runs.workspace import at

            _refuse_unknown_judges(at(tree, root, called))


def only_of(arguments: argparse.Namespace, names: Iterable[str], made: Context) -> str | None:
    """The workspace that records are asked of: None for all. UsageError for one that neither they nor HEAD know."""
    name: str | None = arguments.workspace
    if name is not None and name not in set(names):
        workspace(arguments, made, "HEAD")
    return name


def target(arguments: argparse.Namespace, made: Context) -> str:
    """The branch to land on: as said, else the default."""
    from gitops.runs.targets import default_target, existing

    named = getattr(arguments, "target", None)
    return existing(made.repository, named) if named else default_target(made.repository)


def tip(made: Context, ref: str) -> str:
    """The commit at the tip of a branch. CannotRun for a branch without one, UsageError for one that is not there."""
    from gitops.runs import targets

    # Whoever reads it knows a branch by its short name.
    return targets.tip(made.repository, targets.existing(made.repository, ref.removeprefix("refs/heads/")))


def _warn(message: str) -> None:
    from gitops.cli import one_line

    print(f"note: {one_line(message)}", file=sys.stderr)


def _quiet(message: str) -> None:
    """Say nothing."""


def without_progress(what: str, items: Iterable[Any], total: int) -> Iterator[Any]:
    """The same items, one by one, and nothing shown."""
    return iter(items)


def sayer(arguments: argparse.Namespace) -> Callable[[str], None]:
    """Tells on a terminal what is being done; nothing with --quiet or --json."""
    if arguments.quiet or arguments.json or not sys.stderr.isatty():
        return _quiet
    from gitops.cli import one_line

    return lambda message: print(one_line(message), file=sys.stderr)


def tell_no_verdict(arguments: argparse.Namespace, schema: str, error: AssayError) -> None:
    """Tell on standard output too why nothing was decided, where JSON is asked for."""
    if arguments.json:
        print_json({"schema": schema, "state": "no_verdict", "error": error.message, "hint": error.hint})


def progress(what: str, items: Iterable[Any], total: int) -> Iterator[Any]:
    """A bar on a terminal, for what takes more than a moment; one line in CI; nothing for little work."""
    if total < 2_000:
        yield from items
        return
    if not sys.stderr.isatty():
        print(f"{what}: {total:,}", file=sys.stderr)
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)


def print_json(value: Any) -> None:
    r"""Canonical JSON on one line, as every `--json` prints it: UTF-8 wherever it goes.

    A file name that is not UTF-8 is written with `\udc80` to `\udcff` for its odd bytes, as Python reads it.
    """
    from gitops.canonical import dumps

    print_canonical(dumps(value))


def print_canonical(line: str) -> None:
    """One line that is canonical JSON already."""
    if sys.stdout.isatty():
        from gitops.report.visible import escaped

        line = escaped(line)
    sys.stdout.flush()
    sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
