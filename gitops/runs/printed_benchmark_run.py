"""The shape that `git assay benchmark run --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.measurements import Measurement


class BenchmarkRan(TypedDict):
    """Suites that were run: a measurement for each suite and repeat.

    `state` is `passed`, `failed` where a case that was tried did not pass, or `not_run` where none could be tried.
    `kept` says whether the measurements are in the notes, `why_not` why they are not.
    """

    schema: Literal["assay/benchmark-ran/1"]
    state: Literal["passed", "failed", "not_run"]
    kept: bool
    why_not: str
    measurements: list[Measurement]
