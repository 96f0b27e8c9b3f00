from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gitops.config.benchmarks import Eviction
from gitops.eviction import variants
from gitops.eviction.heuristic import BUILT_IN
from gitops.eviction.simulating import RETURNING, WORLDS
from gitops.eviction.trying import learned
from gitops.suites import grading
from gitops.suites.model import BenchmarkSuite
from gitops.suites.target import Attempt

GOLD = Path(__file__).parents[2] / "gold"
FOLDER = GOLD / "gold/suites/eviction"
CASES = [json.loads(path.read_bytes()) for path in sorted((FOLDER / "cases").glob("*.json"))]
SUITE = BenchmarkSuite.model_validate(json.loads((FOLDER / "suite.json").read_bytes()) | {"cases": CASES})
CONFIGS = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in (GOLD / "variants/eviction").glob("*.toml")}


def policy(name: str) -> Eviction:
    return Eviction.model_validate(CONFIGS[name].get("config_overrides", {}).get("eviction", {}))


def test_the_four_variants_are_there_and_differ_in_what_they_say() -> None:
    assert set(CONFIGS) == {"baseline", "calibrated", "prompt", "online"}
    assert policy("baseline") == Eviction()
    assert policy("calibrated").weights
    assert policy("online").online
    assert policy("prompt").scorer == "scorer"


@pytest.mark.slow
def test_the_calibrated_weights_are_those_that_the_simulation_gives() -> None:
    fitted = learned(RETURNING, range(40)).named()
    assert dict(policy("calibrated").weights) == pytest.approx(fitted, abs=0.002)


def test_a_conversation_under_a_policy_has_the_metrics_of_the_specification() -> None:
    found = variants.played(Eviction(), RETURNING, 1, 0)
    assert found is not None
    assert set(found) == {"tokens", "answered", "needed_there", "tokens_per_answer", "exclusion_auroc"}
    assert 0 < found["needed_there"] < 1
    assert found["tokens_per_answer"] > found["tokens"] > 0
    assert variants.played(Eviction(), RETURNING, 1, 0) == found
    assert variants.played(Eviction(), RETURNING, 1, 1) != found  # another repeat is another conversation


def test_online_weights_are_learned_from_other_conversations() -> None:
    moved = variants.weights_of(policy("online"), RETURNING)
    assert moved != BUILT_IN
    assert moved == variants.weights_of(policy("online"), RETURNING)
    assert variants.weights_of(Eviction(), RETURNING) == BUILT_IN


def test_where_a_model_would_have_to_score_nothing_is_guessed_and_every_case_is_skipped() -> None:
    assert variants.played(policy("prompt"), RETURNING, 1, 0) is None
    attempt = Attempt(output="the preset scorer scores, and no model is asked offline")
    results = grading.graded([(case, attempt) for case in SUITE.cases])
    assert {each.status for each in results} == {"skipped"}


def test_the_suite_holds_all_three_metrics_and_the_built_in_weights_pass_it() -> None:
    tags = {tag for case in SUITE.cases for tag in case.tags}
    assert {"retrieval-relevance", "token-efficiency", "exclusion-prediction"} <= tags
    assert SUITE.metadata["component"] == "eviction"
    for case in SUITE.cases[::4]:
        given: dict[str, Any] = case.input.skill_args or {}
        found = variants.played(Eviction(), WORLDS[given["world"]], given["number"], 0)
        assert found is not None
        [result] = grading.graded([(case, Attempt(output=json.dumps(found), metrics=found))])
        assert result.status == "pass", (case.case_id, result.reason)
