"""What the files of a commit, or of the index, look like: listed, looked up and read straight from git's objects."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gitops.errors import Absent, UsageError
from gitops.git import objects
from gitops.git.failure import telling
from gitops.git.objects import FOLDER, SUBMODULE
from gitops.git.process import DURABLE, OFFLINE, git
from gitops.git.repository import Repository

if TYPE_CHECKING:
    import pygit2

_HEX = re.compile(r"[0-9a-f]{40}")
_Folder = dict[bytes, tuple[bytes, bytes]]
"""A folder's entries as git has them, octal mode and raw id by name: of a thousand, a handful is ever asked for."""

_NAME_ONE = "name a branch, a tag or a commit id; 'git log --oneline --all' shows them"


class TreeSnapshot:
    """The files below one tree. Folders are read once each, when a path first leads through them."""

    def __init__(self, repository: Repository, tree_id: str) -> None:
        self.repository = repository
        self.tree_id = tree_id
        self._folders: dict[str, _Folder] = {}
        self._by_path: dict[str, _Folder] = {}

    def paths(self, prefix: str = "") -> Iterator[str]:
        """Every blob, symlink and submodule below the folder `prefix`, in git's order, which is that of the bytes."""
        found = self._find(prefix.strip("/")) if prefix.strip("/") else (FOLDER, self.tree_id)
        if found is not None and found[0] == FOLDER:
            start = prefix.strip("/")
            yield from self._below(found[1], start + "/" if start else "")

    def blob(self, path: str) -> str | None:
        """The id of the blob (a symlink's too) at `path`; None for a folder, a submodule or nothing."""
        found = self._find(path)
        return None if found is None or found[0] in (FOLDER, SUBMODULE) else found[1]

    def mode(self, path: str) -> int | None:
        """The git mode of what stands at `path`, folders and submodules included, or None."""
        found = self._find(path)
        return None if found is None else found[0]

    def read(self, path: str) -> bytes:
        """The bytes at `path`. KeyError where no file stands, `Absent` where this clone lacks its object."""
        return objects.read(self.repository, self._file(path))

    def size(self, path: str) -> int:
        """The size in bytes at `path`, read off the object's header."""
        return objects.size(self.repository, self._file(path))

    def folder_id(self, path: str) -> str | None:
        """The id of the tree at a folder ('' is the whole); None where no folder stands."""
        found = self._find(path) if path else (FOLDER, self.tree_id)
        return found[1] if found is not None and found[0] == FOLDER else None

    def folders(self, path: str) -> list[str]:
        """The paths of the folders directly below a folder."""
        tree = self.folder_id(path)
        start = path + "/" if path else ""
        items = self._folder(tree).items() if tree else ()
        return [start + objects.decode(name) for name, (mode, _) in items if int(mode, 8) == FOLDER]

    @classmethod
    def at(cls, repository: Repository, rev: str) -> TreeSnapshot:
        """The files at a revision."""
        return cls(repository, tree_of(repository, rev))

    def _file(self, path: str) -> str:
        found = self._find(path)
        if found is None or found[0] == FOLDER:
            raise KeyError(path)
        if found[0] == SUBMODULE:
            raise Absent(f"{path} is a submodule: its files are in another repository")
        return found[1]

    def _find(self, path: str) -> tuple[int, str] | None:
        folder, slash, name = path.rpartition("/")
        entries = self._at(folder) if folder or not slash else {}
        found = entries.get(objects.encode(name))
        return (int(found[0], 8), found[1].hex()) if found else None

    def _at(self, folder: str) -> _Folder:
        """The entries of the folder of a path, none where there is no such folder; many files are asked of one."""
        if (known := self._by_path.get(folder)) is None:
            found = self._find(folder) if folder else (FOLDER, self.tree_id)
            known = self._folder(found[1]) if found is not None and found[0] == FOLDER else {}
            self._by_path[folder] = known
        return known

    def _folder(self, tree_id: str) -> _Folder:
        if (known := self._folders.get(tree_id)) is None:
            items = objects.raw_items(objects.read(self.repository, tree_id))
            known = self._folders[tree_id] = {name: (mode, raw) for mode, name, raw in items}
        return known

    def _below(self, tree_id: str, start: str) -> Iterator[str]:
        for raw_name, (mode, child) in self._folder(tree_id).items():
            name = objects.decode(raw_name)
            if int(mode, 8) == FOLDER:
                yield from self._below(child.hex(), f"{start}{name}/")
            else:
                yield start + name


class IndexSnapshot(TreeSnapshot):
    """What is staged: the tree the next commit would have. The user's index is read, never written."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository, _staged_tree(repository))


class WorktreeSnapshot(TreeSnapshot):
    """The working tree below some folders as it stands, and what is staged elsewhere: what `git add` would stage.

    Ignored files are left out, as git leaves them out. Changed files are stored as objects that nothing points to;
    index, refs and files stay as they are.
    """

    def __init__(self, repository: Repository, folders: Iterable[str] = ("",)) -> None:
        super().__init__(repository, _worktree_tree(repository, [folder or "." for folder in folders]))


def _worktree_tree(repository: Repository, folders: list[str]) -> str:
    if repository.worktree is None:
        raise UsageError("a bare repository has no working tree", "name a revision with --rev")
    with _copied_index(repository) as env:
        # No hook of the user's has to know of an index that is thrown away.
        silent = ("-c", "core.hooksPath=/dev/null", "-c", "advice.addEmbeddedRepo=false")
        git(repository, *silent, "add", "-A", "--", *folders, env=env)
        return git(repository, *silent, "write-tree", "--missing-ok", env=env).text


@contextmanager
def _copied_index(repository: Repository) -> Iterator[dict[str, str]]:
    """The environment in which git works on a copy of the index, and finds no object elsewhere."""
    with tempfile.TemporaryDirectory(prefix="git-assay-") as folder:
        copy = Path(folder) / "index"
        with telling("reading the index"):
            if repository.index_file.exists():
                shutil.copyfile(repository.index_file, copy)
        yield {"GIT_INDEX_FILE": str(copy), **OFFLINE}


def _staged_tree(repository: Repository) -> str:
    # write-tree stores its cache in the index it reads, so it is given a copy.
    with _copied_index(repository) as env:
        unmerged = git(repository, "ls-files", "--unmerged", "-z", env=env).stdout.split(b"\0")
        if names := sorted({objects.decode(line.split(b"\t", 1)[1]) for line in unmerged if line}):
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            raise UsageError(
                f"the index has an unresolved conflict in {names[0]}{more}",
                f"resolve it, then: git add -- {names[0]}",
            )
        return git(repository, *DURABLE, "write-tree", "--missing-ok", env=env).text


def resolve(repository: Repository, rev: str) -> str:
    """The id of the commit that `rev` names, tags peeled. UsageError when it names none, or more than one."""
    return _peeled(repository, rev, "commit")


def tree_of(repository: Repository, rev: str) -> str:
    """The id of the tree of the commit, tag or tree that `rev` names. UsageError as for `resolve`."""
    return _peeled(repository, rev, "tree")


def _peeled(repository: Repository, rev: str, kind: str) -> str:
    if not rev or rev.startswith(("-", "^")) or ".." in rev or re.search(r"[\0-\x1f\x7f]", rev):
        raise UsageError(f"{rev!r} does not name one revision", _NAME_ONE)
    if _HEX.fullmatch(rev) and (known := _known(repository, rev, kind)) is not None:
        return known
    asked = ["rev-parse", "--verify", "--end-of-options", f"{rev}^{{{kind}}}"]
    # git takes the tag when a tag and a branch share a name, and only warns; a judge must not guess.
    done = git(repository, "-c", "core.warnAmbiguousRefs=true", *asked, env=OFFLINE, check=False)
    if "is ambiguous" in done.stderr and not _HEX.fullmatch(rev):
        hint = f"say 'refs/heads/{rev}' or 'refs/tags/{rev}'; of a short commit id, write more digits"
        raise UsageError(f"'{rev}' is ambiguous here", hint)
    if done.code:
        raise _unknown(repository, rev, kind)
    return done.text


def _known(repository: Repository, commit_id: str, kind: str) -> str | None:
    """What git would answer for a whole commit id, without asking it; None where it is another object's, or absent."""
    import pygit2
    from pygit2.enums import ObjectType

    try:
        found = repository.handle.get(commit_id)
    except (pygit2.GitError, ValueError):
        return None
    if found is None or found.type != ObjectType.COMMIT:
        return None
    return commit_id if kind == "commit" else str(cast("pygit2.Commit", found).tree_id)


def _unknown(repository: Repository, rev: str, kind: str) -> UsageError:
    if rev in ("HEAD", "@") and repository.is_unborn:
        return UsageError(f"'{rev}' names no {kind}: {repository.head_branch()} has no commit yet", "git commit first")
    return UsageError(f"'{rev}' names no {kind} here", _NAME_ONE)
