"""Files that make no suite: each fault is one line with its file, the same in a commit and in the worktree."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.suites import loading
from gitops.suites.reading import BadSuite
from tests.suites.suite_folders import POLICY, SHELL, case, faults, opened, suite, written

Faults = Callable[..., list[str]]
DEEP = 100_000


@pytest.fixture
def faults_of(make_repository: Callable[..., Path], git: Callable[..., str]) -> Faults:
    def read(files: dict[str, Any], links: dict[str, str] | None = None) -> list[str]:
        repository = make_repository({"assay.toml": POLICY})
        for name, content in files.items():
            data = content if isinstance(content, bytes | str) else json.dumps(content)
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        for name, target in (links or {}).items():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).symlink_to(target)
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--message", "Suites")
        context, workspace, commit = opened(repository)
        found = loading.every_at(context, workspace, commit)
        assert found.faults == loading.every_in_worktree(context, workspace).faults
        with pytest.raises(BadSuite) as raised:
            loading.suites_at(context, workspace, commit)
        assert raised.value.told == tuple(dict.fromkeys(found.faults))
        assert raised.value.exit_code == 2
        return found.faults

    return read


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (suite(), ": the suite holds no case"),
        ("", ":1: not JSON: expecting value, column 1"),
        ("{\n\n ", ":3: not JSON: expecting property name"),
        ("[]", ": not a JSON object"),
        (b'{"name":\n"\xff"}', ":2: this is not UTF-8"),
        ('{"name": 1, "name": 2}', ": not JSON: a name occurs twice in one object: 'name'"),
        ("[" * DEEP, ": not JSON: nested too deeply"),
        ('{"a":' * 300 + "1" + "}" * 300, ": not JSON: nested too deeply"),
        ('{"name": NaN}', ": not JSON: NaN is not JSON"),
        ('{"latency_floor_ms": 1e999}', ": not JSON: out of range"),
        ('{"name": "\\ud800"}', ": not JSON: half a character, a lone surrogate"),
        ('{"repeats": ' + "9" * 5000 + "}", ": not JSON: Exceeds the limit"),
    ],
    ids=range(12),
)
def test_what_is_no_suite(faults_of: Faults, content: Any, told: str) -> None:
    [fault] = faults_of({f"{SHELL}/suite.json": content})
    assert fault.startswith(f"{SHELL}/suite.json{told}")


def test_cases_without_a_suite(faults_of: Faults) -> None:
    assert faults_of({f"{SHELL}/cases/a.json": case()}) == [f"{SHELL}/suite.json is not there"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"limts": {}}, "limts: there is no such field; did you mean limits?"),
        ({"zzz": {}}, "zzz: there is no such field; known: suite_id, name, "),
        ({"limits": {"timeout": 3}}, "limits.timeout: there is no such field; did you mean timeout_ms?"),
        ({"limits": {"timeout_ms": "3"}}, "limits.timeout_ms: input should be a valid integer (it is '3')"),
        ({"version": "1"}, "version: is no version of Semantic Versioning, such as 1.0.0"),
        ({"suite_id": "A b"}, "suite_id: a name is of a-z, 0-9, '.', '_' and '-', begins with a letter or digit"),
        ({"runs": {"kind": "command", "wrds": []}}, "runs.words: this field is missing"),
        ({"runs": {"kind": "command", "wrds": []}}, "runs.wrds: there is no such field; did you mean words?"),
        ({"runs": {"kind": "python"}}, "runs.callable: this field is missing"),
        ({"runs": {"kind": "pigeon"}}, "runs: input tag 'pigeon' found using 'kind' does not match any"),
        ({"cases": [case(), case()]}, "two cases are called a"),
        ({"cases": [case(), case("b", difficulty="ez")]}, "cases.1.difficulty: input should be 'easy', 'medium',"),
        ({"cases": [case(source="organic")]}, "source: the case a is organic: it belongs below data/benchmarks/"),
        ({"files": "fixtures"}, "files: there is no folder 'fixtures' with a file in it beside suite.json"),
        ({"files": "../other"}, "files: '../other' holds '..', which leads elsewhere or nowhere"),
        ({"files": "/etc"}, "files: '/etc' is absolute"),
        ({"runs": {"kind": "prompt", "system_file": "p.md"}}, "runs.system_file: there is no file 'p.md' beside"),
    ],
)
def test_fields_that_are_wrong(faults_of: Faults, fields: dict[str, Any], told: str) -> None:
    found = faults_of(written(SHELL, suite(cases=[case("first")]) | fields))
    assert any(fault.startswith(f"{SHELL}/suite.json: {told}") for fault in found), found


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            case(expected={"mode": "fuzzy"}),
            "expected.mode: there is no mode 'fuzzy'; known: exact, contains, llm_judge,",
        ),
        (case(expected={"mode": "exact+exact"}), "expected.mode: names a mode twice"),
        (case(expected={"mode": "contains"}), "case a: mode contains needs a 'value'"),
        (case(input={"gaol": "x"}), "input.gaol: there is no such field; did you mean goal?"),
        (case(input={"goal": 1}), "input.goal: input should be a valid string (it is 1)"),
        (case(input={"goal": "x", "context": [1]}), "input.context.0: input should be "),
        (case(source="organic"), "source: the case a is organic: it belongs below data/benchmarks/"),
    ],
)
def test_cases_that_are_wrong(faults_of: Faults, wrong: dict[str, Any], told: str) -> None:
    found = faults_of(written(SHELL, suite(cases=[case("first")]), wrong))
    assert any(fault.startswith(f"{SHELL}/cases/a.json: {told}") for fault in found), found


def test_every_fault_of_every_file_is_told(faults_of: Faults) -> None:
    files = {f"{SHELL}/cases/{name}.json": "{" for name in "abc"}
    assert len(faults_of({f"{SHELL}/suite.json": suite(zzz=1), **files})) == 4


def test_one_id_in_two_files(faults_of: Faults) -> None:
    files = written(SHELL, suite(cases=[case("x")]), case("y"))
    found = faults_of({**files, f"{SHELL}/cases/z.json": case("y"), f"{SHELL}/cases/w.json": case("x")})
    assert found == [
        f"{SHELL}/cases/w.json: case_id: 'x' is the id of a case in suite.json too",
        f"{SHELL}/cases/z.json: case_id: 'y' is the id of a case in cases/y.json too",
    ]


def test_cases_in_folders_are_not_overlooked(faults_of: Faults) -> None:
    files = written(SHELL, suite(), case())
    [fault] = faults_of({**files, f"{SHELL}/cases/hard/b.json": case("b"), f"{SHELL}/cases/README.md": "# Cases\n"})
    assert fault == f"{SHELL}/cases/hard/b.json: cases lie in cases/ itself, not in folders below it"


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (f"{SHELL}/suite.json", f"{SHELL}/suite.json is a symbolic link"),
        (f"{SHELL}/cases/b.json", f"{SHELL}/cases/b.json is a symbolic link"),
        (f"{SHELL}/baseline.json", f"{SHELL}/baseline.json is a symbolic link"),
        (f"{SHELL}/fixtures/b", f"{SHELL}/fixtures/b is a symbolic link"),
        ("gold/suites/other", "gold/suites/other: a suite lies in a folder of its own, not behind a link"),
        ("skills/s/benchmarks", "skills/s/benchmarks: a suite lies in a folder of its own, not behind a link"),
        ("skills/s", "skills/s: a suite lies in a folder of its own, not behind a link"),
    ],
)
def test_symbolic_links_are_refused(faults_of: Faults, link: str, told: str) -> None:
    files = written(SHELL, suite(files="fixtures"), case()) | {f"{SHELL}/fixtures/a": "x"}
    files.pop(link, None)
    found = faults_of(files, {link: "/etc/hostname"})
    assert any(fault.startswith(told) for fault in found), found


@pytest.mark.parametrize("link", ["gold/suites", f"{SHELL}/cases"])
def test_links_for_whole_folders_are_refused(faults_of: Faults, link: str) -> None:
    files: dict[str, Any] = {"elsewhere/shell/suite.json": suite(), "elsewhere/a.json": case()}
    files |= {} if link == "gold/suites" else written(SHELL, suite())
    [fault] = faults_of(files, {link: os.path.relpath("elsewhere", os.path.dirname(link))})
    assert fault.startswith(f"{link}: a suite lies in") or fault.startswith(f"{link} is a symbolic link: put the cases")


def test_two_suites_of_one_id_are_both_refused(faults_of: Faults) -> None:
    found = faults_of(written(SHELL, suite(), case()) | written("gold/suites/other", suite(), case()))
    assert f"{SHELL}/suite.json: suite_id: 'shell' is the id of gold/suites/other/suite.json too" in found
    assert f"gold/suites/other/suite.json: suite_id: 'shell' is the id of {SHELL}/suite.json too" in found


def test_a_baseline_is_a_run_of_this_very_suite(faults_of: Faults) -> None:
    run: dict[str, Any] = {
        "run_id": "r-1",
        "suite_id": "other",
        "started_at": "2026-01-02T03:04:05Z",
        "completed_at": None,
    }
    run |= {"config_snapshot": {}, "results": [], "summary": None}
    [fault] = faults_of({**written(SHELL, suite(), case()), f"{SHELL}/baseline.json": run})
    assert fault == f"{SHELL}/baseline.json: suite_id: is a run of 'other', not of 'shell'"


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text(json.dumps(suite(cases=[case()])))
    with (tmp_path / "baseline.json").open("wb") as file:
        file.truncate(17 << 20)
    [told] = faults(tmp_path)
    assert told.endswith("baseline.json is larger than 16 MiB")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "suite.json")
    [told] = faults(tmp_path)
    assert told.endswith("suite.json is no file")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    [told] = faults(tmp_path / "nowhere")
    assert told.endswith("nowhere/suite.json is not there")
