"""A run as it is to be done again: all that it takes is read from its own record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.errors import CannotRun, UsageError
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.suites import digests
from gitops.suites.flow import Wanted
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.remembered import run_of


@dataclass(frozen=True, slots=True)
class Again:
    """One suite and variant of a run: where, what, how; `lacks` are ids of cases that no record holds."""

    commit: str
    loaded: Loaded
    wanted: Wanted
    lacks: tuple[str, ...] = ()


def again(context: Context, measured: Sequence[Measurement], jobs: int = 0) -> list[Again]:
    """What a run did, suite by suite and variant by variant. `jobs` 0: as many at a time as then.

    CannotRun for a record that does not hold its suite, or of a commit that is not here.
    """
    found: dict[tuple[str, str], list[BenchmarkRun]] = {}
    for one in measured:
        found.setdefault((one.suite, one.variant), []).append(run_of(one))
    return [_again(context, runs, jobs) for runs in found.values()]


def _again(context: Context, runs: Sequence[BenchmarkRun], jobs: int) -> Again:
    first = min(runs, key=lambda run: run.repeat)
    suite, told = digests.suite_of(first), first.config_snapshot
    folder = told.get("suite_folder")
    if suite is None or not isinstance(folder, str):
        raise CannotRun(f"the record of run {first.run_id} does not hold its suite", "run it by its name")
    if told.get("tree"):
        raise UsageError(f"run {first.run_id} measured a working tree, which nobody has any more", "commit, and run it")
    context.commit(first.commit)  # CannotRun where this clone lacks it
    files = told.get(digests.FILES)
    wanted = Wanted(
        repeats=len(runs),
        jobs=jobs or _number(_table(told.get("machine")).get("jobs")),
        seed=_number(told.get("seed")) - first.repeat,
        variant=first.variant,
        overrides=_table(told.get("overrides")),
        cases=tuple(map(str, told.get("cases") or ())),
    )
    loaded = Loaded(suite, folder, files={name: str(each) for name, each in _table(files).items()})
    return Again(first.commit, loaded, wanted, tuple(_table(told.get(digests.ORGANIC))))


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
