"""Accepts a run as baseline: in the notes, and as `baseline.json` beside the suite, for a person to commit."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gitops.errors import CannotRun, UsageError
from gitops.git import snapshot
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.suites import exporting, places
from gitops.suites.model import BenchmarkRun
from gitops.suites.recalling import LIST, of_run


def kept(context: Context, word: str, workspace: str, suite: str = "") -> list[Measurement]:
    """The measurements of the repeats of one run of one suite that is kept in the notes: by its id or the beginning of
    one, or of a revision the newest. UsageError where that means none, several suites, or one of another workspace.
    """
    try:
        commit = snapshot.resolve(context.repository, word)
    except UsageError:
        mine = _of_run(context, word, workspace)
    else:
        there = measurements.measurements_on(context, commit, measurements.BENCHMARK)
        mine = _newest([one for one in there if one.workspace == workspace])
    mine = [one for one in mine if suite in ("", one.suite)]
    found = sorted({one.suite for one in mine})
    if len(found) > 1:
        raise UsageError(f"{word} means runs of {', '.join(found)}", "name the run of one, or --suite NAME")
    if not mine:
        raise UsageError(f"no run of {suite or 'a suite'} is kept at {word}", LIST)
    return mine


def _of_run(context: Context, word: str, workspace: str) -> list[Measurement]:
    found = of_run(context, word)
    mine = [one for one in found if one.workspace == workspace]
    if not mine:
        told = f"the run {found[0].run_id} is of the workspace {found[0].workspace}, not of {workspace}"
        raise UsageError(told, "git assay -C FOLDER works in another workspace")
    return mine


def _newest(measured: Sequence[Measurement]) -> list[Measurement]:
    """Of measurements that are ordered by age, those of the newest run of each suite."""
    last = {one.suite: one.run_id for one in measured}
    return [one for one in measured if one.run_id == last[one.suite]]


def export(folder: Path, runs: Sequence[BenchmarkRun]) -> Path:
    """Write a run as the `baseline.json` of the suite in a folder, whole or not at all. CannotRun where that fails."""
    file = folder / places.BASELINE
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    told = exporting.joined(runs).model_dump(mode="json")
    try:
        beside.write_text(json.dumps(told, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        raise CannotRun(f"cannot write {file}: {error.strerror or error}", "--no-export writes no file") from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    return file
