"""`git assay ci check` with suites of benchmarks: what it prints, how it ends, and when it runs a change's own code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.ci.suite_answers import How
from gitops.cli.ci_check import _flags, _how
from gitops.cli.parser import parse
from tests.ci.suites_driving import WRONG, Brewery, brewing
from tests.runs.driving import Wiki


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ((), How()),
        (("--judge", "offline"), How()),
        (("--judge", "claude"), How(is_on=False, asks=True)),
        (("--judge", "claude", "--benchmarks"), How(asks=True, is_told=True)),
        (("--no-benchmarks",), How(is_on=False)),
        (("--jobs", "3"), How(jobs=3)),
    ],
)
def test_where_a_judge_is_paid_no_code_of_the_change_runs_unless_told(words: tuple[str, ...], how: How) -> None:
    assert _how(parse(["ci", "check", *words])) == how


@pytest.mark.parametrize("words", [(), ("--benchmarks",), ("--no-benchmarks",)])
def test_what_was_typed_is_what_does_the_same_again(words: tuple[str, ...]) -> None:
    assert _flags(parse(["ci", "check", *words])) == words


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_no_case_runs_no_times_at_once(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["ci", "check", "--jobs", jobs])
    assert (ended.value.code, "--jobs" in capsys.readouterr().err) == (2, True)


RUNS = """
import sys
from gitops.cli import main
main(sys.argv[1:])
print(sorted(each for each in ("gitops.suites.flow", "gitops.suites.place") if each in sys.modules), file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("path", "loaded"), [("notes.txt", "[]"), ("wiki/index.md", "[]"), ("tools/more.sh", "flow")])
def test_what_runs_suites_is_not_even_loaded_where_none_is_affected(
    make_repository: Callable[..., Path], path: str, loaded: str
) -> None:
    brewery = Brewery(Wiki(make_repository(brewing())))
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({path: "# More\n"})
    words = ("-C", str(brewery.wiki.folder), "ci", "check", "--base", base, "--metric", "none")
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", RUNS, *words], cwd=root, capture_output=True, text=True, check=True)
    assert loaded in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_planted_regression_is_printed_written_and_told_to_later_steps(
    make_repository: Callable[..., Path], tmp_path: Path
) -> None:
    brewery = Brewery(Wiki(make_repository(brewing())))
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": WRONG})
    files = ("--result", str(tmp_path / "result.json"), "--summary", str(tmp_path / "summary.md"))
    done = brewery.wiki.assay("ci", "check", "--base", base, *files, GITHUB_OUTPUT=str(tmp_path / "out"))
    assert done.returncode == 1, done.stderr
    assert "failed  tides  benchmark.tea regressed (1 case)" in done.stdout
    assert "tea green  pass → fail: " in done.stdout
    written = json.loads((tmp_path / "result.json").read_text())
    assert written["benchmarks"][0]["regressions"][0]["case"] == "green"
    assert "| `tea` | brewer | 3 | 100" in (tmp_path / "summary.md").read_text()
    assert "\nbenchmark.tea\n" in (tmp_path / "out").read_text()
    off = brewery.wiki.assay("ci", "check", "--base", base, "--no-benchmarks", "--json")
    told = json.loads(off.stdout)
    assert (told["benchmarks"][0]["verdict"], told["reproduce"].endswith(" --no-benchmarks")) == ("not run", True)
