"""Real repositories in temporary folders: fixed clock and identity, no network, nobody's configuration.

make_repository(files={}, *, bare=False, name="repository") -> Path    files are committed on main
commit_files(repository, files, message="…", *, when=None) -> str      None deletes; gives the commit id
git(repository, *arguments, input=None, check=True, env=None) -> str   what real git printed, less the last line break
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

Files = Mapping[str, "str | bytes | None"]
CLOCK = 1_704_164_645
"""2024-01-02 03:04:05 UTC, the moment at which tests happen."""


@pytest.fixture(scope="session", autouse=True)
def _libgit2_reads_no_configuration() -> Iterator[None]:
    """libgit2 looks for configuration where it is told at start, not in the environment."""
    import pygit2
    from pygit2.enums import ConfigLevel

    levels = (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL)
    before = {level: pygit2.settings.search_path[level] for level in levels}
    for level in levels:
        pygit2.settings.search_path[level] = ""
    yield
    for level, path in before.items():
        pygit2.settings.search_path[level] = path


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_", "ANTHROPIC_", "ASSAY_"))]:
        monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    stamp = f"@{CLOCK} +0000"
    settings = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Ada Writer",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_NAME": "Ada Writer",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_COMMITTER_DATE": stamp,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "NO_PROXY": "127.0.0.1,localhost",
        "ASSAY_LLM": "off",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


def _git(
    repository: Path,
    *arguments: str,
    input: str | bytes | None = None,
    check: bool = True,
    env: Mapping[str, str] | None = None,
) -> str:
    done = subprocess.run(
        ["git", "-C", os.fspath(repository), *arguments],
        input=input.encode() if isinstance(input, str) else input,
        stdin=subprocess.DEVNULL if input is None else None,
        capture_output=True,
        env={**os.environ, **(env or {})},
        check=False,
    )
    if check and done.returncode:
        raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def _write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def _commit(repository: Path, files: Files, message: str = "Change some files", *, when: int | None = None) -> str:
    _write(repository, files)
    _git(repository, "add", "--all", "--force", ".")
    env = {} if when is None else {"GIT_AUTHOR_DATE": f"@{when} +0000", "GIT_COMMITTER_DATE": f"@{when} +0000"}
    _git(repository, "commit", "--quiet", "--allow-empty", "--message", message, env=env)
    return _git(repository, "rev-parse", "HEAD")


@pytest.fixture
def git() -> Callable[..., str]:
    """Real git, run in a repository; its standard output as text."""
    return _git


@pytest.fixture
def commit_files() -> Callable[..., str]:
    """Write files into a worktree (None deletes one), commit everything, give the commit's id."""
    return _commit


@pytest.fixture
def make_repository(tmp_path: Path) -> Callable[..., Path]:
    """Make a repository; with files, they are its first commit on main. A bare one is cloned from such."""

    def make(files: Files | None = None, *, bare: bool = False, name: str = "repository") -> Path:
        folder = tmp_path / name
        worktree = tmp_path / f"{name}.seed" if bare and files else folder
        empty = ["--bare"] if bare and not files else []
        _git(tmp_path, "init", "--quiet", "--initial-branch=main", *empty, os.fspath(worktree))
        if files:
            _commit(worktree, files, "First files")
        if bare and files:
            _git(tmp_path, "clone", "--quiet", "--bare", os.fspath(worktree), os.fspath(folder))
            _git(folder, "remote", "remove", "origin")
        return folder

    return make
