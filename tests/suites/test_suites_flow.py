"""A suite run from the tree of a commit: the runs, what they say of how they were made, and that they can be again."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops import __version__
from gitops.errors import CannotRun, UsageError
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, find
from gitops.suites import flow, loading, measuring, repeating, snapshotting
from gitops.suites.flow import Wanted
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun

SUITE: dict[str, Any] = {
    "suite_id": "shell",
    "name": "Shell",
    "target": "sh",
    "version": "1.2.0",
    "metadata": {},
    "runs": {"kind": "command", "words": ["sh", "{suite}/agent.sh"]},
}
AGENT = 'echo "${ASSAY_CASE}:${ASSAY_SEED}:${ASSAY_CONFIG}"\n'


def case(name: str, value: str, **given: Any) -> str:
    return json.dumps(
        {
            "case_id": name,
            "description": name,
            "input": {"goal": name, **given},
            "expected": {"mode": "contains", "value": value},
            "tags": [],
            "difficulty": "easy",
            "source": "synthetic",
        }
    )


FILES = {
    "assay.toml": '[workspace]\nname = "plant"\n',
    "gold/suites/shell/suite.json": json.dumps(SUITE),
    "gold/suites/shell/agent.sh": AGENT,
    "gold/suites/shell/cases/a.json": case("a", "a:"),
    "gold/suites/shell/cases/b.json": case("b", '"deep":{"x":1,"y":2}', config_overrides={"deep": {"y": 2}}),
    "gold/suites/shell/cases/c.json": case("c", "something else"),
}


class Ground:
    def __init__(self, folder: Path, warn: Callable[[str], None] = lambda told: None) -> None:
        self.context = Context(open_repository(folder), warn=warn)
        self.commit = str(self.context.repository.handle.head.target)
        self.workspace: Workspace = find(self.context.repository, self.commit)
        self.loaded: Loaded = loading.suite_at(self.context, self.workspace, self.commit, "shell")

    def run(self, **wanted: Any) -> list[BenchmarkRun]:
        return flow.run_suite(self.context, self.workspace, self.commit, self.loaded, Wanted(**wanted))


@pytest.fixture
def ground(make_repository: Callable[..., Path]) -> Ground:
    return Ground(make_repository(FILES))


def test_a_run_has_a_result_for_each_case_graded(ground: Ground) -> None:
    [run] = ground.run()
    assert [(one.case_id, one.status) for one in run.results] == [("a", "pass"), ("b", "fail"), ("c", "fail")]
    assert run.summary is not None
    assert run.summary.pass_rate == pytest.approx(1 / 3)
    assert (run.suite_id, run.suite_version, run.commit, run.workspace, run.repeat) == (
        *("shell", "1.2.0", ground.commit),
        *("plant", 0),
    )


def test_repeats_share_an_id_and_each_has_its_seed(ground: Ground) -> None:
    runs = ground.run(repeats=3, seed=5, jobs=3)
    assert len({run.run_id for run in runs}) == 1
    assert [(run.repeat, run.config_snapshot["seed"]) for run in runs] == [(0, 5), (1, 6), (2, 7)]
    assert [run.results[0].actual_output for run in runs] == [f"a:{seed}:{{}}" for seed in (5, 6, 7)]


def test_a_cases_own_configuration_lies_over_that_of_the_variant(ground: Ground) -> None:
    [run] = ground.run(overrides={"deep": {"x": 1, "y": 1}}, variant="deeper")
    assert run.results[1].status == "pass"
    assert (run.variant, run.config_snapshot["overrides"]) == ("deeper", {"deep": {"x": 1, "y": 1}})


def test_the_snapshot_says_what_it_takes_to_run_it_again(ground: Ground) -> None:
    [run] = ground.run(seed=3)
    told = run.config_snapshot
    assert told["suite"] == ground.loaded.suite.model_dump(mode="json")
    assert told["suite_folder"] == "gold/suites/shell"
    assert told["versions"] == {
        "git_assay": __version__,
        "python": platform.python_version(),
        "system": platform.system(),
    }
    assert told["is_timed"] is True
    assert told["policy"] == ground.workspace.policy
    assert told["network"] in ("isolated", "not isolated")
    assert told["machine"]["jobs"] >= 1


def test_a_run_is_done_again_from_its_record_alone(
    ground: Ground, make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    runs = ground.run(repeats=2, seed=9, overrides={"k": 1}, variant="v", jobs=2)
    measured = measuring.record(ground.context, ground.workspace, runs)
    folder = Path(ground.context.repository.worktree or "")
    commit_files(folder, dict.fromkeys([name for name in FILES if name.startswith("gold/")]), "no suite any more")
    [again] = repeating.again(ground.context, measured)
    assert (again.commit, again.wanted.repeats, again.wanted.jobs) == (ground.commit, 2, 2)
    second = flow.run_suite(ground.context, ground.workspace, again.commit, again.loaded, again.wanted)
    assert [run.config_snapshot for run in second] == [run.config_snapshot for run in runs]
    assert [[(one.status, one.actual_output) for one in run.results] for run in second] == [
        [(one.status, one.actual_output) for one in run.results] for run in runs
    ]
    assert again.loaded.digest == ground.loaded.digest


def test_one_case_alone_may_be_tried(ground: Ground) -> None:
    [run] = ground.run(cases=("c",))
    assert [one.case_id for one in run.results] == ["c"]


def test_a_case_that_there_is_not_is_refused_with_the_nearest(ground: Ground) -> None:
    with pytest.raises(UsageError, match="has no case 'd'"):
        ground.run(cases=("d",))


def test_a_suite_without_a_case_cannot_be_run(ground: Ground) -> None:
    ground.loaded = Loaded(ground.loaded.suite.model_copy(update={"cases": []}), ground.loaded.folder)
    with pytest.raises(CannotRun, match="has no case"):
        ground.run()


def test_what_is_measured_is_the_commit_and_not_what_lies_about(ground: Ground) -> None:
    folder = Path(ground.context.repository.worktree or "")
    (folder / "gold/suites/shell/agent.sh").write_text("echo changed since\n")
    assert ground.run()[0].results[0].status == "pass"


def test_nothing_is_left_on_disk(ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    ground.run(jobs=2)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_twenty_repeats_of_what_does_not_change_come_out_alike(ground: Ground) -> None:
    runs = ground.run(repeats=20, jobs=4)
    assert {tuple(one.status for one in run.results) for run in runs} == {("pass", "fail", "fail")}


def test_that_the_network_could_not_be_taken_away_is_said_once(ground: Ground) -> None:
    told: list[str] = []
    context = Context(ground.context.repository, warn=told.append)
    for _ in range(2):
        flow.say_what_is_open(context, ground.loaded, {"network": "not isolated", "isolation": {"why": "unshare: no"}})
    flow.say_what_is_open(context, ground.loaded, {"network": "isolated"})
    assert len(told) == 1
    assert "(unshare: no)" in told[0]


def test_a_processor_is_told_from_another_where_linux_gives_it_no_name() -> None:
    named = "processor\t: 0\nmodel name\t: Vendor X\n\nprocessor\t: 1\nmodel name\t: Vendor Y\n"
    arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: {}\n"
    assert snapshotting.processor_in(named) == "Vendor X"
    assert snapshotting.processor_in(arm.format("0xd0c")) == "0x41 0xd0c"
    assert snapshotting.processor_in(arm.format("0xd0c")) != snapshotting.processor_in(arm.format("0xd40"))
    assert snapshotting.processor_in("processor\t: 0\n") == ""
