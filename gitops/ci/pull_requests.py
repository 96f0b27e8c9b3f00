"""Pull requests as GitHub has them: which one a check was of, and one opened for what may not be pushed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from gitops.ci.github import GitHub
from gitops.ci.github_answers import Invalid, Missing, Unsure
from gitops.errors import UsageError

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


class _Repository(BaseModel):
    full_name: str


class _Side(BaseModel):
    ref: str
    sha: Sha
    repo: _Repository | None = None
    """None where the fork was deleted."""


class PullRequest(BaseModel):
    """A pull request. What people wrote in it is not read."""

    number: Annotated[int, Field(ge=1)]
    state: Literal["open", "closed"]
    head: _Side
    base: _Side
    html_url: str


class _Commit(BaseModel):
    sha: Sha


class _Compared(BaseModel):
    merge_base_commit: _Commit


def numbered(github: GitHub, number: int) -> PullRequest:
    """The pull request with a number. UsageError where there is none."""
    try:
        return github.read(PullRequest, github.get(f"/pulls/{number}"))
    except Missing as error:
        raise UsageError(f"{github.repository} has no pull request {number}", "--pr N of one that is open") from error


def of_head(github: GitHub, repository: str, branch: str, sha: str) -> list[PullRequest]:
    """The open pull requests whose head is this very commit of this branch of this repository, here or a fork.

    By the branch, since a fork's commits are none of this repository's as far as GitHub's look-up by commit goes; by
    the commit where a branch was renamed or is gone.
    """
    owner = repository.partition("/")[0]
    asked = github.pages("/pulls", state="open", head=f"{owner}:{branch}")
    found = [github.read(PullRequest, each) for each in asked]
    fitting = [each for each in found if _is_of(github, each, repository, sha)]
    return fitting or of_commit(github, repository, sha)


def of_commit(github: GitHub, repository: str, sha: str) -> list[PullRequest]:
    """The open pull requests whose head is a commit that stands in this repository."""
    found = [github.read(PullRequest, each) for each in github.pages(f"/commits/{sha}/pulls")]
    return [each for each in found if _is_of(github, each, repository, sha)]


def _is_of(github: GitHub, pull: PullRequest, repository: str, sha: str) -> bool:
    from_there = pull.head.repo is not None and pull.head.repo.full_name.lower() == repository.lower()
    return _is_here(github, pull.base) and from_there and pull.state == "open" and pull.head.sha == sha


def forked_at(github: GitHub, pull: PullRequest) -> str:
    """The commit at which a pull request's branch left its base."""
    found = github.get(f"/compare/{pull.base.sha}...{pull.head.sha}", per_page=1)
    return github.read(_Compared, found).merge_base_commit.sha


def opened(github: GitHub, head: str, base: str, title: str, body: str) -> tuple[PullRequest, bool]:
    """A pull request from one branch here to another, and whether it is new: one that is open already says this now."""
    known = _open_for(github, head, base)
    if known is not None:
        changed = github.patch(f"/pulls/{known.number}", {"title": title, "body": body})
        return github.read(PullRequest, changed), False
    try:
        made = github.post("/pulls", {"head": head, "base": base, "title": title, "body": body})
    except (Invalid, Unsure):
        known = _open_for(github, head, base)  # made by somebody else just now, or by a request whose answer got lost
        if known is None:
            raise
        return known, True
    return github.read(PullRequest, made), True


def was_opened(github: GitHub, head: str, base: str) -> bool:
    """Whether there is or was a pull request from one branch here to another: one that was closed is an answer too."""
    return next(_between(github, head, base, "all"), None) is not None


def _open_for(github: GitHub, head: str, base: str) -> PullRequest | None:
    return next(_between(github, head, base, "open"), None)


def _between(github: GitHub, head: str, base: str, state: Literal["open", "all"]) -> Iterator[PullRequest]:
    owner = github.repository.partition("/")[0]
    for found in github.pages("/pulls", state=state, head=f"{owner}:{head}", base=base):
        each = github.read(PullRequest, found)
        is_ours = _is_here(github, each.head) and _is_here(github, each.base)
        if is_ours and (each.head.ref, each.base.ref) == (head, base):
            yield each


def _is_here(github: GitHub, side: _Side) -> bool:
    """Whether a branch is one of this very repository: an owner may have forks of it, which are asked for alike."""
    return side.repo is not None and side.repo.full_name.lower() == github.repository.lower()
