"""`git assay raw add|sync`: the way into the sealed folder of sources."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from collections.abc import Collection

    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "raw_command")
    _common(inner.add("add", "commit new sources to raw/", add_sources))
    _common(inner.add("sync", "commit new versions of sources that are there, or their removal", sync_sources))


def _common(parser: Parser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="the files; one outside raw/ goes there by its name")
    parser.add_argument("--into", default="", metavar="FOLDER", help="a folder below raw/ for files from outside")
    parser.add_argument("--target", metavar="BRANCH", help="the branch to commit to (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_sources(arguments: argparse.Namespace) -> int:
    """Commit new sources."""
    return _taken(arguments, renew=False)


def sync_sources(arguments: argparse.Namespace) -> int:
    """Commit new versions, and the removal of what was deleted."""
    return _taken(arguments, renew=True)


def _taken(arguments: argparse.Namespace, renew: bool) -> int:
    from gitops.runs import intake

    context = surroundings.context(arguments)
    target = surroundings.target(arguments, context)
    workspace = surroundings.workspace(arguments, context, surroundings.tip(context, target))
    if renew:
        gone = _deleted(arguments, context, workspace, target)
        files = _read(arguments, context, workspace, leave_out=gone)
        taken = intake.sync(context, workspace, target, {**files, **dict.fromkeys(gone.values())})
    else:
        taken = intake.add(context, workspace, target, _read(arguments, context, workspace))
    for remark in taken.remarks:
        context.warn(remark)
    if arguments.json:
        body: dict[str, Any] = {"schema": "assay/raw/1", "commit": taken.commit or None, "paths": list(taken.paths)}
        body["removed"], body["signed_by"] = list(taken.removed), taken.signed_by or None
        surroundings.print_json(body)
    elif taken.commit and not arguments.quiet:
        short = target.removeprefix("refs/heads/")
        by = f", signed by {taken.signed_by}" if taken.signed_by else ""
        print(f"{taken.commit[:10]} on {short}: {', '.join(taken.paths)}{by}")
    return 0


def _deleted(arguments: argparse.Namespace, context: Context, workspace: Workspace, target: str) -> dict[str, str]:
    """Of the files named, those that were deleted where they lay as sources: by the name given, their paths."""
    from gitops.runs.incoming import inside as place_inside
    from gitops.runs.intake import is_deleted_here

    gone = {}
    for name in arguments.files:
        inside = place_inside(context, surroundings.folder(arguments) / name)
        path = inside.as_posix() if inside is not None else ""
        if workspace.layout.is_source(path) and is_deleted_here(context, target, path):
            gone[name] = path
    return gone


def _read(
    arguments: argparse.Namespace, context: Context, workspace: Workspace, leave_out: Collection[str] = ()
) -> dict[str, bytes]:
    from gitops.errors import UsageError
    from gitops.runs import incoming
    from gitops.runs.intake import place_of

    files: dict[str, bytes] = {}
    folder, into = surroundings.folder(arguments), incoming.below_raw(arguments.into, workspace.layout.names.raw)
    for name in arguments.files:
        if name in leave_out:
            continue
        file = folder / name
        data = incoming.content(file, name)
        path = place_of(workspace, file, incoming.inside(context, file), into)
        if path in files:
            raise UsageError(f"two of the files would both be {path}", "bring them in one by one, with --into")
        files[path] = data
    return files
