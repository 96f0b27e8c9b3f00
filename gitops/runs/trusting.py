"""Whom a workspace trusts with its verdicts: by the policy of a base commit, or by this repository's own configuration.

A change never says who may sign it: the files of keys are read from the base commit, or, where git's configuration
names them (`assay.allowedSignersFile`, `assay.revokedKeysFile`), from there alone.
"""

from __future__ import annotations

from pathlib import Path

from gitops.canonical import sha256
from gitops.errors import CannotRun
from gitops.git import refs
from gitops.git.signing import Trusted
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import treedigest
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, rooted
from gitops.verify.statement import Facts
from gitops.verify.verdict import Verdict
from gitops.wiki.layout import joined

ALLOWED, REVOKED, REPOSITORY = "assay.allowedSignersFile", "assay.revokedKeysFile", "assay.repository"


def wants_signed(context: Context, root: str, base: str) -> bool:
    """Does the policy of the base commit let nothing land without a signed verdict?"""
    return rooted(context.repository, base, root).config.trust.signed


def facts(context: Context, root: str, verdict: Verdict) -> Facts:
    """What a statement about a verdict says of the repository, recomputed."""
    workspace = rooted(context.repository, verdict.base, root)
    base = context.tree(verdict.base)
    return Facts(
        repository=called(context, workspace),
        tree_sha256=treedigest.tree_sha256(context, verdict.tree, base.tree_id),
        policy_path=workspace.layout.config,
        policy_sha256=sha256(base.read(workspace.layout.config)),
    )


def called(context: Context, workspace: Workspace) -> str:
    """What this repository is called: as git's configuration says, which a server has, else as the policy does."""
    return context.repository.git_config(REPOSITORY) or workspace.config.trust.repository


def trusted(context: Context, root: str, verdict: Verdict) -> Trusted:
    """Who may sign a verdict: the signers that its base allows. A key revoked there or since then counts for nothing.

    CannotRun where nobody is named.
    """
    workspace = rooted(context.repository, verdict.base, root)
    base = context.tree(verdict.base)
    trust = workspace.config.trust
    allowed = _configured(context, ALLOWED) or _in_tree(base, joined(root, trust.allowed_signers))
    if allowed is None:
        path = joined(root, trust.allowed_signers)
        told = f"nobody may sign verdicts: there is no {path} at {verdict.base[:10]}"
        raise CannotRun(told, f"commit {path}: a line for each key, as docs/trust.md shows")
    return Trusted(allowed, tuple(_revoked(context, base, joined(root, trust.revoked_keys), verdict)))


def signers_path(context: Context, root: str, base: str) -> str:
    """Where the allowed signers are named: git's configuration, or the file in the base's tree."""
    if context.repository.git_config(ALLOWED, "path") is not None:
        return f"git config {ALLOWED}"
    return joined(root, rooted(context.repository, base, root).config.trust.allowed_signers)


def _revoked(context: Context, base: TreeSnapshot, path: str, verdict: Verdict) -> list[bytes]:
    if (configured := _configured(context, REVOKED)) is not None:
        return [configured]
    tip = refs.read(context.repository, verdict.target) if verdict.target else None
    trees = [base] if tip in (None, verdict.base) else [base, context.tree(str(tip))]
    found = (_in_tree(tree, path) for tree in trees)
    return list(dict.fromkeys(each for each in found if each is not None))


def _in_tree(tree: TreeSnapshot, path: str) -> bytes | None:
    return tree.read(path) if tree.blob(path) is not None else None


def _configured(context: Context, key: str) -> bytes | None:
    path = context.repository.git_config(key, "path")
    if path is None:
        return None
    try:
        return Path(context.repository.git_dir, path).read_bytes()
    except OSError as error:
        raise CannotRun(f"{key}: {path} cannot be read: {error.strerror}", f"git config {key} FILE") from error
