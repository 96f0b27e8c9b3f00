"""What came of landing one run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gitops.verify.finding import Finding


@dataclass(frozen=True, slots=True)
class Landed:
    """What came of one run. `code` is the exit code that it deserves."""

    run_id: str
    result: Literal[
        "landed", "pull_request", "rejected", "revise", "not_landed", "no_verdict", "refused", "waiting", "ended"
    ]
    code: int
    why: str = ""
    hint: str = ""
    commit: str = ""
    address: str = ""
    """Of the pull request, for people."""
    findings: tuple[Finding, ...] = ()


def worst(done: Iterable[Landed]) -> int:
    """The exit code of them all: what could not be decided weighs more than a no."""
    return max((each.code for each in done), default=0)
