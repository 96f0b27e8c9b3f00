"""The judges that a command names, seated where it was started: in a workspace by its policy, elsewhere by defaults."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gitops.runs.context import Context
    from gitops.runs.seating import Seat
    from gitops.runs.workspace import Workspace
    from gitops.verify.panel import Panel


def panel(arguments: argparse.Namespace, said: str) -> Panel:
    """The judges of a list with commas, in its order. UsageError for one that there is not.

    No repository is opened, and nothing of a model imported, where none of them needs a model.
    """
    from gitops.errors import UsageError
    from gitops.verify import judges
    from gitops.verify.panel import Panel

    names = list(dict.fromkeys(name.strip() for name in said.split(",") if name.strip()))
    if not names:
        raise UsageError("--judge names no judge", "--judge offline, or --judge offline,claude")
    if set(names) <= set(judges.names()):
        return Panel(tuple(judges.find(name) for name in names))
    return _remembered(arguments, _seat(arguments), names)


def _remembered(arguments: argparse.Namespace, seat: Seat, names: Sequence[str]) -> Panel:
    """The judges; what those that cost something answer is kept at once, and not asked again."""
    import atexit
    from dataclasses import replace

    from gitops import assembly
    from gitops.index.cache import Cache
    from gitops.runs.context import CACHE
    from gitops.runs.keeping import Kept
    from gitops.verify.judgements import Remembered
    from gitops.verify.panel import Panel

    cache = Cache(seat.folder / CACHE)
    atexit.register(cache.close)
    kept = Kept(cache, seat.purpose, arguments.fresh)
    seat = replace(seat, kept=kept)
    found = [assembly.seated(name, seat) for name in names]
    return Panel(tuple(judge if judge.is_free else Remembered(judge, kept) for judge in found))


def _seat(arguments: argparse.Namespace) -> Seat:
    from gitops.runs.context import system_clock
    from gitops.runs.seating import Seat

    clock = surroundings.fixed_clock() or system_clock
    if arguments.workspace is None and not _is_inside(arguments):
        return Seat(_default(), _state(), clock, "eval", purpose="asked")
    made = surroundings.context(arguments, sweep=False)
    return Seat(_workspace(arguments, made), made.folder, clock, "eval", purpose="asked")


def _is_inside(arguments: argparse.Namespace) -> bool:
    """Whether git finds a repository here that it takes."""
    from gitops.git.process import git

    folder = surroundings.folder(arguments)
    return not folder.is_dir() or git(folder, "rev-parse", "--git-dir", env=_located(), check=False).code == 0


def _located() -> dict[str, str]:
    names = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
    return {name: os.environ[name] for name in names if name in os.environ}


def _workspace(arguments: argparse.Namespace, made: Context) -> Workspace:
    """The workspace as HEAD has it; in a repository that is none, the defaults."""
    from gitops.config import FILE_NAME
    from gitops.git import snapshot
    from gitops.runs.roots import roots

    repository = made.repository
    if arguments.workspace is None:
        if repository.is_unborn:
            return _default()
        tree = snapshot.TreeSnapshot.at(repository, snapshot.resolve(repository, "HEAD"))
        has_policy = next(iter(roots(tree)), None) is not None
        is_written = repository.worktree is not None and (repository.worktree / FILE_NAME).exists()
        if not (has_policy or is_written):
            return _default()
    return surroundings.workspace(arguments, made, snapshot.resolve(repository, "HEAD"))


def _default() -> Workspace:
    from gitops.config import Config
    from gitops.runs.workspace import Workspace
    from gitops.wiki.layout import Layout

    config = Config()
    return Workspace(Layout("", config.workspace), config, "")


def _state() -> Path:
    """Where the usage log is kept outside repositories (XDG Base Directory Specification)."""
    from pathlib import Path

    named = os.environ.get("XDG_STATE_HOME", "")
    base = Path(named) if named.startswith("/") else Path.home() / ".local" / "state"
    return base / "git-assay"
