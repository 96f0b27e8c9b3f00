"""What a run's `config_snapshot` holds: all that it takes to do it again, and what it was done on."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from gitops import __version__
from gitops.canonical import digest
from gitops.suites.loading import Loaded
from gitops.suites.target import Target


def snapshot(loaded: Loaded, target: Target, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The snapshot of a run: the whole suite, what its target tells of itself, versions, the machine, the settings.

    `settings` are `overrides`, `seed`, `jobs`, `policy` and who judges; see docs/benchmarks.md.
    """
    return {
        "suite": loaded.suite.model_dump(mode="json"),
        "suite_digest": loaded.digest,
        "files": dict(loaded.files),
        "suite_folder": loaded.folder,
        "target": loaded.suite.runs.model_dump(mode="json") if loaded.suite.runs else None,
        "is_timed": target.is_timed,
        "versions": versions(),
        "machine": machine(),
        **target.snapshot(),
        **settings,
    }


def versions() -> dict[str, str]:
    """The versions of what measured."""
    return {"git_assay": __version__, "python": platform.python_version(), "system": platform.release()}


@lru_cache
def machine() -> dict[str, Any]:
    """What tells one machine from another where latency is compared: no name and no address."""
    told = {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": os.cpu_count() or 0,
        "processor": _processor(),
    }
    return {**told, "fingerprint": digest(told)[:12]}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
