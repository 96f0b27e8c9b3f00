from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git.locks import Busy, held

HOLD = """
import fcntl, sys
lock = open(sys.argv[1], "w")
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def _held_elsewhere(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        yield holder


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "a\n", "é"])
def test_names_that_are_no_file_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a lock"), held(tmp_path, name):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    with pytest.raises(CannotRun, match="cannot be made"), held(tmp_path, "one"):
        pass


def test_a_lock_that_another_process_holds_is_busy(tmp_path: Path) -> None:
    started = time.monotonic()
    with _held_elsewhere(tmp_path / "assay/locks/one"):
        for wait in (None, 0.1):
            with pytest.raises(Busy, match="at work on one"), held(tmp_path, "one", wait):
                pass
        with held(tmp_path, "two"):
            pass
    assert time.monotonic() - started < 10


def test_a_lock_is_free_when_its_holder_is_killed(tmp_path: Path) -> None:
    with _held_elsewhere(tmp_path / "assay/locks/one") as holder:
        holder.kill()
        with held(tmp_path, "one", 5.0):
            pass


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    with _held_elsewhere(tmp_path / "assay/locks/one") as holder:
        assert holder.stdin is not None
        holder.stdin.close()
        with held(tmp_path, "one", 5.0):
            pass


def test_a_lock_is_held_until_the_end_and_its_file_stays(tmp_path: Path) -> None:
    with held(tmp_path, "one"), pytest.raises(Busy), held(tmp_path, "one"):
        pass
    with held(tmp_path, "one"):
        pass
    assert (tmp_path / "assay/locks/one").exists()


def test_children_do_not_inherit_the_lock(tmp_path: Path) -> None:
    with held(tmp_path, "one"):
        child = subprocess.Popen(["sleep", "30"], close_fds=False)
    try:
        with held(tmp_path, "one"):
            pass
    finally:
        child.kill()
        child.wait()
