"""Wikis taken as a new user would: copied, committed, adopted, linted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gitops
from benchmarks.committing import ENVIRONMENT, commit_all, git
from gitops.errors import CannotRun, UsageError

_OURS = Path(gitops.__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, as far as its truth goes: `fingerprint` is the digest of its subject, `claim` what it is about."""

    wiki: str
    path: str
    line: int
    column: int
    check: str
    result: str
    level: str
    fingerprint: str
    claim: str
    message: str

    @property
    def gates(self) -> bool:
        """Whether a change that brings it is stopped."""
        return self.level in ("error", "warning")


def wikis(folder: Path) -> list[Path]:
    """The wikis in a folder, one folder each. UsageError where there is none."""
    found = (
        sorted(path for path in folder.iterdir() if path.is_dir() and any(path.rglob("*.md")))
        if folder.is_dir()
        else []
    )
    if not found:
        raise UsageError(f"there is no wiki in {folder}", "name a folder that holds wikis, one folder each")
    return found


def adopted(wiki: Path, scratch: Path) -> Path:
    """A copy of a wiki, committed and adopted."""
    folder = scratch / wiki.name
    shutil.copytree(wiki, folder, ignore=shutil.ignore_patterns(".git"))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    commit_all(folder)
    _assay(folder, "--quiet", "adopt", "--no-hook")
    return folder


def roots(folder: Path) -> list[str]:
    """Where the workspaces of an adopted wiki lie, '' for the top."""
    listed = git(folder, "ls-files", "-z", "--", "assay.toml", "*/assay.toml").split("\0")
    return sorted(path.rpartition("/")[0] for path in listed if path)


def linted(folder: Path) -> list[Found]:
    """Every finding of an adopted wiki, accepted ones too. CannotRun when the command breaks."""
    return [found for root in roots(folder) for found in _linted(folder, root)]


def _linted(folder: Path, root: str) -> Iterator[Found]:
    told: Any = json.loads(_assay(folder / root, "lint", "--json"))
    for one in told["findings"]:
        yield Found(
            folder.name,
            one["path"],
            one["line"],
            one["column"],
            one["check"],
            one["result"],
            one["level"],
            one["fingerprint"],
            one["claim"],
            one["message"],
        )


def _assay(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "gitops", "-C", str(folder), *words]
    env = {**os.environ, **ENVIRONMENT}
    done = subprocess.run(command, cwd=_OURS, capture_output=True, text=True, check=False, env=env)
    if done.returncode not in (0, 1):
        raise CannotRun(f"git assay {words[0]} in {folder.name}: {done.stderr.strip()[-400:]}", "run it by hand")
    return done.stdout
