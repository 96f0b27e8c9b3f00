"""`git assay init` and `git assay hooks`: make a workspace, and guard its sources."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from pathlib import Path

    from gitops.hooks import Installed, Place
    from gitops.runs.beginning import Begun
    from gitops.runs.context import Context


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    if name == "init":
        parser.set_defaults(function=begin)
        parser.add_argument("--name", default="", metavar="SLUG", help="the workspace's name (default: the folder's)")
        parser.add_argument("--no-hook", action="store_true", help="do not install the hooks")
        server = "make a bare repository a gate: what is pushed to it is verified before it counts"
        parser.add_argument("--server", action="store_true", help=server)
        parser.add_argument("--target", metavar="BRANCH", help="with --server: the branch that it guards")
        parser.add_argument("--ci", choices=("github",), help="write the workflows of this host to .github/workflows")
        parser.add_argument("--force", action="store_true", help="with --ci: write anew also what somebody changed")
        return
    hooks = Commands(parser, "hooks_command")
    hooks.add("install", "install the pre-commit and pre-push hooks beside those that are there", install)
    hooks.add("uninstall", "remove them and put the hooks that were there before back", uninstall)
    hooks.add("status", "say whether git runs them", status).add_argument(
        "--json", action="store_true", help="print JSON"
    )
    judging = "what the pre-receive hook calls: judge the ref lines on standard input before a push is taken"
    hooks.add("pre-receive", judging, pre_receive)
    serving = "what the post-receive hook calls: have the runs that were pushed verified, and wait for none"
    hooks.add("post-receive", serving, post_receive)
    working = hooks.add("serve", "on a server: answer for the runs that wait, by this process", serve)
    working.add_argument("run", nargs="*", metavar="RUN", help="a run that waits from now on, again if it was answered")
    pushing = hooks.add("pre-push", "what the pre-push hook calls: look at the ref lines on standard input", pre_push)
    pushing.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="the remote pushed to (default: as pre-commit says)"
    )
    pushing.add_argument("url", nargs="?", metavar="URL", help="where that is")


def begin(arguments: argparse.Namespace) -> int:
    """Make a workspace, or a gate."""
    from gitops.errors import UsageError
    from gitops.runs.beginning import begin as make

    if arguments.force and not arguments.ci:
        raise UsageError("--force is for --ci alone", "git assay init --ci github --force")
    if arguments.ci and arguments.server:
        raise UsageError("a server of one's own runs no workflows", "git assay init --server, and --ci in a clone")
    if arguments.server:
        from gitops.cli.serve_setup import begin as guard

        return guard(arguments)
    if arguments.target:
        raise UsageError(
            "--target is for --server alone", "a wiki begins on the branch that HEAD is on: git switch BRANCH"
        )
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
    if arguments.ci:
        from gitops.cli import ci_workflows

        ci_workflows.write(arguments, context)
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
    """Install the hooks."""
    context = surroundings.context(arguments)
    if context.repository.is_bare:
        from gitops.errors import CannotRun

        raise CannotRun(f"{context.repository.git_dir} is bare: nobody commits there", "git assay init --server")
    install_guard(arguments, context)
    return 0


def uninstall(arguments: argparse.Namespace) -> int:
    """Remove the hooks."""
    from gitops import hooks

    context = surroundings.context(arguments)
    if context.repository.is_bare:
        from gitops.cli import serve_setup

        return serve_setup.uninstall(arguments, context)
    folder = _folder(context)
    for name, called in hooks.NAMES.items():
        removed = hooks.uninstall(hooks.locate(folder, name))
        if not arguments.quiet:
            print(f"the {called} is removed" if removed else f"there was no {called}")
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Say whether the hooks run; 0 if they do."""
    from gitops import hooks

    context = surroundings.context(arguments)
    if context.repository.is_bare:
        from gitops.cli import serve_setup

        return serve_setup.status(arguments, context)
    folder, raw = _folder(context), raw_folders(context)
    found = {name: hooks.status(hooks.locate(folder, name), raw) for name in hooks.NAMES}
    guard, push = found[hooks.GUARD], found[hooks.PUSH]
    if arguments.json:
        body = {
            "schema": "assay/hooks/1",
            "state": guard.state,
            "path": str(guard.guard),
            "current": guard.names_current,
            "push": {"state": push.state, "path": str(push.guard)},
        }
        surroundings.print_json(body)
    else:
        for name, each in found.items():
            print(f"{hooks.NAMES[name]}: {each.state}: {_short(each.guard, context)}")
    return 0 if guard.state == push.state == "installed" and guard.names_current else 1


def pre_push(arguments: argparse.Namespace) -> int:
    """Look at what is pushed; 1 refuses."""
    from gitops.cli.pre_push import pre_push as look

    return look(arguments)


def pre_receive(arguments: argparse.Namespace) -> int:
    """Judge what is pushed; 1 refuses."""
    from gitops.cli.receive import pre_receive as judge

    return judge(arguments)


def post_receive(arguments: argparse.Namespace) -> int:
    """Have what was pushed verified."""
    from gitops.cli.serve import post_receive as receive

    return receive(arguments)


def serve(arguments: argparse.Namespace) -> int:
    """Answer for the runs that wait."""
    from gitops.cli.serve import serve as work

    return work(arguments)


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
    """Install the hooks and say so."""
    from gitops import hooks

    for name in hooks.NAMES:
        place = hooks.locate(_folder(context), name)
        done = hooks.install(place, raw_folders(context) if name == hooks.GUARD else ())
        if not arguments.quiet:
            _tell_guard(context, place, done)


def _tell_guard(context: Context, place: Place, done: Installed) -> None:
    from gitops import hooks

    guard, called = _short(done.guard, context), hooks.NAMES[place.name]
    if done.by_hand is not None:
        print(f"{called}: {guard}; add this line to {done.by_hand}, which is yours to change:\n  {place.line}")
        return
    beside = f", and after it {done.kept.name}, which was there before" if done.kept else ""
    print(f"{called}: {guard}{beside}" if done.changed else f"{called}: {guard} is there already")
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
