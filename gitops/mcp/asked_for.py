"""What the writing tools take: arguments as agents of our own are given them, and of which run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gitops.agents import tools
from gitops.agents.calling import Arguments

_MOST_TOKENS, _MOST_USD = 10**12, 10**9
"""More than that no run used; more than 2⁶³ the index could not hold."""
_RUN = Field(min_length=3, max_length=64, description="the run's id, as run_start gave it")


class Start(Arguments):
    """What `run_start` is asked."""

    type: Literal["ingest", "cascade", "synthesis", "lint", "archive"] = Field(
        default="cascade", description="what kind of run; ingest is for sources"
    )
    sources: list[str] = Field(
        default=[], max_length=100, description="the sources that it reads, such as raw/report.md"
    )
    reason: str = Field(default="", max_length=2_000, description="why; a lint or archive run must say")
    from_run: str = Field(default="", description="a rejected or abandoned run, whose pages are taken up to be mended")
    target: str = Field(default="", description="the branch to land on; empty for the present one")
    workspace: str = Field(default="", description="which workspace of the repository; empty for the one at hand")


class StageWrite(tools.StageWrite):
    """What `stage_write` is asked."""

    run: str = _RUN


class StrReplace(tools.StrReplace):
    """What `str_replace` is asked."""

    run: str = _RUN


class Finish(Arguments):
    """What `run_finish` is asked."""

    run: str = _RUN
    dry_run: bool = Field(default=False, description="judge, record nothing, move nothing")
    draft_only: bool = Field(default=False, description="leave the run pending, for a person to look at")
    input_tokens: int | None = Field(
        default=None, ge=0, le=_MOST_TOKENS, description="what you used to write it, if you know"
    )
    output_tokens: int | None = Field(default=None, ge=0, le=_MOST_TOKENS, description="the same: tokens written")
    usd: float | None = Field(default=None, ge=0, le=_MOST_USD, allow_inf_nan=False, description="the same: US dollars")


class Show(Arguments):
    """What `run_show` is asked."""

    run: str = Field(min_length=1, description="the run's id, or the beginning of it")
