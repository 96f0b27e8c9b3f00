from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git.process import environment, git, stream


def _fake_git(folder: Path, script: str) -> None:
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)


def test_git_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotRun, match="not installed") as caught:
        git(tmp_path, "status")
    assert "2.38" in caught.value.hint


def test_git_that_is_too_old_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_git(tmp_path / "bin", "echo git version 2.30.2")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(CannotRun, match=r"2\.30\.2 is too old"):
        git(tmp_path, "status")


def test_a_full_disk_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = 'echo "fatal: write error: No space left on device" >&2; exit 128'
    _fake_git(tmp_path / "bin", f'[ "$1" = version ] && echo git version 2.39.5 && exit; {full}')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(CannotRun, match="the disk is full") as caught:
        git(tmp_path, "-c", "core.fsync=all", "update-ref", "refs/heads/a", "b")
    assert caught.value.message.startswith("git update-ref")
    assert "nothing was changed" in caught.value.hint


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="git cannot be run"):
        git(tmp_path / "gone", "status")


def test_a_failure_is_told_in_gits_last_line(make_repository: Callable[..., Path]) -> None:
    with pytest.raises(CannotRun, match=r"^git show-ref: 'refs/none' - not a valid ref$") as caught:
        git(make_repository({"a": "1"}), "show-ref", "--verify", "refs/none")
    assert caught.value.hint


def test_a_revision_that_names_nothing_is_a_usage_error(make_repository: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="git log"):
        git(make_repository({"a": "1"}), "log", "nothing", "--")


def test_without_check_the_code_is_the_callers(make_repository: Callable[..., Path]) -> None:
    done = git(make_repository(), "rev-parse", "--verify", "--quiet", "HEAD", check=False)
    assert (done.code, done.stdout) == (1, b"")


def test_the_callers_git_variables_point_nowhere(
    make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = make_repository({"mine": "1"}, name="mine")
    other = make_repository({"other": "1"}, name="other")
    for name, value in {"GIT_DIR": other / ".git", "GIT_INDEX_FILE": tmp_path / "index", "GIT_NAMESPACE": "x"}.items():
        monkeypatch.setenv(name, str(value))
    assert git(mine, "ls-files").text == "mine"


def test_what_belongs_to_the_person_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("GIT_SSH_COMMAND", "GIT_CONFIG_KEY_0", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_PREFIX"):
        monkeypatch.setenv(name, "x")
    env = environment(tmp_path)
    assert {"GIT_SSH_COMMAND", "GIT_CONFIG_KEY_0", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_COMMITTER_NAME"} <= env.keys()
    assert "GIT_PREFIX" not in env
    assert (env["LC_ALL"], env["GIT_TERMINAL_PROMPT"], env["GIT_OPTIONAL_LOCKS"]) == ("C", "0", "0")


def test_input_goes_in_and_odd_bytes_come_out(make_repository: Callable[..., Path]) -> None:
    repository = make_repository()
    blob = git(repository, "hash-object", "-w", "--stdin", input=b"caf\xe9\n").text
    assert git(repository, "cat-file", "blob", blob).text == "caf\udce9"


def test_a_stream_tells_a_failure_at_its_end(make_repository: Callable[..., Path]) -> None:
    with pytest.raises(UsageError), stream(make_repository({"a": "1"}), "log", "nothing", "--") as output:
        assert output.read() == b""


def test_a_stream_left_early_ends_git(make_repository: Callable[..., Path]) -> None:
    repository = make_repository({"a": "x" * 5_000_000})

    def first_letter() -> Iterator[bytes]:
        with stream(repository, "cat-file", "blob", "HEAD:a") as output:
            yield output.read(1)
            yield output.read()

    letters = first_letter()
    assert next(letters) == b"x"
    letters.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
