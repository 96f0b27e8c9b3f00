"""The latest measurement of each metric, found without reading all of them: gates ask before every ingest.

What was found is kept for the version of the notes that it was found in; a later version reads only the notes that
changed since. The notes decide: losing what is kept costs time and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice

from gitops.canonical import dumps
from gitops.git import commits, history, notetree, objects, refs, treediff
from gitops.git.repository import Repository
from gitops.git.treediff import Entry
from gitops.index.cache import Cache
from gitops.runs import measurements, names
from gitops.runs.context import CACHE, Context
from gitops.runs.measurements import Measurement

_VERSION = "2"
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
    """The newest measurement of a metric of a workspace, the newest with a number, and whether one was healthy."""

    workspace: str
    metric: str
    newest: Told
    counted: Told | None
    was_healthy: bool

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
    with Cache(context.folder / CACHE) as cache:
        kept = cache.get("gates", _VERSION, tip)
        if kept is not None:
            return _parsed(kept)
        found = _brought_up(context, cache, tip)
        cache.put("gates", _VERSION, tip, dumps([asdict(each) for each in found]).encode())
        return found


def folded(measured: Iterable[Measurement], before: Iterable[Latest] = ()) -> list[Latest]:
    """Some measurements on top of what was found before, in any order and as often as one likes."""
    found = {(each.workspace, each.metric): each for each in before}
    for one in measured:
        if one.is_past or not one.is_metric:
            continue
        key, number = (one.workspace, one.suite), one.metrics[one.suite]
        told = Told(one.completed_at, one.id, one.commit, number.value, number.status, number.uncertain is not None)
        now = found.get(key) or Latest(*key, told, None, False)
        if _age(told) > _age(now.newest):
            now = replace(now, newest=told)
        if told.value is not None and (now.counted is None or _age(told) > _age(now.counted)):
            now = replace(now, counted=told)
        found[key] = replace(now, was_healthy=now.was_healthy or (told.value is not None and told.status == "healthy"))
    return [found[key] for key in sorted(found)]


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
        return folded(_read(context, added), _parsed(kept))
    return folded(measurements.everything(context))


Numbered = list[tuple[int, str]]


def _added(repository: Repository, entry: Entry) -> tuple[str, Numbered | None]:
    """The target of a note that changed, and the lines that it has gained; None where it lost one, or is gone."""
    old, new = ([] if blob is None else _lines(repository, blob) for blob in (entry.old_blob, entry.new_blob))
    before = set(old)
    gained = [(number, line) for number, line in enumerate(new, 1) if line not in before]
    return entry.path.replace("/", ""), gained if before <= set(new) else None


def _lines(repository: Repository, blob: str) -> list[str]:
    return notetree.unpacked(objects.read(repository, blob))


def _read(context: Context, added: Iterable[tuple[str, Numbered | None]]) -> Iterator[Measurement]:
    for target, lines in added:
        if _TARGET.fullmatch(target):  # what is no note may stand beside them
            yield from measurements.read_lines(context, target, lines or ())


def _parsed(kept: bytes) -> list[Latest]:
    rows = json.loads(kept)
    return [_latest(row) for row in rows]


def _latest(row: dict[str, object]) -> Latest:
    newest, counted = row["newest"], row["counted"]
    assert isinstance(newest, dict)
    return Latest(
        str(row["workspace"]),
        str(row["metric"]),
        Told(**newest),
        Told(**counted) if isinstance(counted, dict) else None,
        bool(row["was_healthy"]),
    )
