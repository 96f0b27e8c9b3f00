"""What is recorded of a run, one canonical JSON line each, and how the lines fold into its present state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from gitops.canonical import digest, line
from gitops.config import RunType
from gitops.usage import Usage

State = TypeVar("State")
Status = Literal["pending", "verifying", "committed", "rejected", "abandoned"]
FINAL: frozenset[str] = frozenset(("committed", "rejected", "abandoned"))
SCHEMA = "assay/run/1"

# Two machines may record a state with the same number; the stronger one wins, on every machine alike.
_RANK = {"pending": 0, "verifying": 1, "abandoned": 2, "rejected": 3, "committed": 4}


class Record(BaseModel):
    """A line in the notes. `summary` is for people, is never parsed, and is untrusted (`PROTOCOL.md` 4)."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    summary: str
    schema_: str = Field(default=SCHEMA, alias="schema")
    id: str = ""
    run_id: str

    def line(self) -> str:
        """The record as it stands in a note: `summary` first, then the canonical fields."""
        body = self.model_dump(mode="json", by_alias=True)
        summary = body.pop("summary")
        return line(summary, body | {"id": id_of(body)})


def id_of(body: dict[str, Any]) -> str:
    """The id that a record must bear: the digest of its content without the id and the untrusted summary."""
    return digest({key: value for key, value in body.items() if key not in ("id", "summary")})[:40]


class Person(BaseModel):
    """Whose name a commit carries."""

    model_config = ConfigDict(frozen=True)

    name: str
    email: str


class RunRecord(Record):
    """How a run began. `adopted` is a branch that somebody pushed; nothing is known of its budget."""

    kind: Literal["run"] = "run"
    workspace: str
    workspace_root: str = ""
    run_type: RunType
    triggered_by: str
    sources: tuple[str, ...] = ()
    reason: str = ""
    target: str
    base: str
    root: str
    started_at: str
    author: Person
    adopted: bool = False
    verifier_preset: str = "offline"


class StateRecord(Record):
    """One transition. `number` orders a run's transitions; clocks do not."""

    kind: Literal["state"] = "state"
    number: int
    status: Status
    at: str
    base: str = ""
    head: str = ""
    candidate: str = ""
    verdict: str = ""
    verdict_id: str = ""
    reason: str = ""
    loop_count: int = 1
    unverified: bool = False
    draft_only: bool = False
    used: dict[str, float] = Field(default_factory=dict)
    """What the writer used, by the names of its budget."""
    spent: dict[str, dict[str, float]] = Field(default_factory=dict)
    """What model calls used so far, by role (writer, verifier): tokens, cached ones apart, and dollars."""


def added_up(spent: Mapping[str, Mapping[str, float]], role: str, used: Usage) -> dict[str, dict[str, float]]:
    """The run's totals by role, with what one role used just now added to its own."""
    before = spent.get(role, {})
    now = {name: float(value) + before.get(name, 0.0) for name, value in asdict(used).items()}
    return {name: dict(totals) for name, totals in spent.items()} | {role: {**now, "usd": round(now["usd"], 6)}}


class Operation(BaseModel):
    """One step of a plan: what happens to which page, and the digest of the content it leaves."""

    model_config = ConfigDict(frozen=True)

    op: Literal["create", "update", "delete"]
    path: str
    blob: str | None
    sha256: str | None


class PlanRecord(Record):
    """All that a run writes against one base, as it was when it was finished."""

    kind: Literal["plan"] = "plan"
    base: str = ""
    head: str
    operations: tuple[Operation, ...]


class LandedRecord(Record):
    """A commit that somebody else made (a squash or rebase button) and that a verdict covers."""

    kind: Literal["landed"] = "landed"
    commit: str
    verdict_id: str
    at: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its records tell it."""

    record: RunRecord
    states: tuple[StateRecord, ...]
    plan: PlanRecord | None = None
    landed: LandedRecord | None = None

    @property
    def id(self) -> str:
        """The run's id."""
        return self.record.run_id

    @property
    def state(self) -> StateRecord:
        """The latest transition."""
        return self.states[-1]

    @property
    def status(self) -> Status:
        """Where the run stands."""
        return self.state.status

    @property
    def ended_at(self) -> str | None:
        """When it came to its end, if it did."""
        return self.state.at if self.status in FINAL else None

    @property
    def revised_heads(self) -> frozenset[str]:
        """The distinct heads that were sent back."""
        return frozenset(state.head for state in self.states if state.verdict == "revise")


def fold(records: Iterable[Record]) -> dict[str, Run]:
    """Records of any number of runs → the runs by id. Order and duplicates change nothing."""
    begun: dict[str, RunRecord] = {}
    states: dict[str, dict[str, StateRecord]] = {}
    plans: dict[tuple[str, str, str], PlanRecord] = {}
    landed: dict[str, LandedRecord] = {}
    for record in sorted(records, key=lambda record: (record.id, record.summary)):
        match record:
            case StateRecord():  # first, since most are: a pydantic model is slow to say that it is none of a class
                states.setdefault(record.run_id, {})[record.id] = record
            case RunRecord():
                begun.setdefault(record.run_id, record)
            case PlanRecord():
                plans[record.run_id, record.base, record.head] = record
            case LandedRecord():
                landed.setdefault(record.run_id, record)
            case _:
                raise TypeError(f"no fold for {type(record).__name__}")
    runs = {}
    for run_id, record in begun.items():
        mine = states.get(run_id, {}).values()
        ordered = tuple(transitions((state.number, state.status, state.id, state) for state in mine))
        if ordered:
            tried = [(run_id, state.base, state.head) for state in reversed(ordered)]
            plan = next((plans[key] for key in tried if key in plans), None)
            runs[run_id] = Run(record, ordered, plan, landed.get(run_id))
    return runs


def transitions(states: Iterable[tuple[int, str, str, State]]) -> Iterator[State]:
    """Recorded states, each with its number, status and id → in order, those that a run can come to.

    What is final gives way to a stronger end only, never to a beginning.
    """
    final: str | None = None
    for _, status, _, state in sorted(states, key=lambda each: (each[0], _RANK[each[1]], each[2])):
        if final is None or (status in FINAL and _RANK[status] > _RANK[final]):
            yield state
            final = status if status in FINAL else None
