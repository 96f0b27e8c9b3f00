"""The git executable, run so that neither the caller's environment nor its language changes what it says."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Protocol, cast

from gitops.errors import CannotRun
from gitops.git.failure import DISK_FULL, NOTHING_CHANGED, from_git

OLDEST = (2, 38)
"""The first git that has `merge-tree --write-tree`; `core.fsync` is older."""

DURABLE = ("-c", "core.fsync=all")
"""git fsyncs no ref and few objects unless it is asked to; goes before the command."""

OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""Environment in which a partial clone's missing object is an error, not a silent download.

git before 2.45 does not know the first; the second forbids the transport and so comes to the same.
"""

_KEPT = re.compile(
    r"GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|PARAMETERS|COUNT|KEY_\d+|VALUE_\d+)"
    r"|(?:SSH|SSL|HTTP|CURL|PROXY|TRACE)(?:_\w+)?|TRACE2(?:_\w+)?|ASKPASS|ALLOW_PROTOCOL|PROTOCOL_FROM_USER"
    r"|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)"
)
_QUARANTINE = ("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")
_FIXED = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": ":",
    "GIT_MERGE_AUTOEDIT": "no",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
"""Paths are paths and not patterns; and objects are what they are, since libgit2 knows no `refs/replace`."""


class Located(Protocol):
    """A repository, or one of its worktrees, that git is told of rather than left to find."""

    @property
    def git_dir(self) -> Path:
        """The folder git calls GIT_DIR: of a linked worktree, its own."""
        ...

    @property
    def worktree(self) -> Path | None:
        """The folder of the checked-out files; None in a bare repository."""
        ...


@dataclass(frozen=True, slots=True)
class Completed:
    """What a git command left behind."""

    stdout: bytes
    stderr: str
    code: int

    @property
    def text(self) -> str:
        """Standard output as text, without the line break at its end; odd bytes are escaped, not lost."""
        return self.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def git(
    where: Path | Located,
    *args: str,
    input: bytes | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = True,
) -> Completed:
    """Run git in a folder or a repository and wait for it.

    With `check`, a failure is CannotRun (UsageError for a revision that names nothing) in git's own last
    line; without it, the caller reads `code`. git that is missing or too old is CannotRun in any case.
    """
    with _started():
        done = subprocess.run(
            [_executable(), *args],
            cwd=_folder(where),
            env=environment(where, env),
            input=input,
            stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True,
            check=False,
        )
    stderr = done.stderr.decode("utf-8", "replace")
    if check and done.returncode:
        raise from_git(_command(args), stderr, done.returncode)
    return Completed(done.stdout, stderr, done.returncode)


@contextmanager
def stream(
    where: Path | Located, *args: str, env: Mapping[str, str] | None = None, stdin: IO[bytes] | None = None
) -> Iterator[io.BufferedReader]:
    """Run git and read its standard output as it comes; leaving early ends it. Read to the end, a failure tells.

    `stdin` is a file that git reads, from where it stands.
    """
    with tempfile.TemporaryFile() as said:
        with _started():
            child = subprocess.Popen(
                [_executable(), *args],
                cwd=_folder(where),
                env=environment(where, env),
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=subprocess.PIPE,
                stderr=said,
            )
        output = cast(io.BufferedReader, child.stdout)
        with child, output:
            try:
                yield output
            except BaseException:
                child.terminate()
                raise
            output.read()
        if child.returncode:
            said.seek(0)
            raise from_git(_command(args), said.read().decode("utf-8", "replace"), child.returncode)


def quarantine(git_dir: Path) -> dict[str, str]:
    """What of the environment leads to the objects of a push that is not taken yet (git-receive-pack(1)).

    Empty everywhere but in a hook of this very repository: its name for another's objects would be wrong here.
    """
    path = os.environ.get("GIT_QUARANTINE_PATH")
    if path is None:
        return {}
    linked = git_dir / "commondir"
    common = git_dir / linked.read_text().strip() if linked.is_file() else git_dir
    if not Path(path).resolve().is_relative_to((common / "objects").resolve()):
        return {}
    return {name: os.environ[name] for name in _QUARANTINE if name in os.environ}


def environment(where: Path | Located, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment git runs in: the caller's, without every `GIT_*` that would point it elsewhere."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)}
    env |= _FIXED
    if not isinstance(where, Path):
        env["GIT_DIR"] = os.fspath(where.git_dir)
        if where.worktree is not None:
            env["GIT_WORK_TREE"] = os.fspath(where.worktree)
        env |= quarantine(where.git_dir)
    return env | dict(extra or {})


def _folder(where: Path | Located) -> Path:
    return where if isinstance(where, Path) else where.worktree or where.git_dir


def _command(args: tuple[str, ...]) -> str:
    words = iter(args)
    for word in words:
        if word == "-c":
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


@contextmanager
def _started() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if DISK_FULL in str(error):
            raise CannotRun("the disk is full", NOTHING_CHANGED) from error
        raise CannotRun(f"git cannot be run: {error}", "check that the folder is there and may be read") from error


def _executable() -> str:
    found = shutil.which("git")
    if found is None:
        raise CannotRun("git is not installed, or not on PATH", "install git 2.38 or later: https://git-scm.com")
    _check_version(found)
    return found


@cache
def _check_version(executable: str) -> None:
    said = subprocess.run([executable, "version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"(\d+)\.(\d+)", said)
    if number is None or (int(number[1]), int(number[2])) < OLDEST:
        raise CannotRun(f"{said.strip() or executable} is too old", "install git 2.38 or later: https://git-scm.com")
