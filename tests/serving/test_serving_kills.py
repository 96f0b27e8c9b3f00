"""A server killed in the middle of landing a pushed run, and swept by the next worker."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.canonical import strict_json
from gitops.runs import names, pushed, serving, store, workers
from gitops.runs.records import id_of
from tests.runs.driving import MAIN
from tests.runs.test_kill_sweep import SHIM
from tests.runs.test_kills import STEPS, Killed, killing
from tests.serving.conftest import PROJECT, Once, Server

pytestmark = pytest.mark.slow

STRIDES = {"rename": 5, "link": 12, "fsync": 25, "unlink": 16, "fdatasync": 25}
"""How finely the worker's own calls are sampled; `tests/runs/test_kill_sweep.py` does so more finely for a landing."""
GITS = 5
"""Every so many of the gits that the worker starts is killed, at its first rename."""


@pytest.fixture
def seed(tmp_path: Path, make_server: Callable[[], Server], once: Once) -> Server:
    """A server to which a run was pushed that no worker has begun."""
    once("seed", tmp_path / "server.git", lambda: _pushed_to(make_server()))
    return Server(tmp_path / "server.git", tmp_path)


def _pushed_to(server: Server) -> None:
    clone = server.clone()
    run_id = clone.run(run_id="the-run")
    script = server.folder / "hooks" / "post-receive"
    content = script.read_bytes()
    script.write_text("#!/bin/sh\n")
    clone.sync()
    clone.push("origin", f"run/{run_id}")
    script.write_bytes(content)
    pushed.put(server.folder / "assay", run_id, server.git("rev-parse", f"run/{run_id}"))


def serve(server: Server, *tracer: str, **env: str) -> int:
    command = [*tracer, sys.executable, "-m", "gitops", "hooks", "serve"]
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.fspath(PROJECT)}
    done = subprocess.run(
        command, cwd=server.folder, env={**os.environ, **settings, **env}, capture_output=True, check=False
    )
    return done.returncode


def assert_sound(server: Server, base: str) -> None:
    """Whole; the target is old or new, and never new without its verdict."""
    assert server.git("fsck", "--no-dangling", "--connectivity-only") == ""
    tip = server.git("rev-parse", "main")
    if tip != base:
        assert server.git("rev-parse", f"{tip}^1") == base
        note = server.git("notes", f"--ref={names.VERDICTS}", "show", tip, check=False)
        found = [strict_json(line) for line in note.splitlines()]
        tree = server.git("rev-parse", f"{tip}^{{tree}}")
        assert any(
            (each["candidate"], each["tree"], each["base"], each["verdict"], each["id"])
            == (tip, tree, base, "commit", id_of(each))
            for each in found
        ), f"{tip} stands without a verdict"


def assert_converges(server: Server, base: str, scratch: Path) -> None:
    """The next worker brings it to its end. A lock that a killed git left is told by doctor and removed by a person."""
    for lock in [*server.folder.glob("*.lock"), *(server.folder / "refs").rglob("*.lock")]:
        lock.unlink()
    assert serve(server) == 0
    wiki = server.wiki
    run = wiki.find("the-run")
    assert (run.status, wiki.ref(MAIN)) == ("committed", run.state.candidate)
    assert pushed.waiting(server.folder / "assay") == {}
    assert not workers.anybody(server.folder / "assay")
    assert wiki.show("wiki/log.md").count("the-run") == 1
    assert len(store.all_verdicts(wiki.context())) == 1
    assert wiki.ref(names.branch(run.id)) is wiki.ref(names.candidate(run.id)) is None
    assert wiki.index() == wiki.rebuilt_index(scratch)
    assert_sound(server, base)


@pytest.mark.parametrize("step", STEPS)
def test_a_server_killed_before_a_step_lands_the_run_with_the_next_worker(
    seed: Server, tmp_path: Path, step: str
) -> None:
    base = seed.git("rev-parse", "main")
    context = replace(seed.wiki.context(killing(step)), triggered_by="push:")
    with pytest.raises(Killed):
        serving.serve(context, "the-run", print)
    assert_sound(seed, base)
    assert_converges(seed, base, tmp_path)
    before = seed.git("for-each-ref")
    assert serve(seed) == 0
    assert seed.git("for-each-ref") == before


def test_a_kill_at_any_call_leaves_all_sound_and_the_run_lands(seed: Server, tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    base = seed.git("rev-parse", "main")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    points = list(_points(seed, tmp_path))
    died = Counter[bool]()
    with ThreadPoolExecutor(2) as pool:
        for point, server, code in pool.map(lambda each: _killed(seed, tmp_path, each), points):
            died[code == -9] += 1
            try:
                assert_sound(server, base)
                assert_converges(server, base, scratch)
            except BaseException as error:
                error.add_note(f"killed at {point}, exit {code}: {server.folder}")
                raise
            shutil.rmtree(server.folder)
    assert died[True] >= len(points) * 0.8, f"only {died[True]} of {len(points)} points were reached"


Point = tuple[int, str, int]
"""Where to die: the worker itself (0) or the n-th git, at which call, at the n-th of them."""


def _copied(seed: Server, folder: Path) -> Server:
    shutil.copytree(seed.folder, folder, symlinks=True)
    return Server(folder, seed.place)


def _points(seed: Server, folder: Path) -> Iterator[Point]:
    log = folder / "strace.log"
    calls = ",".join([*STRIDES, "execve"])
    tracer = ("strace", "-f", "-qq", "-e", f"trace={calls}", "-o", os.fspath(log))
    assert serve(_copied(seed, folder / "undisturbed.git"), *tracer) == 0
    seen, gits, main = Counter[str](), dict[str, int](), ""
    renaming = set[str]()
    for line in log.read_text(errors="replace").splitlines():
        pid, call = line.split(maxsplit=1)
        main = main or pid
        named = call.partition("(")[0]
        if pid == main:
            seen[named] += 1
        elif named == "execve" and call.endswith("= 0"):
            gits.setdefault(pid, len(gits) + 1)
        elif named == "rename":
            renaming.add(pid)
    for call, stride in STRIDES.items():
        yield from ((0, call, when) for when in range(1, seen[call] + 1, stride))
    for number in sorted(gits[pid] for pid in renaming if pid in gits)[::GITS]:
        yield number, "rename", 1


def _killed(seed: Server, folder: Path, point: Point) -> tuple[Point, Server, int]:
    child, call, when = point
    server = _copied(seed, folder / f"{child}-{call}-{when}.git")
    if child == 0:
        inject = ("-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={when}")
        return point, server, serve(server, "strace", "-qq", "-o", "/dev/null", *inject)
    count = folder / f"count-{child}-{call}-{when}"
    count.write_text("0")
    git = shutil.which("git")
    assert git is not None
    env = {"SWEEP_COUNT": str(count), "SWEEP_CHILD": str(child), "SWEEP_CALL": call, "SWEEP_WHEN": str(when)}
    shim = _shim(folder)
    return point, server, serve(server, SWEEP_GIT=git, PATH=f"{shim}{os.pathsep}{os.environ['PATH']}", **env)


def _shim(folder: Path) -> Path:
    place = folder / "shim"
    if not place.exists():
        place.mkdir(exist_ok=True)
        beside = place / "git.new"
        beside.write_text(SHIM)
        beside.chmod(0o755)
        beside.rename(place / "git")
    return place


def test_a_worker_whose_run_always_fails_holds_up_no_other(server: Server) -> None:
    clone = server.clone()
    folder = server.folder / "assay"
    pushed.put(folder, "no-such-branch", "0" * 40)
    sound = clone.run()
    clone.push("origin", f"run/{sound}")
    server.settle()
    assert server.wiki.find(sound).status == "committed"
    assert "no-such-branch is gone" in server.log("no-such-branch")
