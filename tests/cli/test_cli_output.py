"""How output looks in a pipe and on a terminal, what stays off standard output, and how commands are cut short."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Command = Callable[..., Any]
PROJECT = Path(__file__).parents[2]
ALTERED = '# Solvents\n\nIt fell by three fifths.[^1]\n\n[^1]: raw/report.md, "declined by three fifths"\n'
INDEX = "# Index\n\n- [Solvents](solvents.md)\n"
ESCAPE = re.compile(r"\x1b\[")


@pytest.fixture
def busy(wiki: Path, assay: Command, staged: Command) -> Path:
    """A wiki with a run that landed, one that was rejected, one that is to be revised, one that is open."""
    for pages in (None, {"wiki/solvents.md": ALTERED, "wiki/index.md": INDEX}, {"wiki/solvents.md": "# S\n\nNew.\n"}):
        assay(wiki, "run", "finish", staged(wiki, pages))
    staged(wiki, {"wiki/more.md": "# More\n"})
    return wiki


def test_in_a_pipe_no_command_prints_escapes_or_trailing_spaces(busy: Path, assay: Command) -> None:
    runs = [run["run_id"] for run in json.loads(assay(busy, "run", "list", "--json").out)["runs"]]
    commands: list[tuple[str, ...]] = [
        ("run", "list"), ("status",), ("log",), ("doctor",), ("explain",), ("explain", "quote_anchor"), ("schema",),
        ("help",), ("help", "run", "finish"), ("version",), ("index", "path"), ("verify", "--base", "HEAD~1"),
        *(("run", "show", run) for run in runs),
    ]  # fmt: skip
    for words in commands:
        done = assay(busy, *words)
        assert "\x1b" not in done.out + done.err
        assert done.out.endswith("\n")
        assert not [line for line in done.out.splitlines() if line != line.rstrip()], words
        assert "Traceback" not in done.err


def test_in_a_pipe_a_run_is_one_line(busy: Path, assay: Command) -> None:
    lines = assay(busy, "run", "list").out.splitlines()
    assert lines[0].split() == ["run", "status", "verdict", "type", "of"]
    assert len(lines) == 1 + 5  # four runs, and what was measured after the ingest that landed


def on_a_terminal(folder: Path, *words: str, env: dict[str, str] | None = None) -> str:
    """What a command prints on a terminal of its own."""
    controlling, terminal = pty.openpty()
    settings = {**os.environ, "PYTHONPATH": os.fspath(PROJECT), "TERM": "xterm-256color", **(env or {})}
    child = subprocess.Popen(
        [sys.executable, "-m", "gitops", *words],
        cwd=folder,
        stdout=terminal,
        stderr=terminal,
        stdin=terminal,
        env=settings,
    )
    os.close(terminal)
    printed = b""
    with suppress(OSError):  # Linux says EIO when the last writer has closed its end
        while block := os.read(controlling, 65536):
            printed += block
    os.close(controlling)
    child.wait()
    return printed.decode()


def test_on_a_terminal_there_is_colour_unless_it_is_not_wanted(busy: Path) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]")
    assert colour.search(on_a_terminal(busy, "run", "list"))
    assert not colour.search(on_a_terminal(busy, "run", "list", env={"NO_COLOR": "1"}))
    assert colour.search(on_a_terminal(busy, "run", "show", "nothing"))
    assert not ESCAPE.search(on_a_terminal(busy, "run", "show", "nothing", env={"NO_COLOR": "1"}))


def test_json_is_alone_on_standard_output(wiki: Path, tmp_path: Path, assay: Command) -> None:
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7\nbroken\n")
    done = assay(wiki, "raw", "add", os.fspath(tmp_path / "scan.pdf"), "--json")
    assert json.loads(done.out)["schema"] == "assay/raw/1"
    assert done.out.count("\n") == 1
    assert done.err.startswith("note: ")


def test_quiet_prints_no_remarks(make_repository: Command, tmp_path: Path, assay: Command) -> None:
    wiki = make_repository()
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7\nbroken\n")
    commands = (("init",), ("hooks", "install"), ("raw", "add", os.fspath(tmp_path / "scan.pdf")), ("index", "rebuild"))
    for words in commands:
        done = assay(wiki, "--quiet", *words)
        assert (done.code, done.out, done.err) == (0, "", ""), words
    run = assay(wiki, "-q", "run", "start").out.strip()
    assert assay(wiki, "-q", "run", "abandon", run).out == ""


def test_debug_shows_where_a_failure_came_from_and_changes_no_exit_code(wiki: Path, assay: Command) -> None:
    plain, debug = assay(wiki, "run", "show", "nothing"), assay(wiki, "--debug", "run", "show", "nothing")
    assert plain.code == debug.code == 2
    assert "Traceback" not in plain.err
    assert "Traceback" in debug.err
    assert debug.err.endswith(plain.err)


def test_what_the_encoding_does_not_have_is_escaped(make_wiki: Command, process: Command) -> None:
    wiki = make_wiki({"wiki/größe.md": "# Größe\n\nUnbelegt.\n"})
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process(wiki, "run", "start", "--id", "abc", "--reason", "größer", "--json", env=plain)
    assert (done.code, json.loads(done.out)["run_id"]) == (0, "abc")
    shown = process(wiki, "run", "show", "abc", env=plain)
    assert shown.code == 0
    assert "gr\\xf6\\xdfer" in shown.out


@pytest.mark.parametrize(
    "words", [("help",), ("schema", "config"), ("run", "list"), ("status", "--json"), ("run", "diff", "abc")]
)
def test_a_reader_who_has_left_is_no_error(wiki: Path, assay: Command, words: tuple[str, ...]) -> None:
    assay(wiki, "run", "start", "--id", "abc")
    assay(wiki, "run", "write", "abc", "wiki/abc.md", stdin=b"# Abc\n")
    reading, writing = os.pipe()
    os.close(reading)
    env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT)}
    command = [sys.executable, "-m", "gitops", *words]
    done = subprocess.run(command, cwd=wiki, stdout=writing, stderr=subprocess.PIPE, env=env, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.fixture
def interrupted(wiki: Path, tmp_path: Path) -> Iterator[Callable[[str, str], subprocess.CompletedProcess[bytes]]]:
    """Finish a run in a process group of its own, and press Ctrl-C just as git is about to move a ref."""
    marker = tmp_path / "about to move"
    hook = wiki / ".git/hooks/reference-transaction"

    def finish(run: str, ref: str) -> subprocess.CompletedProcess[bytes]:
        hook.write_text(
            f'#!/bin/sh\n[ "$1" = prepared ] || exit 0\nwhile read -r old new ref; do\n'
            f'case $ref in {ref}*) : >"{marker}"; sleep 30;; esac\ndone\n'
        )
        hook.chmod(0o755)
        child = subprocess.Popen(
            [sys.executable, "-m", "gitops", "run", "finish", run],
            cwd=wiki,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.fspath(PROJECT)},
            start_new_session=True,
            # Where the tests themselves run in the background, SIGINT is ignored, and children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        until = time.monotonic() + 20
        while not marker.exists() and child.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        assert marker.exists()
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=20)
        hook.unlink()
        return subprocess.CompletedProcess([], child.returncode, out, err)

    yield finish
    hook.unlink(missing_ok=True)


@pytest.mark.parametrize("ref", ["refs/assay/candidate/", "refs/heads/main"])
def test_ctrl_c_leaves_nothing_half_done(
    wiki: Path,
    assay: Command,
    staged: Command,
    git: Command,
    interrupted: Callable[[str, str], subprocess.CompletedProcess[bytes]],
    ref: str,
) -> None:
    run = staged(wiki)
    at = git(wiki, "rev-parse", "main")
    done = interrupted(run, ref)
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr.decode().splitlines() == [
        "error: interrupted; nothing is half done",
        "hint:  git assay status says how things stand",
    ]
    assert git(wiki, "rev-parse", "main") == at
    assert git(wiki, "status", "--porcelain") == ""
    assert not list((wiki / ".git").rglob("refs/**/*.lock"))
    assert assay(wiki, "run", "finish", run).code == 0
    assert git(wiki, "rev-parse", "main") != at
    assert git(wiki, "fsck", "--no-dangling") == ""


def test_an_interrupt_while_a_module_is_made_ends_like_any_other(tmp_path: Path) -> None:
    """CPython remembers one inside exec() as unhandled; `python -m` would die by the signal of what was handled."""
    (tmp_path / "sitecustomize.py").write_text(
        "import gitops.cli.parser as parser\n"
        "def interrupted(words):\n"
        "    exec('raise KeyboardInterrupt')\n"
        "parser.parse = interrupted\n"
    )
    path = os.pathsep.join([os.fspath(tmp_path), os.fspath(PROJECT)])
    command = [sys.executable, "-m", "gitops", "status"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("error: interrupted; nothing is half done\n")
