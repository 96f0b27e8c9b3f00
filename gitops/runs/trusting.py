"""Whom a workspace trusts with its verdicts: by the policy of a base commit, or by this repository's own configuration.

A change never says who may sign it: the files of keys are read from the base commit, or, where git's configuration
names them (`assay.allowedSignersFile`, `assay.revokedKeysFile`), from there alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from gitops.canonical import digest, sha256
from gitops.errors import CannotRun, UsageError
from gitops.git import refs
from gitops.git.process import git
from gitops.git.signing import Trusted
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import treedigest
from gitops.runs.context import Context
from gitops.runs.roots import FILE_NAME
from gitops.runs.workspace import Workspace, at, rooted
from gitops.verify.statement import Facts
from gitops.verify.verdict import Verdict
from gitops.wiki.layout import joined

ALLOWED, REVOKED, REPOSITORY = "assay.allowedSignersFile", "assay.revokedKeysFile", "assay.repository"
SERVER = "assay.server"
_NAMES = (ALLOWED, REVOKED, REPOSITORY, SERVER)


def demands_signed(context: Context, root: str, base: str) -> bool:
    """Does an unsigned yes count for nothing here: by the policy of the base commit, or because this is a server?

    On a server (`assay.server`) whoever may push notes can write a yes, whatever the policy says of signatures.
    """
    return is_server(context) or wants_signed(context, root, base)


def wants_signed(context: Context, root: str, base: str) -> bool:
    """Does the policy of the base commit let nothing land without a signed verdict?"""
    return policy(context, root, base).config.trust.signed


def is_server(context: Context) -> bool:
    """Is this repository a gate, by its own configuration?"""
    return _setting(context, SERVER, "bool") == "true"


def policy(context: Context, root: str, base: str) -> Workspace:
    """The workspace at a folder as a base commit has it, read once in a command."""
    return context.once(("policy", root, base), lambda: _policy(context, root, base))


def facts(context: Context, root: str, verdict: Verdict) -> Facts:
    """What a statement about a verdict says of the repository, recomputed."""
    workspace, base = policy(context, root, verdict.base), tree_at(context, verdict.base)
    path, blob = workspace.layout.config, workspace.policy
    return Facts(
        repository=called(context, workspace),
        tree_sha256=treedigest.tree_sha256(context, verdict.tree, base.tree_id),
        policy_path=path,
        policy_sha256=context.once(("sha256", blob), lambda: sha256(base.read(path))),
    )


def called(context: Context, workspace: Workspace) -> str:
    """What this repository is called: as git's configuration says, which a server has, else as the policy does."""
    return _setting(context, REPOSITORY) or workspace.config.trust.repository


def trusted(context: Context, root: str, base: str, target: str = "") -> Trusted:
    """Who may sign: the signers that a commit allows. A key revoked there, or at the target's tip, counts for nothing.

    CannotRun where nobody is named.
    """
    trust, tree = policy(context, root, base).config.trust, tree_at(context, base)
    path = joined(root, trust.allowed_signers)
    allowed = _configured(context, ALLOWED) or _in_tree(context, tree, path)
    if allowed is None:
        told = f"nobody may sign verdicts: there is no {path} at {base[:10]}"
        raise CannotRun(told, f"commit {path}: a line for each key, as docs/trust.md shows")
    revoked = _revoked(context, revoked_path(context, root, base), base, target)
    return Trusted(allowed, tuple(revoked))


def signers_path(context: Context, root: str, base: str) -> str:
    """Where the allowed signers are named: git's configuration, or the file in the base's tree."""
    if _setting(context, ALLOWED, "path") is not None:
        return f"git config {ALLOWED}"
    return joined(root, policy(context, root, base).config.trust.allowed_signers)


def has_signers(context: Context, root: str, base: str) -> bool:
    """Is anybody named who may sign, whether the policy asks for signatures or not?"""
    path = joined(root, policy(context, root, base).config.trust.allowed_signers)
    return _setting(context, ALLOWED, "path") is not None or tree_at(context, base).blob(path) is not None


def revoked_path(context: Context, root: str, base: str) -> str:
    """Where the policy of a base commit has its revoked keys."""
    return joined(root, policy(context, root, base).config.trust.revoked_keys)


def revoked_now(context: Context, target: str, path: str) -> str:
    """A digest of the keys that the tip of a branch revokes in a file today; '' where it has no such file."""
    tip = refs.read(context.repository, target) if target else None
    keys = None if tip is None else _in_tree(context, tree_at(context, tip), path)
    return "" if keys is None else sha256(keys)


def fingerprint(context: Context) -> str:
    """A digest of all in this repository's own configuration that decides which signatures count."""
    files = [_configured(context, key) for key in (ALLOWED, REVOKED)]
    digests = [None if each is None else sha256(each) for each in files]
    return digest([*digests, _setting(context, REPOSITORY), is_server(context)])


def _policy(context: Context, root: str, base: str) -> Workspace:
    tree = tree_at(context, base)
    if tree.blob(joined(root, FILE_NAME)) is None:
        return rooted(context.repository, base, root)  # which says what is missing
    return at(tree, root, base)


def _revoked(context: Context, path: str, base: str, target: str) -> list[bytes]:
    if (configured := _configured(context, REVOKED)) is not None:
        return [configured]
    tip = refs.read(context.repository, target) if target else None
    found = (_in_tree(context, tree_at(context, commit), path) for commit in (base, tip) if commit is not None)
    return list(dict.fromkeys(each for each in found if each is not None))


def tree_at(context: Context, commit: str) -> TreeSnapshot:
    """The files of a commit, whose folders are read once in a command."""
    return context.once(("tree", commit), lambda: context.tree(commit))


def _in_tree(context: Context, tree: TreeSnapshot, path: str) -> bytes | None:
    blob = tree.blob(path)
    return None if blob is None else context.once(("blob", blob), lambda: tree.read(path))


def _configured(context: Context, key: str) -> bytes | None:
    path = _setting(context, key, "path")
    if path is None:
        return None
    return context.once(("file", key), lambda: _file(context, key, path))


def _file(context: Context, key: str, path: str) -> bytes:
    try:
        return Path(context.repository.git_dir, path).read_bytes()
    except OSError as error:
        raise CannotRun(f"{key}: {path} cannot be read: {error.strerror}", f"git config {key} FILE") from error


def _setting(context: Context, key: str, kind: Literal["", "bool", "path"] = "") -> str | None:
    """A value of git's configuration. Which of them are set at all is asked once: each question is a process."""
    if key.lower() not in context.once("settings", lambda: _set(context)):
        return None
    return context.once(("setting", key), lambda: context.repository.git_config(key, kind))


def _set(context: Context) -> frozenset[str]:
    wanted = "|".join(name.partition(".")[2].lower() for name in _NAMES)
    done = git(context.repository, "config", "--name-only", "--get-regexp", rf"^assay\.({wanted})$", check=False)
    if done.code not in (0, 1):
        raise UsageError(f"git config: {done.stderr.strip()}", "git config --edit, and mend it")
    return frozenset(done.text.split())
