"""What people say of measurements, kept as notes on the commit measured: append-only, it travels with the notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops import canonical
from gitops.canonical import strict_json
from gitops.git import notes
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.records import Person, id_of

SCHEMA = "assay/feedback/1"


class Ack(BaseModel):
    """Somebody knows that a metric is broken, says why, and lets work go on until the next measurement.

    `measurement` is the id of the one that is acknowledged, `commit` what it measured.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    summary: str
    schema_: str = Field(default=SCHEMA, alias="schema")
    kind: Literal["ack"] = "ack"
    id: str = ""
    workspace: str
    metric: str
    measurement: str
    commit: str
    reason: str
    by: Person
    at: str

    def record(self) -> dict[str, Any]:
        """The ack as plain JSON, with its id: the digest of all but the id and the untrusted summary."""
        body = self.model_dump(mode="json", by_alias=True)
        return body | {"id": id_of(body)}


def acknowledge(context: Context, metric: str, measurement: Measurement, reason: str) -> Ack:
    """Record an ack of a measurement, durably."""
    person = Person(name=context.identity.name, email=context.identity.email)
    told = " ".join(reason.split())
    made = Ack(
        summary=f"ack of {metric} by {person.name}: {told}",
        workspace=measurement.workspace,
        metric=metric,
        measurement=measurement.id,
        commit=measurement.commit,
        reason=told,
        by=person,
        at=context.now,
    )
    body = made.record()
    line = canonical.line(body.pop("summary"), body)
    message = f"assay: ack of {metric} on {measurement.commit[:10]}"
    on = {measurement.commit: [line]}
    notes.append(context.repository, names.FEEDBACK, on, message, context.identity, context.epoch)
    return made.model_copy(update={"id": body["id"]})


def acks_on(context: Context, commit: str) -> list[Ack]:
    """The acks of measurements of a commit, oldest first; lines that are none are told and skipped."""
    return _in_order(_read(context, commit, notes.read(context.repository, names.FEEDBACK, commit)))


def all_acks(context: Context) -> list[Ack]:
    """The acks on all commits, oldest first."""
    every = notes.read_all(context.repository, names.FEEDBACK)
    return _in_order(ack for commit, lines in every for ack in _read(context, commit, lines))


def _in_order(acks: Iterable[Ack]) -> list[Ack]:
    return sorted({ack.id: ack for ack in acks}.values(), key=lambda ack: (ack.at, ack.id))


def _read(context: Context, commit: str, lines: Iterable[str]) -> Iterator[Ack]:
    for number, line in enumerate(lines, 1):
        read = parse(line)
        if isinstance(read, Ack) and read.commit == commit:
            yield read
        elif read is not None:
            why = read if isinstance(read, str) else f"it is of {read.commit[:10]}, another commit"
            context.warn_once(f"{names.FEEDBACK} on {commit[:10]}, line {number}: {why}; skipped")


def parse(line: str) -> Ack | str | None:
    """An ack; None for feedback of another kind; or why the line is neither."""
    try:
        value = strict_json(line)
        if value.get("kind") != "ack":
            return None if value.get("id") == id_of(value) else "its id is not the digest of its content"
        ack = Ack.model_validate(value)
    except (ValueError, ValidationError) as error:
        return str(error).split("\n")[0]
    return ack if ack.id == id_of(value) else "its id is not the digest of its content"
