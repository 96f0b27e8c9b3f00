"""Makes a folder of a repository a workspace: its policy, its index and log pages, and how its notes travel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gitops.config import FILE_NAME, Config, parse
from gitops.errors import CannotRun, UsageError
from gitops.git import commits, refs, trees
from gitops.git.objects import EMPTY_TREE
from gitops.git.process import git
from gitops.git.repository import Repository
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import logline, names
from gitops.runs.context import Context
from gitops.verify.registry import refuse_unknown
from gitops.wiki.layout import Layout, joined
from gitops.wiki.snapshot import REGULAR

POLICY = """\
# Policy of this workspace. A change is judged by the policy of the commit it starts from,
# so it cannot loosen its own gate. docs/configuration.md explains every key.

[workspace]
name = "{name}"

[verify]
judge = "offline"       # deterministic checks, no network

[publish]
style = "merge"         # or "squash", for servers that want a linear history
"""
INDEX = "# Index\n\nPages of this wiki, each on a line of its own.\n"


@dataclass(frozen=True, slots=True)
class Begun:
    """What `init` did: the commit ('' if all was there), the files it made, the settings it added."""

    commit: str
    made: tuple[str, ...]
    settings: tuple[str, ...]


def begin(context: Context, target: str, root: str, name: str) -> Begun:
    """Write and commit what a workspace needs and does not have yet. Whatever is there stays as it is."""
    worktree = context.repository.worktree
    if worktree is None:
        raise CannotRun("a bare repository has no files to begin a wiki in", "run it in a clone with a work tree")
    tip = refs.read(context.repository, target)
    committed = TreeSnapshot.at(context.repository, tip) if tip is not None else None
    policy = POLICY.format(name=name).encode()
    layout = Layout(root, _policy(worktree, committed, joined(root, FILE_NAME), policy).workspace)
    wanted = {
        layout.config: policy,
        layout.index: INDEX.encode(),
        layout.log: (logline.HEADER + "\n").encode(),
    }
    missing = {path: data for path, data in wanted.items() if committed is None or committed.mode(path) is None}
    content = {path: (_on_disk(worktree / path, data), REGULAR) for path, data in missing.items()}
    commit = _commit(context, target, tip, content) if content else ""
    return Begun(commit, tuple(content), tuple(configure_notes(context.repository)))


def _policy(worktree: Path, committed: TreeSnapshot | None, path: str, default: bytes) -> Config:
    """The policy that the workspace has, on disk or committed, or will have: it says where index and log lie.

    UsageError for one that nobody can read: committed, it would stop every command until it is mended.
    """
    file = worktree / path
    if file.exists():
        data = file.read_bytes()
    else:
        data = committed.read(path) if committed is not None and committed.blob(path) is not None else default
    config = parse(data, FILE_NAME)
    refuse_unknown(config, FILE_NAME)
    return config


def _on_disk(file: Path, data: bytes) -> bytes:
    """What the file holds, or what it holds now that it has been made."""
    if file.exists():
        return file.read_bytes()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}", "make room for it, then run git assay init again") from error
    return data


def _commit(context: Context, target: str, tip: str | None, content: dict[str, tuple[bytes, int]]) -> str:
    """Commit exactly these files; what else the user has staged stays staged."""
    repository = context.repository
    before = TreeSnapshot.at(repository, tip).tree_id if tip is not None else EMPTY_TREE
    tree = trees.edit(repository, before, content)
    message = f"Begin a workspace of git-assay\n\n{', '.join(content)}"
    parents = [tip] if tip is not None else []
    commit = commits.write(repository, tree, parents, message, context.identity, context.epoch)
    if not refs.move(repository, target, commit, tip, "assay: init"):
        raise CannotRun(f"{target} moved meanwhile", "git assay init again")
    if repository.head_branch() == target and repository.worktree is not None:
        git(repository, "update-index", "--add", "-z", "--stdin", input=b"".join(p.encode() + b"\0" for p in content))
    return commit


def configure_notes(repository: Repository) -> list[str]:
    """Have git merge our notes without loss and fetch them beside the remote's; returns what was added."""
    added = []
    for key, value in wanted_settings(repository):
        if value not in git(repository, "config", "--get-all", key, check=False).text.splitlines():
            git(repository, "config", "--add", key, value)
            added.append(f"{key} = {value}")
    return added


def wanted_settings(repository: Repository) -> list[tuple[str, str]]:
    """The settings that carry notes: a merge strategy for each ref, a refspec for each remote.

    Fetched notes go beside ours, never over them: `+refs/notes/*:refs/notes/*` would drop what is not pushed.
    """
    wanted = [(f"notes.{ref.removeprefix('refs/notes/')}.mergeStrategy", "cat_sort_uniq") for ref in names.NOTES]
    remotes = git(repository, "remote", check=False).text.split()
    wanted += [(f"remote.{name}.fetch", f"+refs/notes/assay/*:refs/notes/remotes/{name}/assay/*") for name in remotes]
    return wanted
