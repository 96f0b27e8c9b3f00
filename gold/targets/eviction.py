"""What is left out of a simulated conversation, whose needs are known, by the policy's weights or a model's scores."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops import config as configuration
from gitops.config import Config
from gitops.config.benchmarks import Eviction
from gitops.errors import CannotRun
from gitops.eviction import variants
from gitops.eviction.scoring import HEURISTIC, ByModel
from gitops.eviction.simulating import WORLDS
from gitops.llm import opening
from gitops.llm.ledger import Ledger


def play(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """The metrics of one conversation. Where a model would have to score and none can be asked, there are none."""
    given, found = case["input"]["skill_args"], _committed()
    policy = Eviction.model_validate(found.eviction.model_dump() | config.get("eviction", {}))
    try:
        by_model = _by_model(found, policy)
    except CannotRun as error:
        return {"output": f"the preset {policy.scorer} scores, and no model can be asked here: {error.message}"}
    metrics = variants.played(policy, WORLDS[given["world"]], int(given["number"]), int(case["seed"]), by_model)
    assert metrics is not None
    told = ", ".join(f"{name} {value:.3g}" for name, value in metrics.items())
    return {"output": told, "tokens": round(metrics["tokens"]), "metrics": metrics}


def _committed() -> Config:
    """The policy of the measured commit."""
    path = Path(os.environ["ASSAY_WORKSPACE"]) / configuration.FILE_NAME
    return configuration.parse(path.read_bytes(), os.fspath(path))


def _by_model(found: Config, policy: Eviction) -> ByModel | None:
    """The model that scores; None for the heuristic. CannotRun where it cannot be asked: there is no key."""
    if policy.scorer == HEURISTIC:
        return None
    opening.demand(found.llm, policy.scorer)
    ledger = Ledger(Path.cwd(), lambda: datetime.now(UTC), "eviction", "query", "scorer")
    return ByModel(opening.open_messages(found.llm, policy.scorer, ledger), policy.guidance)
