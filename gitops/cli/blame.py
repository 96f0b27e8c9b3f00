"""`git assay blame PAGE`: who brought each claim of a page in, by which run, and whether its source says so now."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.git.repository import Repository
    from gitops.runs.blaming import Lines
    from gitops.runs.context import Context

_LINES = re.compile(r"(\d*)(?:,(\+?)(\d*))?", re.ASCII)
_SOON_S = 1.0
"""After so many seconds a person wants to know what is being done."""


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=blame)
    parser.add_argument("page", metavar="PAGE", help="a page of the wiki, named from the current folder")
    parser.add_argument("--rev", metavar="REV", help="the page as this revision has it (default: HEAD)")
    told = "only claims on these lines, as in git blame: 5,9 or 5,+5 or 5 or ,9"
    parser.add_argument("-L", dest="lines", metavar="START,END", type=_lines, help=told)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _lines(text: str) -> Lines:
    match = _LINES.fullmatch(text)
    first, last = (int(match[1] or 1), int(match[3]) if match[3] else None) if match is not None else (0, None)
    if match is not None and match[2]:
        last = first + last - 1 if last else 0
    if match is None or not text.strip(",") or not first or last == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no range of lines: START,END or START,+COUNT, from 1 on")
    return (last, first) if last is not None and last < first else (first, last)


def blame(arguments: argparse.Namespace) -> int:
    """Blame a page."""
    from dataclasses import replace

    from gitops.git import snapshot
    from gitops.runs import blaming
    from gitops.runs.workspace import find

    context = surroundings.context(arguments)
    if not arguments.quiet:
        context = replace(context, progress=_progress)
    repository = context.repository
    rev = snapshot.resolve(repository, arguments.rev or "HEAD")
    path = _inside(repository, arguments.page)
    workspace = find(repository, rev, arguments.workspace, path.rpartition("/")[0])
    path = blaming.page_at(context, workspace, rev, path)
    if arguments.rev is None:
        _tell_of_changes(context, path)
    found = blaming.blame(context, workspace, rev, path, arguments.lines)
    if arguments.json:
        surroundings.print_json(found.as_json())
        return 0
    from gitops.report.blame import words
    from gitops.report.text import show

    show(words(found))
    return 0


def _inside(repository: Repository, page: str) -> str:
    """The repository path of a page that is named from the current folder, as git names files."""
    import posixpath
    from pathlib import Path

    from gitops.errors import UsageError

    path = posixpath.normpath(posixpath.join(repository.prefix, page))
    if page.startswith("/") and repository.worktree is not None:
        named, top = Path(page).resolve(), repository.worktree.resolve()
        path = named.relative_to(top).as_posix() if named.is_relative_to(top) else ".."
    if path.startswith(("../", "/")) or path == "..":
        raise UsageError(f"{page} is outside the repository", "name a page from the current folder: wiki/PAGE.md")
    return "" if path == "." else path


def _tell_of_changes(context: Context, path: str) -> None:
    """Blame reads commits; what was changed since is not in it."""
    from gitops.git.process import git

    if not context.repository.is_bare:
        compared = git(context.repository, "diff", "--quiet", "--no-ext-diff", "HEAD", "--", path, check=False)
        if compared.code == 1:
            context.warn(f"{path} has changes that are not committed; this is the page as HEAD has it")


def _progress(what: str, items: Iterable[Any], total: int) -> Iterator[Any]:
    """As elsewhere; and where nobody knows how many there will be, a count, once it has taken a moment."""
    return surroundings.progress(what, items, total) if total else _counted(what, items)


def _counted(what: str, items: Iterable[Any]) -> Iterator[Any]:
    import time

    began = time.monotonic()
    items = iter(items)
    for number, item in enumerate(items, 1):
        yield item
        if time.monotonic() - began > _SOON_S:
            yield from _shown(what, items, number)


def _shown(what: str, items: Iterator[Any], done: int) -> Iterator[Any]:
    if not sys.stderr.isatty():
        print(f"{what}: {done:,} and more", file=sys.stderr)
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}: {task.completed:,}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, completed=done)
        for item in items:
            yield item
            bar.advance(task)
