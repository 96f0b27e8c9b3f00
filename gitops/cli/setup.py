"""`git assay init` and `git assay hooks`: make a workspace, and guard its sources."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from pathlib import Path

    from gitops.runs.beginning import Begun
    from gitops.runs.context import Context


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    if name == "init":
        parser.set_defaults(function=begin)
        parser.add_argument("--name", default="", metavar="SLUG", help="the workspace's name (default: the folder's)")
        parser.add_argument("--no-hook", action="store_true", help="do not install the pre-commit hook")
        return
    hooks = Commands(parser, "hooks_command")
    hooks.add("install", "install the pre-commit hook beside those that are there", install)
    hooks.add("uninstall", "remove it and put the hook that was there before back", uninstall)
    hooks.add("status", "say whether git runs it", status).add_argument(
        "--json", action="store_true", help="print JSON"
    )


def begin(arguments: argparse.Namespace) -> int:
    """Make a workspace."""
    from gitops.errors import UsageError
    from gitops.runs.beginning import begin as make

    context = surroundings.context(arguments)
    target = context.repository.head_branch()
    if target is None:
        raise UsageError("HEAD is detached, so there is no branch to begin on", "git switch main")
    root = context.repository.prefix
    begun = make(context, target, root, _name(arguments.name) or _slug(context, root))
    if not arguments.quiet:
        _tell(begun, target)
    if not arguments.no_hook:
        install_guard(arguments, context)
    if not arguments.quiet and begun.commit:
        print("next: git assay raw add FILE…")
    return 0


def _tell(begun: Begun, target: str) -> None:
    if begun.commit:
        print(f"{begun.commit[:10]} on {target.removeprefix('refs/heads/')}: {', '.join(begun.made)}")
    else:
        print("the workspace is there already")
    if begun.settings:
        what = "1 setting" if len(begun.settings) == 1 else f"{len(begun.settings)} settings"
        fetched = " and are fetched" if any(each.startswith("remote.") for each in begun.settings) else ""
        print(f"git config: {what}, so that notes merge without loss{fetched}")


def install(arguments: argparse.Namespace) -> int:
    """Install the hook."""
    install_guard(arguments, surroundings.context(arguments))
    return 0


def uninstall(arguments: argparse.Namespace) -> int:
    """Remove the hook."""
    from gitops import hooks

    removed = hooks.uninstall(hooks.locate(_folder(surroundings.context(arguments))))
    if not arguments.quiet:
        print("the raw guard is removed" if removed else "there was no raw guard")
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Say whether the hook runs; 0 if it does."""
    from gitops import hooks

    context = surroundings.context(arguments)
    found = hooks.status(hooks.locate(_folder(context)), raw_folders(context))
    if arguments.json:
        body = {
            "schema": "assay/hooks/1",
            "state": found.state,
            "path": str(found.guard),
            "current": found.names_current,
        }
        surroundings.print_json(body)
    else:
        print(f"raw guard: {found.state}: {_short(found.guard, context)}")
    return 0 if found.state == "installed" and found.names_current else 1


def raw_folders(context: Context) -> list[str]:
    """The raw folders of every workspace at HEAD, by their name inside the workspace."""
    from gitops.git import refs
    from gitops.git.snapshot import TreeSnapshot
    from gitops.runs.workspace import at, roots

    branch = context.repository.head_branch()
    commit = refs.read(context.repository, branch) if branch else "HEAD"
    if commit is None:
        return []
    tree = TreeSnapshot.at(context.repository, commit)
    return sorted({at(tree, root, commit).layout.names.raw for root in roots(tree)})


def install_guard(arguments: argparse.Namespace, context: Context) -> None:
    """Install the hook and say so."""
    from gitops import hooks

    done = hooks.install(hooks.locate(_folder(context)), raw_folders(context))
    if arguments.quiet:
        return
    guard = _short(done.guard, context)
    if done.by_hand is not None:
        print(f"raw guard: {guard}; add this line to {done.by_hand}, which is yours to change:\n  {hooks.LINE}")
        return
    beside = f", and after it {done.kept.name}, which was there before" if done.kept else ""
    print(f"raw guard: {guard}{beside}" if done.changed else f"raw guard: {guard} is there already")
    if done.shared:
        context.warn(f"{done.guard.parent} is shared with other repositories; the guard minds only workspaces")


def _short(file: Path, context: Context) -> Path:
    top = _folder(context)
    return file.relative_to(top) if file.is_relative_to(top) else file


def _folder(context: Context) -> Path:
    return context.repository.worktree or context.repository.git_dir


def _name(given: str) -> str:
    import re

    from gitops.config import SLUG
    from gitops.errors import UsageError

    if given and not re.fullmatch(SLUG, given):
        rule = "lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit"
        raise UsageError(f"'{given}' cannot name a workspace", f"use up to 63 {rule}")
    return given


def _slug(context: Context, root: str) -> str:
    import re

    folder = root.rpartition("/")[2] or _folder(context).resolve().name
    return re.sub(r"[^a-z0-9._-]+", "-", folder.lower()).strip("-._")[:60] or "main"
