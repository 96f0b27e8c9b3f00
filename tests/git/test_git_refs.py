from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gitops
from gitops.errors import CannotRun, UsageError
from gitops.git import refs
from gitops.git.repository import open_repository

MAIN = "refs/heads/main"
CANDIDATE = "refs/assay/candidate/one"


@pytest.fixture
def three(make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]) -> Path:
    repository = make_repository({"a": "1"})
    for number in "23":
        commit_files(repository, {"a": number})
    git(repository, "checkout", "-q", "--detach")
    return repository


def _ids(repository: Path, git: Callable[..., str]) -> list[str]:
    return git(repository, "rev-list", "--reverse", "main").split()


def test_a_name_no_ref_can_have_is_refused(three: Path) -> None:
    with pytest.raises(UsageError, match="not a name a ref can have"):
        refs.read(open_repository(three), "refs/heads/a..b")


def test_a_ref_cut_short_is_told(three: Path) -> None:
    (three / ".git/refs/heads/main").write_text("")
    with pytest.raises(CannotRun, match="cannot be read") as caught:
        refs.read(open_repository(three), MAIN)
    assert "refs/heads/main" in caught.value.hint


@pytest.mark.parametrize("pack", [False, True])
def test_a_ref_that_moved_is_not_moved(three: Path, git: Callable[..., str], pack: bool) -> None:
    one, two, tip = _ids(three, git)
    if pack:
        git(three, "pack-refs", "--all")
    found = open_repository(three)
    assert not refs.move(found, MAIN, one, two, "stale")
    assert not refs.move(found, MAIN, one, None, "must not exist")
    assert not refs.move(found, "refs/heads/none", one, two, "is not there")
    assert not refs.delete(found, MAIN, one)
    assert refs.read(found, MAIN) == tip
    assert refs.read(found, "refs/heads/none") is None


def test_a_lock_left_behind_is_told_after_a_while(three: Path, git: Callable[..., str]) -> None:
    one, _, tip = _ids(three, git)
    lock = three / ".git/refs/heads/main.lock"
    lock.touch()
    started = time.monotonic()
    with pytest.raises(CannotRun, match="locked by") as caught:
        refs.move(open_repository(three), MAIN, one, tip, "x", patience=0.5)
    assert 0.5 <= time.monotonic() - started < 5
    assert str(lock) in caught.value.message
    assert f"rm '{lock}'" in caught.value.hint
    assert lock.exists()


def test_a_lock_that_goes_away_is_waited_for(three: Path, git: Callable[..., str]) -> None:
    one, _, tip = _ids(three, git)
    lock = three / ".git/refs/heads/main.lock"
    lock.touch()
    release = threading.Timer(0.4, lock.unlink)
    release.start()
    assert refs.move(open_repository(three), MAIN, one, tip, "x")
    release.join()


@pytest.mark.parametrize(
    ("there", "wanted", "told", "mend"),
    [
        ("refs/heads/run", "refs/heads/run/one", "branch 'run'", "git branch -m run run-old"),
        (
            "refs/heads/run/one/deep",
            "refs/heads/run/one",
            "branch 'run/one/deep'",
            "git branch -m run/one/deep run-one-deep-old",
        ),
        (
            "refs/notes/assay",
            "refs/notes/assay/runs",
            "refs/notes/assay",
            "git update-ref refs/moved/notes/assay refs/notes/assay",
        ),
    ],
)
@pytest.mark.parametrize("pack", [False, True])
def test_a_branch_in_the_way_is_named_with_the_mend(
    three: Path, git: Callable[..., str], there: str, wanted: str, told: str, mend: str, pack: bool
) -> None:
    one, *_ = _ids(three, git)
    git(three, "update-ref", there, one)
    if pack:
        git(three, "pack-refs", "--all")
    found = open_repository(three)
    with pytest.raises(CannotRun, match=f"cannot be made while {told} exists") as caught:
        refs.move(found, wanted, one, None, "x")
    assert caught.value.hint.startswith(mend)
    subprocess.run(caught.value.hint, shell=True, cwd=three, check=True, capture_output=True)
    assert refs.move(found, wanted, one, None, "x")


def test_publishing_a_target_that_moved_says_no(three: Path, git: Callable[..., str]) -> None:
    one, two, tip = _ids(three, git)
    git(three, "update-ref", CANDIDATE, two)
    found = open_repository(three)
    assert not refs.publish(found, MAIN, two, one, CANDIDATE, two)
    assert not refs.publish(found, MAIN, two, None, CANDIDATE, two)
    assert refs.read(found, MAIN) == tip


def test_publishing_another_candidate_is_refused(three: Path, git: Callable[..., str]) -> None:
    one, two, tip = _ids(three, git)
    git(three, "update-ref", CANDIDATE, one)
    found = open_repository(three)
    for candidate_ref in (CANDIDATE, "refs/assay/candidate/none"):
        with pytest.raises(CannotRun, match="nothing was published"):
            refs.publish(found, MAIN, two, tip, candidate_ref, two)
    assert refs.read(found, MAIN) == tip


def test_publishing_moves_the_target_alone(three: Path, git: Callable[..., str]) -> None:
    one, two, tip = _ids(three, git)
    git(three, "update-ref", CANDIDATE, two)
    found = open_repository(three)
    assert refs.publish(found, MAIN, two, tip, CANDIDATE, two)
    assert refs.listed(found, "refs") == {CANDIDATE: two, MAIN: two}
    assert refs.publish(found, "refs/heads/new", two, None, CANDIDATE, two)
    assert git(three, "reflog", "show", "-1", "main").endswith("assay: publish")
    assert not list((three / ".git/refs").rglob("*.lock"))
    assert one != two


def test_a_moved_ref_is_on_disk_before_it_counts(three: Path, git: Callable[..., str], tmp_path: Path) -> None:
    one, _, tip = _ids(three, git)
    log = tmp_path / "strace"
    script = (
        "from pathlib import Path; from gitops.git import refs, repository;"
        f"refs.move(repository.open_repository(Path({str(three)!r})), {MAIN!r}, {one!r}, {tip!r}, 'x')"
    )
    command = ["strace", "-f", "-e", "trace=fsync,rename", "-o", str(log), sys.executable, "-c", script]
    try:
        subprocess.run(command, check=True, env=_env(), capture_output=True)
    except FileNotFoundError:
        pytest.skip("strace is not installed")
    calls = [line.split(None, 1)[1] for line in log.read_text().splitlines()]
    renamed = next(number for number, call in enumerate(calls) if "main.lock" in call)
    assert any(call.startswith("fsync") for call in calls[:renamed])


def test_refs_are_read_fresh_and_through_symbolic_ones(three: Path, git: Callable[..., str]) -> None:
    one, two, tip = _ids(three, git)
    found = open_repository(three)
    assert refs.read(found, MAIN) == tip
    git(three, "update-ref", MAIN, two)
    assert refs.read(found, MAIN) == two
    git(three, "pack-refs", "--all", "--prune")
    git(three, "symbolic-ref", "refs/heads/alias", MAIN)
    assert refs.read(found, "refs/heads/alias") == two
    assert refs.move(found, MAIN, one, two, "moved while packed")
    assert refs.read(found, "refs/heads/alias") == one


def test_refs_are_listed_by_whole_names(three: Path, git: Callable[..., str]) -> None:
    one, *_ = _ids(three, git)
    for name in ("run/b", "run/a", "runner"):
        git(three, "update-ref", f"refs/heads/{name}", one)
    found = open_repository(three)
    assert refs.listed(found, "refs/heads/run") == {"refs/heads/run/a": one, "refs/heads/run/b": one}
    assert refs.listed(found, "refs/heads/run/") == refs.listed(found, "refs/heads/run")
    assert refs.listed(found, "refs/none") == {}
    assert refs.delete(found, "refs/heads/run/a", one)
    assert refs.delete(found, "refs/heads/run/a", one)
    assert list(refs.listed(found, "refs/heads/run")) == ["refs/heads/run/b"]


SWAP = """
import sys
from pathlib import Path
from gitops.git import commits, refs, repository
found = repository.open_repository(Path(sys.argv[1]))
who = commits.Identity("Ada", "ada@example.org")
for number in range(25):
    while True:
        old = refs.read(found, "refs/heads/main")
        new = commits.write(found, commits.read(found, old).tree, [old], f"{sys.argv[2]} {number}", who, 1, sign=False)
        if FORCE:
            found.handle.references.create("refs/heads/main", new, force=True)
            break
        if refs.move(found, "refs/heads/main", new, old, "race"):
            break
"""


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(gitops.__file__).parents[1])}


def _race(repository: Path, script: str) -> int:
    command = [sys.executable, "-c", script, str(repository)]
    writers = [subprocess.Popen([*command, str(number)], env=_env(), stderr=subprocess.DEVNULL) for number in range(4)]
    return max(writer.wait(timeout=120) for writer in writers)


@pytest.mark.slow
def test_four_writers_lose_nothing(three: Path, git: Callable[..., str]) -> None:
    assert _race(three, SWAP.replace("FORCE", "False")) == 0
    assert int(git(three, "rev-list", "--count", "main")) == 103
    git(three, "fsck", "--strict")


def test_the_same_race_with_forced_refs_loses_some(three: Path, git: Callable[..., str]) -> None:
    # The mutant: it shows that the race above is one. Contended locks also make it fail outright.
    _race(three, SWAP.replace("FORCE", "True"))
    assert int(git(three, "rev-list", "--count", "main")) < 103
