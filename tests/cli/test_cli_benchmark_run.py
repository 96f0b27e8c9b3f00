"""`git assay benchmark run`: what it runs, prints, keeps and exits with."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gitops.runs import names
from tests.cli.conftest import PROJECT

Command = Callable[..., Any]
AGENT = """\
case "$ASSAY_CASE" in
  *hang*) sleep 60 ;;
  *bad*) echo '{oops' ;;
  *) echo "I say $ASSAY_CASE $ASSAY_CONFIG" ;;
esac
"""


def case(name: str, value: str | None = None, mode: str = "contains", **fields: Any) -> str:
    expected = {"mode": mode, "value": name if value is None else value}
    return json.dumps(
        {
            "case_id": name,
            "description": name,
            "input": {"goal": name},
            "expected": expected,
            "difficulty": "easy",
            "source": "synthetic",
            **fields,
        }
    )


def suite(name: str, *, cases: dict[str, str], folder: str = "", **fields: Any) -> dict[str, str]:
    below = folder or f"gold/suites/{name}"
    told = {"suite_id": name, "name": name, "target": "agent", "version": "1.0.0", "metadata": {}}
    runs = {"kind": "command", "words": ["sh", "{suite}/agent.sh"]}
    files = {f"{below}/suite.json": json.dumps({**told, "runs": runs, **fields}), f"{below}/agent.sh": AGENT}
    return files | {f"{below}/cases/{called}.json": text for called, text in cases.items()}


@pytest.fixture
def wiki(make_wiki: Callable[..., Path]) -> Path:
    """Three suites: one that passes, one in which something of each kind goes wrong, one of a skill."""
    good = suite("good", cases={name: case(name) for name in ("a", "b")})
    mixed = suite(
        "mixed",
        cases={"bad": case("bad"), "hang": case("hang"), "right": case("right"), "wrong": case("wrong", "other")},
        limits={"timeout_ms": 300},
    )
    skill = suite("shell-skill", cases={"s": case("s")}, folder="skills/shell/benchmarks")
    return make_wiki({**good, **mixed, **skill, "skills/shell/SKILL.md": "# Shell\n"})


def kept(git: Command, folder: Path) -> int:
    """How many measurements the notes hold."""
    notes = git(folder, "notes", f"--ref={names.EVALS}", "list", check=False).split()[::2]
    return sum(len(git(folder, "cat-file", "-p", blob).splitlines()) for blob in notes)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "which suite?"),
        (("good", "--all"), "--all is every suite"),
        (("goood",), "no suite is called 'goood'"),
        (("good", "--worktree", "--rev", "HEAD"), "--worktree measures the files as they stand"),
        (("good", "--like", "20240102-030405-abcdef12"), "--like RUN says all of it already"),
        (("--like", "20240102-030405-abcdef12", "--seed", "0"), "--like RUN says all of it already"),
        (("--like", "20240102-030405-abcdef12"), "there is no benchmark run"),
        (("good", "--case", "z"), "has no case 'z'"),
        (("good", "mixed", "--case", "a"), "--case is for one suite"),
        (("good", "--config", "none.json"), "none.json cannot be read"),
        (("good", "--rev", "nowhere"), "'nowhere' names no commit"),
    ],
)
def test_what_makes_no_sense_is_refused(wiki: Path, assay: Command, refused: Command, words: Any, said: str) -> None:
    refused(assay(wiki, "benchmark", "run", *words), 2, said)


def test_a_workspace_without_a_suite_cannot_be_measured(make_wiki: Command, assay: Command, refused: Command) -> None:
    refused(assay(make_wiki(), "benchmark", "run", "--all"), 3, "plant has no suite at")


def test_all_cases_that_pass_are_a_yes_and_are_kept(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "benchmark", "run", "good")
    assert (done.code, done.err) == (0, "")
    assert "2 of 2 passed" in done.out
    assert re.search(r"kept in the notes of [0-9a-f]{10} as run \S+", done.out)
    assert kept(git, wiki) == 1


def test_what_its_page_makes_from_nothing_runs_as_it_says(
    make_wiki: Command, assay: Command, commit_files: Command
) -> None:
    page = (PROJECT / "docs/benchmark-run.md").read_text("utf-8").split("## From nothing to a run")[1]
    shown: dict[str, list[str]] = {}
    for kind, text in re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        shown.setdefault(kind, []).append(text)
    (told, one), [agent, *_] = shown["json"][:2], shown["sh"]
    wiki, below = make_wiki(), "gold/suites/shell"
    commit_files(wiki, {f"{below}/suite.json": told, f"{below}/cases/a.json": one, f"{below}/upper.sh": agent})
    assert shown["console"][0].endswith("\n$ git assay benchmark run shell\n")
    done = assay(wiki, "benchmark", "run", "shell")
    assert done.code == 0

    def alike(text: str) -> str:
        """Without what is another one each time: the commit, the run, the time it took."""
        return re.sub(r"\b(\d{8}-\d{6}-[0-9a-f]{8}|[0-9a-f]{10}|[\d,]+\.\d+$)", "…", text, flags=re.MULTILINE)

    assert alike(done.out) == alike(shown["text"][0])


def test_failed_cases_come_first_with_their_reasons_and_the_suite_goes_on(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "benchmark", "run", "mixed")
    assert done.code == 1
    rows = [line.split()[:2] for line in done.out.split("\n")[3:7]]
    assert rows == [["wrong", "fail"], ["bad", "error"], ["hang", "timeout"], ["right", "pass"]]
    assert "begins like a JSON object and is none" in done.out
    assert "it took longer than 0.3 s" in done.out
    assert "1 of 4 passed (1 invalid_json, 1 timeout, 1 " in done.out


def test_every_suite_and_those_of_skills_are_run_with_all(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "benchmark", "run", "--all")
    assert done.code == 1
    for name in ("good 1.0.0 at", "mixed 1.0.0 at", "shell-skill 1.0.0 at"):
        assert name in done.out
    assert kept(git, wiki) == 3


def test_the_suite_of_a_skill_is_run_by_its_name(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "benchmark", "run", "--skill", "shell")
    assert (done.code, done.out.split()[0]) == (0, "shell-skill")


def test_repeats_are_each_a_measurement_and_one_row(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "benchmark", "run", "good", "--repeats", "3", "--jobs", "2")
    assert "3 repeats" in done.out
    assert "6 of 6 passed" in done.out
    assert len([line for line in done.out.split("\n") if line.startswith("a ")]) == 1
    assert kept(git, wiki) == 3


def test_one_case_alone_is_tried_and_not_kept(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "benchmark", "run", "mixed", "--case", "right")
    assert done.code == 0
    assert "not kept (a part of the cases was tried)" in done.out
    assert kept(git, wiki) == 0


def test_a_commit_is_measured_and_the_working_tree_only_where_it_is_asked_for(
    wiki: Path, assay: Command, git: Command
) -> None:
    (wiki / "gold/suites/good/agent.sh").write_text("echo nothing\n")
    assert assay(wiki, "benchmark", "run", "good", "--no-keep").code == 0
    done = assay(wiki, "benchmark", "run", "good", "--worktree")
    assert done.code == 1
    assert "as it stands in the working tree" in done.out
    assert "not kept (the working tree was measured, which is no commit)" in done.out
    assert kept(git, wiki) == 0
    assert git(wiki, "status", "--porcelain").strip() == "M gold/suites/good/agent.sh"


def test_a_file_says_what_the_target_is_told_otherwise(wiki: Path, assay: Command) -> None:
    (wiki / "deep.toml").write_text("[config_overrides]\ndepth = 3\n")
    done = assay(wiki, "benchmark", "run", "good", "--config", "deep.toml", "--json")
    [measured] = json.loads(done.out)["measurements"]
    assert measured["variant"] == "deep"
    assert measured["samples"][0]["details"]["output"] == 'I say a {"depth":3}'


def test_json_is_canonical_and_says_what_came_of_it(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "benchmark", "run", "good", "mixed", "--json")
    told = json.loads(done.out)
    assert (told["schema"], told["state"], told["kept"]) == ("assay/benchmark-ran/1", "failed", True)
    assert [one["suite"] for one in told["measurements"]] == ["good", "mixed"]
    assert done.out == json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def test_a_run_is_done_again_by_its_record(wiki: Path, assay: Command, commit_files: Command) -> None:
    first = json.loads(assay(wiki, "benchmark", "run", "good", "--seed", "7", "--repeats", "2", "--json").out)
    gone = ("suite.json", "agent.sh", "cases/a.json", "cases/b.json")
    commit_files(wiki, {f"gold/suites/good/{name}": None for name in gone})
    run_id = first["measurements"][0]["run_id"]
    again = json.loads(assay(wiki, "benchmark", "run", "--like", run_id, "--json").out)
    assert again["state"] == "passed"
    for one, other in zip(first["measurements"], again["measurements"], strict=True):
        assert one["subject"] == other["subject"]
        assert one["commit"] == other["commit"]
        assert one["run_id"] != other["run_id"]


def test_what_nobody_could_judge_is_neither_passed_nor_failed(make_wiki: Command, assay: Command) -> None:
    wiki = make_wiki(suite("open", cases={"a": case("a", "", mode="human")}))
    done = assay(wiki, "benchmark", "run", "open")
    assert done.code == 3
    assert "nothing was tried, 1 skipped" in done.out


def test_a_rehearsal_runs_and_keeps_nothing(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "benchmark", "run", "mixed", "good", "--repeats", "2", "--dry-run")
    assert done.code == 0
    assert done.out == "mixed 1.0.0: 4 cases × 2 repeats, command\ngood 1.0.0: 2 cases × 2 repeats, command\n"
    assert kept(git, wiki) == 0


@pytest.fixture
def hanging(wiki: Path, git: Command, tmp_path: Path) -> Iterator[Callable[[], tuple[subprocess.Popen[str], str]]]:
    """Starts a run whose second case hangs, with a child that left its session; both are known by the words."""
    words = f"sleep {random.SystemRandom().randrange(10**8, 10**9)}"
    agent = f'if [ "$ASSAY_CASE" = b ]; then setsid {words} & {words}; fi; echo $ASSAY_CASE\n'
    (wiki / "gold/suites/good/agent.sh").write_text(agent)
    git(wiki, "commit", "-qam", "one that hangs")
    (tmp_path / "temporary").mkdir()
    command = [sys.executable, "-m", "gitops", "-C", str(wiki), "benchmark", "run", "good", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "TMPDIR": str(tmp_path / "temporary")}

    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # it may be ignored by whoever runs the tests
    with ExitStack() as stack:

        def start() -> tuple[subprocess.Popen[str], str]:
            begun = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=heard)
            process = stack.enter_context(begun)
            stack.callback(process.kill)
            assert _becomes(lambda: _running(words))
            time.sleep(0.3)  # how far it came is looked at a few times a second
            return process, words

        yield start


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_what_runs_and_keeps_nothing(
    hanging: Command, wiki: Path, git: Command, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    process, words = hanging()
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == code
    assert "1 of 2 cases of good were tried; nothing of them is kept" in said
    assert not _running(words)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert kept(git, wiki) == 0


@pytest.mark.slow
def test_what_runs_ends_even_where_the_command_is_killed(hanging: Command) -> None:
    process, words = hanging()
    process.kill()
    process.communicate(timeout=20)
    assert _becomes(lambda: not _running(words))


def _becomes(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 20
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.02)
    return is_so()


def _running(words: str) -> bool:
    found = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True).stdout
    return any(line.strip() == words for line in found.splitlines())


def test_a_callable_of_a_workspace_below_the_root_is_found(wiki: Path, assay: Command, git: Command) -> None:
    told = suite("inner", cases={"a": case("a", "sub a")}, runs={"kind": "python", "callable": "mine.agent:run"})
    code = "import os\n\ndef run(case):\n    root = os.environ['ASSAY_WORKSPACE']\n"
    code += "    return os.path.basename(root) + ' ' + case['input']['goal']\n"
    for path, text in {**told, "mine/agent.py": code, "assay.toml": "[workspace]\nname = 'inner'\n"}.items():
        (wiki / "sub" / path).parent.mkdir(parents=True, exist_ok=True)
        (wiki / "sub" / path).write_text(text)
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "a workspace below")
    done = assay(wiki / "sub", "benchmark", "run", "inner")
    assert (done.code, done.err) == (0, "")
    assert "1 of 1 passed" in done.out
