"""What a monitoring system is told of wikis: their metrics, gates and verdicts, and what was spent on models.

Nothing is measured here. Metrics and gates are read from what is kept of the notes, verdicts note by note, the usage
log file by file: only what changed since the last time is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, get_args

from gitops.errors import Blocked
from gitops.git import notes
from gitops.runs import gates, latest, measurements, names, noted, spent, store
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.exposed import Family, family
from gitops.runs.gates import Operation
from gitops.runs.latest import Latest, Told
from gitops.runs.measurements import Metric
from gitops.verify.verdict import Decision

STATUSES = ("healthy", "degraded", "broken", "not_measured")
_Wanted = Callable[[str], bool]


def families(context: Context, workspace: str | None = None) -> list[Family]:
    """All that is told of one workspace, or of all that anything is known of."""

    def is_wanted(name: str) -> bool:
        return workspace in (None, name)

    known = [each for each in latest.everywhere(context) if is_wanted(each.workspace)]
    verdicts = _verdicts(context, is_wanted)
    workspaces = sorted({each.workspace for each in known} | {name for name, _ in verdicts})
    return [
        *_metrics(context, known),
        _gates(context, workspaces),
        _verdict_counts(verdicts),
        *_spent(context, is_wanted),
    ]


def _metrics(context: Context, known: Iterable[Latest]) -> Iterator[Family]:
    """The scores that gates follow, how sure they are, and when that was."""
    every = [(each, gates.believed(Authority(context, each.workspace), each, and_once=False)) for each in known]
    numbers = {id(each): _number(context, each, each.decides) for _, each in every}
    told = [({"workspace": each.workspace, "metric": each.metric}, each, numbers[id(each)]) for _, each in every]

    def bound(number: Metric | None, side: int) -> float | None:
        return number.interval[side] if number is not None and number.interval is not None else None

    score = "The score of a metric of the wiki by the last measurement that has one"
    yield family("assay_metric_score", "gauge", score, ((at, each.decides.value) for at, each, _ in told))
    low, high = (f"The {side} end of the 95 % interval of assay_metric_score" for side in ("lower", "upper"))
    yield family("assay_metric_score_low", "gauge", low, ((at, bound(number, 0)) for at, _, number in told))
    yield family("assay_metric_score_high", "gauge", high, ((at, bound(number, 1)) for at, _, number in told))
    samples = ((at, number.n if number is not None else None) for at, _, number in told)
    yield family("assay_metric_samples", "gauge", "How many samples assay_metric_score is taken over", samples)
    status = "1 for the status that the gate of a metric follows, 0 for the others"
    states = [({**at, "status": one}, float(one == each.decides.status)) for at, each, _ in told for one in STATUSES]
    yield family("assay_metric_status", "gauge", status, states)
    when = "When the newest measurement of a metric was made, be it without a number"
    moments = ((at, epoch_of(each.newest.at)) for at, each, _ in told)
    yield family("assay_metric_measured_timestamp_seconds", "gauge", when, moments, "seconds")


def _number(context: Context, each: Latest, told: Told) -> Metric | None:
    """The number of a measurement with its interval: one line of one note."""
    lines = notes.read(context.repository, names.EVALS, told.commit)
    mine = [(number, line) for number, line in enumerate(lines, 1) if f'"{told.id}"' in line]
    found = (one for one in measurements.read_lines(context, told.commit, mine) if one.id == told.id)
    return next((one.metrics.get(each.metric) for one in found), None)


def _gates(context: Context, workspaces: Collection[str]) -> Family:
    """Whether each operation may go on."""
    points = [
        ({"workspace": name, "operation": operation}, float(_is_open(context, name, operation)))
        for name in workspaces
        for operation in get_args(Operation)
    ]
    told = "1 where no metric holds up an operation, 0 where one does (synthesis: the scheduled one)"
    return family("assay_gate_open", "gauge", told, points)


def _is_open(context: Context, workspace: str, operation: Operation) -> bool:
    try:
        gates.demand_open(context, workspace, operation)
    except Blocked:
        return False
    return True


def _verdicts(context: Context, is_wanted: _Wanted) -> Counter[tuple[str, str]]:
    """How many verdicts of each kind there are, by workspace."""

    def told(commit: str, lines: list[str]) -> list[list[Any]]:
        found = Counter((each.workspace, each.verdict) for each in store.verdicts_in(context, commit, lines))
        return [[*key, count] for key, count in sorted(found.items())]

    every = noted.noted(context, names.VERDICTS, "verdict counts", "1", told)
    found = Counter[tuple[str, str]]()
    for rows in every.values():
        found.update({(workspace, verdict): count for workspace, verdict, count in rows if is_wanted(workspace)})
    return found


def _verdict_counts(found: Counter[tuple[str, str]]) -> Family:
    """Every verdict there could be of a workspace that has any: that there was none of a kind is known, and is 0."""
    points = [
        ({"workspace": name, "verdict": verdict}, float(found[name, verdict]))
        for name in sorted({name for name, _ in found})
        for verdict in get_args(Decision)
    ]
    return family("assay_verdicts", "counter", "How many verdicts were given, unsigned ones included", points)


def _spent(context: Context, is_wanted: _Wanted) -> Iterator[Family]:
    """What was spent on models by this clone: its usage log is not shared. Replayed answers cost nothing."""
    rows = [(key, used) for key, used in spent.spent(context).items() if is_wanted(key[0])]
    told = [(dict(zip(("workspace", "operation", "role"), key, strict=True)), used) for key, used in rows]
    counted = ("input", "output", "cache_read", "cache_write")
    tokens = [({**at, "kind": name}, float(getattr(used, name))) for at, used in told for name in counted]
    yield family("assay_tokens", "counter", "How many tokens this clone has used of models", tokens)
    dollars = ((at, used.usd) for at, used in told)
    yield family("assay_spend_usd", "counter", "How much this clone has spent on models", dollars, "usd")
    calls = ((at, float(used.calls)) for at, used in told)
    yield family("assay_model_calls", "counter", "How many calls to models this clone has made", calls)
