"""The refs of a run, and the ids they carry."""

from __future__ import annotations

import re
from datetime import datetime

from gitops.errors import UsageError

RUNS = "refs/notes/assay/runs"
VERDICTS = "refs/notes/assay/verdicts"
EVALS = "refs/notes/assay/evals"
FEEDBACK = "refs/notes/assay/feedback"
TRANSCRIPTS = "refs/notes/assay/transcripts"
NOTES = (RUNS, VERDICTS, EVALS, FEEDBACK, TRANSCRIPTS)

BRANCHES = "refs/heads/run/"
CANDIDATES = "refs/assay/candidate/"
KEPT = "refs/assay/kept/"

MOVING = "MOVING"
"""The lock under which a branch moves together with the worktrees that show it."""
TURN = "TURN"
"""The lock under which runs that keep losing the swap take turns; no id can be spelt like these."""

_ID = re.compile(r"[a-z0-9][a-z0-9-]{2,62}")


def is_id(text: str) -> bool:
    """Is this a run's id (`PROTOCOL.md` 1): one path segment of lower-case letters, digits and hyphens?"""
    return _ID.fullmatch(text) is not None


def checked_id(text: str) -> str:
    """The id, from an id or its branch name. UsageError for anything else."""
    name = text.removeprefix("refs/heads/").removeprefix("run/")
    if not is_id(name):
        raise UsageError(
            f"'{text}' is no run id: 3 to 63 of a-z, 0-9 and '-', not starting with '-'",
            "git assay run list shows them",
        )
    return name


def new_id(now: datetime) -> str:
    """A fresh id that sorts by time: day, time of day (UTC), and four random bytes."""
    import secrets  # with its digests it takes long to load, and a hook makes no run

    return f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def branch(run_id: str) -> str:
    """The run's branch."""
    return BRANCHES + run_id


def candidate(run_id: str) -> str:
    """The ref of the exact commit under judgement."""
    return CANDIDATES + run_id


def kept(run_id: str) -> str:
    """The ref that keeps what was not merged."""
    return KEPT + run_id


def kept_head(run_id: str) -> str:
    """The ref that keeps the run's own commits where what was judged does not lead to them (squash style)."""
    return f"{KEPT}{run_id}.head"
