"""The shapes that `git assay extract list` and `extract eval --dry-run` print with `--json`.

`git assay extract eval --json` prints a measurement (`assay/measurement/1`) of the kind `extraction`.
"""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class ExtractionBars(TypedDict):
    """The metrics that have a bar, pooled over all cases; null where one could not be measured."""

    atom_f1: float | None
    edge_f1: float | None
    validity: float | None
    graph_errors: float | None
    faithfulness: float | None


class ExtractionRun(TypedDict):
    """An extraction that was scored: of what, by which gold, and what its bars came to."""

    run_id: str
    workspace: str
    commit: str
    started_at: str
    completed_at: str
    gold: str
    gold_version: str
    subject: dict[str, Any]
    cases: int
    state: Literal["passed", "failed", "not_measured"]
    metrics: ExtractionBars


class ExtractList(TypedDict):
    """The extractions that were scored and kept (`extract list`), newest first."""

    schema: Literal["assay/extract-list/1"]
    runs: list[ExtractionRun]


class ExtractCost(TypedDict):
    """A model that would be asked: about how many requests and tokens, and what they would cost."""

    role: Literal["extract", "judge"]
    preset: str
    requests: int
    input_tokens: int
    output_tokens: int
    usd: float


class ExtractPlan(TypedDict):
    """What would be scored (`extract eval --dry-run`): `extracted` files that are there, or what a preset writes."""

    schema: Literal["assay/extract-plan/1"]
    gold: str
    cases: int
    preset: str | None
    extracted: int | None
    costs: list[ExtractCost]
