"""What people say of a commit and of what was measured there: notes on it, append-only, that travel with the notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops import canonical
from gitops.canonical import strict_json
from gitops.errors import UsageError
from gitops.git import notes
from gitops.runs import attesting_records, names
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.measurements import Measurement
from gitops.runs.records import Person, id_of
from gitops.runs.workspace import Workspace

SCHEMA = "assay/feedback/1"


class Feedback(BaseModel):
    """What somebody says of a commit, and why. `commit` is the one whose note it stands in."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    summary: str
    schema_: str = Field(default=SCHEMA, alias="schema")
    kind: str
    id: str = ""
    workspace: str
    commit: str
    reason: str
    by: Person
    at: str

    def record(self) -> dict[str, Any]:
        """The same as plain JSON, with its id: the digest of all but the id and the untrusted summary."""
        body = self.model_dump(mode="json", by_alias=True)
        return body | {"id": id_of(body)}


class Ack(Feedback):
    """Somebody knows that a metric is broken, says why, and lets work go on until the next measurement.

    `measurement` is the id of the one that is acknowledged, `commit` what it measured.
    """

    kind: Literal["ack"] = "ack"
    metric: str
    measurement: str


class AcceptedRegression(Feedback):
    """Somebody accepts that a change makes metrics worse than they are at its base, and says why.

    `commit` is the head of the change, `base` what it was compared with, '' where nobody said. `metrics` are those that
    are accepted, all where none is named. `label` is the label on a pull request that said so, '' where a command did.
    """

    kind: Literal["accepted_regression"] = "accepted_regression"
    base: str = ""
    metrics: tuple[str, ...] = ()
    label: str = ""


class RawSync(Feedback):
    """Somebody who may sign says that a commit renews or removes just these sources (`git assay raw sync`)."""

    kind: Literal["raw_sync"] = "raw_sync"
    paths: tuple[str, ...]
    reason: str = ""


class Baseline(Feedback):
    """Somebody accepts a run of a benchmark suite as what later ones are compared with (`PROTOCOL.md` 5).

    `commit` is what it measured, `run` the id of the run, `measurements` those of its repeats.
    """

    kind: Literal["baseline"] = "baseline"
    suite: str
    run: str
    measurements: tuple[str, ...]


class HumanLabel(Feedback):
    """Somebody says what a case of a benchmark run came to: `label` is `pass` or `fail`. The newest one counts.

    `instead_of` is the id of the label that it takes the place of, '' of the first: moments are told in whole seconds.
    """

    kind: Literal["human_label"] = "human_label"
    suite: str
    run: str
    case: str
    repeat: int = 0
    label: Literal["pass", "fail"]
    instead_of: str = ""


class Evicted(Feedback):
    """What became of a proposal to evict items of context (silas 19.2), and the proposal, to be learned from.

    `proposal` and `resolution` are the specification's EvictionProposal and EvictionFeedback.
    """

    kind: Literal["eviction"] = "eviction"
    proposal: Mapping[str, Any]
    resolution: Mapping[str, Any]


_KINDS: dict[str, type[Feedback]] = {
    "ack": Ack,
    "accepted_regression": AcceptedRegression,
    "raw_sync": RawSync,
    "baseline": Baseline,
    "human_label": HumanLabel,
    "eviction": Evicted,
}
_Said = TypeVar("_Said", bound=Feedback)


def acknowledge(context: Context, metric: str, measurement: Measurement, reason: str) -> Ack:
    """Record an ack of a measurement, durably; signed where signatures are demanded. CannotRun where it cannot be."""
    who, told = person(context), _plain(reason)
    made = Ack(
        summary=f"ack of {metric} by {who.name}: {told}",
        workspace=measurement.workspace,
        metric=metric,
        measurement=measurement.id,
        commit=measurement.commit,
        reason=told,
        by=who,
        at=context.now,
    )
    what = f"ack of {metric} on {measurement.commit[:10]}"
    return keep(Authority(context, measurement.workspace), made, what)


def accept_regression(
    context: Context,
    workspace: Workspace,
    commit: str,
    reason: str,
    *,
    base: str = "",
    metrics: Sequence[str] = (),
    label: str = "",
) -> AcceptedRegression:
    """Record on the head of a change that its regressions are accepted, durably; signed where its base demands it.

    UsageError without a reason, CannotRun where it has to be signed and cannot be.
    """
    who, told = person(context), _plain(reason)
    if not told:
        raise UsageError("accepting a regression takes a reason", 'say why: --accept "the sample grew"')
    which = ", ".join(metrics) or "every regression"
    made = AcceptedRegression(
        summary=f"{which} accepted by {who.name}: {told}",
        workspace=workspace.name,
        commit=commit,
        base=base,
        metrics=tuple(dict.fromkeys(metrics)),
        reason=told,
        by=who,
        at=context.now,
        label=label,
    )
    return keep(Authority(context, workspace.name, base), made, f"accept a regression of {commit[:10]}")


def keep(authority: Authority, made: _Said, what: str, *, is_signed: bool = True) -> _Said:
    """Record what somebody says, durably, with the signature that it needs to count. CannotRun where there is none.

    What opens no gate need not be signed (`is_signed`).
    """
    context, body = authority.context, made.record()
    beside = attesting_records.beside(authority, names.FEEDBACK, made.commit, body, must=True) if is_signed else []
    named = made.model_copy(update={"id": body["id"]})
    on = {made.commit: [canonical.line(body.pop("summary"), body), *beside]}
    notes.append(context.repository, names.FEEDBACK, on, f"assay: {what}", context.identity, context.epoch)
    return named


def person(context: Context) -> Person:
    """Who says it: git's own name for whoever runs this."""
    return Person(name=context.identity.name, email=context.identity.email)


def _plain(reason: str) -> str:
    return " ".join(reason.split())


def acks_on(context: Context, commit: str) -> list[Ack]:
    """The acks of measurements of a commit, oldest first; lines that are none are told and skipped."""
    return _in_order(_read(context, commit, notes.read(context.repository, names.FEEDBACK, commit)), Ack)


def syncs_on(context: Context, commit: str) -> list[RawSync]:
    """What is said to renew sources in a commit, oldest first, whether it counts or not."""
    return _in_order(_read(context, commit, notes.read(context.repository, names.FEEDBACK, commit)), RawSync)


def labels_on(context: Context, commit: str) -> list[HumanLabel]:
    """What persons say of cases that were run at a commit, oldest first, whether it counts or not."""
    return _in_order(_read(context, commit, notes.read(context.repository, names.FEEDBACK, commit)), HumanLabel)


def all_acks(context: Context) -> list[Ack]:
    """The acks on all commits, oldest first."""
    return everything(context, Ack)


def everything(context: Context, kind: type[_Said], naming: str = "") -> list[_Said]:
    """What is said on all commits, of one kind, oldest first; lines that are none are told and skipped.

    `naming` looks at lines with these words in them alone: whoever wants one record need not read all.
    """
    every = notes.read_all(context.repository, names.FEEDBACK)
    some = ((commit, [line for line in lines if naming in line]) for commit, lines in every)
    return _in_order((said for commit, lines in some for said in _read(context, commit, lines)), kind)


def accepted_on(context: Context, commit: str, base: str) -> list[AcceptedRegression]:
    """The regressions of a change that are accepted on one of its commits, oldest first, as far as they count.

    `base` is the commit that the change is judged against: its policy says whether they must be signed, and by whom.
    """
    there = _read(context, commit, notes.read(context.repository, names.FEEDBACK, commit))
    return [
        each for each in _in_order(there, AcceptedRegression) if holds(Authority(context, each.workspace, base), each)
    ]


def holds(authority: Authority, said: Feedback) -> bool:
    """Whether what somebody said counts: where signatures are demanded, if one holds. That none does is told once."""
    told = f"the {said.kind.replace('_', ' ')} {said.id[:10]} on {said.commit[:10]}"
    return attesting_records.counts(authority, names.FEEDBACK, said.commit, said.id, told)


def _in_order(said: Iterable[Feedback], kind: type[_Said]) -> list[_Said]:
    mine = {each.id: each for each in said if isinstance(each, kind)}
    return sorted(mine.values(), key=lambda each: (each.at, each.id))


def _read(context: Context, commit: str, lines: Iterable[str]) -> Iterator[Feedback]:
    for number, line in enumerate(lines, 1):
        read = parse(line)
        if isinstance(read, Feedback) and read.commit == commit:
            yield read
        elif read is not None:
            why = read if isinstance(read, str) else f"it is of {read.commit[:10]}, another commit"
            context.warn_once(f"{names.FEEDBACK} on {commit[:10]}, line {number}: {why}; skipped")


def parse(line: str) -> Feedback | str | None:
    """An ack or an accepted regression; None for a record of another kind; or why the line is none."""
    try:
        value = strict_json(line)
        if value.get("id") != id_of(value):
            return "its id is not the digest of its content"
        kind = _KINDS.get(str(value.get("kind")))
        if kind is None:
            return None
        said = kind.model_validate(value)
        epoch_of(said.at)  # what acks are ordered by, and windows of keys are held against
    except (ValueError, ValidationError) as error:
        return str(error).split("\n")[0]
    return said
