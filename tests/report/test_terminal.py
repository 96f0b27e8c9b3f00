"""A hostile page on a real terminal: nothing that is printed of it may move the cursor, or colour, or hide."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.cli import one_line

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EVIL = "\x1b[2J\x1b[H\x1b[8mall is well\x9b3A\x07\x1b]0;owned\x1b\\\u202e"
PAGE = f"""\
# {EVIL}

It is so {EVIL}.[^1] See [it](no{EVIL}where.md).

[^1]: raw/a.md, "it was {EVIL} never so"
[^{EVIL}]: x
"""
FILES = {
    "assay.toml": "",
    "raw/a.md": f"It is said that {EVIL} it was once so, and {EVIL} never otherwise.\n",
    "wiki/index.md": "# Index\n",
    "wiki/log.md": "# Log\n",
}


def on_a_terminal(folder: Path, *words: str) -> str:
    """What a terminal of 80 columns is sent by `git assay`, on either stream."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": os.fspath(ROOT), "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40"}
    command = [sys.executable, "-m", "gitops", "-C", os.fspath(folder), *words]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=env) as child:
        os.close(theirs)
        sent = b""
        while chunk := _read(ours):
            sent += chunk
    os.close(ours)
    assert child.returncode in (0, 1), sent
    return sent.decode("utf-8")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux says EIO when the last writer has gone
        return b""


@pytest.fixture
def poisoned(make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]) -> Path:
    """A wiki, and a run whose page, file name, commit message and author try to repaint the screen."""
    folder = make_repository(FILES)
    on_a_terminal(folder, "run", "start", "--id", "evil", "--source", "raw/a.md", "--reason", EVIL)
    git(folder, "switch", "--quiet", "run/evil")
    commit_files(folder, {f"wiki/a{EVIL}.md": PAGE, "wiki/b.md": PAGE}, f"Write {EVIL}")
    git(folder, "switch", "--quiet", "main")
    return folder


def test_a_hostile_run_repaints_no_screen(poisoned: Path) -> None:
    for words in (
        ["verify", "run/evil"],
        ["verify", "run/evil", "--json"],
        ["verify", "run/evil", "--sarif"],
        ["run", "diff", "evil"],
        ["run", "diff", "evil", "--stat"],
        ["run", "finish", "evil"],
        ["run", "show", "evil"],
        ["run", "show", "evil", "--json"],
        ["run", "list"],
        ["log"],
        ["status"],
    ):
        shown = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(poisoned, *words))
        assert shown.strip(), words
        assert re.findall(r"[\x00-\x09\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202e]", shown) == [], words


def test_only_our_own_colours_are_sent(poisoned: Path) -> None:
    """Not the page's: it would hide (8) what it says."""
    sent = on_a_terminal(poisoned, "verify", "run/evil") + on_a_terminal(poisoned, "run", "diff", "evil")
    styles = {int(number or 0) for style in re.findall(r"\x1b\[([0-9;]*)m", sent) for number in style.split(";")}
    assert styles <= {0, 1, 2, 4, 9, 31, 32, 33, 36}
    assert {1, 31} <= styles


@pytest.mark.parametrize(
    "text", [EVIL, "a\nb\tc\r", "\x7f\x85\u2028\ufeff", b"caf\xe9".decode("utf-8", "surrogateescape")]
)
def test_an_error_is_one_line_that_steers_nothing(text: str) -> None:
    shown = one_line(text)
    assert shown.isprintable()
    assert len(shown.splitlines()) == 1


def test_an_error_that_names_a_hostile_file_steers_nothing(poisoned: Path) -> None:
    sent = on_a_terminal(poisoned, "run", "finish", "evil")
    assert "\x1b[2J" not in sent


def test_plain_text_of_every_script_stays_itself_in_an_error() -> None:
    assert one_line("wiki/日本 – “naïve”.md") == "wiki/日本 – “naïve”.md"
