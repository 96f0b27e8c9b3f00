"""A metric's subject in a real repository: subject(folder, …) opens a bench on a commit, with any judge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops.evals.subject import Subject
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.runs.workspace import find

CLOCK = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


@contextmanager
def subject(
    folder: Path, rev: str = "HEAD", judge: Any = None, told: list[str] | None = None, **options: Any
) -> Iterator[Subject]:
    """The workspace at a revision; `judge` takes the place of the policy's."""
    context = Context(open_repository(folder), lambda: CLOCK, (told if told is not None else []).append)
    if judge is not None:
        context = replace(context, seating=lambda name, seat: judge)
    commit = resolve(context.repository, rev)
    with Bench(context, find(context.repository, commit), commit) as bench:
        yield Subject(bench, CLOCK, **options)
