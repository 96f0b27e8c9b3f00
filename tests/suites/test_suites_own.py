"""The suites by which the project measures itself: enough cases, of every difficulty, and all of them accepted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gitops.suites import loading
from gitops.suites.loaded import Loaded

SUITES = Path(__file__).parents[2] / "gold/gold/suites"
OF_TARGETS = {
    "verifier": ["verifier"],
    "writer": ["writer"],
    "query": ["answers"],
    "judge": ["contradictions", "judges"],
    "scorer": ["eviction"],
}


def own(name: str) -> Loaded:
    every = loading.every_in(SUITES / name, name)
    assert every.faults == []
    return every.loaded[0]


def test_verifier_writer_query_engine_and_judges_have_forty_cases_and_more_of_every_difficulty() -> None:
    found = [own(folder.name) for folder in sorted(SUITES.iterdir())]
    assert {one.suite.suite_id: one.suite.target for one in found} == {
        name: target for target, names in OF_TARGETS.items() for name in names
    }
    cases = [case for one in found if one.suite.target != "scorer" for case in one.suite.cases]
    assert len(cases) >= 40
    difficulties = Counter(case.difficulty for case in cases)
    assert set(difficulties) == {"easy", "medium", "hard", "adversarial"}
    assert min(difficulties.values()) >= 5


@pytest.mark.parametrize("name", sorted(name for names in OF_TARGETS.values() for name in names))
def test_every_case_is_in_the_accepted_baseline_and_tried(name: str) -> None:
    loaded = own(name)
    assert loaded.baseline is not None
    assert loaded.baseline.suite_version == loaded.suite.version
    came_to = {result.case_id: result.status for result in loaded.baseline.results}
    assert set(came_to) == {case.case_id for case in loaded.suite.cases}
    assert "skipped" not in came_to.values()
