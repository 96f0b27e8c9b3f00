"""Reads and writes the records of runs: notes first, since they are the truth, then the index that mirrors them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from pydantic import ValidationError

from gitops import canonical
from gitops.canonical import strict_json
from gitops.errors import UsageError
from gitops.git import notes
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.garbage import uncollected
from gitops.runs.notelines import parse
from gitops.runs.records import LandedRecord, Record, Run, RunRecord, fold, id_of
from gitops.verify.verdict import Verdict

if TYPE_CHECKING:
    from gitops.runs.feedback import Evicted
    from gitops.runs.measurements import Measurement


class Beginning(Protocol):
    """What tells one beginning of a run from another: the record's id, the run's, the commit it sits on."""

    @property
    def id(self) -> str:
        """The record's id."""
        ...

    @property
    def run_id(self) -> str:
        """The run's id."""
        ...

    @property
    def root(self) -> str:
        """The commit that holds the run's records."""
        ...


_RANK = {"commit": 0, "commit_override": 1, "revise": 2, "reject": 3}


def all_runs(context: Context) -> dict[str, Run]:
    """Every run that has left records here, by id. Lines that do not parse are told through the context."""
    found: dict[str, Run] = {}
    for root, lines in notes.read_all(context.repository, names.RUNS):
        for run in begun_on(context, root, lines).values():
            other = found.get(run.id)
            if other is None or counts_before(context, run.record, other.record):
                found[run.id] = run
    return found


def counts_before(context: Context, record: Beginning, other: Beginning) -> bool:
    """Whether a run that was begun twice counts as begun by the first of two records; tells that it was."""
    told = f"run {record.run_id} was begun twice, on {other.root[:10]} and on {record.root[:10]}"
    context.warn_once(f"{told}; the records of one count")
    return record.id < other.id


def begun_on(context: Context, root: str, lines: Iterable[str]) -> dict[str, Run]:
    """The runs whose records sit on a commit. Records of a run that began elsewhere count for nothing here."""
    read = parse(lines, f"{names.RUNS} on {root[:10]}")
    for told in read.skipped:
        context.warn_once(f"{told}; skipped")
    begun = {record.run_id for record in read.records if isinstance(record, RunRecord) and record.root == root}
    mine = [record for record in read.records if record.run_id in begun and _is_of(record, root)]
    for record in read.records:
        if record.run_id not in begun and not (isinstance(record, LandedRecord) and record.commit == root):
            context.warn_once(f"{names.RUNS} on {root[:10]}: run {record.run_id} did not begin there; skipped")
    return fold(mine)


def _is_of(record: Record, root: str) -> bool:
    return not isinstance(record, RunRecord) or record.root == root


def exact(context: Context, run_id: str) -> Run | None:
    """The run with this very id, if it has left records here."""
    from gitops.runs import mirror

    root = mirror.root_of(context, run_id)
    if root is not None:
        found = begun_on(context, root, notes.read(context.repository, names.RUNS, root)).get(run_id)
        if found is not None:
            return found
    return all_runs(context).get(run_id)


def find(context: Context, text: str) -> Run:
    """The run with this id, or the only one that begins so. UsageError with what there is instead."""
    run_id = names.checked_id(text)
    if (found := exact(context, run_id)) is not None:
        return found
    runs = all_runs(context)
    begun = [name for name in runs if name.startswith(run_id)]
    if len(begun) == 1:
        return runs[begun[0]]
    if begun:
        raise UsageError(f"'{text}' may be any of {', '.join(sorted(begun)[:5])}", "give more of the id")
    raise UsageError(f"there is no run '{text}'", "git assay run list")


def append(context: Context, root: str, records: Sequence[Record], message: str) -> Run:
    """Add records to a run's note (on its root commit), durably, then mirror the run in the index; the run as it is."""
    from gitops.runs import mirror

    lines = {root: [record.line() for record in records]}
    notes.append(context.repository, names.RUNS, lines, message, context.identity, context.epoch)
    begun = begun_on(context, root, notes.read(context.repository, names.RUNS, root))
    run = begun[records[0].run_id]
    mirror.put(context, run, lambda: everything(context))
    return run


def append_landed(context: Context, run: Run, landed: LandedRecord) -> Run:
    """Say on a commit that somebody made, and among the run's own records, that it landed the run."""
    lines = {commit: [landed.line()] for commit in (landed.commit, run.record.root)}
    message = f"assay: run {run.id} landed as {landed.commit[:10]}"
    notes.append(context.repository, names.RUNS, lines, message, context.identity, context.epoch)
    return begun_on(context, run.record.root, notes.read(context.repository, names.RUNS, run.record.root))[run.id]


def landed_runs(context: Context, commit: str) -> list[str]:
    """The ids of the runs that a commit made elsewhere is recorded to have landed."""
    read = parse(notes.read(context.repository, names.RUNS, commit), names.RUNS)
    return [r.run_id for r in read.records if isinstance(r, LandedRecord) and r.commit == commit]


def append_verdict(context: Context, verdict: Verdict, judgements: Sequence[str] = ()) -> Verdict:
    """Put a verdict on the commit it judges, durably, and give it. One that says the same already is kept instead.

    `judgements` are the lines of the votes that led to it: they stand in the same note.
    """
    from gitops.runs import mirror

    there = verdicts_on(context, verdict.candidate)
    kept = next((old for old in there if _says_the_same(old, verdict)), None)
    if kept is None:
        body = verdict.record()
        line = canonical.line(body.pop("summary"), body)
        message = f"assay: {verdict.verdict} for run {verdict.run_id or verdict.candidate[:10]}"
        on = {verdict.candidate: [line, *judgements]}
        notes.append(context.repository, names.VERDICTS, on, message, context.identity, context.epoch)
        there = verdicts_on(context, verdict.candidate)
    # As the note has them, so that the index is the same as one made anew; and also where an attempt was killed
    # between note and index.
    mirror.put_verdicts(context, there, lambda: everything(context))
    return kept or verdict


def mirror_again(context: Context, run: Run) -> None:
    """Bring the index up to what the notes say of a run: who was killed had written them, perhaps not it."""
    from gitops.runs import mirror

    mirror.put(context, run, lambda: everything(context))
    for commit in dict.fromkeys(state.candidate for state in run.states if state.candidate):
        mirror.put_verdicts(context, verdicts_on(context, commit), lambda: everything(context))


def _says_the_same(one: Verdict, other: Verdict) -> bool:
    but = {"id", "summary", "created_at"}
    return one.model_dump(exclude=but) == other.model_dump(exclude=but)


def everything(context: Context) -> tuple[list[Run], list[Verdict], list[Measurement], list[Evicted]]:
    """All that the notes hold: what an index is made of."""
    from gitops.runs import evicted, measurements

    with uncollected():
        runs, measured = list(all_runs(context).values()), measurements.everything(context)
        return runs, all_verdicts(context), measured, evicted.all_evicted(context)


def all_verdicts(context: Context) -> list[Verdict]:
    """Every verdict on every commit, oldest first; lines that are none are told and skipped."""
    found = []
    for commit, lines in notes.read_all(context.repository, names.VERDICTS):
        found += verdicts_in(context, commit, lines)
    return _in_order(found)


def verdicts_on(context: Context, commit: str) -> list[Verdict]:
    """The verdicts recorded on a commit, oldest first; lines that are none are told and skipped."""
    return _in_order(verdicts_in(context, commit, notes.read(context.repository, names.VERDICTS, commit)))


def _in_order(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return sorted(verdicts, key=lambda verdict: (verdict.created_at, verdict.id))


def verdicts_in(context: Context, commit: str, lines: Iterable[str]) -> list[Verdict]:
    """The verdicts among the lines of the note on a commit; lines that are none are told and skipped."""
    found, skipped = list[Verdict](), 0
    for number, line in enumerate(lines, 1):
        if any(mark in line for mark in _BESIDE_MARKS) and _is_beside(line):
            continue
        verdict = parse_verdict(line)
        if isinstance(verdict, Verdict) and verdict.candidate == commit:
            found.append(verdict)
        else:
            why = verdict if isinstance(verdict, str) else f"it judges {verdict.candidate[:10]}, another commit"
            skipped += 1
            if skipped <= _MOST_TOLD:
                context.warn_once(f"{names.VERDICTS} on {commit[:10]}, line {number}: {why}; skipped")
    if skipped > _MOST_TOLD:
        context.warn_once(f"{names.VERDICTS} on {commit[:10]}: {skipped - _MOST_TOLD:,} more lines skipped")
    return found


_MOST_TOLD = 10
"""So many lines of one note that are no records are told one by one: anybody may write a million of them."""


BESIDE = ("judgement", "judgements", "attestation")
"""The kinds of records that stand beside verdicts, in their notes."""
_BESIDE_MARKS = tuple(f'"kind":"{kind}"' for kind in BESIDE)


def _is_beside(line: str) -> bool:
    """A vote that led to a verdict, or a signature of it, kept beside it."""
    try:
        value = strict_json(line)
    except ValueError:
        return False
    return value.get("kind") in BESIDE and value.get("id") == id_of(value)


@lru_cache(maxsize=32)
def parse_verdict(line: str) -> Verdict | str:
    """A verdict, or why the line is none. A changed line no longer bears its own id and counts for nothing."""
    try:
        value = strict_json(line)
        verdict = Verdict.model_validate(value)
    except (ValueError, ValidationError) as error:
        return str(error).split("\n")[0]
    return verdict if verdict.id == id_of(value) else "its id is not the digest of its content"


def standing(verdicts: Iterable[Verdict], candidate: str) -> Verdict | None:
    """The verdict that counts for a candidate: reject wins, and an override over a yes, unless superseded by name."""
    mine = [verdict for verdict in verdicts if verdict.candidate == candidate]
    superseded = {old for verdict in mine for old in verdict.supersedes}
    alive = [verdict for verdict in mine if verdict.id not in superseded]
    return max(alive, key=lambda verdict: (_RANK[verdict.verdict], verdict.created_at, verdict.id), default=None)
