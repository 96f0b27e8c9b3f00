"""Runs of a benchmark suite in words: the cases, failed ones first, how many passed, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.suites.grading import TRIED
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkResult, BenchmarkRun

_COLUMNS = ("case", "status", "ms", "tokens", "score", "why")
_ORDER = ("fail", "error", "timeout", "skipped", "pass")
_STYLES = {"pass": "green", "fail": "bold red", "error": "bold red", "timeout": "bold red", "skipped": "yellow"}
_LONGEST = 200
_SHOWN = 20
"""So many of the cases that passed are shown."""


def words(runs: Sequence[BenchmarkRun]) -> RenderableType:
    """What the repeats of one run of one suite came to."""
    by_case: dict[str, list[BenchmarkResult]] = {}
    for run in runs:
        for result in run.results:
            by_case.setdefault(result.case_id, []).append(result)
    rows = sorted(by_case.items(), key=lambda pair: (_ORDER.index(_worst(pair[1])), pair[0]))
    is_timed = runs[0].config_snapshot.get("is_timed") is True
    failed = [pair for pair in rows if _worst(pair[1]) != "pass"]
    passed = rows[len(failed) :]
    shown = failed + passed[:_SHOWN]
    columns, cells = _without_empty([_row(case_id, results, is_timed=is_timed) for case_id, results in shown])
    left = len(rows) - len(shown)
    return Group(
        Text.assemble((inline(runs[0].suite_id), "bold"), (f" {_about(runs)}", "dim")),
        Text(),
        text.table(columns, cells),
        *([Text(f"and {left:,} {'case' if left == 1 else 'cases'} more that passed", style="dim")] if left else []),
        Text(),
        _counts(runs),
    )


def _worst(results: Sequence[BenchmarkResult]) -> str:
    """The first of the order that any repeat came to."""
    return min((result.status for result in results), key=_ORDER.index)


def _row(case_id: str, results: Sequence[BenchmarkResult], *, is_timed: bool) -> tuple[Text, ...]:
    """The worst repeat's status and reason, the medians of the others' numbers."""
    worst = _worst(results)
    told = next(result for result in results if result.status == worst)
    passed = sum(result.status == "pass" for result in results)
    status = worst if len(results) == 1 or passed in (0, len(results)) else f"{passed} of {len(results)} pass"
    scores = [result.llm_judge_score for result in results if result.llm_judge_score is not None]
    tokens = round(median(result.token_cost for result in results))
    latency = f"{median(result.latency_ms for result in results):,.1f}" if is_timed else ""
    why = "" if worst == "pass" else told.reason or told.error or told.category
    again = max(result.retries for result in results)
    return (
        Text(inline(case_id)),
        Text(status, style=_STYLES[worst]),
        Text(latency, justify="right"),
        Text(f"{tokens:,}" if tokens else "", justify="right"),
        Text(f"{median(scores):.2f}" if scores else "", justify="right"),
        Text(_short(why) + (f" (tried {again + 1} times)" if again else "")),
    )


def _without_empty(rows: Sequence[Sequence[Text]]) -> tuple[list[str], list[list[Text]]]:
    """The columns in which anything stands."""
    kept = [at for at in range(len(_COLUMNS)) if any(row[at].plain for row in rows)]
    return [_COLUMNS[at] for at in kept], [[row[at] for at in kept] for row in rows]


def _short(told: str) -> str:
    line = inline(" ".join(told.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _about(runs: Sequence[BenchmarkRun]) -> str:
    """Version, commit, how often, and as what: `1.0.0 at 1a2b3c4d5e, 3 repeats, seed 0`."""
    run = runs[0]
    where = "as it stands in the working tree" if run.config_snapshot.get("tree") else f"at {run.commit[:10]}"
    repeats = f", {len(runs)} repeats" if len(runs) > 1 else ""
    variant = f", {inline(run.variant)}" if run.variant else ""
    replayed = "" if run.config_snapshot.get("is_timed") else ", answers replayed"
    return f"{run.suite_version} {where}{variant}{repeats}, seed {run.config_snapshot.get('seed', 0)}{replayed}"


def _counts(runs: Sequence[BenchmarkRun]) -> Text:
    every = [result for run in runs for result in run.results]
    passed, tried = sum(one.status == "pass" for one in every), sum(one.status in TRIED for one in every)
    skipped, tokens, usd = len(every) - tried, sum(one.token_cost for one in every), sum(one.usd for one in every)
    told = [f"{passed:,} of {tried:,} passed" if tried else "nothing was tried"]
    told += [f"{skipped:,} skipped"] if skipped else []
    told += [f"{tokens:,} tokens"] if tokens else []
    told += [f"${usd:,.4f}"] if usd else []
    style = "yellow" if not tried else "green" if passed == tried else "bold red"
    failed = _failed(runs)
    return Text.assemble((", ".join(told), style), (f" ({failed})" if failed else "", "dim"))


def _failed(runs: Sequence[BenchmarkRun]) -> str:
    """How many failed of what: `2 timeout, 1 wrong_output`."""
    counted: dict[str, int] = {}
    for run in runs:
        for category, count in (run.summary.failure_categories if run.summary else {}).items():
            counted[category] = counted.get(category, 0) + count
    return ", ".join(f"{count:,} {inline(category)}" for category, count in sorted(counted.items()))


def where(runs: Sequence[BenchmarkRun], why_not: str) -> RenderableType:
    """Where it is kept, or why it is not, and what may be done next."""
    run = runs[0]
    kept = f"not kept ({why_not})" if why_not else f"kept in the notes of {run.commit[:10]} as run {run.run_id}"
    return Group(Text(kept, style="dim"), *(Text(f"next: {told}", style="dim") for told in _next(runs, why_not)))


def _next(runs: Sequence[BenchmarkRun], why_not: str) -> list[str]:
    """To look at what failed; to accept what was kept, where nothing did."""
    run = runs[0]
    failed = next((one for each in runs for one in each.results if one.status in TRIED and one.status != "pass"), None)
    if failed is not None:
        return [f"git assay benchmark run {run.suite_id} --case {failed.case_id}"] if len(run.results) > 1 else []
    is_tried = any(one.status in TRIED for each in runs for one in each.results)
    return [f"git assay benchmark baseline {run.run_id}"] if is_tried and not why_not else []


def planned(loaded: Loaded, cases: int, repeats: int) -> str:
    """A suite that would be run, in a line: `shell 1.0.0: 12 cases × 3 repeats, command`."""
    suite = loaded.suite
    kind = suite.runs.kind if suite.runs is not None else "no target"
    times = "" if repeats == 1 else f" × {repeats} repeats"
    return f"{inline(suite.suite_id)} {suite.version}: {cases:,} {'case' if cases == 1 else 'cases'}{times}, {kind}"
