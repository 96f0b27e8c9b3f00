from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops import hooks, server_hooks
from gitops.errors import UsageError
from gitops.git.repository import Repository, open_repository

Git = Callable[..., str]
SHELLS = {"dash": ["/bin/dash"], "bash": ["/bin/bash", "--posix"], "busybox": ["/usr/bin/busybox", "sh"]}


@pytest.fixture
def bare(make_repository: Callable[..., Path]) -> Repository:
    return open_repository(make_repository({"assay.toml": '[workspace]\nname = "w"\n'}, bare=True))


def config(repository: Repository, key: str) -> str | None:
    return repository.git_config(key)


def test_a_work_tree_is_no_server(make_repository: Callable[..., Path]) -> None:
    repository = open_repository(make_repository({"a": "b"}))
    with pytest.raises(UsageError, match="is a work tree") as told:
        server_hooks.install(repository)
    assert "git clone --bare" in told.value.hint
    assert not server_hooks.is_server(repository)


def test_hooks_that_git_does_not_run_are_refused_and_the_gate_stays_off(bare: Repository, git: Git) -> None:
    file = bare.git_dir / "nofolder"
    file.write_text("")
    git(bare.git_dir, "config", "core.hooksPath", os.fspath(file))
    with pytest.raises(UsageError, match="is no folder"):
        server_hooks.install(bare)
    assert not server_hooks.is_server(bare)


def test_both_hooks_and_the_settings_are_there_and_again_nothing_changes(bare: Repository) -> None:
    done = server_hooks.install(bare, "main")
    assert {name: each.changed for name, each in done.hooks.items()} == {"pre-receive": True, "post-receive": True}
    wanted = {"assay.server": "true", "receive.advertisePushOptions": "true", "assay.target": "main"}
    assert {key: config(bare, key) for key in wanted} == wanted
    assert server_hooks.is_server(bare)
    for name in hooks.ON_A_SERVER:
        script = bare.git_dir / "hooks" / name
        assert script.read_bytes() == hooks.hook_script(name)
        assert os.access(script, os.X_OK)
    again = server_hooks.install(bare, "main")
    assert again.settings == ()
    assert not any(each.changed for each in again.hooks.values())
    assert {each.state for each in server_hooks.status(bare).values()} == {"installed"}


def test_git_looks_at_the_objects_that_come_unless_somebody_decided_otherwise(bare: Repository, git: Git) -> None:
    git(bare.git_dir, "config", "transfer.fsckObjects", "false")
    server_hooks.install(bare)
    assert config(bare, "receive.fsckObjects") is None
    git(bare.git_dir, "config", "--unset", "transfer.fsckObjects")
    server_hooks.install(bare)
    assert config(bare, "receive.fsckObjects") == "true"
    git(bare.git_dir, "config", "receive.fsckObjects", "false")
    server_hooks.install(bare)
    assert config(bare, "receive.fsckObjects") == "false"


def test_the_server_has_a_name_of_its_own_unless_git_has_one(bare: Repository, git: Git) -> None:
    git(bare.git_dir, "config", "user.email", "wiki@example.org")
    server_hooks.install(bare)
    assert config(bare, "user.email") == "wiki@example.org"
    git(bare.git_dir, "config", "--unset", "user.email")
    server_hooks.install(bare)
    assert str(config(bare, "user.email")).startswith("git-assay@")
    assert config(bare, "user.name") == "git-assay"


@pytest.mark.parametrize("name", hooks.ON_A_SERVER)
def test_a_hook_that_was_there_is_kept_and_put_back(bare: Repository, name: str) -> None:
    script = bare.git_dir / "hooks" / name
    script.parent.mkdir(exist_ok=True)
    script.write_bytes(b"#!/bin/sh\necho mine\n")
    script.chmod(0o755)
    kept = server_hooks.install(bare).hooks[name].kept
    assert kept is not None
    assert kept.read_bytes() == b"#!/bin/sh\necho mine\n"
    assert server_hooks.uninstall(bare)[name]
    assert script.read_bytes() == b"#!/bin/sh\necho mine\n"
    assert not kept.exists()


def test_uninstalled_the_gate_is_open(bare: Repository) -> None:
    server_hooks.install(bare)
    assert server_hooks.uninstall(bare) == {"pre-receive": True, "post-receive": True}
    assert not server_hooks.is_server(bare)
    assert {each.state for each in server_hooks.status(bare).values()} == {"missing"}
    assert server_hooks.uninstall(bare) == {"pre-receive": False, "post-receive": False}


def test_an_old_or_disabled_hook_is_told(bare: Repository) -> None:
    server_hooks.install(bare)
    script = bare.git_dir / "hooks" / "post-receive"
    script.chmod(0o644)
    assert server_hooks.status(bare)["post-receive"].state == "disabled"
    script.chmod(0o755)
    script.write_bytes(script.read_bytes() + b"# older\n")
    assert server_hooks.status(bare)["post-receive"].state == "outdated"
    assert server_hooks.install(bare).hooks["post-receive"].changed


# The script


@pytest.fixture
def called(bare: Repository, tmp_path: Path, git: Git) -> Callable[..., tuple[int, str, str]]:
    """Run the post-receive hook by a shell, with a git-assay that says what it was asked."""
    assay = tmp_path / "git-assay"
    assay.write_text('#!/bin/sh\necho "asked: $*"\ncat\n')
    assay.chmod(0o755)
    server_hooks.install(bare)
    git(bare.git_dir, "config", "assay.command", os.fspath(assay))

    def run(shell: list[str], lines: str, path: str = os.environ["PATH"]) -> tuple[int, str, str]:
        script = bare.git_dir / "hooks" / "post-receive"
        done = subprocess.run(
            [*shell, os.fspath(script)],
            cwd=bare.git_dir,
            input=lines,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "GIT_DIR": ".", "PATH": path},
        )
        return done.returncode, done.stdout, done.stderr

    return run


BRANCH = f"{'0' * 40} {'a' * 40} refs/heads/main\n"
TAG = f"{'0' * 40} {'a' * 40} refs/tags/v1\n"
Called = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("shell", [each for each in SHELLS if Path(SHELLS[each][0]).exists()])
def test_git_assay_is_asked_of_branches_and_gets_every_line(called: Called, shell: str) -> None:
    assert called(SHELLS[shell], TAG + BRANCH) == (0, f"asked: hooks post-receive\n{TAG}{BRANCH}", "")
    assert called(SHELLS[shell], TAG) == (0, "", "")
    assert called(SHELLS[shell], "") == (0, "", "")


def test_where_the_gate_is_off_nobody_is_asked(called: Called, bare: Repository, git: Git) -> None:
    git(bare.git_dir, "config", "assay.server", "false")
    assert called(SHELLS["dash"], BRANCH) == (0, "", "")


def test_without_git_assay_it_is_told_and_nothing_fails(
    called: Called, bare: Repository, git: Git, tmp_path: Path
) -> None:
    git(bare.git_dir, "config", "assay.command", "/nowhere/git-assay")
    folder = tmp_path / "short-path"
    folder.mkdir()
    for name in ("git", "sh", "cat", "grep"):
        for place in ("/usr/bin", "/bin"):
            if (Path(place) / name).exists() and not (folder / name).exists():
                (folder / name).symlink_to(Path(place) / name)
    code, out, err = called(SHELLS["dash"], BRANCH, os.fspath(folder))
    assert (code, out) == (0, "")
    assert "not to be found here" in err


def test_a_git_assay_that_cannot_run_is_told_and_nothing_fails(
    called: Called, bare: Repository, tmp_path: Path
) -> None:
    (tmp_path / "git-assay").write_text("#!/nowhere/python\n")
    before = bare.git_dir / "hooks" / "post-receive.before-assay"
    before.write_text("#!/bin/sh\necho before\n")
    before.chmod(0o755)
    code, out, err = called(SHELLS["dash"], BRANCH)
    assert (code, out) == (0, "before\n")
    assert "could not do its work, so pushed runs wait" in err
    assert "git assay doctor" in err


@pytest.mark.parametrize("shell", [each for each in SHELLS if Path(SHELLS[each][0]).exists()])
def test_the_hook_that_was_there_runs_after_with_the_same_lines(called: Called, bare: Repository, shell: str) -> None:
    before = bare.git_dir / "hooks" / "post-receive.before-assay"
    before.write_text("#!/bin/sh\necho before\ncat\nexit 7\n")
    before.chmod(0o755)
    assert called(SHELLS[shell], TAG) == (7, f"before\n{TAG}", "")
    assert called(SHELLS[shell], "") == (7, "before\n", "")
