"""What a CI system says of the change that it runs for: the event that GitHub describes, read and taken for foreign."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitops.canonical import strict_json
from gitops.errors import UsageError

ACCEPT_LABEL = "benchmark:accept-regression"
"""The label on a pull request that lets regressions of metrics pass; who set it, an event does not tell."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_LARGEST = 32 * 2**20
"""GitHub's own payloads have 25 MB at most."""


@dataclass(frozen=True, slots=True)
class Event:
    """What is known of a change besides its commits; '' for what the event does not tell.

    `base` is the tip of the branch that the change goes to, `head` the change's own last commit, never a commit that
    the CI system made of both. `branch` and `target` are the names of the two branches, `default` that of the
    repository's own. A fork's `branch` is not told: it could bear the name of a run here, which may do what others may
    not.
    """

    name: str = ""
    base: str = ""
    head: str = ""
    branch: str = ""
    target: str = ""
    default: str = ""
    labels: tuple[str, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Does the pull request bear the label that lets regressions pass?"""
        return ACCEPT_LABEL in self.labels


def read(environment: Mapping[str, str]) -> Event:
    """The event that the environment tells of; one that says nothing, outside of CI. UsageError for a broken file."""
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        return Event()
    try:
        data = Path(path).read_bytes()
        if len(data) > _LARGEST:
            raise ValueError(f"it has {len(data):,} bytes")
        told = strict_json(data.decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        hint = "outside of GitHub Actions: env -u GITHUB_EVENT_PATH git assay ci check --base REV"
        raise UsageError(f"GITHUB_EVENT_PATH, {path}, holds no event: {error}", hint) from error
    return of(environment.get("GITHUB_EVENT_NAME", ""), told)


def of(name: str, told: Mapping[str, Any]) -> Event:
    """The event of a payload. What is not as GitHub writes it counts as not told."""
    default = _text(_table(told, "repository"), "default_branch")
    if request := _table(told, "pull_request"):
        base, head = _table(request, "base"), _table(request, "head")
        labels = request.get("labels")
        every = labels if isinstance(labels, list) else []
        named = tuple(_text(each, "name") for each in every if isinstance(each, Mapping))
        branch = _text(head, "ref") if _repository(head) == _repository(base) else ""
        return Event(name, _commit(base, "sha"), _commit(head, "sha"), branch, _text(base, "ref"), default, named)
    if group := _table(told, "merge_group"):
        target = _text(group, "base_ref").removeprefix("refs/heads/")
        return Event(name, _commit(group, "base_sha"), _commit(group, "head_sha"), "", target, default)
    branch = _text(told, "ref")
    branch = branch.removeprefix("refs/heads/") if branch.startswith("refs/heads/") else ""
    return Event(name, _commit(told, "before"), _commit(told, "after"), branch, "", default)


def _repository(end: Mapping[str, Any]) -> str:
    return _text(_table(end, "repo"), "full_name")


def _table(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = table.get(name)
    return found if isinstance(found, Mapping) else {}


def _text(table: Mapping[str, Any], name: str) -> str:
    found = table.get(name)
    return found if isinstance(found, str) else ""


def _commit(table: Mapping[str, Any], name: str) -> str:
    """A commit's id; '' for none, as a push that makes a branch has it (all zeros)."""
    found = _text(table, name)
    return found if _COMMIT.fullmatch(found) and set(found) != {"0"} else ""
