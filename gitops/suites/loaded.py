"""A suite as it was read from its files, with the digests that tell it and its cases from others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gitops.canonical import digest
from gitops.errors import UsageError
from gitops.suites import digests, places
from gitops.suites.model import BenchmarkRun, BenchmarkSuite
from gitops.suites.places import SUITE


@dataclass(frozen=True)
class Loaded:
    """A suite with its cases, from wherever it was read.

    `folder` is its repository path (of `in_folder` the folder as it was named), `baseline` the run in its
    `baseline.json`, `files` the sha256 of each file that its cases find copied into their folders. `organic` are the
    ids of those cases that come from `data/benchmarks/` and that no commit has.
    """

    suite: BenchmarkSuite
    folder: str
    baseline: BenchmarkRun | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    organic: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The path of its `suite.json`."""
        return f"{self.folder}/{SUITE}"

    @property
    def skill(self) -> str:
        """The skill whose benchmarks these are; '' of a suite of the workspace."""
        parts = self.folder.split("/")
        return parts[-2] if parts[-1] == places.BENCHMARKS and "skills" in parts[:-2] else ""

    @cached_property
    def digest(self) -> str:
        """The sha256 of all that the suite says and of its files: not of how its cases are spread over files."""
        said = self.suite.model_dump(mode="json")
        cases = sorted(said.pop("cases"), key=lambda case: str(case["case_id"]))
        return digest([said, cases, dict(self.files)])

    @cached_property
    def case_digests(self) -> Mapping[str, str]:
        """By case, the sha256 of what it asks and expects: two cases of one id and another digest are two cases."""
        return {case.case_id: digests.case_digest(case, self.files) for case in self.suite.cases}

    def demand_target(self) -> None:
        """UsageError where the suite does not say how its target is asked."""
        if self.suite.runs is None:
            told = f"{self.path}: 'runs' is missing, so nobody knows how to ask {self.suite.target or 'the target'}"
            raise UsageError(told, """"runs": {"kind": "command", "words": ["my-agent"]}; docs/benchmark-cases.md""")
