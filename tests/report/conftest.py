"""Records as values, and what is printed of them: on a terminal of some width, or in a pipe."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console, RenderableType

from gitops.report.text import show
from gitops.runs.records import Operation, Person, PlanRecord, Run, RunRecord, StateRecord
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import Counts, Verdict


@pytest.fixture
def on_terminal() -> Callable[..., str]:
    """Print the parts on a terminal; what it would have been sent, escape sequences and all."""

    def printed(*parts: RenderableType, width: int = 80, colour: bool = True) -> str:
        console = Console(
            file=io.StringIO(),
            width=width,
            force_terminal=True,
            color_system="standard" if colour else None,
            no_color=not colour,
            highlight=False,
            emoji=False,
            markup=False,
        )
        show(*parts, console=console)
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    return printed


@pytest.fixture
def in_pipe(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Print the parts where no terminal is."""

    def printed(*parts: RenderableType) -> str:
        show(*parts)
        return capsys.readouterr().out

    return printed


@pytest.fixture
def make_finding() -> Callable[..., Finding]:
    """A finding on line 5 of a page; name only what matters."""

    def make(**fields: Any) -> Finding:
        known: dict[str, Any] = {
            "check": "quote_anchor",
            "level": Level.ERROR,
            "result": "altered",
            "scope": "claim",
            "message": 'raw/a.md says "one", not "two"',
            "path": "wiki/a.md",
            "line": 5,
            "column": 3,
            "end_line": 5,
            "fingerprint": "f" * 32,
        }
        return Finding(**known | fields)

    return make


@pytest.fixture
def make_verdict() -> Callable[..., Verdict]:
    """A verdict of a run; name only what matters."""

    def make(**fields: Any) -> Verdict:
        known: dict[str, Any] = {
            "summary": "reject",
            "run_id": "run-one",
            "workspace": "demo",
            "target": "refs/heads/main",
            "base": "b" * 40,
            "head": "e" * 40,
            "candidate": "c" * 40,
            "tree": "d" * 40,
            "policy": "f" * 40,
            "verifier": "git-assay/1",
            "verdict": "reject",
            "reasoning": "1 cited claim read against the sources; 1 new error.",
            "counts": Counts(judged=0, unjudged=1),
            "created_at": "2026-11-21T12:00:00Z",
        }
        return Verdict(**known | fields)

    return make


@pytest.fixture
def make_run() -> Callable[..., Run]:
    """A run in one state with a plan of one page; name only what matters of its record and its state."""

    def make(record: dict[str, Any] | None = None, plan: str = "wiki/a.md", **state: Any) -> Run:
        begun: dict[str, Any] = {
            "summary": "",
            "run_id": "run-one",
            "workspace": "demo",
            "run_type": "ingest",
            "triggered_by": "cli:run",
            "sources": ("raw/a.md",),
            "target": "refs/heads/main",
            "base": "b" * 40,
            "root": "a" * 40,
            "started_at": "2026-11-21T11:59:00Z",
            "author": Person(name="Ada Writer", email="ada@example.org"),
        }
        stands: dict[str, Any] = {
            "summary": "",
            "run_id": "run-one",
            "number": 1,
            "status": "rejected",
            "at": "2026-11-21T12:00:00Z",
            "base": "b" * 40,
            "head": "e" * 40,
            "candidate": "c" * 40,
        }
        steps = (Operation(op="create", path=plan, blob="9" * 40, sha256="8" * 64),)
        return Run(
            RunRecord(**begun | (record or {})),
            (StateRecord(**stands | state),),
            PlanRecord(summary="", run_id="run-one", head="e" * 40, operations=steps),
        )

    return make
