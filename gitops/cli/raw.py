"""`git assay raw add|sync`: the way into the sealed folder of sources."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from pathlib import Path

    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "raw_command")
    _common(inner.add("add", "commit new sources to raw/", add_sources))
    _common(inner.add("sync", "commit new versions of sources that are there", sync_sources))


def _common(parser: Parser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="the files; one outside raw/ goes there by its name")
    parser.add_argument("--into", default="", metavar="FOLDER", help="a folder below raw/ for files from outside")
    parser.add_argument("--target", metavar="BRANCH", help="the branch to commit to (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_sources(arguments: argparse.Namespace) -> int:
    """Commit new sources."""
    return _taken(arguments, renew=False)


def sync_sources(arguments: argparse.Namespace) -> int:
    """Commit new versions."""
    return _taken(arguments, renew=True)


def _taken(arguments: argparse.Namespace, renew: bool) -> int:
    from gitops.runs import intake

    context = surroundings.context(arguments)
    target = surroundings.target(arguments, context)
    workspace = surroundings.workspace(arguments, context, surroundings.tip(context, target))
    files = _read(arguments, context, workspace)
    taken = (intake.sync if renew else intake.add)(context, workspace, target, files)
    for remark in taken.remarks:
        context.warn(remark)
    if arguments.json:
        body = {"schema": "assay/raw/1", "commit": taken.commit or None, "paths": list(taken.paths)}
        surroundings.print_json(body)
    elif taken.commit and not arguments.quiet:
        short = target.removeprefix("refs/heads/")
        print(f"{taken.commit[:10]} on {short}: {', '.join(taken.paths)}")
    return 0


def _read(arguments: argparse.Namespace, context: Context, workspace: Workspace) -> dict[str, bytes]:
    from gitops.errors import UsageError
    from gitops.runs.intake import place_of

    files: dict[str, bytes] = {}
    folder, into = surroundings.folder(arguments), _below_raw(arguments.into, workspace.layout.names.raw)
    for name in arguments.files:
        file = folder / name
        data = _bytes(file, name)
        path = place_of(workspace, file, _inside(context, file), into)
        if path in files:
            raise UsageError(f"two of the files would both be {path}", "bring them in one by one, with --into")
        files[path] = data
    return files


def _below_raw(folder: str, raw: str) -> str:
    """The folder that `--into` names, from raw/ or from the workspace."""
    from gitops.wiki.paths import safe

    if not folder:
        return ""
    clean = safe(folder.removesuffix("/"))
    return "" if clean == raw else clean.removeprefix(f"{raw}/")


def _bytes(file: Path, name: str) -> bytes:
    from gitops.errors import UsageError

    try:
        if file.is_symlink():
            raise UsageError(f"{name} is a symbolic link; a source is a file", "give the file it points to")
        return file.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name}: {why}", "name files that can be read") from error


def _inside(context: Context, file: Path) -> Path | None:
    worktree = context.repository.worktree
    try:
        return file.resolve().relative_to(worktree.resolve()) if worktree is not None else None
    except ValueError:
        return None
