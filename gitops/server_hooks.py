"""Makes a bare repository a gate: its two hooks, the settings that they read, and how both are taken back.

`pre-receive` says whether a push is taken, `post-receive` has the runs that came with it verified. They go where git
runs hooks from, a hook that was there is kept as `….before-assay` and run after ours, as `hooks.py` does in a clone.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitops import hooks
from gitops.errors import UsageError
from gitops.hooks import ON_A_SERVER, Installed, Place, Status

if TYPE_CHECKING:
    from gitops.git.repository import Repository

GATE, COMMAND, TARGET = "assay.server", "assay.command", "assay.target"


@dataclass(frozen=True, slots=True)
class Served:
    """What `install` did: each hook by its name, and the settings that were added or changed."""

    hooks: dict[str, Installed]
    settings: tuple[str, ...]


def demand_bare(repository: Repository) -> None:
    """UsageError where there is a work tree: what is pushed there would not show in its files."""
    if not repository.is_bare:
        mend = "git clone --bare . ../NAME.git, then git -C ../NAME.git assay init --server"
        raise UsageError(f"{repository.worktree} is a work tree, and a server's repository is bare", mend)


def is_server(repository: Repository) -> bool:
    """Is this a bare repository, or a worktree of one, whose hooks are to guard it (`assay.server`)?"""
    return all(repository.git_config(key, "bool") == "true" for key in (GATE, "core.bare"))


def places(repository: Repository) -> list[Place]:
    """Where the hooks of a bare repository lie, or would."""
    from gitops.git.process import git

    folder = git(repository, "rev-parse", "--path-format=absolute", "--git-path", "hooks").text
    return [Place(repository.common_dir, Path(folder).resolve(), False, name) for name in ON_A_SERVER]


def install(repository: Repository, target: str = "") -> Served:
    """Install both hooks and what they go by; again, it changes nothing. `target` is the branch that is guarded.

    `assay.server` is set last, so that no run is answered by a server that is half made. UsageError where there is a
    work tree, or where git cannot run hooks.
    """
    demand_bare(repository)
    done = {place.name: hooks.install(place) for place in places(repository)}
    wanted = {"receive.advertisePushOptions": "true", COMMAND: _command()}
    wanted |= {TARGET: target} if target else {}
    wanted |= _fsck(repository)
    wanted |= _identity(repository)
    changed = _configure(repository, (wanted | {GATE: "true"}).items())
    return Served(done, tuple(changed))


def uninstall(repository: Repository) -> dict[str, bool]:
    """Take both hooks away, put back what was there before, and open the gate; by name, whether there was a hook."""
    from gitops.git.process import git

    for key in (GATE, COMMAND):
        git(repository, "config", "--unset-all", key, check=False)
    return {place.name: hooks.uninstall(place) for place in places(repository)}


def status(repository: Repository) -> dict[str, Status]:
    """Whether git runs each of the hooks of this version."""
    return {place.name: hooks.status(place) for place in places(repository)}


def _configure(repository: Repository, wanted: Iterable[tuple[str, str]]) -> list[str]:
    from gitops.git.process import git

    changed = []
    for key, value in wanted:
        if value and repository.git_config(key) != value:
            git(repository, "config", "--replace-all", key, value)
            changed.append(f"{key} = {value}")
    return changed


def _fsck(repository: Repository) -> dict[str, str]:
    """Have git itself refuse objects that two readers could take for two things, unless somebody has decided on it."""
    known = ("receive.fsckObjects", "transfer.fsckObjects")
    is_decided = any(repository.git_config(key) is not None for key in known)
    return {} if is_decided else {"receive.fsckObjects": "true"}


def _identity(repository: Repository) -> dict[str, str]:
    """Whose name the server's own commits carry, where git's configuration does not say: who pushes lends it none."""
    import socket

    if repository.git_config("user.email"):
        return {}
    host = re.sub(r"[^A-Za-z0-9.-]", "", socket.gethostname()) or "localhost"
    name = {} if repository.git_config("user.name") else {"user.name": "git-assay"}
    return {**name, "user.email": f"git-assay@{host}"}


def _command() -> str:
    """The executable that this is: a login over ssh may have another PATH. '' where there is none to name."""
    started = Path(sys.argv[0])
    if started.name == "git-assay" and os.access(started, os.X_OK):
        return os.fspath(started.absolute())
    return shutil.which("git-assay") or ""
