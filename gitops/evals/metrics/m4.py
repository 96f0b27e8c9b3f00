"""M4, cost: whether compiling a wiki at write time is cheaper than answering from the sources (alexandria 14).

`ingest_cumulative_tokens` are those of ingest and cascade runs and of verifiers, by the records of runs;
`query_cumulative_tokens` those of questions and of keeping their answers. The score is the crossover week: the first
week at which the first sum is below `hypothetical_on_the_fly_tokens`, the specification's product, as written. None
where it has not come: the status is `healthy` all the same, for M4 blocks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from gitops.evals import spending
from gitops.evals.corpus_tokens import corpus_tokens
from gitops.evals.cost_curve import (
    FARTHEST,
    Week,
    crossover,
    curve,
    estimated,
    is_negative,
    rows,
    sound_crossover,
    week_ends,
)
from gitops.evals.metric import Metric, MetricResult, nothing_to_measure
from gitops.evals.spending import Amount
from gitops.evals.subject import Subject
from gitops.llm import usage_reading
from gitops.llm.usage_reading import UsageLog
from gitops.runs import measurements, store
from gitops.runs.records import Run

_SKEW = timedelta(days=1)
"""So far ahead the clock of another machine may be."""
_SAVE = "let an ingest touch fewer pages, or answer from the sources alone"
_UNITS = {
    "tokens": "read and written, cached or not",
    "corpus": "bytes of the sources' text / 3.5",
    "hypothetical": "tokens², as the specification writes it: tokens of all queries × tokens of the sources",
    "sound": "tokens: each query reads all sources of its week, or as much of them as the model reads at once",
}


def compute(subject: Subject) -> MetricResult:
    """The curve until the subject's moment, and the crossover week on it."""
    moment, name = subject.moment, subject.workspace.name
    runs = [run for run in store.all_runs(subject.context).values() if run.record.workspace == name]
    log = usage_reading.read(subject.context.folder)
    for told in log.skipped:
        subject.context.warn_once(f"usage log: {told}; skipped")
    calls = [call for call in log.calls if call.workspace == name and not call.is_replayed]
    measured = [one for one in measurements.everything(subject.context) if one.workspace == name]
    tell = subject.context.warn_once
    booked = chain(spending.by_runs(runs, tell), spending.by_measurements(measured, runs, tell))
    every = [*booked, *spending.by_log(calls, runs)]
    amounts = [amount for amount in every if amount.at <= moment]
    later = len(every) - len(amounts)
    _tell_future(subject, every)
    begun = _begun(runs, moment)
    start = min(begun, default=None) or min((amount.at for amount in amounts), default=None)
    counts = {"log_files": log.files, "skipped_lines": len(log.skipped), "after_moment": later}
    if start is None:
        return nothing_to_measure("no run has been recorded, and no call to a model logged, until then", counts=counts)
    weeks = _weeks(subject, start, amounts)
    last = weeks[-1]
    counts |= {"runs": len(begun), "queries": last.queries, "corpus_tokens": last.corpus, **last.tokens}
    details = _details(weeks, log, later)
    measured_with = {"context_tokens": _context_tokens(subject)}
    if not last.queries and not log.files:
        why = "no usage log is here and no answer was kept, so nothing tells what questions cost"
        return nothing_to_measure(why, counts=counts, details=details, instrument=measured_with)
    found = crossover(weeks)
    return MetricResult(
        score=None if found is None else float(found),
        status="healthy",
        n=last.number,
        reason=_reason(weeks, details["estimated_week"]) if found is None else "",
        counts=counts,
        details=details,
        instrument=measured_with,
    )


def _tell_future(subject: Subject, amounts: Iterable[Amount]) -> None:
    """What is dated long after the present moment: a clock was wrong, then or now."""
    until = subject.context.clock() + _SKEW
    if late := sum(amount.at > until for amount in amounts):
        told = f"{late} record{'s' * (late != 1)} of what models used are dated in the future"
        subject.context.warn_once(f"{told}: left out; look at this machine's clock")


def _begun(runs: Iterable[Run], moment: datetime) -> list[datetime]:
    """When the runs began that had begun by then; evaluations begin nothing."""
    found = []
    for run in runs:
        if run.record.run_type == "eval":
            continue
        try:
            found.append(spending.moment_of(run.record.started_at))
        except ValueError:
            continue  # what it spent is told of where its states are read
    return [at for at in found if at <= moment]


def _weeks(subject: Subject, start: datetime, amounts: Sequence[Amount]) -> list[Week]:
    ends = week_ends(start, subject.moment)
    return curve(start, ends, amounts, corpus_tokens(subject.bench, ends), _context_tokens(subject))


def _context_tokens(subject: Subject) -> int:
    """How much the model reads at once that would answer."""
    llm = subject.workspace.config.llm
    return llm.preset(llm.writer).context_tokens


def _details(weeks: Sequence[Week], log: UsageLog, later: int) -> dict[str, Any]:
    last = weeks[-1]
    return {
        "ingest_cumulative_tokens": last.ingest,
        "query_cumulative_tokens": last.query,
        "hypothetical_on_the_fly_tokens": last.hypothetical,
        "sound_on_the_fly_tokens": last.sound,
        "crossover_week": crossover(weeks),
        "is_negative": is_negative(weeks),
        "estimated_week": None if crossover(weeks) else estimated(weeks),
        "sound_crossover_week": sound_crossover(weeks),
        "tokens": dict(last.tokens),
        "usd": {kind: round(value, 6) for kind, value in last.usd.items()},
        "units": _UNITS,
        "left_out": {"after_moment": later, "replayed": sum(call.is_replayed for call in log.calls)},
        "skipped": list(log.skipped[:20]),
        "weeks": rows(weeks),
    }


def _reason(weeks: Sequence[Week], trend: int | None) -> str:
    last = weeks[-1]
    if not last.queries:
        return "no crossover yet: no model has answered a question"
    if not last.corpus:
        return "no crossover yet: there are no sources"
    if is_negative(weeks):
        return f"no crossover yet, and none in {FARTHEST // 52} years by the last weeks' trend: {_SAVE}"
    return "no crossover yet" + (f": week {trend} (est.), by the last weeks' trend" if trend else "")


METRIC = Metric(
    title="cost crossover", version=1, when="weekly", compute=compute, unit="week", direction="lower", cuts=None
)
