"""A repository, found as git finds it and opened with libgit2, or refused in words that say what to do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gitops.errors import AssayError, CannotRun, UsageError
from gitops.git.process import Completed, git, quarantine

if TYPE_CHECKING:
    import pygit2

_NAMES_THE_REPOSITORY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
_FSCK = "'git fsck --full' says what is damaged; a fresh clone is the surest mend"


@dataclass(frozen=True, eq=False)
class Repository:
    """An open repository. `git_dir` is a linked worktree's own; `common_dir` is shared by all of them."""

    handle: pygit2.Repository
    git_dir: Path
    common_dir: Path
    worktree: Path | None
    prefix: str
    """The folder it was opened from, relative to the worktree, without a slash at its end; '' at the top."""
    index_file: Path
    """The index in use: another than the worktree's own while a hook of a partial commit runs."""
    incoming: Mapping[str, str] = field(default_factory=dict)
    """Refs as they would be once the push that is looked at is taken: read so, wherever `refs.read` is asked."""

    @property
    def is_bare(self) -> bool:
        """Whether it has no worktree."""
        return self.worktree is None

    @property
    def is_shallow(self) -> bool:
        """Whether its history was cut off when it was cloned."""
        return bool(self.handle.is_shallow)

    @cached_property
    def is_quarantined(self) -> bool:
        """Whether this is its own hook looking at a push not yet taken: its objects are seen, none are written."""
        return bool(quarantine(self.git_dir))

    def refuse_in_quarantine(self, doing: str) -> None:
        """CannotRun while a push is looked at. git refuses its own commands there, libgit2 would write all the same."""
        if self.is_quarantined:
            told = f"{doing}: not while a push is looked at, which may be refused yet"
            raise CannotRun(told, "what is written for a push is written by post-receive, once it is taken")

    @cached_property
    def is_partial(self) -> bool:
        """Whether it was cloned with a filter, so that objects may be absent."""
        keys = r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"
        return git(self, "config", "--get-regexp", keys, check=False).code == 0

    @property
    def is_unborn(self) -> bool:
        """Whether HEAD names a branch that has no commit yet."""
        return bool(self.handle.head_is_unborn)

    def head_branch(self) -> str | None:
        """The full name of the branch HEAD is on, also when it is unborn; None when HEAD is detached."""
        import pygit2

        try:
            target = self.handle.lookup_reference("HEAD").raw_target
        except (pygit2.GitError, KeyError) as error:
            raise CannotRun(f"{self.git_dir / 'HEAD'} cannot be read: {error}", _FSCK) from error
        return target.decode("utf-8", "surrogateescape") if isinstance(target, bytes) else None

    def git_config(self, key: str, kind: Literal["", "bool", "int", "path"] = "") -> str | None:
        """A configuration value as git itself has it, includes and `git -c` counted; None when unset."""
        done = git(self, "config", *([f"--type={kind}"] if kind else []), "--get", key, check=False)
        if done.code not in (0, 1):
            raise UsageError(f"git config {key}: {done.stderr.strip()}", f"git config --edit, and mend '{key}'")
        return done.text if done.code == 0 else None


class NoRepository(CannotRun):
    """There is no repository around a folder: what needs none goes on without."""


def open_repository(start: Path | None = None) -> Repository:
    """Open the repository around a folder (the current one by default), as git would find it.

    GIT_DIR and its kin are honoured. CannotRun when there is none, when it is in a format libgit2 does not
    read, when it belongs to somebody else, or when it is damaged; UsageError when there is no such folder.
    """
    folder = _folder(start)
    git_dir, common_dir, bare, cdup, prefix = _found(folder)
    handle = _opened(git_dir, common_dir)
    worktree = None if bare else _worktree(folder, cdup, handle)
    index = os.environ.get("GIT_INDEX_FILE")
    return Repository(
        handle=handle,
        git_dir=git_dir,
        common_dir=common_dir,
        worktree=worktree,
        prefix=prefix.rstrip("/"),
        index_file=folder / index if index else git_dir / "index",
    )


def _folder(start: Path | None) -> Path:
    try:
        folder = (start or Path.cwd()).absolute()
    except OSError as error:
        raise UsageError(f"the current folder is gone: {error}", "cd to a folder that is there") from error
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder", "name a folder inside a git repository with -C")
    return folder


def _found(folder: Path) -> tuple[Path, Path, bool, str, str]:
    env = {name: os.environ[name] for name in _NAMES_THE_REPOSITORY if name in os.environ}
    asked = ("--absolute-git-dir", "--git-common-dir", "--is-bare-repository", "--show-prefix", "--show-cdup")
    done = git(folder, "rev-parse", *asked, env=env, check=False)
    if done.code:
        raise _refusal(folder, done)
    lines = done.stdout.decode("utf-8", "surrogateescape").split("\n")
    if len(lines) not in (len(asked), len(asked) + 1):
        raise CannotRun(f"{folder}: the repository's path has a line break in it", "move it to a folder without one")
    git_dir, common_dir, bare, prefix, cdup = lines[: len(asked)]
    return Path(git_dir), (folder / common_dir).resolve(), bare == "true", cdup, prefix


def _refusal(folder: Path, done: Completed) -> AssayError:
    said = done.stderr
    if "dubious ownership" in said:
        lines = [line.strip() for line in said.splitlines() if "safe.directory" in line]
        return CannotRun(f"{folder}: the repository belongs to another user", lines[-1] if lines else _FSCK)
    if "unknown repository extension" in said or "Expected git repo version" in said:
        return _reftable(folder) if "refstorage" in said else CannotRun(f"{folder}: {said.strip()}", "use a newer git")
    dotgit = next((place / ".git" for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    if "not a git repository" not in said or dotgit is not None:
        return CannotRun(f"{dotgit or folder} is damaged: git does not take it for a repository", _FSCK)
    return NoRepository(
        f"{folder}: not inside a git repository", "cd into one, name one with -C, or make one: git init"
    )


def _refuse_formats(common_dir: Path) -> None:
    # Read without includes, as git reads a repository's format; libgit2 has refused it, in words that say less.
    extensions = r"^extensions\.(objectformat|refstorage)$"
    config = os.fspath(common_dir / "config")
    done = git(common_dir, "config", "--file", config, "--get-regexp", extensions, check=False)
    formats = dict(line.lower().split(" ", 1) for line in done.text.splitlines() if " " in line)
    if formats.get("extensions.refstorage", "files") != "files":
        raise _reftable(common_dir)
    if (name := formats.get("extensions.objectformat", "sha1")) != "sha1":
        raise CannotRun(
            f"{common_dir}: a repository in {name} format, which libgit2 does not open",
            "convert it: git init --object-format=sha1 NEW, and 'git fast-export --all | git -C NEW fast-import'",
        )


def _reftable(where: Path) -> CannotRun:
    return CannotRun(
        f"{where}: a repository with reftable refs, which libgit2 does not open",
        "convert it with a git of 2.46 or later: git refs migrate --ref-format=files",
    )


def _opened(git_dir: Path, common_dir: Path) -> pygit2.Repository:
    import pygit2
    from pygit2.enums import Option, RepositoryOpenFlag

    # libgit2 fsyncs nothing by default. This is its one switch, for the whole process: every object it writes
    # from here on is synced before a ref that git writes can name it.
    pygit2.option(Option.ENABLE_FSYNC_GITDIR, True)
    # git has just answered whose repository it is, by its whole configuration; libgit2 would read a part of it.
    pygit2.option(Option.SET_OWNER_VALIDATION, False)
    flags = RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.NO_DOTGIT
    if quarantine(git_dir):  # only so does libgit2 see what is pushed; and what it wrote would not go to the main store
        flags |= RepositoryOpenFlag.FROM_ENV
    try:
        return pygit2.Repository(os.fspath(git_dir), flags)
    except (pygit2.GitError, KeyError, OSError) as error:
        _refuse_formats(common_dir)
        raise CannotRun(f"{git_dir} cannot be opened: {error}", _FSCK) from error


def _worktree(folder: Path, cdup: str, handle: pygit2.Repository) -> Path | None:
    named = os.environ.get("GIT_WORK_TREE")
    if named:
        return (folder / named).resolve()
    here = folder.resolve()
    if Path(handle.path).resolve() not in (here, *here.parents):
        return (folder / cdup).resolve()
    return Path(handle.workdir).resolve() if handle.workdir else None
