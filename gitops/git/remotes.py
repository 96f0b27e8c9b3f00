"""Other repositories: which refs they have, fetching some, pushing plainly; what is replaced there is named first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gitops.git.process import git
from gitops.git.repository import Repository

_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-filter")
"""Whole, also into a partial clone, and nothing but what is asked for."""

_PUSH = ("push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
"""Without hooks: what is pushed so is records, and a hook that pushes them must not be called by its own push."""


_HELD = re.compile(r"cannot lock ref|failed to update ref|unable to create '[^']*\.lock'|incorrect old value", re.I)


def names(repository: Repository) -> list[str]:
    """The remotes that this repository has."""
    return git(repository, "remote").text.split()


def listed(repository: Repository, remote: str, patterns: Sequence[str]) -> dict[str, str]:
    """The refs of a remote that fit one of the patterns (`refs/notes/*`), as they stand there now."""
    lines = git(repository, "ls-remote", "--quiet", "--refs", remote, *patterns).text.split("\n")
    found = (line.partition("\t") for line in lines if line)
    return {ref: target for target, _, ref in found}


def fetch(repository: Repository, remote: str, refs: Mapping[str, str], *, over: bool = False) -> None:
    """Fetch refs of a remote into refs of our own: theirs → ours. Only with `over` may ours be replaced."""
    specs = "".join(f"{'+' * over}{theirs}:{ours}\n" for theirs, ours in refs.items())
    git(repository, *_FETCH, "--refmap=", "--stdin", remote, input=specs.encode())


def push(repository: Repository, remote: str, refs: Mapping[str, str]) -> str:
    """Push objects to refs of a remote, fast-forward only: ref → object. '' when all arrived, else why not."""
    specs = [f"{target}:{ref}" for ref, target in refs.items()]
    done = git(repository, *_PUSH, remote, *specs, check=False)
    return "" if done.code == 0 else refusal(done.text, done.stderr) or f"git push ended with {done.code}"


def replace(repository: Repository, remote: str, ref: str, new: str | None, old: str) -> str:
    """Have a ref of a remote name another object, or (None) nothing, if it still names `old` there. '' when done.

    Only for refs that nobody but the tool writes, or whose commits are held elsewhere: fast-forward or not.
    """
    lease = f"--force-with-lease={ref}:{old}"
    done = git(repository, *_PUSH, lease, remote, f"{new or ''}:{ref}", check=False)
    if done.code == 0 or listed(repository, remote, (ref,)).get(ref) == new:  # somebody else has done just that
        return ""
    return refusal(done.text, done.stderr) or f"git push ended with {done.code}"


def is_held(refused: str) -> bool:
    """Whether a push was refused because another was at the same ref at that very moment, which may not have moved yet.

    git's own words, which a server passes on as they are.
    """
    return _HELD.search(refused) is not None


def refusal(report: str, stderr: str) -> str:
    """Why a push failed: the server's own words, else what git reported of the refs, else the last thing it said."""
    said = [line.strip() for line in stderr.splitlines() if line.strip()]
    remote = [line.removeprefix("remote:").strip() for line in said if line.startswith("remote:")]
    rejected = [line.split("\t")[-1] for line in report.splitlines() if line.startswith("!")]
    errors = [line for line in said if line.startswith(("fatal:", "error:"))]
    return " ".join([*filter(None, remote), *rejected] or errors[:1] or said[-1:])
