"""What of a commit is calibrated, and which suites depend on it."""

from __future__ import annotations

from typing import Any

import pytest

from gitops.config import parse
from gitops.runs.workspace import Workspace
from gitops.suites import calibrated
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkSuite
from gitops.wiki.layout import Layout


def suite(folder: str = "gold/suites/planner", **fields: Any) -> Loaded:
    told = {"suite_id": "planner", "name": "Planner", "target": "planner", "version": "1.0.0", **fields}
    return Loaded(BenchmarkSuite.model_validate(told), folder)


def workspace(policy: str = "", root: str = "") -> Workspace:
    config = parse(policy.encode())
    return Workspace(Layout(root, config.workspace), config, "")


def digests(policy: str, *suites: Loaded) -> dict[str, str]:
    return calibrated.of_policy(parse(policy.encode()), suites)


@pytest.mark.parametrize(
    "policy",
    [
        "[eviction]\nkeep = 0.5",
        "[eviction]\nonline = true",
        '[eviction]\nscorer = "scorer"',
        "[eviction.weights]\nage = 0.5",
    ],
)
def test_what_weighs_items_is_calibrated(policy: str) -> None:
    assert digests(policy)["eviction"] != digests("")["eviction"]


@pytest.mark.parametrize("policy", ["[eviction]\ntoken_limit = 9000", "[eviction]\nfeedback_timeout_ms = 5"])
def test_when_items_are_weighed_is_not(policy: str) -> None:
    assert digests(policy) == digests("")


def test_a_preset_that_scores_is_a_part_of_the_weights() -> None:
    scores = '[eviction]\nscorer = "mine"\n[llm.presets.mine]\nmodel = "{}"'
    assert digests(scores.format("a"))["eviction"] != digests(scores.format("b"))["eviction"]


def test_presets_count_that_some_suite_depends_on_built_in_ones_too() -> None:
    named = suite(depends_on={"presets": ["claude", "mine", "gone"]})
    found = digests('[llm.presets.mine]\nmodel = "m"', named)
    assert sorted(found) == ["eviction", "llm.presets.claude", "llm.presets.gone", "llm.presets.mine"]
    assert found["llm.presets.gone"] == ""
    other = digests('[llm.presets.mine]\nmodel = "m"\n[llm.presets.claude]\nmodel = "n"', named)
    assert calibrated.differing(found, other) == ["llm.presets.claude"]


@pytest.mark.parametrize("line", ["timeout_s = 5.0", "concurrency = 2", 'api_key_env = "OTHER"', "max_retries = 1"])
def test_how_long_one_waits_for_a_model_is_no_calibration(line: str) -> None:
    named = suite(depends_on={"presets": ["mine"]})
    preset = '[llm.presets.mine]\nmodel = "m"\n'
    assert digests(preset, named) == digests(preset + line, named)


def test_who_writes_is_calibrated_where_a_suite_asks_it() -> None:
    asks = suite(runs={"kind": "prompt", "system": "Plan."})
    assert sorted(digests("", asks)) == ["eviction", "llm.writer"]
    changed = digests('[llm]\nwriter = "claude"', asks)
    assert calibrated.differing(digests("", asks), changed) == ["llm.writer"]


def test_a_prompt_is_named_by_its_path_from_the_workspace() -> None:
    beside = suite(
        "sub/gold/suites/planner",
        runs={"kind": "prompt", "system_file": "system [1].md"},
        depends_on={"prompts": ["p/*"]},
    )
    here = workspace('[benchmarks]\ncalibrated = ["weights.json"]', root="sub")
    paths = [
        "sub/weights.json", "sub/p/a/b.md", "sub/gold/suites/planner/system [1].md",
        "sub/gold/suites/planner/system 1.md", "p/a.md", "sub/wiki/p.md",
    ]  # fmt: skip
    expected = ["gold/suites/planner/system [1].md", "p/a/b.md", "weights.json"]
    assert calibrated.changed_files(here, [beside], paths) == expected


@pytest.mark.parametrize(
    ("fields", "key", "depends"),
    [
        ({}, "eviction", True),  # says nothing: depends on all
        ({}, "prompts/a.md", True),
        ({"depends_on": {"paths": ["lib/*"]}}, "eviction", False),
        ({"depends_on": {"paths": ["lib/*"]}}, "lib/weights.json", True),
        ({"depends_on": {"prompts": ["p/*"]}}, "p/a.md", True),
        ({"depends_on": {"prompts": ["p/*"]}}, "q/a.md", False),
        ({"depends_on": {"presets": ["claude"]}}, "llm.presets.claude", True),
        ({"depends_on": {"presets": ["claude"]}}, "llm.presets.mine", False),
        ({"depends_on": {"paths": ["x"]}, "metadata": {"component": "scorer, eviction"}}, "eviction", True),
        ({"depends_on": {"paths": ["x"]}, "runs": {"kind": "prompt", "tools": ["search"]}}, "eviction", True),
        ({"depends_on": {"paths": ["x"]}, "runs": {"kind": "prompt"}}, "eviction", False),
        ({"depends_on": {"paths": ["x"]}, "runs": {"kind": "prompt", "preset": "mine"}}, "llm.presets.mine", True),
        ({"depends_on": {"paths": ["x"]}, "runs": {"kind": "prompt", "preset": "mine"}}, "llm.writer", False),
    ],
)
def test_what_a_suite_depends_on(fields: dict[str, Any], key: str, depends: bool) -> None:
    assert calibrated.depends(workspace(), suite(**fields), key) is depends
