"""A scored run of retrieval in words: its metrics, what has to be told aloud, and the queries that came out wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.retrieval.metrics import BY_NAME
from gitops.runs.measurements import RETRIEVAL, Measurement, Metric, Sample

COLUMNS = ("metric", "", "95 %", "queries", "is")
RUNS = ("run", "when", "commit", "gold", "system", "queries", "mrr", "hit@10", "ndcg@10")
_SHOWN = 10
"""So many of the queries that came out wrong are shown."""
_WRONG = {
    ("refusal_correctness", 0): "answered what should have been refused",
    ("over_refusal", 1): "refused what should have been answered",
    ("groundedness", 0): "the answer lacks what it must contain, or says what is forbidden",
    ("citation_coverage", 0): "a citation leads nowhere",
}
"""What a score of a query means where it is the worst there is."""


def words(made: Measurement) -> RenderableType:
    """The table of the metrics there are, how many queries went wrong and which, and the remarks."""
    told = {name: metric for name, metric in made.metrics.items() if metric.value is not None and name in BY_NAME}
    lacking = [name for name, metric in made.metrics.items() if metric.value is None]
    parts: list[RenderableType] = [Text(_about(made), style="dim"), Text()]
    parts += [text.table(COLUMNS, [_row(name, metric) for name, metric in told.items()])]
    if lacking:
        parts.append(Text(f"nothing to take them of: {', '.join(lacking)}", style="dim"))
    parts += [Text(), Text(_counts(made)), *_wrong(made.samples)]
    parts += [Text(inline(remark), style="yellow") for remark in made.details.get("remarks", ())]
    return Group(*parts)


def where(made: Measurement, why_not: str = "") -> RenderableType:
    """Where it is kept, or why it is not."""
    if why_not:
        return Text(f"not kept ({why_not})", style="dim")
    told = f"kept in the notes of {made.commit[:10]} (refs/notes/assay/evals) as run {made.run_id}"
    return Text(told, style="dim")


def again(made: Measurement, *, is_other: bool, is_kept: bool) -> RenderableType:
    """Whether a run that was scored again came out as it was recorded, and what became of that."""
    if not is_other:
        return Text(f"run {made.run_id} comes out as it was recorded", style="dim")
    kept = f"recorded anew in the notes of {made.commit[:10]}" if is_kept else "not recorded"
    return Text(f"run {made.run_id} comes out otherwise than it was recorded: {kept}", style="yellow")


def listing(runs: Sequence[Measurement]) -> RenderableType:
    """A row for each run, with its workspace where there are several, and how many there are."""
    count = f"{len(runs):,} {'run' if len(runs) == 1 else 'runs'}"
    rows, columns = [_run(one) for one in runs], list(RUNS)
    if len({one.workspace for one in runs}) > 1:
        columns.insert(1, "workspace")
        for row, one in zip(rows, runs, strict=True):
            row.insert(1, Text(inline(one.workspace)))
    return Group(text.table(columns, rows), Text(), Text(count, style="dim"))


def _about(made: Measurement) -> str:
    names = (
        ("chunker_version", "chunker"),
        ("embedding", "embedding"),
        ("prompt_version", "prompt"),
        ("model", "model"),
    )
    versions = [f"{called} {made.subject[name]}" for name, called in names if made.subject.get(name)]
    preset = [f"preset {made.subject['preset']}"] if made.subject.get("preset") else []
    at = [f"at {made.commit[:10]}"] if made.commit else []
    parts = [
        str(made.subject.get("system", RETRIEVAL)),
        *preset,
        *versions,
        f"gold {made.suite} {made.suite_version}",
        *at,
    ]
    return inline(" · ".join(parts))


def _row(name: str, metric: Metric) -> list[RenderableType]:
    known = BY_NAME[name]
    interval = f"{metric.interval[0]:.3f}–{metric.interval[1]:.3f}" if metric.interval else "-"
    is_less = " (less is better)" if known.direction == "lower" else ""
    cells = (name, number(metric), interval, f"{metric.n:,}")
    return [*map(Text, cells), Text(known.meaning + is_less, style="dim")]


def number(metric: Metric | None) -> str:
    """A metric's value as people read it: four places of a share, whole milliseconds and tokens unless they are few."""
    if metric is None or metric.value is None:
        return "-"
    if metric.unit == "share":
        return f"{metric.value:.4f}"
    return f"{metric.value:,.0f} {metric.unit}" if metric.value >= 10 else f"{metric.value:.2g} {metric.unit}"


def _counts(made: Measurement) -> str:
    aggregate = made.details.get("aggregate", {})
    total = aggregate.get("total_queries", len(made.samples))
    passed = sum(one.status == "pass" for one in made.samples)
    refused = ", or were rightly refused" if any(one.details.get("should_refuse") for one in made.samples) else ""
    told = [f"{passed:,} of {total:,} {'query' if total == 1 else 'queries'} found what they should{refused}"]
    for field, called in (("failed", "failed"), ("missing", "missing"), ("unjudged", "not judged")):
        if count := aggregate.get(f"{field}_queries", 0):
            told.append(f"{count:,} {called}")
    return ", ".join(told)


def _wrong(samples: Sequence[Sample]) -> Iterator[RenderableType]:
    told = [(one, why) for one in samples if (why := _why(one))]
    if told:
        rows = [[Text(f"  {inline(one.id)}"), Text(inline(why), style="dim")] for one, why in told[:_SHOWN]]
        yield text.table(("  to look at", ""), rows)
    if len(told) > _SHOWN:
        yield Text(f"  and {len(told) - _SHOWN:,} more: --json has them", style="dim")


def _why(sample: Sample) -> str:
    """What came out wrong of a query, and what was asked; '' where nothing did."""
    if sample.error:
        return sample.error
    is_lost = sample.status == "fail" and not sample.details.get("should_refuse")
    wrong = ["nothing expected among the first 10"] if is_lost else []
    scores = sample.scores or {}
    wrong += [called for (name, bad), called in _WRONG.items() if scores.get(name) == bad]
    asked = sample.details.get("query")
    return f"{', '.join(wrong)}: {asked}" if wrong and asked else ", ".join(wrong)


def _run(one: Measurement) -> list[RenderableType]:
    cells = [one.run_id, one.started_at, one.commit[:10], f"{one.suite} {one.suite_version}"]
    cells += [str(one.subject.get("system", "-")), f"{len(one.samples):,}"]
    return [Text(inline(cell)) for cell in cells + [number(one.metrics.get(name)) for name in RUNS[6:]]]
