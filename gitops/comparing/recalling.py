"""Recalls what was measured: of a revision, by an eval run, or as a file has it."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gitops.canonical import strict_json
from gitops.comparing.instruments import instrument, subject
from gitops.comparing.sample_rows import OF_SUITES
from gitops.errors import CannotRun, UsageError
from gitops.git import snapshot
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import SCHEMA, Measurement
from gitops.runs.records import id_of

FILES = (".json", ".jsonl", ".ndjson")
"""How files of measurements end, which no revision does."""
_PRINTED = frozenset(("assay/eval-run/1", "assay/benchmark-ran/1"))
"""What commands print with the measurements that they made."""
_NAME_ONE = "name a revision (HEAD~3), a run of `git assay eval run`, or a file of measurements"


@dataclass(frozen=True, slots=True)
class Recalled:
    """One side of a comparison: as it was asked for, and the newest measurement of each metric, with its repeats."""

    name: str
    metrics: Mapping[str, tuple[Measurement, ...]]
    commit: str = ""
    """Where one commit was asked for."""


def recall(
    context: Context, folder: Path, word: str, workspace_at: Callable[[str], str], only: str | None = None
) -> list[Recalled]:
    """What a word of the command line means: one side, or several where a file holds several variants.

    `workspace_at` names the workspace at a commit, `only` the one whose measurements count in files. UsageError for
    what is no revision, run or file, and for a file that holds something else; CannotRun for a commit that was never
    measured.
    """
    path = folder / word
    if path.suffix in FILES and os.path.isfile(path):
        return of_file(word, path, only)
    try:
        commit = snapshot.resolve(context.repository, word)
    except UsageError as error:
        if found := _of_run(context, word):
            return found
        if os.path.isfile(path):  # false, too, of what is too long to name a file
            return of_file(word, path, only)
        if "ambiguous" in error.message:
            raise
        raise UsageError(f"'{word}' is no revision, no eval run, and no file", error.hint or _NAME_ONE) from error
    return [_of_commit(context, word, commit, workspace_at(commit))]


def key(measurement: Measurement, name: str) -> str:
    """What a metric is called among those of all kinds: `M1`, `verifier_test.caught`, `benchmark.shell.pass_rate`."""
    if measurement.kind in OF_SUITES:
        return f"{measurement.kind}.{measurement.suite}.{name}"
    return name if measurement.kind == measurements.KIND else f"{measurement.kind}.{name}"


def name_of(measurement: Measurement, metric: str) -> str:
    """The metric's name within its measurement, by what it is called among those of all kinds (`retrieval.mrr`) or,
    where measurements of one kind are compared, by that name itself (`mrr`).
    """
    return next((name for name in measurement.metrics if key(measurement, name) == metric), metric)


def _of_commit(context: Context, word: str, commit: str, workspace: str) -> Recalled:
    every = measurements.measurements_on(context, commit)
    mine = [one for one in every if one.workspace == workspace]
    if not mine:
        other = ", ".join(sorted({one.workspace for one in every}))
        told = f"{word} ({commit[:10]}) was never measured" + (f" in {workspace}, only in {other}" if other else "")
        raise CannotRun(told, f"git assay eval run --at {word}")
    called = word if commit.startswith(word) else f"{word} ({commit[:10]})"
    return Recalled(called, _newest(mine), commit)


def _of_run(context: Context, word: str) -> list[Recalled]:
    """The measurements of a run, by its id or the only beginning of one."""
    if len(word) < 8:
        return []
    begun = [one for one in measurements.everything(context) if one.run_id.startswith(word)]
    ids = sorted({one.run_id for one in begun})
    if len(ids) > 1 and word not in ids:
        raise UsageError(f"'{word}' may be any of {', '.join(ids[:5])}", "give more of the id")
    mine = [one for one in begun if one.run_id in (word, *ids[:1])]
    return _variants(word if word in ids else ids[0], mine) if mine else []


def of_file(word: str, path: Path, only: str | None = None) -> list[Recalled]:
    """What a file holds, called by the word that names it: needs no repository. Errors as those of `recall`."""
    found = [one for one in measurements_of(word, path) if only in (None, one.workspace)]
    if not found:
        told = f"{word} holds no measurement" + (f" of {only}" if only else "")
        raise UsageError(told, "git assay eval run --json > FILE")
    if len(workspaces := sorted({one.workspace for one in found})) > 1:
        told = f"{word} holds measurements of several workspaces: {', '.join(workspaces)}"
        raise UsageError(told, f"git assay --workspace {workspaces[0]} eval compare …")
    return _variants(word, found)


def measurements_of(word: str, path: Path) -> Iterator[Measurement]:
    """The measurements in a file, one by one or as a command printed them. UsageError for what holds something else."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{word} cannot be read: {error}", _NAME_ONE) from error
    try:
        whole = strict_json(text)
    except ValueError as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2:
            raise UsageError(f"{word} holds no measurement: {error}", _NAME_ONE) from error
        for number, line in lines:
            yield from _of_line(f"{word}, line {number}", line)
        return
    yield from _of_value(word, whole)


def _of_line(where: str, line: str) -> Iterator[Measurement]:
    try:
        value = strict_json(line)
    except ValueError as error:
        raise UsageError(f"{where}: {error}", "each line is one measurement as JSON") from error
    yield from _of_value(where, value)


def _of_value(where: str, value: Mapping[str, Any]) -> Iterator[Measurement]:
    """A measurement, or those that `git assay eval run --json` printed."""
    if value.get("schema") in _PRINTED and isinstance(value.get("measurements"), list):
        for at, each in enumerate(value["measurements"]):
            yield _measurement(f"{where}, measurements[{at}]", each)
    else:
        yield _measurement(where, value)


def _measurement(where: str, value: Any) -> Measurement:
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        said = value.get("schema") if isinstance(value, dict) else None
        told = f"its schema is {said!r}, not {SCHEMA!r}" if said else f"it has no schema {SCHEMA!r}"
        raise UsageError(f"{where}: this is no measurement: {told}", "git assay eval run --json prints some")
    try:
        measurement = Measurement.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"{where}: this is no measurement: {place}: {first['msg']}", "git assay schema measurement"
        ) from error
    if measurement.id != id_of(value):
        raise UsageError(f"{where}: its id is not the digest of its content", "it was changed since it was measured")
    return measurement


def _variants(name: str, found: Sequence[Measurement]) -> list[Recalled]:
    """A side for each variant, in the order in which they first come; one alone is called as it was asked for."""
    by_variant: dict[str, list[Measurement]] = {one.variant: [] for one in found}
    for one in sorted(found, key=lambda one: (one.completed_at, one.id)):
        by_variant[one.variant].append(one)
    if len(by_variant) == 1:
        return [Recalled(name, _newest(*by_variant.values()))]
    return [Recalled(f"{name} [{variant or 'unnamed'}]", _newest(each)) for variant, each in by_variant.items()]


def _newest(found: Iterable[Measurement]) -> dict[str, tuple[Measurement, ...]]:
    """Of measurements, oldest first, the newest of each metric; with it its other repeats: the same thing measured,
    by the same instrument.
    """
    by_metric: dict[str, list[Measurement]] = {}
    for one in found:
        for name in one.metrics:
            by_metric.setdefault(key(one, name), []).append(one)
    return {metric: _repeats(every, metric) for metric, every in by_metric.items()}


def _repeats(every: Sequence[Measurement], metric: str) -> tuple[Measurement, ...]:
    last = every[-1]
    name = name_of(last, metric)

    def what(one: Measurement) -> tuple[object, ...]:
        run = one.run_id if one.kind in OF_SUITES else ""  # whose repeats are all of one run
        return one.variant, run, instrument(one, name), subject(one)

    newest = {one.repeat: one for one in every if what(one) == what(last)}
    return tuple(newest[repeat] for repeat in sorted(newest))
