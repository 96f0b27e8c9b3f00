"""The models of silas 20.2, by the specification's names; what is added has a default."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Difficulty = Literal["easy", "medium", "hard", "adversarial"]
Source = Literal["synthetic", "organic", "regression"]
Status = Literal["pass", "fail", "error", "timeout", "skipped"]
MODES = ("exact", "contains", "llm_judge", "metric_threshold", "human")
"""How an output is held to what is expected; several with `+` between them all have to hold."""
NAME = r"^[a-z0-9][a-z0-9._-]{0,62}$"
_SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")


class Part(BaseModel):
    """A part of a suite or of a run: frozen, and closed to what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BenchmarkInput(Part):
    """What a case puts to its target."""

    goal: str
    context: list[dict[str, Any]] | None = None
    config_overrides: dict[str, Any] | None = None
    skill_args: dict[str, Any] | None = None


class BenchmarkExpected(Part):
    """What is expected. `mode` is one of `MODES`, or several with `+` between, which all have to hold.

    `value` is what `exact` and `contains` look for, or the judge's criteria; where several modes need one, it is a
    table of them by mode. `metric_thresholds` are upper bounds by name (`latency_ms`, `token_cost`), lower bounds for
    names that end in `_min`.
    """

    mode: str = Field(json_schema_extra={"pattern": f"^({'|'.join(MODES)})([+]({'|'.join(MODES)}))*$"})
    value: str | dict[str, Any] | None = None
    metric_thresholds: dict[str, float] | None = None

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that all have to hold."""
        return tuple(self.mode.split("+"))

    @field_validator("mode")
    @classmethod
    def _known(cls, value: str) -> str:
        named = value.split("+")
        for each in named:
            if each not in MODES:
                raise ValueError(f"there is no mode '{each}'; known: {', '.join(MODES)}")
        if len(set(named)) < len(named):
            raise ValueError("names a mode twice")
        return value


class BenchmarkCase(Part):
    """One input and what is expected of it."""

    case_id: str = Field(pattern=NAME)
    description: str
    input: BenchmarkInput
    expected: BenchmarkExpected
    tags: list[str] = Field(default_factory=list)
    difficulty: Difficulty
    source: Source


class CommandTarget(Part):
    """A program: a case as JSON on its standard input, its result as JSON or text on its standard output.

    `{root}` and `{suite}` in its words are the folders of the measured tree and of the suite.
    """

    kind: Literal["command"] = "command"
    words: tuple[str, ...] = Field(min_length=1)


class PythonTarget(Part):
    """A callable, `package.module:function`, called with the case as a dictionary, in a process of its own."""

    kind: Literal["python"] = "python"
    callable: str = Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")


class PromptTarget(Part):
    """A model under a system prompt (a file beside the suite, or the text itself), with tools where any are named."""

    kind: Literal["prompt"] = "prompt"
    preset: str = ""
    system: str = ""
    system_file: str = ""
    tools: tuple[str, ...] = ()
    max_turns: int = Field(default=20, ge=1, le=200)


class HttpTarget(Part):
    """An endpoint: a case as the JSON of a POST, its result as the body of the answer."""

    kind: Literal["http"] = "http"
    url: str = Field(pattern=r"^https?://")
    headers_from: Mapping[str, str] = Field(default_factory=dict)
    """Header → the environment variable that holds its value."""


TargetSpec = Annotated[CommandTarget | PythonTarget | PromptTarget | HttpTarget, Field(discriminator="kind")]


class Limits(Part):
    """What bounds each case. `env` are the only variables of the environment that reach the target, besides PATH."""

    timeout_ms: int = Field(default=60_000, ge=1)
    retries: int = Field(default=0, ge=0, le=10)
    memory_mb: int = Field(default=1_024, ge=16)
    disk_mb: int = Field(default=256, ge=1)
    output_mb: int = Field(default=16, ge=1, le=256)
    processes: int = Field(default=64, ge=1)
    network: bool = False
    env: tuple[str, ...] = ()


class DependsOn(Part):
    """What a suite depends on: it is run where one of these changed. Nothing named: it is always run.

    `paths` and `prompts` are globs from the workspace's folder, `presets` are names below `[llm.presets]`. What is a
    prompt or a preset is calibrated: changing it takes an ablation, too (silas 20.6).
    """

    paths: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.paths or self.presets or self.prompts)


class BenchmarkSuite(Part):
    """A collection of cases for one agent or skill (`target` is its name, `runs` how it is asked)."""

    suite_id: str = Field(pattern=NAME)
    name: str
    target: str
    version: str
    cases: list[BenchmarkCase] = Field(default_factory=list)
    metadata: dict[str, str] = Field(default_factory=dict)
    runs: TargetSpec | None = None
    limits: Limits = Limits()
    depends_on: DependsOn = DependsOn()
    files: str = ""
    """A folder beside the suite that each case finds copied into its own."""
    repeats: int = Field(default=1, ge=1, le=100)
    latency_floor_ms: float = Field(default=250.0, ge=0)
    """A rise of latency by less than this is none, however large a part it is."""

    @field_validator("version")
    @classmethod
    def _semver(cls, value: str) -> str:
        if _SEMVER.fullmatch(value) is None:
            raise ValueError("is no version of Semantic Versioning, such as 1.0.0")
        return value

    @model_validator(mode="after")
    def _told_apart(self) -> BenchmarkSuite:
        seen: set[str] = set()
        for case in self.cases:
            if case.case_id in seen:
                raise ValueError(f"two cases are called {case.case_id}")
            seen.add(case.case_id)
        return self


class BenchmarkResult(Part):
    """What one case came to. `metrics` are what the target told besides, `reason` why it passed or failed in words."""

    case_id: str
    status: Status
    actual_output: str | None = None
    latency_ms: float = 0.0
    token_cost: int = 0
    llm_judge_score: float | None = None
    human_label: str | None = None
    error: str | None = None
    retries: int = 0
    category: str = ""
    """What kind of failure it is: `timeout`, `exit`, `signal`, `memory`, `disk`, `output`, `invalid_json`,
    `wrong_output`, `judge`, `threshold`, …; '' of a pass."""
    reason: str = ""
    usd: float = 0.0
    metrics: Mapping[str, float] = Field(default_factory=dict)


class BenchmarkSummary(Part):
    """A run's results together. `pass_rate` is over the cases that were tried: skipped ones say neither yes nor no."""

    pass_rate: float | None
    mean_latency_ms: float | None
    p95_latency_ms: float | None
    total_token_cost: int
    mean_quality_score: float | None
    failure_categories: dict[str, int] = Field(default_factory=dict)


class BenchmarkRun(Part):
    """One execution of a suite against a configuration; `config_snapshot` is all that it takes to do it again."""

    run_id: str
    suite_id: str
    started_at: datetime
    completed_at: datetime | None
    config_snapshot: dict[str, Any]
    results: list[BenchmarkResult]
    summary: BenchmarkSummary | None
    suite_version: str = ""
    commit: str = ""
    workspace: str = ""
    variant: str = ""
    repeat: int = 0
