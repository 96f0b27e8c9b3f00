"""A person says whether the output is good; until one has, nobody can tell (`git assay benchmark label`)."""

from __future__ import annotations

from typing import Any

from gitops.suites.model import BenchmarkExpected
from gitops.suites.modes.mode import Asked, Grade


def check(value: Any, expected: BenchmarkExpected) -> None:
    """Nothing is needed; a text tells the person what to look for."""


def grade(asked: Asked) -> Grade:
    """The label, if there is one."""
    if asked.label is None:
        return Grade(None, "waits for a person: git assay benchmark label")
    return Grade(asked.label == "pass", f"a person says {asked.label}", "" if asked.label == "pass" else "human")
