"""Which branch a run lands on when nobody says."""

from __future__ import annotations

from gitops.errors import CannotRun, UsageError
from gitops.git import refs
from gitops.git.repository import Repository
from gitops.runs import names

# Not every command that needs a target takes it as an option: `run finish` needs one only to adopt a branch.
_NAMED = "git config assay.target BRANCH (run start and raw also take --target BRANCH)"


def default_target(repository: Repository) -> str:
    """The full name of the branch: git's `assay.target`, else the branch that HEAD is on.

    UsageError where HEAD is detached or on a run's own branch and nothing else decides.
    """
    configured = repository.git_config("assay.target")
    if configured:
        return full_name(configured)
    head = repository.head_branch()
    if head is None:
        raise UsageError("HEAD is detached, so no branch to land on", f"git switch main, or {_NAMED}")
    if head.startswith(names.BRANCHES):
        raise UsageError(
            f"HEAD is on {head.removeprefix('refs/heads/')}, which is a run and no target",
            _NAMED,
        )
    return head


def full_name(branch: str) -> str:
    """`main` → `refs/heads/main`."""
    return branch if branch.startswith("refs/") else f"refs/heads/{branch}"


def tip(repository: Repository, target: str) -> str:
    """The commit that a branch, by its full name, is at. CannotRun where it has none yet."""
    commit = refs.read(repository, target)
    if commit is None:
        short = target.removeprefix("refs/heads/")
        raise CannotRun(f"the branch {short} has no commit yet", "git assay init, or make a first commit")
    return commit


def existing(repository: Repository, branch: str) -> str:
    """The full name of a branch that is there. UsageError with the branches there are."""
    ref = full_name(branch)
    if refs.read(repository, ref) is None and repository.head_branch() != ref:
        known = [name.removeprefix("refs/heads/") for name in refs.listed(repository, "refs/heads/")]
        shown = ", ".join(name for name in known if not name.startswith("run/")) or "none"
        raise UsageError(f"there is no branch '{branch}'", f"branches: {shown}")
    return ref
