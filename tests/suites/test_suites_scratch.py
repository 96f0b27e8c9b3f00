"""Temporary folders: gone when they are closed, and with the next run where their process was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gitops.suites.scratch import PREFIX, Scratch

PROJECT = Path(__file__).parents[2]
HOLD = "import sys; from gitops.suites.scratch import Scratch; print(Scratch().folder, flush=True); sys.stdin.read()"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", os.fspath(tmp_path))
    return tmp_path


def test_it_is_gone_when_it_is_closed(place: Path) -> None:
    scratch = Scratch()
    (Path(scratch.folder) / "closed/inner").mkdir(parents=True)
    os.chmod(Path(scratch.folder) / "closed", 0)
    os.chmod(scratch.folder, 0o500)
    scratch.close()
    assert list(place.iterdir()) == []


def test_closing_is_no_error_where_somebody_removed_it(place: Path) -> None:
    scratch = Scratch()
    os.rmdir(scratch.folder)
    scratch.close()
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_is_in_use_stays(place: Path) -> None:
    environment = {**os.environ, "TMPDIR": os.fspath(place)}
    words = [sys.executable, "-c", HOLD]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=PROJECT, env=environment, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        folder = Path(other.stdout.readline().strip())
        (folder / "left").write_text("x")
        first = Scratch()
        assert folder.exists()
        other.send_signal(signal.SIGKILL)
        other.wait()
    second = Scratch()
    assert not folder.exists()
    assert Path(first.folder).exists()
    first.close()
    second.close()


def test_nothing_else_is_touched(place: Path) -> None:
    for name in ("other", f"x{PREFIX}y"):
        (place / name).mkdir()
    (place / f"{PREFIX}file").write_text("no folder")
    os.symlink(place / "other", place / f"{PREFIX}link")
    Scratch().close()
    there = sorted(path.name for path in place.iterdir())
    assert there == sorted(["other", f"x{PREFIX}y", f"{PREFIX}file", f"{PREFIX}link"])
