"""The index made anew from the notes: the common lines on a straight way from bytes to rows, the others with care.

The straight way makes no models. A note that holds anything but common lines is read as everywhere else, whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from pydantic_core import to_json

from gitops.git import notes
from gitops.index.replacing import Block
from gitops.runs import evicted, goldrows, indexrows, measurements, mirror, names, store
from gitops.runs.context import Context
from gitops.runs.garbage import uncollected
from gitops.runs.indexrows import Values
from gitops.runs.plainlines import Fields, is_plain_of, plain
from gitops.runs.records import FINAL, transitions


@dataclass(frozen=True, slots=True)
class Remade:
    """How much an index was made of, and what could not be taken in."""

    runs: int
    verdicts: int
    left_out: list[str]


class Begun(NamedTuple):
    """A folded run: what tells it from another that bears its name, and its row."""

    id: str
    run_id: str
    root: str
    started_at: str
    workspace: str
    workspace_root: str
    row: Values


@dataclass(slots=True)
class Judged:
    """Rows of verdicts, by age, and of the claims that they read."""

    verdicts: list[tuple[str, str, Values]] = field(default_factory=list)
    claims: list[tuple[str, str, Values]] = field(default_factory=list)

    def add(self, verdict: Fields) -> None:
        """Take in one verdict."""
        at, name = verdict["created_at"], verdict["id"]
        self.verdicts.append((at, name, indexrows.verdict_values(verdict)))
        self.claims += [(at, name, row) for row in indexrows.provenance_values(verdict)]


def remake(context: Context) -> Remade:
    """Replace the whole index by what the notes say, in one transaction. Lines that are no records are told."""
    with uncollected():
        tables = read(context)
        with mirror.opened(context) as index:
            left_out = mirror.replace(index, tables | {"eval_gold_queries": goldrows.block(context)})
    return Remade(len(tables["runs"].rows), len(tables["verdicts"].rows), left_out)


def read(context: Context) -> dict[str, Block]:
    """All that the notes hold as an index's tables, in the order in which it came to be."""
    begun = sorted(_all_begun(context), key=lambda run: (run.started_at, run.run_id))
    judged = _all_judged(context)
    age = itemgetter(0, 1)
    measured = measurements.everything(context)
    return indexrows.blocks(
        {run.workspace: run.workspace_root for run in begun},
        [run.row for run in begun],
        [row for _, _, row in sorted(judged.verdicts, key=age)],
        [row for _, _, row in sorted(judged.claims, key=age)],
        measured,
    ) | {"eviction_feedback": evicted.block(evicted.all_evicted(context))}


def _all_begun(context: Context) -> Iterable[Begun]:
    found: dict[str, Begun] = {}
    for root, lines in notes.read_all(context.repository, names.RUNS):
        straight = run_of(root, lines)
        for run in _with_care(context, root, lines) if straight is None else [straight]:
            other = found.get(run.run_id)
            if other is None or store.counts_before(context, run, other):
                found[run.run_id] = run
    return found.values()


def _with_care(context: Context, root: str, lines: Iterable[str]) -> Iterable[Begun]:
    for run in store.begun_on(context, root, lines).values():
        record = run.record
        place = (record.id, record.run_id, record.root, record.started_at, record.workspace, record.workspace_root)
        yield Begun(*place, indexrows.of_run(run))


def run_of(root: str, lines: Iterable[str]) -> Begun | None:
    """The run whose note this is; None unless all of its lines are common ones and tell of one run begun there."""
    records = list(map(plain, lines))
    known = [record for record in records if record is not None]
    begun = [record for record in known if record["kind"] == "run"]
    if len(known) != len(records) or len(begun) != 1 or begun[0]["root"] != root:
        return None
    if any(record["run_id"] != begun[0]["run_id"] or record["kind"] == "verdict" for record in known):
        return None
    return _folded(begun[0], sorted(known, key=itemgetter("id", "summary")))


def _folded(record: Fields, records: list[Fields]) -> Begun | None:
    """What `records.fold` makes of the same records."""
    stated = {each["id"]: each for each in records if each["kind"] == "state"}
    plans = {(each["base"], each["head"]): each["operations"] for each in records if each["kind"] == "plan"}
    ordered = list(transitions((each["number"], each["status"], name, each) for name, each in stated.items()))
    if not ordered:
        return None
    tried = [(state["base"], state["head"]) for state in reversed(ordered)]
    plan = next((plans[key] for key in tried if key in plans), None)
    state = ordered[-1]
    ended_at = state["at"] if state["status"] in FINAL else None
    sources = to_json(record["sources"]).decode()  # canonical, as the line was
    steps = None if plan is None else to_json(plan).decode()
    return Begun(
        record["id"],
        record["run_id"],
        record["root"],
        record["started_at"],
        record["workspace"],
        record["workspace_root"],
        indexrows.run_values(record, state, ended_at, sources, steps),
    )


def _all_judged(context: Context) -> Judged:
    judged = Judged()
    for commit, lines in notes.read_all(context.repository, names.VERDICTS):
        straight = verdicts_of(commit, lines)
        if straight is None:
            straight = [verdict.record() for verdict in store.verdicts_in(context, commit, lines)]
        for verdict in straight:
            judged.add(verdict)
    return judged


def verdicts_of(commit: str, lines: Iterable[str]) -> list[Fields] | None:
    """The verdicts on a commit; None unless all lines are common ones that judge it, or stand beside those that do."""
    found = []
    for line in lines:
        if is_plain_of(line, store.BESIDE):
            continue
        verdict = plain(line)
        if verdict is None or verdict["kind"] != "verdict" or verdict["candidate"] != commit:
            return None
        found.append(verdict)
    return found
