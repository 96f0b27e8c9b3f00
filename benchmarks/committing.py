"""A folder made a repository with one commit of everything in it: fixed identity and clock, nobody's configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from gitops.errors import CannotRun

_STAMP = "@1700000000 +0000"
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Bench",
    "GIT_AUTHOR_EMAIL": "bench@example.org",
    "GIT_AUTHOR_DATE": _STAMP,
    "GIT_COMMITTER_NAME": "Bench",
    "GIT_COMMITTER_EMAIL": "bench@example.org",
    "GIT_COMMITTER_DATE": _STAMP,
}


def commit_all(folder: Path) -> None:
    """Begin a repository in a folder and commit all its files on main, ignored ones too."""
    git(folder, "init", "-q", "--initial-branch=main")
    for key, value in (("user.name", "Bench"), ("user.email", "bench@example.org"), ("gc.auto", "0")):
        git(folder, "config", key, value)
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "-q", "--no-verify", "--message", "As it stands")


def git(folder: Path, *arguments: str) -> str:
    """What git prints. CannotRun when it fails."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **ENVIRONMENT},
    )
    if done.returncode:
        raise CannotRun(f"git {arguments[0]}: {done.stderr.strip()}", f"run it by hand in {folder}")
    return done.stdout
