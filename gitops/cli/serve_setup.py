"""`git assay init --server`, and `git assay hooks status|uninstall` where that was done."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.server_hooks import Served


def begin(arguments: argparse.Namespace) -> int:
    """Make a bare repository a gate, and say what is left to do for who keeps it."""
    from gitops import server_hooks
    from gitops.errors import UsageError
    from gitops.runs import arrived
    from gitops.runs.beginning import configure_notes
    from gitops.runs.targets import existing

    if arguments.name or arguments.no_hook:
        told = "--name and --no-hook are for a wiki, and --server makes a gate of a repository that has one"
        raise UsageError(told, "git assay init --server [--target BRANCH]")
    context = surroundings.context(arguments, sweep=False)
    server_hooks.demand_bare(context.repository)
    target = existing(context.repository, arguments.target) if arguments.target else ""
    notes = configure_notes(context.repository)
    done = server_hooks.install(context.repository, target.removeprefix("refs/heads/"))
    arrived.begin(context)
    if not arguments.quiet:
        _tell(context, done, [*notes, *done.settings])
    return 0


def _tell(context: Context, done: Served, settings: list[str]) -> None:
    from gitops import hooks
    from gitops.runs.targets import default_target

    guarded = default_target(context.repository).removeprefix("refs/heads/")
    print(f"{context.repository.git_dir}: {guarded} moves only to what was verified")
    for name, each in done.hooks.items():
        beside = f", and after it {each.kept.name}, which was there before" if each.kept else ""
        state = "installed" if each.changed else "is there already"
        print(f"{hooks.ON_A_SERVER[name]}: {name} {state}{beside}")
        if each.shared:
            context.warn(f"{each.guard.parent} is shared: the hooks mind only repositories that hold a workspace")
    if settings:
        print(f"git config: {len(settings)} {'setting' if len(settings) == 1 else 'settings'}")
    for left in _left(context):
        print(f"left to do: {left}")


def _left(context: Context) -> list[str]:
    """What only who keeps the server can say: who may sign, and with which key the server itself does."""
    from gitops.git import signing
    from gitops.runs import trusting

    left = []
    if context.repository.git_config(trusting.ALLOWED, "path") is None:
        left.append(f"who may sign verdicts: git config {trusting.ALLOWED} FILE; until then all is verified here")
    if signing.configured_key(context.repository) is None:
        left.append("a key of its own, so that others believe what it verified: git config assay.signingkey FILE")
    if context.repository.git_config(trusting.REPOSITORY) is None:
        left.append(f"what the repository is called: git config {trusting.REPOSITORY} URL")
    return [*left, "docs/server.md has the commands"] if left else []


def status(arguments: argparse.Namespace, context: Context) -> int:
    """Say whether the gate stands; 0 if it does."""
    from gitops import hooks, server_hooks

    found = server_hooks.status(context.repository)
    is_on = server_hooks.is_server(context.repository)
    if arguments.json:
        states = {name: {"state": each.state, "path": str(each.guard)} for name, each in found.items()}
        gate, served = states[hooks.RECEIVE], states[hooks.SERVE]
        surroundings.print_json(
            {"schema": "assay/server-hooks/1", "server": is_on, "pre_receive": gate, "post_receive": served}
        )
    else:
        for name, each in found.items():
            print(f"{hooks.ON_A_SERVER[name]}: {each.state}: {each.guard}")
        print(f"assay.server: {'true' if is_on else 'not set: runs that are pushed are not answered'}")
    return 0 if is_on and all(each.state == "installed" for each in found.values()) else 1


def uninstall(arguments: argparse.Namespace, context: Context) -> int:
    """Take the gate down."""
    from gitops import hooks, server_hooks

    for name, removed in server_hooks.uninstall(context.repository).items():
        if not arguments.quiet:
            called = hooks.ON_A_SERVER[name]
            print(f"the {called} is removed" if removed else f"there was no {called}")
    return 0
