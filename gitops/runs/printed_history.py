"""What `git assay eval history` and `eval bisect` print with `--json`: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

SampleStatus = Literal["pass", "fail", "error", "timeout", "skipped", "abstained"]


class MeasuredCommit(TypedDict):
    """A commit, and what a metric was at it; `value` is null, with its `reason`, where nothing could be measured.

    `run` is the run that the commit's trailers name. `pages` are those of the wiki that it changed, `others` sources,
    gold and policy. `kept`: the measurement stood in the notes before.
    """

    commit: str
    time: int
    author: str
    subject: str
    run: str | None
    pages: list[str]
    others: list[str]
    value: float | None
    interval: tuple[float, float] | None
    n: int
    status: str
    reason: str
    kept: bool


class EvalHistory(TypedDict):
    """A metric over the commits that changed the wiki, newest first (`eval history`)."""

    schema: Literal["assay/eval-history/1"]
    workspace: str
    metric: str
    is_cut: bool
    steps: list[MeasuredCommit]


class FirstBad(MeasuredCommit):
    """The commit that made a metric worse: the run that landed it and its verdict, as the notes have it."""

    verdict: Literal["commit", "reject", "revise", "commit_override"] | None
    told: str


class TurnedSample(TypedDict):
    """A sample that fails since then; `was` is null for one that was not there before."""

    id: str
    told: str
    was: SampleStatus | None
    now: SampleStatus


class TriedCommit(TypedDict):
    """A commit that was measured on the way."""

    commit: str
    value: float | None


class EvalBisect(TypedDict):
    """The commit since which a metric is worse (`eval bisect`); `line` says what was taken for worse."""

    schema: Literal["assay/eval-bisect/1"]
    metric: str
    line: str
    first_bad: FirstBad
    last_good: MeasuredCommit
    skipped: list[str]
    turned: list[TurnedSample]
    tried: list[TriedCommit]
