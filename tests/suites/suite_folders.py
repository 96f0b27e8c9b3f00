"""Suites on disk for tests of how they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, find
from gitops.suites.loading import Loaded, every_in

POLICY = '[workspace]\nname = "plant"\n'
OPTED_IN = POLICY + "[benchmarks]\norganic = true\n"
SHELL = "gold/suites/shell"


def case(case_id: str = "a", **fields: Any) -> dict[str, Any]:
    """A case as a file has it."""
    told = {
        "case_id": case_id,
        "description": "Says hello.",
        "input": {"goal": "hello"},
        "expected": {"mode": "exact", "value": "hello"},
        "difficulty": "easy",
        "source": "synthetic",
    }
    return {**told, **fields}


def suite(suite_id: str = "shell", **fields: Any) -> dict[str, Any]:
    """A suite as a file has it, without a case."""
    runs = {"kind": "command", "words": ["cat"]}
    told = {"suite_id": suite_id, "name": "Shell", "target": "sh", "version": "1.0.0", "runs": runs}
    return {**told, **fields}


def written(folder: str, told: dict[str, Any], *cases: dict[str, Any]) -> dict[str, str]:
    """The files of a suite in a folder of a repository: `suite.json`, and a file for each case."""
    files = {f"{folder}/cases/{one['case_id']}.json": json.dumps(one) for one in cases}
    return {f"{folder}/suite.json": json.dumps(told), **files}


def opened(repository: Path) -> tuple[Context, Workspace, str]:
    """What loading takes: the repository's context, its only workspace, and HEAD."""
    context = Context(open_repository(repository))
    commit = resolve(context.repository, "HEAD")
    return context, find(context.repository, commit), commit


def read(folder: Path) -> Loaded:
    """The suite in a folder, which has no fault."""
    every = every_in(folder, str(folder))
    assert every.faults == []
    return every.loaded[0]


def faults(folder: Path) -> list[str]:
    """What is wrong with the suite in a folder."""
    return every_in(folder, str(folder)).faults
