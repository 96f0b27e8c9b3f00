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

_NAME, _NUMBERS = ("model name",), ("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision")


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
    return {"git_assay": __version__, "python": platform.python_version(), "system": platform.system()}


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
        return processor_in(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return platform.processor()


def processor_in(cpuinfo: str) -> str:
    """What Linux calls the first processor: its name, or the numbers of an ARM core, which has none."""
    told: dict[str, str] = {}
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        told.setdefault(name.strip(), value.strip())
    return " ".join(told[name] for name in (_NAME if _NAME[0] in told else _NUMBERS) if name in told)
