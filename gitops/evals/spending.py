"""What a workspace has spent on models, as dated amounts: runs and evaluations by their records, questions by the log.

Records travel with the notes, so a clone has what runs and evaluations cost. Questions are asked outside of runs, and
only the usage log of the clone in which they were asked knows them; but for those whose answers a run has kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from gitops.llm.usage_reading import Call
from gitops.runs.context import epoch_of
from gitops.runs.measurements import Measurement
from gitops.runs.records import Run
from gitops.usage import Usage

Kind = Literal["ingest", "cascade", "verifier", "query", "synthesis", "lint", "eval", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""`verifier` is that of all runs but those that keep an answer: theirs counts as `query` (alexandria 14, M4). What a
judge used that was asked for no landing is `eval`: runs that measure book all that they used as their judge's.
`other` is what was asked by hand (`judge`, `verify`) and by types of runs that M4 knows nothing of."""
_WRITER = "writer"
_JUDGE = "judge"
_QUERY = "query"
_ARCHIVE = "archive"
_EVAL = "eval"


@dataclass(frozen=True, slots=True)
class Amount:
    """What was used for one thing at one time. `queries` is 1 for what a question cost, 0 for all else."""

    at: datetime
    kind: Kind
    used: Usage
    queries: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, read and written, cached or not."""
        return self.used.read + self.used.output


def kind_of(run_type: str, role: str) -> Kind:
    """What the tokens that a role used in a type of run count as."""
    if run_type in (_QUERY, _ARCHIVE):
        return "query"
    if run_type == _EVAL or role == _JUDGE:
        return "eval"
    if role != _WRITER:
        return "verifier"
    return next((kind for kind in KINDS if kind == run_type), "other")


def by_runs(runs: Iterable[Run], tell: Callable[[str], None]) -> Iterator[Amount]:
    """What runs have used, dated by the state in which it was booked: a run may take weeks.

    A state whose date is none is told and skipped.
    """
    for run in runs:
        known: dict[str, Usage] = {}
        for state in run.states:
            at = _dated(state.at, f"run {run.id}, state {state.number}", tell)
            if at is None:
                continue
            for role, totals in state.spent.items():
                added = _added(_usage(totals), known.get(role))
                if added is not None:
                    known[role] = _usage(totals)
                    is_question = run.record.run_type == _ARCHIVE and role == _WRITER
                    yield Amount(at, kind_of(run.record.run_type, role), added, int(is_question))


def by_measurements(
    measured: Iterable[Measurement], recorded: Iterable[Run], tell: Callable[[str], None]
) -> Iterator[Amount]:
    """What evaluations have used that are recorded as no run, by what their measurements say of it."""
    known = {run.id for run in recorded}
    for one in measured:
        if one.run_id in known:
            continue
        at = _dated(one.completed_at, f"measurement {one.id[:10]}", tell)
        read, written, usd = (_of_measurement(one, name) for name in ("input_tokens", "output_tokens", "usd"))
        if at is not None and (read or written or usd):
            yield Amount(at, "eval", Usage(input=int(read), output=int(written), usd=usd))


def _of_measurement(one: Measurement, name: str) -> float:
    """One quantity: as the measurement was booked, or among its metrics, where those hold it."""
    if name in one.used:
        return one.used[name]
    metric = one.metrics.get(name)
    return metric.value or 0.0 if metric is not None else 0.0


def by_log(calls: Iterable[Call], recorded: Sequence[Run]) -> Iterator[Amount]:
    """What the log knows and no record does: questions, what was asked by hand, runs of which nothing was booked.

    The calls of one question are one amount, at the time of its last call.
    """
    known = {run.id for run in recorded if run.state.spent}
    kept = [_usage(run.state.spent[_WRITER]) for run in recorded if _is_kept_answer(run)]
    questions: dict[str, Amount] = {}
    for number, call in enumerate(calls):
        if call.run_type == _QUERY:
            called = call.run_id or str(number)  # without a name, each call is a question
            before = questions.get(called)
            used = call.used if before is None else before.used + call.used
            questions[called] = Amount(call.at, "query", used, 1)
        elif call.run_type != _EVAL and call.run_id not in known:
            yield Amount(call.at, kind_of(call.run_type, call.role) if call.run_id else "other", call.used)
    for amount in questions.values():
        # The run that keeps an answer bears what the question cost: it is not counted twice.
        same = next((used for used in kept if _tokens(used) == _tokens(amount.used)), None)
        if same is None:
            yield amount
        else:
            kept.remove(same)


def _is_kept_answer(run: Run) -> bool:
    return run.record.run_type == _ARCHIVE and _WRITER in run.state.spent


def _tokens(used: Usage) -> Usage:
    return replace(used, usd=0.0)


def _usage(totals: Mapping[str, float]) -> Usage:
    """A role's totals as a record has them; what a record of another version lacks is 0."""
    counts = {name: int(totals.get(name, 0)) for name in ("input", "output", "cache_read", "cache_write", "calls")}
    return Usage(**counts, usd=float(totals.get("usd", 0.0)))


def _added(total: Usage, before: Usage | None) -> Usage | None:
    """What came to a role's total; None where nothing did, also in a state that is older than its number says."""
    if before is None:
        return total if total.calls else None
    if total.calls <= before.calls:
        return None
    names = ("input", "output", "cache_read", "cache_write", "calls")
    counts = {name: max(0, getattr(total, name) - getattr(before, name)) for name in names}
    return Usage(**counts, usd=max(0.0, total.usd - before.usd))


def _dated(recorded: str, what: str, tell: Callable[[str], None]) -> datetime | None:
    try:
        return moment_of(recorded)
    except ValueError:
        tell(f"{what}: {recorded!r} is no date; what it spent is not counted")
        return None


def moment_of(recorded: str) -> datetime:
    """A recorded moment (`2026-11-21T21:08:43Z`) as a time. ValueError for what is none."""
    return datetime.fromtimestamp(epoch_of(recorded), UTC)
