"""Attempts held to what their cases expect: one result for each, and all of them in a summary.

A case passes where each of its modes says yes. One that says no fails it. Where none says no and one cannot tell, the
case is `skipped`, never passed: its `category` names the modes that are open, `human` for instance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite

from gitops.stats.quantiles import percentile
from gitops.suites.criteria import Bench, CriteriaJudge, Scored, asked_of
from gitops.suites.model import BenchmarkCase, BenchmarkExpected, BenchmarkResult, BenchmarkSummary, Status
from gitops.suites.modes.mode import Asked, Grade, Label, mode, value_of
from gitops.suites.target import Attempt

VERSION = 1
"""Of the rules by which an attempt is held to what is expected: what another version said is not compared."""
TRIED: tuple[Status, ...] = ("pass", "fail", "error", "timeout")
"""The statuses that a pass rate is taken over: a skipped case says neither yes nor no."""
OPEN = "+"
"""Stands between the modes that could not tell, in the category of a skipped case."""


def faults(case: BenchmarkCase) -> list[str]:
    """Why a case expects what no output could be held to; nothing where it is sound."""
    found = []
    for name in case.expected.modes:
        try:
            mode(name).check(value_of(case.expected, name), case.expected)
        except ValueError as error:
            found.append(f"case {case.case_id}: {error}")
    found += [f"case {case.case_id}: {told}" for told in _unheld(case.expected)]
    return list(dict.fromkeys(found))


def _unheld(expected: BenchmarkExpected) -> Iterator[str]:
    """What is written down as expected, and no mode of the case looks at: it would seem to be held, and never is."""
    if expected.metric_thresholds and "metric_threshold" not in expected.modes:
        told = f"'metric_thresholds' are held by no mode of '{expected.mode}'"
        yield f'{told}: write "mode": "{expected.mode}+metric_threshold"'
    if expected.value is not None and expected.mode == "metric_threshold":
        yield "'value' is held by no mode of 'metric_threshold': write \"mode\": \"contains+metric_threshold\", or such"


def graded(
    pairs: Sequence[tuple[BenchmarkCase, Attempt]],
    judge: CriteriaJudge | None = None,
    *,
    is_timed: bool = True,
    labels: Mapping[str, Label] | None = None,
) -> list[BenchmarkResult]:
    """A result for each attempt, in order. The judge is asked about all outputs together, None of none.

    `is_timed` is false where latencies are those of mocked or replayed answers: then no bound of latency is held.
    `labels` are what persons say, by case. ValueError for a case that has faults.
    """
    bench = Bench(()) if judge is None else Bench((judge,))
    said = labels or {}
    judged = [
        at for at, (case, attempt) in enumerate(pairs) if "llm_judge" in case.expected.modes and _is_whole(attempt)
    ]
    asked = [asked_of(pairs[at][0], pairs[at][1].output or "") for at in judged]
    scored: dict[int, Scored] = dict(zip(judged, bench.scores(asked), strict=True))
    return [
        _result(case, attempt, scored.get(at), said.get(case.case_id), is_timed=is_timed)
        for at, (case, attempt) in enumerate(pairs)
    ]


def summary(results: Iterable[BenchmarkResult], *, is_timed: bool = True) -> BenchmarkSummary:
    """The results of one run together; what there is nothing to count for is None.

    Latencies are those of cases that gave an output: how long something took to fail says nothing of how fast it is.
    The 95th percentile is interpolated (Hyndman and Fan 1996, definition 7). Both are None where nothing was timed.
    """
    every = list(results)
    tried = [one for one in every if one.status in TRIED]
    timed = [
        one.latency_ms for one in every if one.status not in ("error", "timeout") and one.actual_output is not None
    ]
    scores = [one.llm_judge_score for one in every if one.llm_judge_score is not None]
    failed = Counter(one.category or one.status for one in tried if one.status != "pass")
    return BenchmarkSummary(
        pass_rate=sum(one.status == "pass" for one in tried) / len(tried) if tried else None,
        mean_latency_ms=_mean(timed) if is_timed else None,
        p95_latency_ms=percentile(timed, 0.95) if is_timed else None,
        total_token_cost=sum(one.token_cost for one in every),
        mean_quality_score=_mean(scores),
        failure_categories=dict(sorted(failed.items())),
    )


def open_modes(result: BenchmarkResult) -> tuple[str, ...]:
    """The modes that could not tell of a skipped case; none of any other."""
    return tuple(result.category.split(OPEN)) if result.status == "skipped" and result.category else ()


def _is_whole(attempt: Attempt) -> bool:
    return attempt.output is not None and not attempt.error and not attempt.is_timeout


def _result(
    case: BenchmarkCase, attempt: Attempt, scored: Scored | None, label: Label | None, *, is_timed: bool
) -> BenchmarkResult:
    if not _is_whole(attempt):
        return _failed(case, attempt, label)
    asked = [
        (name, Asked(case, attempt, value_of(case.expected, name), scored, label, is_timed))
        for name in case.expected.modes
    ]
    status, category, reason = _together({name: mode(name).grade(one) for name, one in asked})
    return _made(case, attempt, label).model_copy(
        update={
            "status": status,
            "category": category,
            "reason": reason,
            "llm_judge_score": scored.score if scored is not None else None,
        }
    )


def _together(grades: Mapping[str, Grade]) -> tuple[Status, str, str]:
    """Status, category and reason of what several modes say."""
    against = [grade for grade in grades.values() if grade.holds is False]
    unknown = [name for name, grade in grades.items() if grade.holds is None]
    if against:
        return "fail", against[0].category, _joined(against)
    if unknown:
        return "skipped", OPEN.join(unknown), _joined([grades[name] for name in unknown])
    return "pass", "", _joined(grades.values())


def _joined(grades: Iterable[Grade]) -> str:
    return "; ".join(dict.fromkeys(grade.reason for grade in grades if grade.reason))


def _failed(case: BenchmarkCase, attempt: Attempt, label: Label | None) -> BenchmarkResult:
    """An attempt that gave no output: no mode is asked."""
    status: Status = "timeout" if attempt.is_timeout else "error"
    error = attempt.error or ("it took too long" if attempt.is_timeout else "the target gave no output")
    kind = attempt.category or ("timeout" if attempt.is_timeout else "no_output")
    return _made(case, attempt, label).model_copy(
        update={"status": status, "error": error, "category": kind, "reason": error}
    )


def _made(case: BenchmarkCase, attempt: Attempt, label: Label | None) -> BenchmarkResult:
    return BenchmarkResult(
        case_id=case.case_id,
        status="skipped",
        actual_output=attempt.output,
        latency_ms=attempt.latency_ms,
        token_cost=attempt.tokens,
        human_label=label,
        retries=attempt.retries,
        usd=attempt.usd,
        metrics={name: value for name, value in attempt.metrics.items() if isfinite(value)},
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
