"""Suites from the tree of a commit, from the worktree, from a folder: what is read of them, and by what names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.suites import loading
from gitops.suites.reading import BadSuite
from tests.suites.suite_folders import OPTED_IN, POLICY, SHELL, case, opened, read, suite, written

Make = Callable[..., Path]


@pytest.fixture
def repository(make_repository: Make) -> Path:
    files = written(SHELL, suite(cases=[case("inside")]), case("b"), case("a"))
    skill = written("skills/greet/benchmarks", suite("greeting"), case())
    return make_repository({"assay.toml": POLICY, "skills/greet/SKILL.md": "# Greet\n", **files, **skill})


def test_cases_of_the_suite_come_first_then_those_of_files_by_name(repository: Path) -> None:
    context, workspace, commit = opened(repository)
    [shell, greeting] = loading.suites_at(context, workspace, commit)
    assert [one.case_id for one in shell.suite.cases] == ["inside", "a", "b"]
    assert (shell.folder, shell.path, shell.skill) == (SHELL, f"{SHELL}/suite.json", "")
    assert (greeting.folder, greeting.skill, greeting.baseline) == ("skills/greet/benchmarks", "greet", None)


def test_worktree_and_folder_say_the_same_as_the_commit(repository: Path) -> None:
    context, workspace, commit = opened(repository)
    committed = loading.suites_at(context, workspace, commit)
    assert loading.suites_in_worktree(context, workspace) == committed
    alone = read(repository / SHELL)
    assert (alone.suite, alone.digest) == (committed[0].suite, committed[0].digest)
    assert alone.case_digests == committed[0].case_digests


def test_what_is_not_committed_is_in_the_worktree_alone(repository: Path) -> None:
    context, workspace, commit = opened(repository)
    (repository / SHELL / "cases/c.json").write_text(json.dumps(case("c")))
    assert len(loading.suites_at(context, workspace, commit)[0].suite.cases) == 3
    assert len(loading.suites_in_worktree(context, workspace)[0].suite.cases) == 4


@pytest.mark.parametrize("name", ["greeting", "greet", "skills/greet/benchmarks", "skills/greet/benchmarks/"])
def test_a_suite_goes_by_its_id_its_skill_and_its_folder(repository: Path, name: str) -> None:
    context, workspace, commit = opened(repository)
    assert loading.suite_at(context, workspace, commit, name).suite.suite_id == "greeting"


def test_an_unknown_suite_is_told_with_the_nearest(repository: Path) -> None:
    context, workspace, commit = opened(repository)
    with pytest.raises(UsageError, match="no suite is called 'shel'") as raised:
        loading.suite_at(context, workspace, commit, "shel")
    assert raised.value.hint == "did you mean 'shell'?"


@pytest.mark.parametrize("name", ["", "/"])
def test_nothing_is_the_name_of_no_suite(repository: Path, name: str) -> None:
    context, workspace, commit = opened(repository)
    with pytest.raises(UsageError, match="no suite is called"):
        loading.suite_at(context, workspace, commit, name)


def test_a_workspace_below_the_top_has_its_own_suites(make_repository: Make) -> None:
    files = {"plant/assay.toml": POLICY, **written(f"plant/{SHELL}", suite(), case()), **written(SHELL, suite("other"))}
    context, workspace, commit = opened(make_repository(files))
    assert [one.folder for one in loading.suites_at(context, workspace, commit)] == [f"plant/{SHELL}"]


def test_a_bare_repository_has_suites_in_its_commits_alone(make_repository: Make) -> None:
    files = {"assay.toml": POLICY, **written(SHELL, suite(), case())}
    context, workspace, commit = opened(make_repository(files, bare=True))
    assert len(loading.suites_at(context, workspace, commit, organic=True)) == 1
    with pytest.raises(UsageError, match="no working tree"):
        loading.suites_in_worktree(context, workspace)


def test_a_broken_suite_does_not_stand_in_the_way_of_another(make_repository: Make) -> None:
    files = written(SHELL, suite(), case()) | {"gold/suites/broken/suite.json": "{"}
    context, workspace, commit = opened(make_repository({"assay.toml": POLICY, **files}))
    assert loading.suite_at(context, workspace, commit, "shell").suite.suite_id == "shell"
    with pytest.raises(BadSuite, match=r"broken/suite\.json:1: not JSON"):
        loading.suite_at(context, workspace, commit, "broken")
    with pytest.raises(UsageError, match="no suite is called 'gone'") as raised:
        loading.suite_at(context, workspace, commit, "gone")
    assert "one that cannot be read: gold/suites/broken/suite.json:1" in raised.value.hint
    with pytest.raises(BadSuite):
        loading.suites_at(context, workspace, commit)


def test_a_suite_that_says_not_how_its_target_is_asked_loads_and_does_not_run(make_repository: Make) -> None:
    told = suite()
    del told["runs"]
    context, workspace, commit = opened(make_repository({"assay.toml": POLICY, **written(SHELL, told, case())}))
    [loaded] = loading.suites_at(context, workspace, commit)
    with pytest.raises(UsageError, match=r"gold/suites/shell/suite\.json: 'runs' is missing"):
        loaded.demand_target()


def test_one_that_says_so_may_run(repository: Path) -> None:
    context, workspace, commit = opened(repository)
    loading.suite_at(context, workspace, commit, "shell").demand_target()


def test_a_suite_without_a_case_is_one_that_is_begun(make_repository: Make) -> None:
    context, workspace, commit = opened(make_repository({"assay.toml": POLICY, **written(SHELL, suite())}))
    assert loading.suite_in_worktree(context, workspace, "shell", is_begun=True).suite.cases == []
    with pytest.raises(BadSuite, match="the suite holds no case"):
        loading.suite_at(context, workspace, commit, "shell")


def test_a_baseline_is_read(make_repository: Make) -> None:
    run: dict[str, Any] = {
        "run_id": "r-1",
        "suite_id": "shell",
        "started_at": "2026-01-02T03:04:05Z",
        "completed_at": None,
    }
    run |= {"config_snapshot": {}, "results": [{"case_id": "a", "status": "pass"}], "summary": None}
    files = written(SHELL, suite(), case()) | {f"{SHELL}/baseline.json": json.dumps(run)}
    context, workspace, commit = opened(make_repository({"assay.toml": POLICY, **files}))
    [loaded] = loading.suites_at(context, workspace, commit)
    assert loaded.baseline is not None
    assert (loaded.baseline.run_id, loaded.baseline.results[0].status) == ("r-1", "pass")


def test_an_object_that_this_clone_lacks_is_no_fault_of_the_suite(
    make_repository: Make, git: Callable[..., str]
) -> None:
    repository = make_repository({"assay.toml": POLICY, **written(SHELL, suite(), case())})
    blob = git(repository, "rev-parse", f"HEAD:{SHELL}/cases/a.json")
    (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
    context, workspace, commit = opened(repository)
    with pytest.raises(CannotRun, match="is not in this clone"):
        loading.suites_at(context, workspace, commit)


# Digests


def test_how_cases_are_spread_over_files_changes_no_digest(tmp_path: Path) -> None:
    inside = suite(cases=[case("a"), case("b")])
    for name, text in {**written("one", inside), **written("other", suite(), case("b"), case("a"))}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert read(tmp_path / "one").digest == read(tmp_path / "other").digest


def test_a_case_is_another_where_it_asks_or_expects_something_else(tmp_path: Path) -> None:
    def digest(told: dict[str, Any], given: str = "x") -> str:
        (tmp_path / "suite.json").write_text(json.dumps(suite(cases=[told], files="fixtures")))
        (tmp_path / "fixtures").mkdir(exist_ok=True)
        (tmp_path / "fixtures/a").write_text(given)
        return read(tmp_path).case_digests["a"]

    same = digest(case())
    assert digest(case(description="Otherwise told.", tags=["x"], difficulty="hard")) == same
    assert digest(case(), given="y") != same
    assert digest(case(input={"goal": "other"})) != same
    assert digest(case(expected={"mode": "exact", "value": "other"})) != same


def test_files_count_with_their_content_and_mode(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text(json.dumps(suite(cases=[case()], files="fixtures")))
    (tmp_path / "fixtures/inner").mkdir(parents=True)
    (tmp_path / "fixtures/inner/run.sh").write_text("echo\n")
    before = read(tmp_path)
    (tmp_path / "fixtures/inner/run.sh").chmod(0o755)
    after = read(tmp_path)
    assert list(before.files) == list(after.files) == ["inner/run.sh"]
    assert before.digest != after.digest


# Real sessions


def test_organic_cases_are_added_where_the_workspace_opts_in(make_repository: Make) -> None:
    files = {"assay.toml": OPTED_IN, ".gitignore": "/data/benchmarks/\n", **written(SHELL, suite(), case())}
    repository = make_repository(files)
    _session(repository, case("o", source="organic"))
    context, workspace, commit = opened(repository)
    [loaded] = loading.suites_at(context, workspace, commit)
    assert ([one.case_id for one in loaded.suite.cases], loaded.organic) == (["a", "o"], ("o",))
    [plain] = loading.suites_at(context, workspace, commit, organic=False)
    assert (len(plain.suite.cases), plain.organic) == (1, ())
    assert plain.digest != loaded.digest
    assert plain.case_digests["a"] == loaded.case_digests["a"]


def test_organic_cases_are_left_alone_where_nobody_opts_in(make_repository: Make) -> None:
    repository = make_repository({"assay.toml": POLICY, **written(SHELL, suite(), case())})
    _session(repository, {"broken": True})
    context, workspace, commit = opened(repository)
    assert loading.suites_at(context, workspace, commit)[0].organic == ()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (case("o"), "data/benchmarks/shell/cases/o.json: source: the case o is synthetic; only organic ones lie here"),
        (case("a", source="organic"), "data/benchmarks/shell: the case a is in gold/suites/shell too"),
    ],
)
def test_organic_cases_that_are_wrong(make_repository: Make, wrong: dict[str, Any], told: str) -> None:
    repository = make_repository({"assay.toml": OPTED_IN, **written(SHELL, suite(), case())})
    _session(repository, wrong)
    context, workspace, commit = opened(repository)
    with pytest.raises(BadSuite) as raised:
        loading.suites_at(context, workspace, commit)
    assert raised.value.message == told
    assert loading.every_in_worktree(context, workspace).faults == [told]


def test_organic_cases_that_are_committed_are_refused(make_repository: Make) -> None:
    name = "data/benchmarks/shell/cases/o.json"
    files = written(SHELL, suite(), case())
    repository = make_repository({"assay.toml": OPTED_IN, name: json.dumps(case("o", source="organic")), **files})
    context, workspace, commit = opened(repository)
    with pytest.raises(BadSuite, match=f"^{name} is committed, and real sessions belong into no commit"):
        loading.suites_at(context, workspace, commit)
    with pytest.raises(BadSuite, match=f"^{name} is committed"):
        loading.suite_at(context, workspace, commit, "shell")
    assert loading.suite_at(context, workspace, commit, "shell", organic=False).organic == ()


@pytest.mark.parametrize("link", ["data", "data/benchmarks", "data/benchmarks/shell"])
def test_organic_cases_behind_a_link_are_refused(make_repository: Make, tmp_path: Path, link: str) -> None:
    repository = make_repository({"assay.toml": OPTED_IN, **written(SHELL, suite(), case())})
    _session(repository, case("o", source="organic"))
    (repository / link).rename(tmp_path / "elsewhere")
    (repository / link).symlink_to(tmp_path / "elsewhere")
    context, workspace, commit = opened(repository)
    with pytest.raises(BadSuite, match=f"^{link} is a symbolic link"):
        loading.suites_at(context, workspace, commit)


def _session(repository: Path, told: dict[str, Any]) -> None:
    folder = repository / "data/benchmarks/shell/cases"
    folder.mkdir(parents=True)
    (folder / "o.json").write_text(json.dumps(told))
