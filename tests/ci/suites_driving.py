"""A wiki with a suite of benchmarks of a small shell program, its runs and its checks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gitops.ci.checking import Asked, check
from gitops.ci.events import Event
from gitops.ci.outcome import Checked
from gitops.ci.result import SuiteRow
from gitops.ci.spans import span
from gitops.ci.suite_answers import How
from gitops.suites import baselines, flow, loading, measuring
from tests.runs.driving import Wiki, first_files

TEA = 'case "$(cat)" in *black*) echo boil;; *green*) echo warm;; *) echo ask;; esac\n'
"""Answers as its suite wants it."""
WRONG = TEA.replace("echo warm", "echo boil")
LIMITS = {"timeout_ms": 5_000}


def case(name: str, value: str, goal: str = "", **expected: Any) -> dict[str, Any]:
    told = {"mode": "exact", "value": value, **expected}
    made = {"case_id": name, "description": name, "input": {"goal": goal or name}, "expected": told}
    return {**made, "tags": [], "difficulty": "easy", "source": "synthetic"}


CASES = [case("black", "boil"), case("green", "warm"), case("mate", "ask")]


def suite(name: str = "tea", **changes: Any) -> dict[str, Any]:
    made = {"suite_id": name, "name": name, "target": "brewer", "version": "1.0.0", "metadata": {}, "limits": LIMITS}
    runs = {"kind": "command", "words": ["sh", "{root}/tools/tea.sh"]}
    return {**made, "runs": runs, "depends_on": {"paths": ["tools/*"]}, "cases": CASES, **changes}


def files(told: Mapping[str, Any] | None = None, folder: str = "gold/suites/tea") -> dict[str, str]:
    return {f"{folder}/suite.json": json.dumps(told or suite())}


@dataclass
class Brewery:
    """A wiki with a suite; its changes are made on main itself."""

    wiki: Wiki

    def commit(self, changes: Mapping[str, str | None], message: str = "Change") -> str:
        for path, text in changes.items():
            file = self.wiki.folder / path
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.wiki.git("add", "--all")
        self.wiki.git("commit", "--quiet", "--message", message)
        return self.wiki.git("rev-parse", "HEAD")

    def measured(self, name: str = "tea", *, accept: bool = True, repeats: int = 0) -> str:
        """Run a suite at the tip and accept what came of it; the run's id."""
        context = self.wiki.context()
        tip = self.wiki.git("rev-parse", "HEAD")
        workspace = self.wiki.workspace(tip)
        loaded = loading.suite_at(context, workspace, tip, name)
        runs = flow.run_suite(context, workspace, tip, loaded, flow.Wanted(repeats=repeats, jobs=2))
        kept = measuring.record(context, workspace, runs)
        if accept:
            baselines.accept(context, workspace, runs, [one.id for one in kept], "as it is")
        return runs[0].run_id

    def checked(self, base: str, **asked: Any) -> Checked:
        context = self.wiki.context()
        event, head = asked.pop("event", Event()), asked.pop("head", None)
        wanted = Asked(**{"metric": "none", "event": event, "benchmarks": How(jobs=2), **asked})
        [found] = check(context, span(context, event, base, head), wanted)
        return found

    def row(self, base: str, **asked: Any) -> SuiteRow:
        [found] = self.checked(base, **asked).result.benchmarks
        return found


def brewing(policy: str = "", more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The files of such a wiki."""
    return {**first_files(policy), "tools/tea.sh": TEA, **files(), **(more or {})}
