"""The capability floor (alexandria 14): what the ingest workflow reaches with a preset, on ten sealed sources.

"What is the weakest LLM that can still run the ingest workflow without silent failure?" Each source is ingested after
the other into an empty wiki, each by a run that is verified like any other; then M1 and M2 are measured on what landed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from gitops.errors import CannotRun
from gitops.evals.floor_ground import MAIN
from gitops.evals.registry import registry
from gitops.evals.running import Wanted, measured
from gitops.git import refs
from gitops.runs import store, transcripts
from gitops.runs.context import Context
from gitops.runs.floors import METRICS
from gitops.runs.measurements import Measurement
from gitops.runs.outcome import Options, Outcome
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace, rooted
from gitops.usage import NOTHING, Usage

Verdict = Literal["supported", "degraded", "unsupported", "not_measured"]
SUPPORTED: Mapping[str, float] = {"M1": 0.95, "M2": 0.90}
DEGRADED: Mapping[str, float] = {"M1": 0.85, "M2": 0.80}


class Ingesting(Protocol):
    """Brings one file in as a source and ingests it by a preset: what `git assay ingest` does. The doors have it.

    None where the source added nothing; CannotRun and OutOfBudget where it gave nothing.
    """

    def __call__(
        self, context: Context, workspace: Workspace, target: str, file: Path, preset: str, options: Options
    ) -> Outcome | None:
        """What came of the run."""
        ...


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one source. `result` is its run's, `nothing` where nothing was written, `failed` with an `error`.

    `runs` counts the attempts: what is refused for some claims is written again without them.
    """

    source: str
    result: str
    tool_calls: int = 0
    runs: int = 0
    used: Usage = NOTHING
    error: str = ""
    hint: str = ""

    @property
    def has_landed(self) -> bool:
        """Whether the wiki has what it says."""
        return self.result == "landed"

    def record(self) -> dict[str, Any]:
        """The same as plain JSON."""
        told = {"source": self.source, "result": self.result, "tool_calls": self.tool_calls, "runs": self.runs}
        return told | self.used.record() | ({"error": self.error} if self.error else {})


@dataclass(frozen=True, slots=True)
class Floor:
    """What a preset reached: M1 and M2 of the wiki that it wrote, and what came of each source."""

    preset: str
    measured: Mapping[str, Measurement]
    tried: tuple[Tried, ...]
    used: Usage
    """Of writers, verifiers and the judges of M1 together."""

    def score(self, metric: str) -> float | None:
        """M1 or M2; None where it could not be measured."""
        return self.measured[metric].metrics[metric].value

    @property
    def verdict(self) -> Verdict:
        """What the specification's cuts make of the scores."""
        return verdict({metric: self.score(metric) for metric in METRICS})

    @property
    def tool_call_count(self) -> float:
        """Tool calls per ingest, on average."""
        return sum(one.tool_calls for one in self.tried) / len(self.tried)


def verdict(scores: Mapping[str, float | None]) -> Verdict:
    """`supported` from M1 0.95 and M2 0.90 on, `degraded` from 0.85 and 0.80 on, else `unsupported`."""
    found = {metric: value for metric, value in scores.items() if value is not None}
    if len(found) < len(scores):
        return "not_measured"
    if all(value >= SUPPORTED[metric] for metric, value in found.items()):
        return "supported"
    return "degraded" if all(value >= DEGRADED[metric] for metric, value in found.items()) else "unsupported"


def test(ground: Context, preset: str, files: Sequence[Path], ingest: Ingesting, say: Callable[[str], None]) -> Floor:
    """Ingest the sources into the synthetic workspace of a context, and measure it.

    One that gives nothing does not hold the next. CannotRun where none of them could be ingested at all.
    """
    tried = []
    for number, file in enumerate(files, 1):
        say(f"ingesting {file.name} ({number} of {len(files)})")
        tried.append(_tried(ground, preset, file, ingest))
        if number == 1 and tried[0].result == "failed" and not tried[0].runs:
            break  # who cannot be asked at all begins no run, and would begin none for the others
    if all(one.result == "failed" for one in tried):
        raise CannotRun(f"preset '{preset}' could ingest nothing: {tried[0].error}", tried[0].hint)
    say("measuring M1 and M2")
    tip = _tip(ground)
    found = measured(ground, _workspace(ground), tip, Wanted({name: registry()[name] for name in METRICS}))
    spent = sum((one.used for one in tried), NOTHING) + sum((one.used for one in found), NOTHING)
    return Floor(preset, {one.measurement.suite: one.measurement for one in found}, tuple(tried), spent)


def _tried(ground: Context, preset: str, file: Path, ingest: Ingesting) -> Tried:
    before = store.all_runs(ground).keys()
    try:
        outcome = ingest(ground, _workspace(ground), MAIN, file, preset, Options())
        result, error, hint = _result(outcome), "", ""
    except CannotRun as failed:  # OutOfBudget too
        result, error, hint = "failed", failed.message, failed.hint
    runs = [run for run in store.all_runs(ground).values() if run.id not in before]
    calls = sum(_tool_calls(ground, run) for run in runs)
    return Tried(file.name, result, calls, len(runs), sum(map(_spent, runs), NOTHING), error, hint)


def _result(outcome: Outcome | None) -> str:
    return outcome.result if outcome is not None else "nothing"


def _tool_calls(ground: Context, run: Run) -> int:
    """How often the writer of a run called a tool, by what was kept of the conversation."""
    said = (one for one in transcripts.of(ground, run) if one.role == "writer")
    return sum(block.get("type") == "tool_use" for one in said for block in _blocks(one.turns))


def _blocks(turns: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for turn in turns:
        content = turn.get("content")
        yield from (block for block in content if isinstance(block, Mapping)) if isinstance(content, list) else ()


def _spent(run: Run) -> Usage:
    """What the run's roles have used together."""
    totals: dict[str, float] = {}
    for of_role in run.state.spent.values():
        for name, value in of_role.items():
            totals[name] = totals.get(name, 0.0) + value
    counts = {name: int(totals.get(name, 0)) for name in ("input", "output", "cache_read", "cache_write", "calls")}
    return Usage(**counts, usd=totals.get("usd", 0.0))


def _workspace(ground: Context) -> Workspace:
    return rooted(ground.repository, _tip(ground), "")


def _tip(ground: Context) -> str:
    tip = refs.read(ground.repository, MAIN)
    assert tip is not None, "the synthetic workspace began with a commit"
    return tip
