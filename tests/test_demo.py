from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitops import demo
from gitops.cli.parser import parse
from gitops.demo_workspace import packed, poisons, sound
from gitops.errors import CannotRun, Refused, UsageError

ROOT = Path(__file__).parents[1]
MOMENT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FOUND = {
    "an altered quotation": "quote_anchor altered  wiki/salt-marsh.md:5",
    "a citation to a file that is not there": "source_exists missing  wiki/dunes.md:5",
    "an orphan page": "orphan  wiki/limpets.md:1",
    "a true quotation under a false claim": "support does_not_support  wiki/kelp.md:3",
    "a write into raw/": "raw_sealed raw_write  raw/sea-fog.md",
    "a write that loosens assay.toml": "path_acl outside_wiki  assay.toml",
}


@dataclass(frozen=True)
class Played:
    """A demonstration that has been played: where, with what exit code, and what it printed in a pipe."""

    root: Path
    code: int
    printed: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    root = tmp_path_factory.mktemp("demo") / "workspace"
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = demo.show_demo(str(root), lambda: MOMENT)
    return Played(root, code, printed.getvalue())


def scenes(printed: str) -> dict[str, list[str]]:
    """The lines of each scene below its headline, by what the headline says."""
    blocks = (block.splitlines() for block in printed.split("\n\n"))
    return {block[0][10:]: block[1:] for block in blocks if block[0].startswith(("landed ", "rejected "))}


def mends(printed: str) -> dict[str, str]:
    """The commands below each finding, as one would copy them."""
    commands = {}
    for what, lines in scenes(printed).items():
        start = next((number for number, line in enumerate(lines) if line.startswith("    mend  ")), None)
        if start is not None:
            commands[what] = "\n".join(line[10:] for line in lines[start:])
    return commands


# Where it must not go on


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        demo.show_demo(str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotRun, match="Not a directory") as told:
        demo.show_demo(str(tmp_path / "file" / "folder"))
    assert "--keep" in told.value.hint


def test_without_any_temporary_folder_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    with pytest.raises(CannotRun, match="temporary folder") as told:
        demo.show_demo(None)
    assert "--keep" in told.value.hint


@pytest.mark.slow
def test_a_poison_that_nothing_refuses_fails_the_demonstration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    harmless = replace(poisons()[2], is_linked=True, what="an orphan that is none")
    monkeypatch.setattr(demo, "poisons", lambda: [harmless])
    with pytest.raises(Refused, match="an orphan that is none"):
        demo.show_demo(str(tmp_path / "workspace"))
    assert "landed    an orphan that is none" in capsys.readouterr().out


@pytest.mark.slow
def test_a_poison_refused_by_another_check_fails_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "poisons", lambda: [replace(poisons()[0], refused_by="orphan")])
    with pytest.raises(Refused, match="an altered quotation"):
        demo.show_demo(str(tmp_path / "workspace"))


def test_the_environment_is_put_back_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/somewhere")
    before = dict(os.environ)
    with suppress(KeyError), demo.undisturbed():
        assert "GIT_DIR" not in os.environ
        assert os.environ["GIT_CONFIG_GLOBAL"] == os.devnull
        raise KeyError
    assert dict(os.environ) == before


# What it shows


@pytest.mark.slow
def test_it_goes_well(played: Played) -> None:
    assert played.code == 0


def test_the_sound_run_lands_and_every_poison_has_its_finding(played: Played) -> None:
    found = scenes(played.printed)
    assert list(found) == ["a sound run", *FOUND]
    assert "landed    a sound run" in played.printed
    for what, finding in FOUND.items():
        assert f"rejected  {what}\n          {finding}" in played.printed


def test_the_altered_words_are_marked(played: Played) -> None:
    assert (
        "          storm waves lose about [-80-]{+18+} % of their height"
        in scenes(played.printed)["an altered quotation"]
    )


def test_in_a_pipe_it_is_plain_and_short(played: Played) -> None:
    lines = played.printed.splitlines()
    assert "\x1b" not in played.printed
    assert [line for line in lines if line != line.rstrip()] == []
    assert len(lines) < 90


def test_every_command_that_it_prints_is_one(played: Played) -> None:
    for lines in mends(played.printed).values():
        for command in lines.replace("\\\n", "").replace("RUN=$(", "").replace(")\n", "\n").splitlines():
            words = shlex.split(command)
            assert words[:2] == ["git", "assay"]
            parse(words[2:])
    assert re.search(r"^git log --graph", played.printed, re.MULTILINE)


def test_no_line_of_a_command_is_broken_at_80_columns(played: Played) -> None:
    longest = max(len(line) for lines in mends(played.printed).values() for line in lines.splitlines())
    assert longest + 10 <= 80


def test_only_the_sound_write_is_on_main(played: Played, git: Callable[..., str]) -> None:
    assert git(played.root, "show", "main:wiki/spring-tides.md") + "\n" == sound().text
    assert git(played.root, "ls-tree", "--name-only", "main:wiki").split() == ["index.md", "log.md", "spring-tides.md"]
    assert git(played.root, "show", "main:raw/sea-fog.md") + "\n" == packed("raw/sea-fog.md")
    assert "[checks" not in git(played.root, "show", "main:assay.toml")
    assert git(played.root, "status", "--porcelain") == ""
    assert git(played.root, "branch", "--list", "run/*") == ""


def test_what_was_refused_is_kept_with_its_verdict(played: Played, git: Callable[..., str]) -> None:
    kept = git(played.root, "for-each-ref", "--format=%(refname) %(objectname)", "refs/assay/kept").splitlines()
    assert [ref.split()[0].rpartition("/")[2] for ref in kept] == sorted(poison.run_id for poison in poisons())
    for ref in kept:
        note = git(played.root, "notes", "--ref=assay/verdicts", "show", ref.split()[1])
        assert note.startswith('{"summary":"reject')


def test_the_history_is_the_one_that_git_shows(played: Played, git: Callable[..., str]) -> None:
    shown = played.printed.partition("\ngit log --graph")[2]
    for line in git(played.root, "log", "--format=%h %s", "main", "--first-parent").splitlines():
        assert line in shown
    assert shown.count("  reject: 1 new error, first ") == len(FOUND)
    assert shown.count("  commit: nothing in the change is refused") == 1


def test_the_commits_carry_the_name_of_the_demonstration(played: Played, git: Callable[..., str]) -> None:
    assert set(git(played.root, "log", "--all", "--format=%an <%ae> %cn").splitlines()) <= {
        "git-assay demo <demo@git-assay.invalid> git-assay demo"
    }


# On other people's machines


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A machine without identity, whose owner signs commits with a key that is lost and has hooks everywhere."""
    failing, template, home, temporary = (tmp_path / name for name in ("hooks", "template/hooks", "home", "a tmp dir"))
    for folder in (failing, template, home, temporary, tmp_path / "bin", tmp_path / "here"):
        folder.mkdir(parents=True)
    for hooks in (failing, template):
        for name in ("reference-transaction", "pre-commit", "post-commit"):
            (hooks / name).write_text("#!/bin/sh\necho a hook ran >&2\nexit 1\n")
            (hooks / name).chmod(0o755)
    program = tmp_path / "bin/git-assay"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m gitops "$@"\n'
    )
    program.chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[commit]\n\tgpgsign = true\n[user]\n\tsigningkey = lost\n\tuseConfigOnly = true\n"
        f"[core]\n\thooksPath = {failing}\n\tautocrlf = true\n[init]\n\ttemplateDir = {template.parent}\n"
        "\tdefaultBranch = trunk\n[color]\n\tui = always\n[log]\n\tshowSignature = true\n"
    )
    (tmp_path / "here").chmod(0o555)
    yield {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "LC_ALL": "C.UTF-8",
        "GIT_DIR": "/nowhere",
        "GIT_INDEX_FILE": "/nowhere/index",
        "GIT_DEFAULT_HASH": "sha256",
    }
    (tmp_path / "here").chmod(0o755)


def process(
    command: list[str], folder: Path, env: Mapping[str, str], code: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=folder, env=dict(env), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.mark.slow
def test_it_works_on_a_machine_where_everything_is_set_against_it(tmp_path: Path, hostile: dict[str, str]) -> None:
    done = process(["git-assay", "demo"], tmp_path / "here", hostile)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert list(scenes(done.stdout)) == ["a sound run", *FOUND]
    place = re.search(r"^ +cd '(.*/a tmp dir/assay-demo-[^/]*)'$", done.stdout, re.MULTILINE)
    assert place is not None
    assert (Path(place[1]) / "wiki/spring-tides.md").is_file()
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, -1], ids=["as printed", "backwards"])
def test_every_mend_lands_when_it_is_copied_into_a_shell(tmp_path: Path, hostile: dict[str, str], order: int) -> None:
    """Where the owner has no name for git and a signing key that is lost, and the hooks are out of the way."""
    root = tmp_path / "workspace"
    printed = process(["git-assay", "demo", "--keep", str(root)], tmp_path, hostile).stdout
    env = {name: value for name, value in hostile.items() if not name.startswith("GIT_")}
    process(["git", "config", "--global", "--unset", "core.hooksPath"], tmp_path, env)
    commands = mends(printed)
    assert list(commands) == list(FOUND)
    for lines in list(commands.values())[::order]:
        assert process(["bash", "-euc", lines], root, env).stdout.startswith("landed  run ")
    process(["git", "fsck", "--strict"], root, env)
    shown = process(["git", "show", "main:wiki/index.md"], root, env).stdout
    assert shown.count("](") == 7
    assert process(["git", "show", "main:raw/sea-fog.md"], root, env).stdout == packed("raw/sea-fog.md")
    assert "[checks" not in process(["git", "show", "main:assay.toml"], root, env).stdout
