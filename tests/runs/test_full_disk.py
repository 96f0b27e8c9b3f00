"""A landing on a disk that is, or becomes, full: one clear line, exit 3, nothing half moved, nothing lost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runs.driving import MAIN, Wiki
from tests.runs.soundness import MINE, assert_converges, assert_sound

BLOCK = 4096


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes, where this user may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    if subprocess.run([mount, "-t", "tmpfs", "-o", "size=4m", "none", disk], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def _seeded(wiki: Wiki) -> str:
    wiki.run(run_id="the-run")
    (wiki.folder / "notes.txt").write_text(MINE)
    return str(wiki.ref(MAIN))


def _fill(disk: Path, free: int) -> None:
    """Leave this many blocks free."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    left = os.statvfs(disk)
    filler.write_bytes(b"\0" * max(0, left.f_bavail - free) * BLOCK)


def _assert_told(done: subprocess.CompletedProcess[str], words: str = "disk is full|no space left") -> None:
    errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert "Traceback" not in done.stderr
    assert "this should not happen" not in done.stderr
    if done.returncode == 0:  # only what decides nothing could not be written: that is a note
        assert errors == []
        return
    assert (done.returncode, done.stdout, len(errors)) == (3, "", 1), done.stderr
    assert re.search(words, done.stderr, re.IGNORECASE), done.stderr
    assert done.stderr.count("hint:") == 1


def _tried(seed: Wiki, disk: Path, free: int, scratch: Path) -> int:
    """One landing with so many blocks free, on a copy; then again with room. The first one's exit code."""
    folder = disk / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    (disk / "filler").unlink(missing_ok=True)
    shutil.copytree(seed.folder, folder, symlinks=True)
    wiki, base = Wiki(folder, seed.now), str(seed.ref(MAIN))
    _fill(disk, free)
    done = wiki.assay("run", "finish", "the-run", PYTHONDONTWRITEBYTECODE="1")
    try:
        _assert_told(done)
        (disk / "filler").unlink()
        assert_sound(wiki, base)
        wiki.later(days=1)
        assert_converges(wiki, "the-run", base, scratch, doctor=False)
    except BaseException as error:
        error.add_note(f"{free} blocks free; exit {done.returncode}: {done.stderr}")
        raise
    return done.returncode


@pytest.mark.parametrize("free", [0, 6, 12])
@pytest.mark.slow
def test_a_landing_on_a_full_disk_is_told_and_lands_when_there_is_room(
    wiki: Wiki, small_disk: Path, tmp_path: Path, free: int
) -> None:
    _seeded(wiki)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    assert _tried(wiki, small_disk, free, scratch) == 3


@pytest.mark.slow
def test_at_whatever_write_the_disk_is_full(wiki: Wiki, small_disk: Path, tmp_path: Path) -> None:
    _seeded(wiki)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    codes = [_tried(wiki, small_disk, free, scratch) for free in range(2, 140, 4)]
    assert set(codes) == {0, 3}
    assert codes[-1] == 0, "the last had room enough"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("call", ["fsync", "link", "mkdir"])
def test_a_call_that_finds_no_space_is_told(wiki: Wiki, tmp_path: Path, call: str) -> None:
    import sys

    base = _seeded(wiki)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for when in range(1, 40, 7):
        folder = tmp_path / f"{call}-{when}"
        shutil.copytree(wiki.folder, folder, symlinks=True)
        there = Wiki(folder, wiki.now)
        inject = [
            "strace",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            f"trace={call}",
            "-e",
            f"inject={call}:error=ENOSPC:when={when}+",
        ]
        env = {"ASSAY_CLOCK": str(int(wiki.now.timestamp())), "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(
            [*inject, sys.executable, "-m", "gitops", "run", "finish", "the-run"],
            cwd=folder,
            env={**os.environ, **env, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            _assert_told(done, "")  # libgit2 does not pass on what a failed fsync says
            assert_sound(there, base)
            there.later(days=1)
            assert_converges(there, "the-run", base, scratch, doctor=False)
        except BaseException as error:
            error.add_note(f"{call} {when}; exit {done.returncode}: {done.stderr}")
            raise
