"""`git assay benchmark compare`, `report`, `baseline` and `list`, by runs of a small program in a real wiki."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.suites.suite_runs import a_case, a_suite

Command = Callable[..., Any]
AGENT = """import json, sys
goal = json.load(sys.stdin)["input"]["goal"]
print({"goal of a": "yes", "goal of b": "yes", "goal of c": "no"}[goal])
"""
WRONG = AGENT.replace('"goal of a": "yes"', '"goal of a": "<b>no</b> | \\\\u001b[31m"')
HOSTILE = a_case("c", tags=["<script>", "a|b"], description="x")
SUITE = a_suite(
    a_case("a"), a_case("b"), HOSTILE, runs={"kind": "command", "words": ["python3", "{root}/agent.py"]}, repeats=2
)


@pytest.fixture
def wiki(make_wiki: Callable[..., Path]) -> Path:
    """A wiki with a suite whose case c fails, and a skill without one."""
    files = {"agent.py": AGENT, "gold/suites/shell/suite.json": SUITE.model_dump_json(), "skills/ls/SKILL.md": "# ls\n"}
    return make_wiki(files)


def ran(wiki: Path, assay: Command, code: int = 1) -> str:
    """Run the suite; the id of the run."""
    done = assay(wiki, "benchmark", "run", "shell", "--json")
    assert done.code == code, done.err
    name: str = json.loads(done.out)["measurements"][0]["run_id"]
    return name


@pytest.fixture
def changed(wiki: Path, assay: Command, commit_files: Command) -> tuple[str, str]:
    """A run that is accepted, and one after case a broke."""
    first = ran(wiki, assay)
    assert assay(wiki, "-q", "benchmark", "baseline", first, "--reason", "as good as it is").code == 0
    commit_files(wiki, {"agent.py": WRONG})
    return first, ran(wiki, assay)


def told(wiki: Path, assay: Command, name: str, *words: str) -> Mapping[str, Any]:
    """What a command prints as JSON, held to its schema."""
    done = assay(wiki, "benchmark", *words, "--json")
    assert done.code == 0, done.err
    value: Mapping[str, Any] = json.loads(done.out)
    described = json.loads(assay(wiki, "schema", name).out)
    jsonschema.Draft202012Validator.check_schema(described)
    jsonschema.validate(value, described)
    assert described["$id"] == value["schema"]
    return value


@pytest.mark.slow
def test_what_broke_is_a_regression_wherever_it_is_told(
    wiki: Path, assay: Command, changed: tuple[str, str], tmp_path: Path
) -> None:
    first, second = changed
    for words in (("baseline", second), (first, second), (first[:-2], "HEAD"), ("HEAD~1", second)):
        found = told(wiki, assay, "benchmark-compare", "compare", *words)
        [suite] = found["suites"]
        assert [(each["case_id"], each["kind"]) for each in suite["regressions"]] == [("a", "pass_to_fail")]
        [row] = [each for each in found["compared"] if each["metric"] == "pass_rate"]
        assert [each["id"] for each in row["lost"]] == ["a"]
    for words, code in (((first, second), 1), ((second, first), 0), (("baseline", first), 0)):
        assert assay(wiki, "benchmark", "compare", *words, "--fail-on-regression").code == code
    text = assay(wiki, "benchmark", "compare", "baseline", second, "--report", "r.md", "--html", "r.html")
    assert "baseline → " in text.out
    assert "1 regression" in text.out
    assert "a     pass to fail  passed 2 of 2, passes 0 of 2" in text.out
    assert "\x1b" not in text.out
    markdown, page = (wiki / "r.md").read_text(), (wiki / "r.html").read_text()
    assert "\\<b\\>no" in markdown
    assert "<b>no" not in page
    assert "&lt;b&gt;no" in page
    report = told(wiki, assay, "benchmark-report", "report", second)["reports"][0]
    assert [each["case_id"] for each in report["baseline"]["regressions"]] == ["a"]
    assert report["skills_without_benchmarks"] == ["ls"]
    assert [each["case"] for each in report["failures"]] == ["a", "c"]
    assert report["summary"]["failure_categories"] == {"wrong_output": 4}


@pytest.mark.slow
def test_what_passed_and_is_not_known_any_more_is_no_pass(
    wiki: Path, assay: Command, commit_files: Command, refused: Command
) -> None:
    first = ran(wiki, assay)
    fewer = SUITE.model_copy(update={"cases": SUITE.cases[1:]})
    commit_files(wiki, {"gold/suites/shell/suite.json": fewer.model_dump_json()})
    words = ("benchmark", "compare", first, ran(wiki, assay))
    assert assay(wiki, *words).code == 0
    refused(assay(wiki, *words, "--fail-on-regression"), 3, "is not known of", "shell/a")


@pytest.mark.slow
def test_a_run_is_accepted_kept_beside_its_suite_and_counts(wiki: Path, assay: Command, git: Command) -> None:
    run = ran(wiki, assay)
    made = told(wiki, assay, "benchmark-baseline", "baseline", run, "--reason", "first")
    assert made["exported"] == "gold/suites/shell/baseline.json"
    assert made["baseline"]["reason"] == "first"
    assert "1 of 3 cases did not always pass" in made["remarks"][0]
    assert git(wiki, "status", "--porcelain") == "?? gold/suites/shell/baseline.json"
    [suite] = told(wiki, assay, "benchmark-list", "list")["suites"]
    assert suite["baseline"]["run_id"] == suite["newest"]["run_id"] == run
    assert suite["baseline"]["source"] == "record"
    report = told(wiki, assay, "benchmark-report", "report", run)["reports"][0]
    assert report["baseline"]["is_itself"] is True
    from_file = told(wiki, assay, "benchmark-compare", "compare", "gold/suites/shell/baseline.json", run)
    assert from_file["suites"][0]["regressions"] == []


@pytest.mark.slow
def test_who_accepts_a_run_that_is_worse_is_told_so(wiki: Path, assay: Command, changed: tuple[str, str]) -> None:
    first, second = changed
    remarks = told(wiki, assay, "benchmark-baseline", "baseline", second)["remarks"]
    assert [each for each in remarks if each.startswith(f"worse than run {first} at ") and each.endswith(": a")]
    again = told(wiki, assay, "benchmark-baseline", "baseline", first)["remarks"]
    assert not [each for each in again if each.startswith("worse")]


@pytest.mark.slow
def test_the_report_is_markdown_unless_said_otherwise(wiki: Path, assay: Command, refused: Command) -> None:
    run = ran(wiki, assay)
    markdown = assay(wiki, "benchmark", "report", run)
    assert markdown.out.startswith("# Benchmark report: shell 1.0.0\n\n**4 of 6 passed: 66.7 % (")
    assert "| c | 0 of 2 | wrong_output | easy |" in markdown.out
    assert "| tag | \\<script\\> | 1 | 0.0 % |" in markdown.out
    assert "| tag | a\\|b | 1 | 0.0 % |" in markdown.out
    assert "- skills without benchmarks: ls\n" in markdown.out
    assert "accepts one" in markdown.out
    text = assay(wiki, "benchmark", "report", run, "--format", "text")
    assert text.out.startswith("shell 1.0.0  4 of 6 passed: 66.7 %")
    page = assay(wiki, "benchmark", "report", run, "--format", "html")
    assert page.out.startswith("<!doctype html>")
    assert "<script" not in page.out
    written = assay(wiki, "benchmark", "report", run, "--out", "r.md")
    assert (written.code, written.out, written.err) == (0, "", "wrote r.md\n")
    assert (wiki / "r.md").read_text() == markdown.out
    refused(assay(wiki, "benchmark", "report", run, "--json", "--format", "html"), 2, "two formats")
    refused(assay(wiki, "benchmark", "report", run, "--json", "--out", "x"), 2, "--json > FILE")
    refused(assay(wiki, "benchmark", "report", run, "--suite", "x"), 2, "has no run of 'x'", "shell")


def test_what_is_no_run_is_refused(wiki: Path, assay: Command, refused: Command) -> None:
    (wiki / "bad.json").write_text('{"schema": "assay/other/1"}')
    for words in (("compare", "baseline", "baseline"), ("compare", "HEAD", "no-run"), ("baseline", "no-run")):
        refused(assay(wiki, "benchmark", *words), 3 if words[1] == "HEAD" else 2)
    refused(assay(wiki, "benchmark", "report", "bad.json"), 2, "this is no measurement")
    refused(assay(wiki, "benchmark", "report", "HEAD"), 3, "no suite has measured", "benchmark run --rev HEAD --all")
    refused(assay(wiki, "benchmark", "baseline", "HEAD"), 2, "no run of a suite is kept")
    refused(assay(wiki, "benchmark", "list", "shel"), 2, "did you mean 'shell'?")


@pytest.mark.slow
def test_without_a_baseline_there_is_nothing_to_compare_with(wiki: Path, assay: Command, refused: Command) -> None:
    run = ran(wiki, assay)
    refused(assay(wiki, "benchmark", "compare", "baseline", run), 3, "nobody has accepted a run of shell")


@pytest.mark.slow
def test_a_run_of_a_commit_aside_says_where_it_will_count(wiki: Path, assay: Command, git: Command) -> None:
    git(wiki, "checkout", "-q", "-b", "aside")
    git(wiki, "commit", "-q", "--allow-empty", "-m", "aside")
    run = ran(wiki, assay)
    git(wiki, "checkout", "-q", "main")
    made = told(wiki, assay, "benchmark-baseline", "baseline", run, "--no-export")
    assert made["exported"] is None
    assert "is not in the first-parent history of main" in made["remarks"][-1]
    [suite] = told(wiki, assay, "benchmark-list", "list")["suites"]
    assert suite["baseline"] is None


@pytest.mark.slow
def test_suites_cases_and_runs_are_listed(wiki: Path, assay: Command) -> None:
    assert "no run of a suite was kept yet" in assay(wiki, "benchmark", "list", "--runs").out
    run = ran(wiki, assay)
    suites = assay(wiki, "benchmark", "list")
    assert f"shell 1.0.0  sh     3      {run}  66.7 %     -\n" in suites.out
    assert "1 skill without benchmarks: ls" in suites.out
    assert "2024-01-02 03:04  4 of 6\n" in assay(wiki, "benchmark", "list", "--runs").out
    cases = assay(wiki, "benchmark", "list", "shell")
    assert "c     easy        synthetic  exact  <script>, a|b  x" in cases.out
    assert "3 cases in gold/suites/shell" in cases.out


@pytest.mark.slow
def test_the_same_numbers_are_compared_beside_metrics(wiki: Path, assay: Command, changed: tuple[str, str]) -> None:
    done = assay(wiki, "eval", "compare", *changed, "--metric", "pass_rate", "--json")
    [row] = json.loads(done.out)["compared"]
    assert row["metric"] == "benchmark.shell.pass_rate"
    assert row["difference"] == pytest.approx(-1 / 3)
    shown = assay(wiki, "run", "show", changed[1])
    assert "shell: 1 of 3 passed, at " in shown.out
