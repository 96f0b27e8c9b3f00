from __future__ import annotations

import json
import os
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gitops.config.benchmarks import Eviction
from gitops.eviction import features, guidance, variants
from gitops.eviction.heuristic import BUILT_IN
from gitops.eviction.rates import age_band
from gitops.eviction.simulating import RETURNING, WORLDS
from gitops.eviction.trying import feedback, learned
from gitops.suites import grading
from gitops.suites.model import BenchmarkSuite
from gitops.suites.target import Attempt
from tests.messages_server import Answer, MessagesServer, structured

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
    assert policy("prompt").guidance


@pytest.mark.slow
def test_the_calibrated_prompt_is_the_one_that_the_simulation_gives() -> None:
    told = guidance.guidance(features.rows(feedback(RETURNING, range(40))))
    assert policy("prompt").guidance == told


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


def _as_told(system: str, item: dict[str, Any], turn: int) -> float:
    """What the guidance in a prompt says to score an item; 0.5 where it says nothing."""
    age = age_band(turn - max(item["turn"], item["last_reference"]))
    found = re.search(rf"^- {item['zone']}, {re.escape(age)} turns .*score about (\S+)$", system, re.MULTILINE)
    return float(found[1]) if found else 0.5


def _obedient(body: dict[str, Any], number: int) -> Answer:
    """A model that scores as its prompt says, and nothing else."""
    told = json.loads(body["messages"][0]["content"])
    scores = [(one["ctx_id"], _as_told(body["system"], one, told["turn"])) for one in told["items"]]
    return structured({"ratings": [{"ctx_id": name, "relevance_score": score} for name, score in scores]})


@pytest.mark.slow
def test_a_model_is_asked_where_one_can_be_and_its_calibrated_prompt_keeps_more_than_a_plain_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variant B as the suite's target plays it, over a server; without guidance this model scores everything alike."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    play = runpy.run_path(os.fspath(GOLD / "targets/eviction.py"))["play"]
    case = {"input": {"skill_args": {"world": "returning", "number": 2}}, "seed": 0}
    there: dict[str, float] = {}
    with MessagesServer(_obedient) as server:
        (tmp_path / "assay.toml").write_text(
            f'[workspace]\nname = "tides"\n{server.toml("scorer", model="claude-haiku-4-5")}'
        )
        monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
        offline = play(case, {"eviction": {"scorer": "scorer"}})
        assert offline["output"].startswith("the preset scorer scores, and no model can be asked here: ")
        assert "metrics" not in offline
        assert server.requests == []
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
        for told in ("", policy("prompt").guidance):
            found = play(case, {"eviction": {"scorer": "scorer", "guidance": told}})
            there[told] = found["metrics"]["needed_there"]
            assert set(found["metrics"]) >= {"needed_there", "tokens_per_answer", "exclusion_auroc"}
        assert len(server.requests) < 150
    assert there[policy("prompt").guidance] > there[""] + 0.02


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
