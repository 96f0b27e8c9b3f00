"""What `git assay gold check --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class GoldFault(TypedDict):
    """What breaks a rule, where, and the mend. `result` names the rule; line 0 is the file as a whole."""

    level: Literal["error", "warning"]
    result: str
    path: str
    line: int
    message: str
    mend: str


class GoldKind(TypedDict):
    """One kind of gold that the workspace has: where it lies, how many there are of what, and what is wrong."""

    kind: Literal["extraction", "queries", "retrieval", "suites"]
    place: str
    counts: dict[str, int]
    faults: list[GoldFault]


class GoldCovered(TypedDict):
    """How many atoms or edges of a type the gold of extraction has, and in how many cases."""

    kind: Literal["atom", "edge", "rationale"]
    name: str
    count: int
    cases: int


class GoldChecked(TypedDict):
    """All gold of a workspace, checked. `commit` is null for what stands in the worktree or in a folder.

    `missing` and `thin` say in words which types of atoms and edges no case has, or one alone; they make nothing wrong.
    """

    schema: Literal["assay/gold-checked/1"]
    workspace: str | None
    commit: str | None
    ok: bool
    gold: list[GoldKind]
    coverage: list[GoldCovered]
    missing: list[str]
    thin: list[str]
