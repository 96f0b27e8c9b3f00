"""What a target's process finds in its environment: nothing of ours but the way to programs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from gitops.canonical import dumps
from gitops.errors import CannotRun
from gitops.suites.model import BenchmarkCase, BenchmarkSuite
from gitops.suites.target import Place

ALLOWED = "ASSAY_BENCHMARK_SECRETS"
"""Names the variables that suites may have though they look like secrets: whoever runs them says so, no commit does."""
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|SESSION", re.IGNORECASE)
_PATH = "/usr/local/bin:/usr/bin:/bin"


def of_suite(suite: BenchmarkSuite, place: Place, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What all cases share. `HOME` and `TMPDIR` are the case's own folder and are added where that is made.

    CannotRun for a secret that only the suite asks for.
    """
    refuse_secrets(suite, filter(_SECRET.search, suite.limits.env), environ)
    named = {name: environ[name] for name in suite.limits.env if name in environ}
    return {
        "PATH": environ.get("PATH", _PATH),
        "LANG": "C.UTF-8",
        **named,
        "ASSAY_ROOT": os.fspath(place.root),
        "ASSAY_SUITE": os.fspath(place.suite),
        "ASSAY_WORKSPACE": os.fspath(place.workspace),
    }


def refuse_secrets(suite: BenchmarkSuite, names: Iterable[str], environ: Mapping[str, str]) -> None:
    """CannotRun for a secret that a suite, and so whoever wrote its commit, would have handed over to its target."""
    allowed = [name.strip() for name in environ.get(ALLOWED, "").split(",")]
    for name in names:
        if name in environ and name not in allowed:
            told = f"the suite {suite.suite_id} would hand {name} to its target, and only the repository says so"
            raise CannotRun(told, f"if you trust it: export {ALLOWED}={name}")


def of_case(case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> dict[str, str]:
    """What one case has besides."""
    return {"ASSAY_CASE": case.case_id, "ASSAY_SEED": str(seed), "ASSAY_CONFIG": dumps(dict(config))}


def request(case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What a target is told of a case: all but what is expected of it, with its whole configuration and the seed."""
    return {**case.model_dump(mode="json", exclude={"expected"}), "config": dict(config), "seed": seed}
