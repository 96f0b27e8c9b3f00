"""The shape that `git assay sync` prints with `--json`."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class SyncedNotes(TypedDict):
    """What went over one notes ref, in lines; `no_records` of those that came are none, and are kept all the same."""

    ref: str
    came: int
    went: int
    no_records: int


class SyncedKept(TypedDict):
    """Ids of runs whose kept commits came and went; `refused` says why the remote does not take ours."""

    came: list[str]
    went: list[str]
    differing: list[str]
    refused: str | None


class Sync(TypedDict):
    """How the notes came in step with a remote, or with `--dry-run` would (`sync`)."""

    schema: Literal["assay/sync/1"]
    remote: str
    dry_run: bool
    notes: list[SyncedNotes]
    kept: SyncedKept
