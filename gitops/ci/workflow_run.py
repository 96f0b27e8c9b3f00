"""The event of a workflow that ended, as the one that runs after it gets it (`workflow_run`).

GitHub writes it; but which branch, commit and repository it speaks of, whoever pushed them chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from gitops.canonical import strict_json
from gitops.errors import UsageError

LARGEST = 32 * 1024 * 1024
"""GitHub's own payloads have 25 MB at most."""
_Text = Annotated[str, Field(max_length=1_000)]


class _Repository(BaseModel):
    full_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$")]


class WorkflowRun(BaseModel):
    """The run of a workflow that ended."""

    event: _Text
    """What set it off: `pull_request`, `merge_group`, `push`."""
    conclusion: _Text | None = None
    head_sha: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    head_branch: _Text | None = None
    head_repository: _Repository | None = None
    """None where the fork was deleted since."""
    repository: _Repository
    html_url: _Text = ""
    run_started_at: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]

    @property
    def is_own(self) -> bool:
        """Whether it ran on a branch of this repository, and not of a fork."""
        return self.head_repository is not None and self.head_repository.full_name == self.repository.full_name


class _Payload(BaseModel):
    workflow_run: WorkflowRun


def read(environ: Mapping[str, str]) -> WorkflowRun | None:
    """The run that a job is to follow; None where it follows none. UsageError for an event that cannot be read."""
    if environ.get("GITHUB_EVENT_NAME", "") != "workflow_run":
        return None
    path = environ.get("GITHUB_EVENT_PATH", "")
    hint = "GitHub sets GITHUB_EVENT_PATH; by hand, name the pull request: --pr N"
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise ValueError(f"it has more than {LARGEST:,} bytes")
        return _Payload.model_validate(strict_json(data.decode("utf-8-sig"))).workflow_run
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"GITHUB_EVENT_PATH, {path}: {where}: {first['msg']}", hint) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"GITHUB_EVENT_PATH, {path or 'which is not set'}: {why}", hint) from error
