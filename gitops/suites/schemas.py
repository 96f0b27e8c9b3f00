"""The files of a suite by the names under which `git assay schema` shows what they hold."""

from __future__ import annotations

from pydantic import BaseModel

from gitops.suites.model import BenchmarkCase, BenchmarkRun, BenchmarkSuite

FILES: dict[str, type[BaseModel]] = {
    "benchmark-suite": BenchmarkSuite,
    "benchmark-case": BenchmarkCase,
    "benchmark-run": BenchmarkRun,
}
"""`suite.json`, `cases/*.json` and `baseline.json`: what people write, so a field with a default may be left out."""
