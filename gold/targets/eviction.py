"""What is left out of a simulated conversation, whose needs are known, by the policy's weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gitops import config as configuration
from gitops.config.benchmarks import Eviction
from gitops.eviction import variants
from gitops.eviction.simulating import WORLDS


def play(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """The metrics of one conversation. Where a model would have to score there are none: nobody can ask it here."""
    given = case["input"]["skill_args"]
    policy = _policy(config.get("eviction", {}))
    found = variants.played(policy, WORLDS[given["world"]], int(given["number"]), int(case["seed"]))
    if found is None:
        return {"output": f"the preset {policy.scorer} scores, and no model is asked offline"}
    told = ", ".join(f"{name} {value:.3g}" for name, value in found.items())
    return {"output": told, "tokens": round(found["tokens"]), "metrics": found}


def _policy(overrides: dict[str, Any]) -> Eviction:
    """`[eviction]` of the measured commit, with what the variant has otherwise."""
    path = Path(os.environ["ASSAY_WORKSPACE"]) / configuration.FILE_NAME
    committed = configuration.parse(path.read_bytes(), os.fspath(path)).eviction
    return Eviction.model_validate(committed.model_dump() | overrides)
