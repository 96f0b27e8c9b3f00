"""The shapes that `git assay eval` prints with `--json`: what `git assay schema` tells of them."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.measurements import Measurement


class MetricDue(TypedDict):
    """When a metric was last measured and is due again; `why` is null where it was not due."""

    last: str | None
    next: str | None
    why: str | None


class EvalRun(TypedDict):
    """What was measured just now (`eval run`); `due` with `--due` alone, by metric."""

    schema: Literal["assay/eval-run/1"]
    workspace: str
    commit: str
    measurements: list[Measurement]
    due: NotRequired[dict[str, MetricDue]]
