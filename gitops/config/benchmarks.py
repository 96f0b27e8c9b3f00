"""`[benchmarks]` and `[eviction]`: how agents and skills are measured, and what of a conversation may be left out."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from gitops.config.tables import Table


class Benchmarks(Table):
    """`[benchmarks]`: whether logs of real sessions may be kept as cases, what else is calibrated, what harm is.

    `organic` opts in to cases from real sessions, under `data/benchmarks/` (silas 20.7). `calibrated` are globs of
    files whose change takes an ablation, besides weights, presets and prompts that suites depend on (20.6); `margin` is
    how far below its control a treatment may come out, in pass rate or judge's score, and still do no harm.
    """

    organic: bool = False
    calibrated: tuple[str, ...] = ()
    margin: float = Field(default=0.05, ge=0, le=1)


class Eviction(Table):
    """`[eviction]`: when a conversation is shortened, who scores its items, how long the model has to keep some back.

    `token_limit` 0 is nine tenths of the preset's `context_tokens`; of the limit `keep` is left after a flush. With
    `flush_tool` the model has a tool that asks for a flush before the limit does (silas 19.1). `scorer` is
    `heuristic` or a preset that scores (silas 19.1). `weights` are those of the heuristic, as `git assay eviction
    calibrate` fits them; '{}' are the built-in ones. `guidance` is added to the
    prompt of a preset that scores. `feedback_timeout_ms` is the specification's `eviction_feedback_timeout_ms` (silas
    19.3): who has not answered by then keeps nothing back. `online` lets weights follow what is kept back, once an
    ablation shows that this does no harm.
    """

    token_limit: int = Field(default=0, ge=0)
    keep: float = Field(default=0.6, gt=0, lt=1)
    flush_tool: bool = False
    scorer: str = "heuristic"
    weights: Mapping[str, float] = Field(default_factory=dict)
    guidance: str = Field(default="", max_length=20_000)
    feedback_timeout_ms: int = Field(default=2_000, ge=1)
    online: bool = False
