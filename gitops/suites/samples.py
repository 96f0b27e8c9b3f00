"""One case of a benchmark run as a sample of its measurement: scores by which runs are paired, and what was said."""

from __future__ import annotations

from typing import Any

from gitops import canonical
from gitops.runs.measurements import Sample
from gitops.suites.grading import TRIED
from gitops.suites.model import BenchmarkCase, BenchmarkResult

LONGEST = 4_000
"""So many characters of an output, or of an error, are kept; of a longer one the digest and the length, too."""
_ANSWERED = frozenset(("pass", "fail", "skipped"))
"""What becomes of a case that gave an output: how long another took says nothing of how fast the target is."""


def sample(result: BenchmarkResult, case: BenchmarkCase | None, mark: str, *, is_timed: bool) -> Sample:
    """What is kept of a result. `mark` is the digest of its case; of a case from a real session no words are kept."""
    is_private = case is not None and case.source == "organic"
    return Sample(
        id=result.case_id,
        status=result.status,
        scores=_scores(result, is_timed=is_timed),
        latency_ms=result.latency_ms,
        tokens=result.token_cost,
        usd=result.usd,
        error=None if is_private or result.error is None else _cut(result.error),
        retries=result.retries,
        tags=tuple(case.tags) if case else (),
        details=_details(result, case, mark, is_private=is_private),
    )


def _scores(result: BenchmarkResult, *, is_timed: bool) -> dict[str, float]:
    """What each metric is the mean of, by the metric's name: so the cases of two runs can be paired."""
    scores = {"mean_token_cost": float(result.token_cost)}
    if result.status in TRIED:
        scores["pass_rate"] = float(result.status == "pass")
    if result.llm_judge_score is not None:
        scores["mean_quality_score"] = result.llm_judge_score
    if is_timed and result.status in _ANSWERED and result.actual_output is not None:
        scores["mean_latency_ms"] = result.latency_ms
    return scores


def _details(result: BenchmarkResult, case: BenchmarkCase | None, mark: str, *, is_private: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"category": result.category, "human_label": result.human_label}
    told["metrics"] = dict(result.metrics) or None
    if case is not None:
        told |= {"case": mark, "difficulty": case.difficulty, "source": case.source}
    if not is_private:
        told["reason"] = result.reason
        told |= {} if result.actual_output is None else _output(result.actual_output)
    return {name: value for name, value in told.items() if value not in (None, "")} | (
        {"output": ""} if not is_private and result.actual_output == "" else {}
    )


def _output(output: str) -> dict[str, Any]:
    if len(output) <= LONGEST:
        return {"output": output}
    whole = canonical.sha256(output.encode("utf-8", "surrogatepass"))
    return {"output": _cut(output), "output_length": len(output), "output_digest": whole}


def is_cut(output: str) -> bool:
    """Whether an output that is read from a record is the beginning of a longer one."""
    return len(output) == LONGEST and output.endswith("…")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
