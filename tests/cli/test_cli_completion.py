"""The completion scripts parse, and a shell that has read one completes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.cli.completion import SHELLS, script

Command = Callable[..., Any]
GIT_COMPLETION = next(
    (
        path
        for path in (
            Path("/usr/share/bash-completion/completions/git"),
            Path("/usr/lib/git-core/git-completion.bash"),
            Path("/usr/share/git-core/contrib/completion/git-completion.bash"),
        )
        if path.exists()
    ),
    None,
)
ASK = """
source "$1"
COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); COMPREPLY=()
_shtab_git_assay
printf '%s\\n' "${COMPREPLY[@]}"
"""
ASK_GIT = """
source "$1"; source "$2"
COMP_WORDS=("${@:3}"); COMP_CWORD=$(($# - 3)); COMPREPLY=()
COMP_LINE="${*:3}"; COMP_POINT=${#COMP_LINE}
__git_wrap__git_main
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="session")
def bash_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "git-assay.bash"
    file.write_text(script("bash"))
    return file


def asked(how: str, folder: Path, *words: str | Path) -> list[str]:
    done = subprocess.run(["bash", "-c", how, "bash", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_parses(shell: str, tmp_path: Path) -> None:
    made = script(shell)
    assert "git-assay" in made
    assert "git assay" not in made.replace("git-assay", "").partition("#compdef")[0].replace("# `git assay <Tab>`", "")
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    (tmp_path / "script").write_text(made)
    reads = {"tcsh": ["tcsh", "-f", "-c", "source script"]}.get(shell, [shell, "-n", "script"])
    done = subprocess.run(reads, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("run", "fin"), ["finish"]),
        (("ver",), ["verify", "verdict", "verifier", "version"]),
        (("run", "start", "--type", "in"), ["ingest"]),
        (("run", "finish", "--dr"), ["--dry-run", "--draft-only"]),
        (("--workspace", "x", "sta"), ["status"]),
        (("-C", "x", "run", "aban"), ["abandon"]),
        (("completion", "z"), ["zsh"]),
        (("raw", "add", "wiki/in"), ["wiki/index.md"]),
        (("run", "start", "--target", "m"), ["main"]),
        (("run", "show", "a"), ["abc-one", "abc-two"]),
    ],
    ids=lambda words: " ".join(words),
)
def test_bash_completes_git_assay_by_its_own_name(
    wiki: Path, assay: Command, bash_script: Path, words: tuple[str, ...], found: list[str]
) -> None:
    for run in ("abc-one", "abc-two"):
        assay(wiki, "run", "start", "--id", run)
    assert asked(ASK, wiki, bash_script, "git-assay", *words) == found


@pytest.mark.skipif(GIT_COMPLETION is None, reason="git's completion file is not installed")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("assay", "ver"), ["verify", "verdict", "verifier", "version"]),
        (("assay", "run", "fin"), ["finish"]),
        (("-C", ".", "assay", "run", "finish", "--dr"), ["--dry-run", "--draft-only"]),
    ],
    ids=lambda words: " ".join(words),
)
def test_git_s_own_completion_completes_git_assay(
    wiki: Path, bash_script: Path, words: tuple[str, ...], found: list[str]
) -> None:
    assert GIT_COMPLETION is not None
    assert asked(ASK_GIT, wiki, GIT_COMPLETION, bash_script, "git", *words) == found


def test_the_command_prints_the_script(tmp_path: Path, assay: Command) -> None:
    done = assay(tmp_path, "completion", "bash")
    assert (done.code, done.out) == (0, script("bash") + "\n")
