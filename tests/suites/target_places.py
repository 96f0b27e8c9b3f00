"""A measured tree with a suite in it, in a temporary folder, for tests of what a suite asks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkCase
from gitops.suites.opening import opened
from gitops.suites.target import Attempt, Place
from tests.suites.suite_runs import a_case, a_suite

FOLDER = "gold/suites/shell"


def a_place(folder: Path, files: Mapping[str, str] | None = None) -> Place:
    """A tree that is a workspace, whose suite lies in the usual folder, with some files."""
    place = Place(folder / "tree", folder / "tree" / FOLDER, folder / "tree")
    place.suite.mkdir(parents=True)
    for name, text in (files or {}).items():
        path = place.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return place


def loaded(runs: Mapping[str, Any], *cases: BenchmarkCase, **fields: Any) -> Loaded:
    """A suite that runs something."""
    return Loaded(a_suite(*cases, runs=dict(runs), **fields), FOLDER)


def asked(
    place: Place, runs: Mapping[str, Any], case: BenchmarkCase, config: Mapping[str, Any] | None = None, **fields: Any
) -> Attempt:
    """What the target of a suite makes of one case."""
    target = opened(loaded(runs, case, **fields), place)
    try:
        return target.attempt(case, config or {}, 7)
    finally:
        target.close()


def goal(text: str, **given: Any) -> BenchmarkCase:
    """A case with a goal."""
    return a_case("one", input={"goal": text, "context": None, "config_overrides": None, "skill_args": None} | given)
