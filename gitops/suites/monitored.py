"""What a monitoring system is told of benchmarks: of each suite the newest run in the history of the target branch.

Runs of changes that have not landed, and variants of ablations, say nothing of what is in use. What persons say of
cases is laid over the runs first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from gitops.errors import UsageError
from gitops.git import notes
from gitops.runs import measurements, names, noted
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.exposed import Family, family
from gitops.runs.measurements import BENCHMARK, Measurement
from gitops.runs.newest_landed import newest_landed
from gitops.suites import labels, remembered, worsened
from gitops.suites.grading import TRIED
from gitops.suites.model import BenchmarkResult, BenchmarkRun, Status

_MARK = f'"kind":"{BENCHMARK}"'


@dataclass(frozen=True, slots=True)
class _Stands:
    """Where a run stands, and of which suite and agent it is."""

    workspace: str
    suite: str
    agent: str
    at: str
    run: str
    commit: str


@dataclass(frozen=True, slots=True)
class _Newest:
    """The newest run of a suite: its repeats, with what persons say."""

    stands: _Stands
    runs: tuple[BenchmarkRun, ...]

    @property
    def labels(self) -> Mapping[str, str]:
        """What its numbers are of."""
        return {"workspace": self.stands.workspace, "suite": self.stands.suite, "agent": self.stands.agent}

    @property
    def results(self) -> list[BenchmarkResult]:
        """Those of all repeats."""
        return [each for run in self.runs for each in run.results]


def families(context: Context, workspace: str | None = None) -> list[Family]:
    """All that is told of the benchmarks of one workspace, or of all."""
    every = [_newest(context, each) for each in _landed(context, workspace)]
    return list(_families(context, [each for each in every if each.runs]))


def _families(context: Context, every: Sequence[_Newest]) -> Iterator[Family]:
    rate = "The share of tried cases that passed, over all repeats of the newest run of a suite"
    yield family("assay_benchmark_pass_rate", "gauge", rate, ((each.labels, _pass_rate(each)) for each in every))
    counted = [(each, Counter(one.status for one in each.results)) for each in every]
    states = [({**each.labels, "status": name}, float(of[name])) for each, of in counted for name in get_args(Status)]
    yield family("assay_benchmark_cases", "gauge", "How many cases, over all repeats, came to each status", states)
    quality = ((each.labels, _mean(one.llm_judge_score for one in each.results)) for each in every)
    yield family("assay_benchmark_quality_score", "gauge", "The mean score that judges gave, from 0 to 1", quality)
    took = ((each.labels, _latency(each)) for each in every)
    told = "The mean time of a case; none where answers were mocked or replayed"
    yield family("assay_benchmark_latency_seconds", "gauge", told, took, "seconds")
    worse = "How many cases of the newest run regressed since the accepted baseline; none where nobody accepted one"
    counts = ((each.labels, worsened.regressed(context, each.runs)) for each in every)
    yield family("assay_benchmark_regressions", "gauge", worse, counts)
    tokens = ((each.labels, float(sum(one.token_cost for one in each.results))) for each in every)
    yield family("assay_benchmark_tokens", "gauge", "How many tokens the newest run of a suite used", tokens)
    when = ((each.labels, epoch_of(each.stands.at)) for each in every)
    yield family("assay_benchmark_run_timestamp_seconds", "gauge", "When a suite was last run", when, "seconds")


def _pass_rate(newest: _Newest) -> float | None:
    return _mean(float(one.status == "pass") for one in newest.results if one.status in TRIED)


def _latency(newest: _Newest) -> float | None:
    """The mean of the repeats' means, in seconds; each has as many cases."""
    means = [run.summary.mean_latency_ms if run.summary is not None else None for run in newest.runs]
    found = _mean(means)
    return None if found is None else found / 1000


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _landed(context: Context, workspace: str | None) -> Iterator[_Stands]:
    """The newest run of each suite that stands in the history of the branch of landings, in the order of names."""
    groups: dict[tuple[str, str, str], list[_Stands]] = {}
    for commit, rows in noted.noted(
        context, names.EVALS, "benchmarks", "1", lambda *note: _told(context, *note)
    ).items():
        for row in rows:
            each = _stands(row, commit)
            if workspace in (None, each.workspace):
                groups.setdefault((each.workspace, each.suite, each.agent), []).append(each)
    for _, group in sorted(groups.items()):
        tip = Authority(context, group[0].workspace).commit
        newest = sorted(group, key=lambda each: (each.at, each.run), reverse=True)
        if (found := newest_landed(context, newest, tip)) is not None:
            yield found


def _stands(row: list[str], commit: str) -> _Stands:
    workspace, suite, agent, at, run = row
    return _Stands(workspace, suite, agent, at, run, commit)


def _told(context: Context, commit: str, lines: list[str]) -> list[Any]:
    """The newest run of each suite on one commit."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if _MARK in line]
    newest: dict[tuple[str, str, str], list[str]] = {}
    for one in measurements.read_lines(context, commit, numbered):
        key = one.workspace, one.suite, str(one.subject.get("agent", ""))
        if one.kind == BENCHMARK and not one.variant:
            newest[key] = max(newest.get(key, []), [*key, one.completed_at, one.run_id], key=lambda row: row[3:])
    return [newest[key] for key in sorted(newest)]


def _newest(context: Context, stands: _Stands) -> _Newest:
    lines = notes.read(context.repository, names.EVALS, stands.commit)
    mine = [(number, line) for number, line in enumerate(lines, 1) if _MARK in line and f'"{stands.run}"' in line]
    found = {one.id: one for one in measurements.read_lines(context, stands.commit, mine) if _is_of(one, stands)}
    runs = sorted(_runs(context, found.values()), key=lambda run: run.repeat)
    return _Newest(stands, tuple(labels.labelled(context, runs)))


def _runs(context: Context, found: Iterable[Measurement]) -> Iterator[BenchmarkRun]:
    """The runs that measurements are of. Anybody may write a note: one that is none is told, and holds up no other."""
    for one in found:
        try:
            yield remembered.run_of(one)
        except (UsageError, ValueError) as error:
            told = error.message if isinstance(error, UsageError) else str(error).split("\n")[0]
            context.warn_once(f"the run {one.run_id} of {one.suite} is not told: {told}")


def _is_of(one: Measurement, stands: _Stands) -> bool:
    here = one.workspace, one.suite, one.run_id
    return one.kind == BENCHMARK and here == (stands.workspace, stands.suite, stands.run) and not one.variant
