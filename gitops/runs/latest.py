"""The latest measurement of each metric, found without reading all of them: gates ask before every ingest.

What was found is kept for the version of the notes that it was found in; a later version reads only the notes that
changed since. The notes decide: losing what is kept costs time and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from gitops.canonical import dumps
from gitops.git import commits, history, notes, notetree, objects, refs, treediff
from gitops.git.repository import Repository
from gitops.git.treediff import Entry
from gitops.index.cache import Cache
from gitops.runs import attesting_records, measurements, names
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement

CLOSING = "broken"
"""The status that closes gates, whoever wrote it down. Where signatures are demanded, any other opens none unsigned."""
_VERSION = "4"
_SIGNED = 100
"""So many of the newest measurements that somebody signed are looked at, for one whose signature holds."""
_TARGET = re.compile(r"[0-9a-f]{40}")
_STEPS_BACK = 200
"""So many versions of the notes are looked back for one that something was kept for; beyond it all is read."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a gate needs of one measurement. `value` is None where nothing was measured."""

    at: str
    id: str
    commit: str
    value: float | None
    status: str
    is_uncertain: bool = False
    """Whether the interval holds a cut."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest measurement of a metric of a workspace, the newest with a number, and whether one was healthy.

    `closed` is the newest that is broken. `signed` are those with a number that a signature stands beside, whether it
    holds or not, the newest first.
    """

    workspace: str
    metric: str
    newest: Told
    counted: Told | None
    was_healthy: bool
    closed: Told | None = None
    signed: tuple[Told, ...] = ()

    @property
    def decides(self) -> Told:
        """What the gate follows, and an ack acknowledges: what could not be measured leaves a gate as it was."""
        return self.counted or self.newest


def latest(context: Context, workspace: str) -> dict[str, Latest]:
    """The latest of each metric of a workspace that was ever measured, by its id."""
    return {each.metric: each for each in everywhere(context) if each.workspace == workspace}


def everywhere(context: Context) -> list[Latest]:
    """The latest of each metric of each workspace, in the order of their names."""
    tip = refs.read(context.repository, names.EVALS)
    if tip is None:
        return []
    with context.caching() as cache:
        kept = cache.get("gates", _VERSION, tip)
        if kept is not None:
            return _parsed(kept)
        found = _brought_up(context, cache, tip)
        cache.put("gates", _VERSION, tip, dumps([asdict(each) for each in found]).encode())
        return found


def believed(each: Latest, holds: Callable[[Told], bool]) -> Latest:
    """The same where nothing but what is signed opens a gate that a measurement closed: a no counts from anybody.

    `holds` says whether a signature of a measurement does; it is asked for those that decide, the newest first.
    """
    counted = each.counted
    if each.closed is not None and counted is not None and _age(counted) > _age(each.closed):
        since = [told for told in (counted, *each.signed) if _age(told) > _age(each.closed)]
        counted = next((told for told in dict.fromkeys(since) if holds(told)), each.closed)
    return replace(each, counted=counted)


def was_healthy(each: Latest, holds: Callable[[Told], bool]) -> bool:
    """Whether a metric was healthy once by a measurement whose signature holds."""
    return each.was_healthy and any(holds(told) for told in each.signed if told.status == "healthy")


def folded(
    measured: Iterable[Measurement], before: Iterable[Latest] = (), signed: Collection[str] = frozenset()
) -> list[Latest]:
    """Some measurements on top of what was found before, in any order and as often as one likes.

    `signed` are the ids of those that a signature stands beside.
    """
    found = {(each.workspace, each.metric): each for each in before}
    for one in measured:
        if one.is_past or not one.is_metric:
            continue
        key, number = (one.workspace, one.suite), one.metrics[one.suite]
        told = Told(one.completed_at, one.id, one.commit, number.value, number.status, number.uncertain is not None)
        found[key] = _with(found.get(key) or Latest(*key, told, None, False), told, is_signed=one.id in signed)
    return [found[key] for key in sorted(found)]


def _with(now: Latest, told: Told, *, is_signed: bool) -> Latest:
    if _age(told) > _age(now.newest):
        now = replace(now, newest=told)
    if told.value is None:
        return now
    if now.counted is None or _age(told) > _age(now.counted):
        now = replace(now, counted=told)
    if told.status == CLOSING and (now.closed is None or _age(told) > _age(now.closed)):
        now = replace(now, closed=told)
    if is_signed:
        signed = sorted({*now.signed, told}, key=_age, reverse=True)[:_SIGNED]
        now = replace(now, signed=tuple(signed))
    return replace(now, was_healthy=now.was_healthy or told.status == "healthy")


def _age(told: Told) -> tuple[str, str]:
    return told.at, told.id


def _brought_up(context: Context, cache: Cache, tip: str) -> list[Latest]:
    """From the nearest version that something was kept for, by the notes that changed since."""
    repository = context.repository
    for version in islice(history.first_parent(repository, tip), 1, _STEPS_BACK):
        kept = cache.get("gates", _VERSION, version)
        if kept is None:
            continue
        old, new = (commits.read(repository, each).tree for each in (version, tip))
        added = [_added(repository, entry) for entry in treediff.changed(repository, old, new)]
        if any(lines is None for _, lines in added):
            break  # what a note lacks now counts no more
        gained = [(target, lines or []) for target, lines in added if _TARGET.fullmatch(target)]
        return _folded(context, gained, _parsed(kept))
    every = notes.read_all(repository, names.EVALS)
    return _folded(context, ((target, list(enumerate(lines, 1))) for target, lines in every))


def _folded(context: Context, notes_on: Iterable[tuple[str, Numbered]], before: Iterable[Latest] = ()) -> list[Latest]:
    """What some lines of the notes say on top of what was found before."""
    measured: list[Measurement] = []
    signed: set[str] = set()
    for target, lines in notes_on:
        signed |= attesting_records.signed_in(line for _, line in lines)
        measured += measurements.read_lines(context, target, lines)
    return folded(measured, before, signed)


Numbered = list[tuple[int, str]]


def _added(repository: Repository, entry: Entry) -> tuple[str, Numbered | None]:
    """The target of a note that changed, and the lines that it has gained; None where it lost one, or is gone.

    A signature may have come later than what it is about: a note that gained one is read whole.
    """
    old, new = ([] if blob is None else _lines(repository, blob) for blob in (entry.old_blob, entry.new_blob))
    before, every = set(old), list(enumerate(new, 1))
    gained = [(number, line) for number, line in every if line not in before]
    some = every if attesting_records.signed_in(line for _, line in gained) else gained
    return entry.path.replace("/", ""), some if before <= set(new) else None


def _lines(repository: Repository, blob: str) -> list[str]:
    return notetree.unpacked(objects.read(repository, blob))


def _parsed(kept: bytes) -> list[Latest]:
    rows = json.loads(kept)
    return [_latest(row) for row in rows]


def _latest(row: dict[str, Any]) -> Latest:
    return Latest(
        str(row["workspace"]),
        str(row["metric"]),
        Told(**row["newest"]),
        None if row["counted"] is None else Told(**row["counted"]),
        bool(row["was_healthy"]),
        None if row["closed"] is None else Told(**row["closed"]),
        tuple(Told(**each) for each in row["signed"]),
    )
