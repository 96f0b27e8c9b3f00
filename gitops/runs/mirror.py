"""Mirrors records in the SQLite index. The index decides nothing: it is made anew from the notes at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager

from gitops.errors import CannotRun
from gitops.index import records as rows
from gitops.index.database import Index, open_index, transaction
from gitops.index.replacing import Block, replace_all
from gitops.runs import evicted as evictions
from gitops.runs import indexrows
from gitops.runs.context import Context
from gitops.runs.feedback import Evicted
from gitops.runs.garbage import uncollected
from gitops.runs.measurements import Measurement
from gitops.runs.records import Run
from gitops.verify.verdict import Verdict

Everything = Callable[[], tuple[Iterable[Run], Iterable[Verdict], Iterable[Measurement], Iterable[Evicted]]]
"""All runs, verdicts, measurements and evictions that the notes hold, read when it is called."""


@contextmanager
def opened(context: Context) -> Iterator[Index]:
    """The index, opened and closed; what is wrong with its file is told through the context."""
    with closing(open_index(context.folder / "index.sqlite3")) as index:
        if index.notice:
            context.warn(index.notice)
        yield index


def put(context: Context, run: Run, everything: Everything) -> None:
    """Mirror one run; a file made just now is filled with everything there is."""
    with _holding_nothing_up(context), opened(context) as index:
        if index.fresh:
            fill(index, *everything())
            return
        with transaction(index):
            newest = rows.runs(index, run.record.workspace, limit=1)
            if not newest or (newest[0]["started_at"], newest[0]["run_id"]) <= _age(run):
                rows.put_workspace(index, indexrows.workspace_row(run))
            rows.put_run(index, indexrows.run_row(run))


def put_verdicts(context: Context, verdicts: Iterable[Verdict], everything: Everything) -> None:
    """Mirror the verdicts on one commit, oldest first, with the provenance of the claims they read."""
    with _holding_nothing_up(context), opened(context) as index:
        if index.fresh:
            fill(index, *everything())
            return
        with transaction(index):
            for verdict in verdicts:
                rows.put_verdict(index, indexrows.verdict_row(verdict))
                rows.put(index, "wiki_claim_provenance", indexrows.provenance_rows(verdict))


def put_measurement(context: Context, measured: Measurement, everything: Everything) -> None:
    """Mirror one measurement, whose run is there already."""
    with _holding_nothing_up(context), opened(context) as index:
        if index.fresh:
            fill(index, *everything())
        elif measured.is_indexed:
            rows.put_eval_run(index, indexrows.eval_row(measured), indexrows.answer_rows(measured))


def put_evicted(context: Context, said: Evicted, everything: Everything) -> None:
    """Mirror what became of one proposal."""
    with _holding_nothing_up(context), opened(context) as index:
        if index.fresh:
            fill(index, *everything())
        else:
            rows.put_eviction_feedback(index, [evictions.row(said)])


@contextmanager
def _holding_nothing_up(context: Context) -> Iterator[None]:
    """An index that cannot be written is told, and stops no landing: the notes have the record already."""
    try:
        yield
    except CannotRun as error:
        context.warn(f"the index is behind the notes: {error.message}; mend it with git assay index rebuild")


def root_of(context: Context, run_id: str) -> str | None:
    """The root commit of a run, if the index knows it."""
    try:
        with opened(context) as index:
            found = rows.rows(index, "runs", {"run_id": run_id})
    except CannotRun:
        return None  # whoever asks reads the notes instead
    return found[0]["root"] if found else None


def rebuild(
    context: Context,
    runs: Iterable[Run],
    verdicts: Iterable[Verdict],
    measured: Iterable[Measurement],
    evicted: Iterable[Evicted],
) -> list[str]:
    """Replace the whole index by what the notes say, in one transaction; returns what could not be taken in."""
    with opened(context) as index:
        return fill(index, runs, verdicts, measured, evicted)


def fill(
    index: Index,
    runs: Iterable[Run],
    verdicts: Iterable[Verdict],
    measured: Iterable[Measurement] = (),
    evicted: Iterable[Evicted] = (),
) -> list[str]:
    """Put all that notes hold into an index, in the order in which it came to be: of two rows the later stays."""
    known = sorted(runs, key=_age)
    with uncollected():
        given = [verdict.record() for verdict in sorted(verdicts, key=lambda each: (each.created_at, each.id))]
        workspaces = {run.record.workspace: run.record.workspace_root for run in known}
        judged = [indexrows.verdict_values(verdict) for verdict in given]
        claims = [row for verdict in given for row in indexrows.provenance_values(verdict)]
        begun = [indexrows.of_run(run) for run in known]
        tables = indexrows.blocks(workspaces, begun, judged, claims, measured)
        return replace(index, tables | {"eviction_feedback": evictions.block(evicted)})


def replace(index: Index, tables: Mapping[str, Block]) -> list[str]:
    """Put whole tables in the place of all that the index holds; returns what could not be taken in, and why."""
    return [f"{each.table} {each.key}: {each.why}" for each in replace_all(index, tables)]


def _age(run: Run) -> tuple[str, str]:
    return run.record.started_at, run.id
