"""The shapes that the commands of a server, and `git assay log sync`, print with `--json`."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class ServerHook(TypedDict):
    """Whether git runs a hook of this version, and which file it is."""

    state: str
    path: str


class ServerHooks(TypedDict):
    """Whether a bare repository is a gate (`hooks status` there)."""

    schema: Literal["assay/server-hooks/1"]
    server: bool
    pre_receive: ServerHook
    post_receive: ServerHook


class LogLine(TypedDict):
    """A line that the log lacked, and the run that it is of."""

    run_id: str
    line: str


class SyncedLog(TypedDict):
    """The lines that a log lacked, and the commit that brought them; None with `--dry-run`, or where none lacked."""

    workspace: str
    log: str
    lines: list[LogLine]


class LogSync(TypedDict):
    """What `git assay log sync` wrote, or with `--dry-run` would write."""

    schema: Literal["assay/log-sync/1"]
    target: str
    commit: str | None
    dry_run: bool
    pushed: bool
    logs: list[SyncedLog]
