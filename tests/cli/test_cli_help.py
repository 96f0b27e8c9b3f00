"""Help, wherever it is asked for; and that every command, argument and option explains itself."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gitops import __version__
from gitops.cli import main
from gitops.cli.parser import COMMANDS, build

Command = Callable[..., Any]
HEAVY = ("pygit2", "pydantic", "rich", "sqlite3", "subprocess", "yaml", "pyromark", "rapidfuzz", "shtab")


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and all below it."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


def leaves() -> list[argparse.ArgumentParser]:
    """The parsers of commands that do something."""
    groups = argparse._SubParsersAction
    return [each for each in parsers(build()) if not any(isinstance(action, groups) for action in each._actions)]


ALL = {each.prog: each for each in parsers(build())}


@pytest.mark.parametrize("prog", ALL)
def test_every_argument_and_option_has_a_help_text(prog: str) -> None:
    for action in ALL[prog]._actions:
        if not isinstance(action, argparse._SubParsersAction):
            assert action.help, f"{prog}: {action.option_strings or action.dest}"
            assert not action.help.endswith("."), action.help
    assert ALL[prog].description


def test_every_command_has_a_function() -> None:
    assert [each.prog for each in leaves() if not callable(each.get_default("function"))] == []


def test_every_long_option_takes_two_hyphens_and_no_abbreviation() -> None:
    for each in ALL.values():
        assert not each.allow_abbrev
        assert all(len(name) == 2 or name.startswith("--") for name in each._option_string_actions)
    assert main(["run", "list", "--stat", "pending"]) == 2


@pytest.mark.parametrize("prog", ALL)
def test_help_is_the_same_by_option_and_by_command(prog: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = prog.split()[2:]
    said = []
    for asked in ([*words, "--help"], [*words, "-h"], ["help", *words]):
        assert main(asked) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        said.append(printed.out)
    assert said[0] == said[1] == said[2]
    assert said[0].startswith(f"usage: {prog} ")
    assert all(len(line) <= 80 for line in said[0].splitlines() if not line.startswith("usage:"))


def test_help_of_the_specification_s_name_for_an_override(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "verify", "override"]) == 0
    assert "--reason TEXT" in capsys.readouterr().out


def test_help_of_a_command_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "run", "finsh"]) == 2
    assert "did you mean 'finish'?" in capsys.readouterr().err


def test_without_a_command_help_is_printed_and_the_answer_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    listed = re.findall(r"^    (\w+)", capsys.readouterr().out.partition("commands:\n")[2], re.MULTILINE)
    assert listed == [name for name, _, _ in COMMANDS]


def test_the_version_by_option_and_by_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--version"], ["version"]):
        assert main(words) == 0
        assert capsys.readouterr().out == f"git-assay {__version__}\n"


@pytest.mark.parametrize(
    "words", [["-h"], ["run", "finish", "-h"], ["--version"], ["status", "--nonsense"]], ids=" ".join
)
def test_asking_for_help_imports_nothing_heavy(words: list[str]) -> None:
    loaded = f"print(*sorted(set(sys.modules) & set({HEAVY!r})))"
    script = f"import sys; from gitops.cli import main; main({words!r}); {loaded}"
    project = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=project, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_folder_called_like_a_command_is_no_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "status").mkdir()
    assert main(["-C", str(tmp_path / "status"), "run", "list"]) == 3
    assert main(["-qC", str(tmp_path / "status"), "run", "list"]) == 3
    assert main(["--workspace", "log", "-C", str(tmp_path), "run", "list"]) == 3


def test_explain_says_what_every_check_and_result_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    for line in capsys.readouterr().out.splitlines()[1:]:
        assert main(["explain", line.split()[0]]) == 0
        assert capsys.readouterr().out.count("\n") > 4


@pytest.mark.parametrize(
    "words", [["status"], ["lint"], ["run", "list"], ["log"], ["blame", "wiki/solvents.md"], ["explain"], ["-h"]]
)
@pytest.mark.slow
def test_commands_that_use_no_model_load_nothing_of_it(wiki: Path, words: list[str]) -> None:
    loaded = (
        "import sys; from gitops.cli import main; main(sys.argv[1:]); "
        "mine = ('gitops.llm', 'gitops.agents', 'gitops.evals', 'anthropic', 'httpx2'); "
        "print([name for name in sys.modules if name.startswith(mine)], file=sys.stderr)"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", loaded, *words],
        cwd=wiki,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == "[]"
