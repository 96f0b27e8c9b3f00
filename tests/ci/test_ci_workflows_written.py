"""`git assay init --ci github`: what is there is not overwritten, what is ours is renewed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.ci import workflows
from gitops.cli import main
from gitops.errors import UsageError

EVALS = ".github/workflows/git-assay-evals.yml"
LAND = ".github/workflows/git-assay-land.yml"


@pytest.fixture
def init(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(folder: Path, *words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["-C", os.fspath(folder), "init", "--no-hook", "--ci", "github", *words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def states(done: list[workflows.Workflow]) -> dict[str, str]:
    return {each.path: each.state for each in done}


def older(text: str) -> str:
    """A file as an older version of git-assay would have written it."""
    body = text.partition("\n\n")[2].replace("timeout-minutes: 20", "timeout-minutes: 15")
    body = body.replace(workflows.RELEASED, "git-assay[stats]==0.0.9")
    return workflows.marked(body).replace("Written by git-assay 0.1.0", "Written by git-assay 0.0.9")


# Refused, or left alone


def test_a_bare_repository_has_no_place_for_them(
    make_repository: Callable[..., Path], init: Callable[..., tuple[int, str, str]]
) -> None:
    code, _, said = init(make_repository({"a.md": "a\n"}, bare=True))
    assert code == 3
    assert "a bare repository" in said


def test_force_and_a_server_do_not_go_with_what_they_are_not_for(
    make_repository: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = os.fspath(make_repository({"a.md": "a\n"}))
    assert main(["-C", folder, "init", "--force"]) == 2
    assert "--force is for --ci alone" in capsys.readouterr().err
    assert main(["-C", folder, "init", "--server", "--ci", "github"]) == 2
    assert "runs no workflows" in capsys.readouterr().err


@pytest.mark.parametrize("link", [".github", ".github/workflows", EVALS])
def test_a_symbolic_link_is_not_followed_out_of_the_repository(tmp_path: Path, link: str) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "wiki"
    outside.mkdir()
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(outside)
    with pytest.raises(UsageError, match="is a symbolic link"):
        workflows.write(folder, force=True)
    assert list(outside.iterdir()) == []


def test_a_file_where_a_folder_should_be_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / ".github").write_text("")
    with pytest.raises(UsageError, match=f"{EVALS}: Not a directory|{EVALS}: File exists"):
        workflows.write(tmp_path)


@pytest.mark.parametrize("content", ["name: mine\n", "", "# Written by git-assay 0.1.0\n\nname: mine\n"])
def test_a_file_of_somebody_elses_is_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / LAND).parent.mkdir(parents=True)
    (tmp_path / LAND).write_text(content)
    done = states(workflows.write(tmp_path))
    assert done.pop(LAND) == "kept"
    assert set(done.values()) == {"written"}
    assert (tmp_path / LAND).read_text() == content


@pytest.mark.parametrize("change", [lambda t: t + "\n", lambda t: t.replace("queue: max", ""), str.upper])
def test_a_file_that_somebody_changed_is_kept_unless_force_says_otherwise(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    workflows.write(tmp_path)
    file = tmp_path / LAND
    written = file.read_text()
    file.write_text(change(written))
    assert states(workflows.write(tmp_path))[LAND] == "kept"
    assert file.read_text() == change(written)
    assert states(workflows.write(tmp_path, force=True))[LAND] == "updated"
    assert file.read_text() == written


def test_a_kept_file_is_named_with_the_command_that_renews_it(
    make_repository: Callable[..., Path], init: Callable[..., tuple[int, str, str]]
) -> None:
    folder = make_repository({LAND: "name: mine\n"})
    code, out, said = init(folder)
    assert code == 0
    assert f"{LAND} was changed and stays as it is; git assay init --ci github --force" in said
    assert LAND not in out
    assert (folder / LAND).read_text() == "name: mine\n"


# Written


def test_they_are_written_once_and_what_is_left_to_do_is_said(
    make_repository: Callable[..., Path], init: Callable[..., tuple[int, str, str]], git: Callable[..., str]
) -> None:
    folder = make_repository({"notes.txt": "hello\n"})
    code, out, said = init(folder)
    assert (code, said) == (0, "")
    assert out.count(": written") == len(workflows.NAMES)
    assert 'require the check "git-assay"' in out
    assert "ASSAY_SIGNING_KEY" in out
    untracked = git(folder, "status", "--short")
    assert untracked == "?? .github/"
    code, out, said = init(folder)
    assert out.count(": unchanged") == len(workflows.NAMES)
    assert "Settings" not in out


def test_they_lie_at_the_top_where_the_wiki_is_a_folder(
    make_repository: Callable[..., Path], init: Callable[..., tuple[int, str, str]]
) -> None:
    folder = make_repository({"books/notes.txt": "hello\n"})
    assert init(folder / "books")[0] == 0
    assert (folder / "books/assay.toml").is_file()
    assert (folder / EVALS).is_file()
    assert not (folder / "books/.github").exists()


def test_a_file_of_an_older_version_is_renewed(tmp_path: Path) -> None:
    workflows.write(tmp_path)
    file = tmp_path / EVALS
    wanted = file.read_text()
    file.write_text(older(wanted))
    assert file.read_text() != wanted
    assert states(workflows.write(tmp_path))[EVALS] == "updated"
    assert file.read_text() == wanted


def test_where_it_is_installed_from_is_a_persons_to_choose_and_stays(tmp_path: Path) -> None:
    workflows.write(tmp_path)
    file = tmp_path / EVALS
    own = "git-assay[stats] @ git+https://example.org/git-assay@0123456789abcdef"
    file.write_text(older(file.read_text()).replace("git-assay[stats]==0.0.9", own))
    assert states(workflows.write(tmp_path))[EVALS] == "updated"
    assert f"  ASSAY_PACKAGE: {own}\n" in file.read_text()
    assert "timeout-minutes: 20" in file.read_text()
    assert states(workflows.write(tmp_path))[EVALS] == "unchanged"
