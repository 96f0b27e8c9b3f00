"""Measurements (`PROTOCOL.md` 5): one shape for all that is measured, kept in notes on the commit that was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops import canonical
from gitops.canonical import dumps, strict_json
from gitops.errors import CannotRun
from gitops.git import notes
from gitops.runs import attesting_records, names
from gitops.runs.context import Context, epoch_of
from gitops.runs.records import id_of

SCHEMA = "assay/measurement/1"
KIND = "metric"
"""The kind of a measurement of one metric of alexandria 14, which then is its suite (`M1`) too."""
RETRIEVAL = "retrieval"
"""The kind of a measurement of retrieval: many metrics over golden queries, whose results are kept with it."""
BENCHMARK = "benchmark"
"""The kind of a measurement of one repeat of a benchmark suite; its suite is the suite's id."""
ABLATION = "ablation"
"""The kind of a repeat that was measured as a variant of an ablation."""
EXTRACTION = "extraction"
"""The kind of a measurement of an extraction: what was written, scored against authored atoms."""
LARGEST = 32 * 2**20
"""No record larger than so many bytes is kept: every clone has all of them."""
FULLEST = 80 * 2**20
"""So many bytes are the records of one commit at most: they are one file, and forges refuse files of 100 MB."""
SampleStatus = Literal["pass", "fail", "error", "timeout", "skipped", "abstained"]


class Part(BaseModel):
    """A part of a measurement: frozen, and open to fields that a later version adds."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Sample(Part):
    """One case. What does not apply is left out of the record."""

    id: str
    status: SampleStatus
    scores: Mapping[str, float] | None = None
    latency_ms: float | None = None
    tokens: int | None = None
    usd: float | None = None
    error: str | None = None
    retries: int | None = None
    tags: tuple[str, ...] = ()
    details: Mapping[str, Any] = Field(default_factory=dict)


class Bar(Part):
    """What a metric is held to."""

    op: Literal["==", ">=", "<="]
    value: float


class Uncertain(Part):
    """A status that the next sample may change: the cut that lies within the interval, and the sample that would tell.

    `settled_by` is how large a sample of the same share would have an interval on one side of the cut; None where none
    would, or where more samples than there are would be needed.
    """

    cut: float
    settled_by: int | None = None


class Metric(Part):
    """One number over `n` samples, with its 95 % interval where it samples. Not measured is null, never zero."""

    value: float | None
    n: int
    interval: tuple[float, float] | None = None
    direction: Literal["higher", "lower"]
    unit: str
    average: Literal["micro", "macro"] | None = None
    bar: Bar | None = None
    status: Literal["measured", "not_measured", "pass", "fail", "uncertain", "healthy", "degraded", "broken"]
    """`measured` where there is no bar to pass; those of alexandria 14 for its metrics."""
    uncertain: Uncertain | None = None
    """Set where the interval holds one of the cuts that the status is taken by."""
    counts: Mapping[str, int] = Field(default_factory=dict)
    """What the number was counted from, by names that its kind of measurement explains."""


class Measurement(BaseModel):
    """One recorded result: of which `subject` (what was measured), by which `instrument` (with what it was)."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    summary: str
    schema_: str = Field(default=SCHEMA, alias="schema")
    kind: str
    id: str = ""
    run_id: str
    commit: str
    workspace: str
    suite: str = ""
    suite_version: str = ""
    subject: Mapping[str, Any]
    instrument: Mapping[str, Any]
    variant: str = ""
    repeat: int = 0
    started_at: str
    completed_at: str
    samples: tuple[Sample, ...] = ()
    metrics: Mapping[str, Metric] = Field(default_factory=dict)
    reason: str = ""
    """Why there is no number, where there is none."""
    details: Mapping[str, Any] = Field(default_factory=dict)
    """What a reader wants to see beside the numbers: the worst cases, a curve."""
    used: Mapping[str, float] = Field(default_factory=dict)
    """What models used for it, by the names of a budget."""

    @property
    def is_metric(self) -> bool:
        """Is this the measurement of one metric? Of other kinds there are no gates."""
        return self.kind == KIND and self.suite in self.metrics

    @property
    def is_indexed(self) -> bool:
        """Has this a row of `eval_runs`?"""
        is_retrieval = self.kind == RETRIEVAL and "mrr" in self.metrics
        return self.is_metric or (is_retrieval and isinstance(self.details.get("aggregate"), Mapping))

    def is_of(self, metric: str, workspace: str) -> bool:
        """Is this a measurement of that metric and workspace?"""
        return self.is_metric and (self.suite, self.workspace) == (metric, workspace)

    @property
    def is_past(self) -> bool:
        """Whether it speaks of a commit of the past (`eval run --at`), and so of no gate."""
        return bool(self.subject.get("is_past"))

    def record(self) -> dict[str, Any]:
        """The measurement as plain JSON."""
        body = self.model_dump(mode="json", by_alias=True, exclude={"samples"})
        kept = [each.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for each in self.samples]
        return body | {"samples": kept}

    def named(self) -> Measurement:
        """The same with its id: the digest of all but the id and the untrusted summary."""
        return self.model_copy(update={"id": id_of(self.record())})


def append(context: Context, measurement: Measurement, beside: Sequence[str] = ()) -> Measurement:
    """Keep a measurement on the commit that was measured, durably; give it with its id.

    `beside` is what stands beside it in the note: who signed it.
    """
    [named] = append_all(context, [measurement], [beside])
    return named


def append_all(context: Context, measured: Sequence[Measurement], beside: Sequence[Sequence[str]]) -> list[Measurement]:
    """Keep several measurements of one run, each on the commit that it measured, all or none; give them with their ids.

    `beside` has for each what stands beside it in the note.
    """
    named = [one.named() for one in measured]
    on: dict[str, list[str]] = {}
    for one, others in zip(named, beside, strict=True):
        body = one.record()
        on.setdefault(one.commit, []).extend([canonical.line(body.pop("summary"), body), *others])
    message = f"assay: {named[0].kind} of {named[0].commit[:10]}"
    notes.append(context.repository, names.EVALS, on, message, context.identity, context.epoch)
    return named


def refuse_too_large(context: Context, measured: Sequence[Measurement], smaller: str) -> None:
    """CannotRun for the records of a run that are too large to be kept, each by itself or together with those that
    their commit has already, before anything is written. `smaller` says what makes them fewer or smaller.
    """
    added: dict[str, int] = {}
    for one in measured:
        size = len(dumps(one.record()).encode("utf-8", "backslashreplace"))
        if size > LARGEST:
            told = (
                f"the record of this run is {size / 2**20:.0f} MiB, and none beyond {LARGEST / 2**20:.0f} MiB is kept"
            )
            raise CannotRun(told, smaller)
        added[one.commit] = added.get(one.commit, 0) + size
    for commit, size in added.items():
        if (full := size_on(context, commit) + size) > FULLEST:
            told = f"with this run the notes of {commit[:10]} would be {full / 2**20:.0f} MiB"
            mend = f"--rev REV keeps it with another commit; {smaller}"
            raise CannotRun(f"{told}, and {FULLEST / 2**20:.0f} MiB is the most", mend)


def measurements_on(context: Context, commit: str, kind: str = "") -> list[Measurement]:
    """The measurements of a commit, of one kind or all, oldest first; lines that are none are told and skipped."""
    found = _read(context, commit, notes.read(context.repository, names.EVALS, commit))
    return _in_order(one for one in found if kind in ("", one.kind))


def everything(context: Context) -> list[Measurement]:
    """The measurements of all commits, oldest first; lines that are none are told and skipped."""
    every = notes.read_all(context.repository, names.EVALS)
    return _in_order(one for commit, lines in every for one in _read(context, commit, lines))


def size_on(context: Context, commit: str) -> int:
    """How many bytes the measurements of a commit are together."""
    return sum(
        len(line.encode("utf-8", "surrogateescape")) + 1 for line in notes.read(context.repository, names.EVALS, commit)
    )


def _in_order(found: Iterable[Measurement]) -> list[Measurement]:
    return sorted({one.id: one for one in found}.values(), key=lambda one: (one.completed_at, one.id))


def _read(context: Context, commit: str, lines: Iterable[str]) -> Iterator[Measurement]:
    return read_lines(context, commit, enumerate(lines, 1))


def read_lines(context: Context, commit: str, numbered: Iterable[tuple[int, str]]) -> Iterator[Measurement]:
    """The measurements among some lines of the note on a commit, each with its number; others are told and skipped.

    What signs one of them is none, and no mistake either.
    """
    for number, line in numbered:
        if attesting_records.is_one(line):
            continue
        read = parse(line)
        if isinstance(read, Measurement) and read.commit == commit:
            yield read
        else:
            why = read if isinstance(read, str) else f"it is of {read.commit[:10]}, another commit"
            context.warn_once(f"{names.EVALS} on {commit[:10]}, line {number}: {why}; skipped")


def parse(line: str) -> Measurement | str:
    """A measurement, or why the line is none. A changed line no longer bears its own id and counts for nothing."""
    try:
        value = strict_json(line)
        measurement = Measurement.model_validate(value)
        if measurement.id != id_of(value):
            return "its id is not the digest of its content"
        for moment in (measurement.started_at, measurement.completed_at):
            epoch_of(moment)  # what measurements are ordered by, and told to people
    except (ValueError, ValidationError) as error:
        return str(error).split("\n")[0]
    return measurement
