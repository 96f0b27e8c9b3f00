"""Recalls runs of benchmark suites: by a run's id, of a revision, or as a file has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gitops.canonical import strict_json
from gitops.comparing.recalling import FILES, measurements_of
from gitops.errors import CannotRun, UsageError
from gitops.git import snapshot
from gitops.runs import measurements, mirror, names
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.suites.exporting import split
from gitops.suites.model import BenchmarkRun
from gitops.suites.remembered import KINDS, run_of, runs_of

LIST = "git assay benchmark list shows what was run"
_RUN = "git assay benchmark run --json > FILE writes one"


@dataclass(frozen=True, slots=True)
class Recalled:
    """The repeats of one run of one suite, by the name that it was asked for by.

    `word` is what asks for it alone: `RUN/VARIANT` where there are several variants.
    """

    name: str
    runs: tuple[BenchmarkRun, ...]
    word: str = ""

    @property
    def suite(self) -> str:
        """The id of the suite."""
        return self.runs[0].suite_id


def of_run(context: Context, run_id: str) -> list[Measurement]:
    """The measurements of a run, by its id or the only beginning of one: its variants, and of each the repeats.

    UsageError where there is none, or several begin so.
    """
    root = mirror.root_of(context, run_id) if names.is_id(run_id) else None
    there = measurements.measurements_on(context, root) if root else []
    mine = [one for one in there if one.run_id == run_id and one.kind == measurements.BENCHMARK]
    if not mine:  # an ablation lies on the commits of its variants, and what another machine made in no index
        mine = _begun(context, run_id)
    return sorted(mine, key=lambda one: (one.suite, one.variant, one.repeat, one.completed_at, one.id))


def _begun(context: Context, word: str) -> list[Measurement]:
    every = [one for one in measurements.everything(context) if one.kind in KINDS and one.run_id.startswith(word)]
    ids = sorted({one.run_id for one in every})
    if word in ids:
        return [one for one in every if one.run_id == word]
    if len(ids) > 1:
        raise UsageError(f"'{word}' may be any of {', '.join(ids[:5])}", "give more of the id")
    if not ids:
        raise UsageError(f"there is no benchmark run '{word}'", LIST)
    return every


def of_commit(context: Context, commit: str, workspace: str, suite: str = "") -> list[BenchmarkRun]:
    """Of each suite that a commit was measured by, or of the one named, the newest run's repeats."""
    found: dict[str, list[Measurement]] = {}
    for one in measurements.measurements_on(context, commit, measurements.BENCHMARK):
        if one.workspace == workspace and suite in ("", one.suite):
            found.setdefault(one.suite, []).append(one)
    return [run for every in found.values() for run in newest(context, every)]


def newest(context: Context, measured: Sequence[Measurement]) -> list[BenchmarkRun]:
    """The repeats of the newest run among measurements that are ordered by age; [] of none."""
    mine = [one for one in measured if one.run_id == measured[-1].run_id]
    return runs_of(context, sorted(mine, key=lambda one: (one.variant, one.repeat)))


def recall(context: Context, folder: Path, word: str, workspace: str) -> list[Recalled]:
    """What a word of the command line means: the runs of one suite or, of a revision or file, of several.

    Variants of an ablation are runs of their own, `RUN/VARIANT` means one of them. UsageError for what is no run,
    revision or file; CannotRun for a commit that no suite has measured.
    """
    path = folder / word
    if path.suffix in FILES and path.is_file():
        return _apart(word, of_file(word, path))
    try:
        commit = snapshot.resolve(context.repository, word)
    except UsageError as error:
        return _by_beginning(context, word, path, error)
    found = of_commit(context, commit, workspace)
    if not found:
        raise CannotRun(
            f"no suite has measured {word} ({commit[:10]}) in {workspace}",
            f"git assay benchmark run --rev {word} --all",
        )
    return _apart(word, found)


def _by_beginning(context: Context, word: str, path: Path, error: UsageError) -> list[Recalled]:
    if path.is_file():
        return _apart(word, of_file(word, path))
    if "ambiguous" in error.message:
        raise error
    run_id, _, variant = word.partition("/")
    try:
        found = [run_of(one) for one in of_run(context, run_id)]
    except UsageError as other:
        if "may be any" in other.message:
            raise
        raise UsageError(f"'{word}' is no benchmark run, no revision, and no file", LIST) from other
    mine = [run for run in found if variant in ("", run.variant)]
    if not mine:
        known = ", ".join(sorted({run.variant for run in found}))
        raise UsageError(f"the run {found[0].run_id} has no variant '{variant}'", f"it has: {known or 'none'}")
    return _apart(f"{found[0].run_id}/{variant}" if variant else found[0].run_id, mine)


def of_file(word: str, path: Path) -> list[BenchmarkRun]:
    """The runs that a file holds: what `benchmark run --json` printed, measurements, or a `baseline.json`."""
    try:
        value = strict_json(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{word} cannot be read: {error}", _RUN) from error
    except ValueError:  # lines of JSON, or none: who reads measurements says which
        return _of_measurements(word, path)
    if {"config_snapshot", "results"} <= value.keys():
        return split(_run_in(word, value))
    return _of_measurements(word, path)


def _run_in(word: str, value: dict[str, Any]) -> BenchmarkRun:
    try:
        return BenchmarkRun.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{word}: this is no benchmark run: {place}: {first['msg']}", _RUN) from error


def _of_measurements(word: str, path: Path) -> list[BenchmarkRun]:
    found = [run_of(one) for one in measurements_of(word, path) if one.kind in KINDS]
    if not found:
        raise UsageError(f"{word} holds no run of a benchmark", _RUN)
    return found


def _apart(word: str, runs: Iterable[BenchmarkRun]) -> list[Recalled]:
    """The runs by suite and variant, each called by the word, and by its variant where there are several."""
    found: dict[tuple[str, str], list[BenchmarkRun]] = {}
    for run in runs:
        found.setdefault((run.suite_id, run.variant), []).append(run)
    several = len({variant for _, variant in found}) > 1
    return [
        Recalled(f"{word} [{variant or 'unnamed'}]", tuple(each), f"{word}/{variant}")
        if several
        else Recalled(word, tuple(each), word)
        for (_, variant), each in found.items()
    ]
