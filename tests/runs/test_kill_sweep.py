"""A whole landing, killed by the kernel at one file-changing call after another, in its own process and in git's."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.runs.driving import MAIN, Wiki
from tests.runs.soundness import MINE, assert_converges, assert_sound

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]

STRIDES = {"link": 1, "fsync": 2, "rename": 1, "mkdir": 8, "fdatasync": 5, "unlink": 4, "ftruncate": 6, "pwrite64": 60}
"""How finely each call is sampled in the main process: objects, renames and syncs closely, SQLite's pages coarsely."""
IN_GIT = {"rename": 3, "unlink": 3, "fsync": 1, "write": 1}
"""How many calls of each git are died at: the first ones; it makes few."""

SHIM = """#!/bin/sh
n=$(($(cat "$SWEEP_COUNT") + 1)); echo $n > "$SWEEP_COUNT"
[ "$n" = "$SWEEP_CHILD" ] || exec "$SWEEP_GIT" "$@"
strace -qq -o /dev/null -e trace="$SWEEP_CALL" -e inject="$SWEEP_CALL:signal=KILL:when=$SWEEP_WHEN" "$SWEEP_GIT" "$@"
code=$?
[ $code -lt 128 ] || kill -KILL $PPID
exit $code
"""


class Point(NamedTuple):
    """Where to die: in the main process (child 0) or the n-th git, at the n-th of one call."""

    child: int
    call: str
    when: int


@pytest.fixture
def seed(wiki: Wiki) -> Wiki:
    """A wiki in which something has landed, with a run to land and an edit of the user's."""
    assert wiki.finish(wiki.run({"wiki/p001.md": "# One\n"})).result == "landed"
    wiki.run(run_id="the-run")
    (wiki.folder / "notes.txt").write_text(MINE)
    return wiki


def _finish(wiki: Wiki, tracer: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    command = [*tracer, sys.executable, "-m", "gitops", "run", "finish", "the-run"]
    settings = {"ASSAY_CLOCK": str(int(wiki.now.timestamp())), "PYTHONDONTWRITEBYTECODE": "1"}
    settings |= {"PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        command, cwd=wiki.folder, env={**os.environ, **settings, **env}, capture_output=True, text=True, check=False
    )


def _copied(seed: Wiki, folder: Path) -> Wiki:
    shutil.copytree(seed.folder, folder, symlinks=True)
    return Wiki(folder, seed.now)


def _points(seed: Wiki, folder: Path) -> Iterator[Point]:
    """Every place to die that one undisturbed landing passes."""
    log = folder / "strace.log"
    calls = ",".join([*STRIDES, "write", "execve", "exit_group"])
    assert (
        _finish(
            _copied(seed, folder / "undisturbed"), ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", str(log)]
        ).returncode
        == 0
    )
    seen = Counter[tuple[str, str]]()
    gits: dict[str, int] = {}
    main = ""
    for line in log.read_text(errors="replace").splitlines():
        pid, call = re.split(r"\s+", line, maxsplit=1)
        main = main or pid
        named = call.partition("(")[0]
        if named == "execve" and pid != main and call.endswith("= 0") and pid not in gits:
            gits[pid] = len(gits) + 1
        seen[pid, named] += 1
    for (pid, call), count in seen.items():
        if pid == main and call in STRIDES:
            yield from (Point(0, call, when) for when in range(1, count + 1, STRIDES[call]))
        elif pid in gits and call in IN_GIT:
            yield from (Point(gits[pid], call, when) for when in range(1, min(count, IN_GIT[call]) + 1))


def _shim(folder: Path) -> Path:
    place = folder / "bin"
    place.mkdir()
    (place / "git").write_text(SHIM)
    (place / "git").chmod(0o755 | stat.S_IXUSR)
    return place


def _killed(seed: Wiki, folder: Path, shim: Path, point: Point) -> tuple[Point, Wiki, int]:
    wiki = _copied(seed, folder / f"{point.child}-{point.call}-{point.when}")
    if point.child == 0:
        inject = ["-e", f"trace={point.call}", "-e", f"inject={point.call}:signal=KILL:when={point.when}"]
        return point, wiki, _finish(wiki, ["strace", "-qq", "-o", "/dev/null", *inject]).returncode
    count = folder / f"count-{point.child}-{point.call}-{point.when}"
    count.write_text("0")
    git = shutil.which("git")
    assert git is not None
    env = {"SWEEP_COUNT": str(count), "SWEEP_CHILD": str(point.child), "SWEEP_CALL": point.call}
    env |= {"SWEEP_WHEN": str(point.when), "SWEEP_GIT": git, "PATH": f"{shim}{os.pathsep}{os.environ['PATH']}"}
    return point, wiki, _finish(wiki, [], **env).returncode


def test_a_kill_at_any_call_leaves_all_sound_and_the_run_lands(seed: Wiki, tmp_path: Path) -> None:
    base = seed.ref(MAIN)
    assert base is not None
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    shim = _shim(tmp_path)
    points = list(_points(seed, tmp_path))
    died = Counter[bool]()
    with ThreadPoolExecutor(2) as pool:
        for point, wiki, code in pool.map(lambda each: _killed(seed, tmp_path, shim, each), points):
            died[code == -9] += 1
            try:
                assert_sound(wiki, base)
                wiki.later(days=1)
                assert_converges(wiki, "the-run", base, scratch, doctor=point.child == 0 and point.when == 1)
            except BaseException as error:
                error.add_note(f"killed at {point}, exit {code}; the repository: {wiki.folder}; told: {wiki.told}")
                raise
            shutil.rmtree(wiki.folder)
    assert died[True] >= len(points) * 0.9, f"only {died[True]} of {len(points)} points were reached"
