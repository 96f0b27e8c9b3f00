from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pytest

import gitops
from gitops.errors import UsageError
from gitops.git import commits, notes, refs
from gitops.git.commits import Identity
from gitops.git.repository import Repository, open_repository

REF = "refs/notes/assay/runs"
ADA = Identity("Ada Wríter", "ada@example.org")
WHEN = 1_704_164_645


def _target(number: int) -> str:
    return sha1(b"%d" % number).hexdigest()


def _append(repository: Repository, lines: dict[str, list[str]], ref: str = REF) -> None:
    notes.append(repository, ref, lines, "Record", ADA, WHEN)


def _by_git(git: Callable[..., str], folder: Path, ref: str = REF) -> dict[str, str]:
    listed = [line.split() for line in git(folder, "notes", f"--ref={ref}", "list").splitlines()]
    return {target: git(folder, "cat-file", "blob", blob) for blob, target in listed}


@pytest.fixture
def folder(make_repository: Callable[..., Path]) -> Path:
    return make_repository({"a": "1"})


@pytest.fixture
def repository(folder: Path) -> Repository:
    return open_repository(folder)


def test_what_is_no_record_or_no_target_is_refused(repository: Repository) -> None:
    for lines in ({_target(1): ["a\nb"]}, {_target(1): [""]}, {"HEAD": ["a"]}):
        with pytest.raises(UsageError):
            _append(repository, lines)
    assert refs.read(repository, REF) is None


def test_no_notes_read_as_none(repository: Repository) -> None:
    assert notes.read(repository, REF, _target(1)) == []
    assert list(notes.read_all(repository, REF)) == []


def test_git_reads_what_is_written(repository: Repository, folder: Path, git: Callable[..., str]) -> None:
    head = git(folder, "rev-parse", "HEAD")
    _append(repository, {head: ["zwei ü", "eins"], _target(1): ["x"]})
    _append(repository, {head: ["drei"]})
    assert git(folder, "notes", f"--ref={REF}", "show", head) == "drei\neins\nzwei ü"
    assert notes.read(repository, REF, head) == ["drei", "eins", "zwei ü"]
    assert dict(notes.read_all(repository, REF)) == {head: ["drei", "eins", "zwei ü"], _target(1): ["x"]}
    paths = git(folder, "ls-tree", "-r", "--name-only", REF).split()
    assert paths == sorted(f"{target[:2]}/{target[2:]}" for target in (head, _target(1)))
    assert (
        git(folder, "log", "-1", "--format=%an <%ae> %at %cn %ct %s", REF)
        == f"Ada Wríter <ada@example.org> {WHEN} Ada Wríter {WHEN} Record"
    )
    git(folder, "fsck", "--strict")


def test_notes_on_objects_of_every_kind_and_none_are_kept(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    targets = [git(folder, "rev-parse", rev) for rev in ("HEAD", "HEAD^{tree}", "HEAD:a")] + ["0" * 39 + "1"]
    _append(repository, {target: ["x"] for target in targets})
    assert sorted(target for target, _ in notes.read_all(repository, REF)) == sorted(targets)


def test_lines_that_are_there_make_no_commit(repository: Repository) -> None:
    _append(repository, {_target(1): ["a", "b"]})
    before = refs.read(repository, REF)
    _append(repository, {_target(1): ["b", "b"]})
    _append(repository, {})
    _append(repository, {_target(2): []})
    assert refs.read(repository, REF) == before


def test_the_same_records_are_the_same_commit(repository: Repository) -> None:
    for ref in (REF, REF + "2"):
        _append(repository, {_target(1): ["b", "a"]}, ref)
        _append(repository, {_target(2): ["c"]}, ref)
    assert refs.read(repository, REF) == refs.read(repository, REF + "2")


def test_what_git_wrote_is_added_to(repository: Repository, folder: Path, git: Callable[..., str]) -> None:
    head = git(folder, "rev-parse", "HEAD")
    git(folder, "notes", f"--ref={REF}", "add", "-m", "by git", head)
    git(folder, "notes", f"--ref={REF}", "append", "-m", "again", head)
    _append(repository, {head: ["by us"]})
    assert notes.read(repository, REF, head) == ["again", "by git", "by us"]
    assert len(git(folder, "ls-tree", "-r", "--name-only", REF).split()) == 1
    git(folder, "notes", f"--ref={REF}", "append", "-m", "later", head)
    _append(repository, {head: ["last"]})
    assert notes.read(repository, REF, head) == ["again", "by git", "by us", "last", "later"]


def _flat(repository: Repository, count: int) -> dict[str, list[str]]:
    """Notes as libgit2 leaves them: one flat tree."""
    from gitops.git.objects import REGULAR, Item, write_blob, write_tree

    wanted = {_target(number): [f"line {number}"] for number in range(count)}
    items = [
        Item(REGULAR, target.encode(), bytes.fromhex(write_blob(repository, f"{lines[0]}\n".encode())))
        for target, lines in wanted.items()
    ]
    commit = commits.write(repository, write_tree(repository, items), [], "flat", ADA, WHEN)
    assert refs.move(repository, REF, commit, None, "flat")
    return wanted


@pytest.mark.slow
def test_four_thousand_flat_notes_are_read_and_added_to(repository: Repository) -> None:
    wanted = _flat(repository, 4000)
    started = time.perf_counter()
    assert dict(notes.read_all(repository, REF)) == wanted
    assert time.perf_counter() - started < 5  # libgit2 took 31 s
    one = _target(1234)
    _append(repository, {one: ["more"], _target(9999): ["new"]})
    assert dict(notes.read_all(repository, REF)) == wanted | {one: ["line 1234", "more"], _target(9999): ["new"]}


def test_many_notes_in_one_commit_are_the_same_as_written_singly(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    _flat(repository, 500)
    wanted = {_target(number): [f"line {number}", f"more {number}"] for number in range(1000)}
    _append(repository, {target: [lines[1], lines[0]] for target, lines in wanted.items()})
    assert dict(notes.read_all(repository, REF)) == wanted
    assert git(folder, "rev-list", "--count", REF) == "2"
    assert len(git(folder, "notes", f"--ref={REF}", "list").splitlines()) == 1000
    names = git(folder, "ls-tree", "-r", "--name-only", REF).split()
    assert all(name[2] == "/" for name in names)
    assert len(names) == 1000
    assert set(refs.listed(repository, "refs")) == {"refs/heads/main", REF}
    git(folder, "fsck", "--strict", "--full")


def test_one_by_one_and_in_bulk_give_the_same_tree(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {_target(number): [f"ü {number}", "caf\udce9"] for number in range(300)}
    _append(repository, lines, REF + "-bulk")
    monkeypatch.setattr(notes, "MANY", 10**6)
    _append(repository, lines, REF + "-single")
    assert refs.read(repository, REF + "-bulk") == refs.read(repository, REF + "-single")


def test_bulk_is_synced_to_disk_before_the_ref_moves(folder: Path, git: Callable[..., str], tmp_path: Path) -> None:
    git(folder, "config", "core.fsync", "none")
    log = tmp_path / "strace"
    script = (
        "from hashlib import sha1; from pathlib import Path; from gitops.git import notes, repository, commits;"
        f"notes.append(repository.open_repository(Path({str(folder)!r})), {REF!r},"
        "{sha1(b'%d' % n).hexdigest(): ['x'] for n in range(300)}, 'm', commits.Identity('A', 'a@b'), 1)"
    )
    command = ["strace", "-f", "-y", "-e", "trace=fsync,rename,link", "-o", str(log), sys.executable, "-c", script]
    try:
        subprocess.run(command, check=True, env=_env(), capture_output=True)
    except FileNotFoundError:
        pytest.skip("strace is not installed")
    calls = log.read_text().splitlines()
    moved = next(number for number, call in enumerate(calls) if "rename" in call and "assay/runs.lock" in call)
    synced = [call for call in calls[:moved] if "fsync(" in call]
    assert any("pack" in call for call in synced)
    assert any("runs.lock" in call for call in synced)


def _random_side(repository: Repository, ref: str, dice: random.Random, name: str) -> None:
    for turn in range(3):
        picked = dice.sample(range(40), 12)
        _append(
            repository,
            {_target(number): [f"{dice.choice('xyz')} {number}", f"{name} {turn}"] for number in picked},
            ref,
        )


@pytest.mark.slow
def test_a_merge_is_what_git_makes_of_cat_sort_uniq(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    for seed in range(3):
        ours, theirs, by_git = (f"refs/notes/{name}{seed}" for name in ("ours", "theirs", "git"))
        dice = random.Random(seed)
        _random_side(repository, ours, dice, "base")
        git(folder, "update-ref", theirs, ours)
        _random_side(repository, ours, dice, "ours")
        _random_side(repository, theirs, dice, "theirs")
        git(folder, "update-ref", by_git, ours)
        git(folder, "notes", f"--ref={by_git}", "merge", "-q", "-s", "cat_sort_uniq", theirs)
        before, other = refs.read(repository, ours), refs.read(repository, theirs)
        assert other is not None
        merged = notes.merge(repository, ours, other, "Merge", ADA, WHEN)
        assert refs.read(repository, ours) == merged
        assert commits.read(repository, merged).parents == (before, other)
        assert _by_git(git, folder, ours) == _by_git(git, folder, by_git)
        assert notes.merge(repository, ours, other, "Again", ADA, WHEN) == merged


def test_merging_either_way_round_gives_the_same_notes(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    dice = random.Random(5)
    _random_side(repository, "refs/notes/one", dice, "one")
    _random_side(repository, "refs/notes/two", dice, "two")
    one, two = (refs.read(repository, f"refs/notes/{name}") for name in ("one", "two"))
    assert one is not None
    assert two is not None
    notes.merge(repository, "refs/notes/one", two, "m", ADA, WHEN)
    notes.merge(repository, "refs/notes/two", one, "m", ADA, WHEN)
    assert list(notes.read_all(repository, "refs/notes/one")) == list(notes.read_all(repository, "refs/notes/two"))


@pytest.mark.slow
def test_histories_fanned_out_differently_are_merged(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    wanted = _flat(repository, 50)
    flat = refs.read(repository, REF)
    assert flat is not None
    _append(repository, {_target(number): [f"other {number}"] for number in range(25, 75)}, "refs/notes/fanned")
    fanned = refs.read(repository, "refs/notes/fanned")
    assert fanned is not None
    notes.merge(repository, REF, fanned, "m", ADA, WHEN)
    notes.merge(repository, "refs/notes/fanned", flat, "m", ADA, WHEN)
    expected = {target: list(lines) for target, lines in wanted.items()}
    for number in range(25, 75):
        expected.setdefault(_target(number), []).append(f"other {number}")
    expected = {target: sorted(lines) for target, lines in expected.items()}
    assert dict(notes.read_all(repository, REF)) == dict(notes.read_all(repository, "refs/notes/fanned")) == expected
    assert len(git(folder, "ls-tree", "-r", "--name-only", REF).split()) == 75


def test_a_line_that_the_other_side_removed_stays(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    _append(repository, {_target(1): ["a", "b"], _target(2): ["c"]})
    git(folder, "update-ref", "refs/notes/theirs", REF)
    git(folder, "notes", "--ref=refs/notes/theirs", "remove", _target(2))
    git(folder, "notes", "--ref=refs/notes/theirs", "add", "-f", "-m", "a", _target(1))
    theirs = refs.read(repository, "refs/notes/theirs")
    assert theirs is not None
    merged = notes.merge(repository, REF, theirs, "m", ADA, WHEN)
    assert dict(notes.read_all(repository, REF)) == {_target(1): ["a", "b"], _target(2): ["c"]}
    assert theirs in commits.read(repository, merged).parents


def test_a_history_that_only_grew_is_taken_as_it_is(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    _append(repository, {_target(1): ["a"]})
    git(folder, "update-ref", "refs/notes/theirs", REF)
    _append(repository, {_target(1): ["b"], _target(2): ["c"]}, "refs/notes/theirs")
    theirs = refs.read(repository, "refs/notes/theirs")
    assert theirs is not None
    assert notes.merge(repository, REF, theirs, "m", ADA, WHEN) == theirs
    assert notes.merge(repository, "refs/notes/none", theirs, "m", ADA, WHEN) == theirs
    assert refs.read(repository, REF) == refs.read(repository, "refs/notes/none") == theirs


WRITER = """
import sys
from pathlib import Path
from gitops.git import commits, notes, repository
found = repository.open_repository(Path(sys.argv[1]))
for number in range(20):
    target = ("%02x" % (number % 3)) * 20
    notes.append(found, sys.argv[2], {target: [f"{sys.argv[3]} {number}"]}, "m", commits.Identity("A", "a@b"), 1)
"""


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(gitops.__file__).parents[1])}


@pytest.mark.slow
def test_four_writers_on_the_same_notes_lose_no_line(
    repository: Repository, folder: Path, git: Callable[..., str]
) -> None:
    command = [sys.executable, "-c", WRITER, str(folder), REF]
    writers = [subprocess.Popen([*command, str(number)], env=_env()) for number in range(4)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 4
    lines = [line for _, found in notes.read_all(repository, REF) for line in found]
    assert sorted(lines) == sorted(f"{writer} {number}" for writer in range(4) for number in range(20))
    assert git(folder, "rev-list", "--count", REF) == "80"
    git(folder, "fsck", "--strict")


def test_what_one_version_has_beyond_another(repository: Repository) -> None:
    _append(repository, {_target(1): ["a"], _target(2): ["x"]})
    first = refs.read(repository, REF)
    _append(repository, {_target(1): ["b", "c"], _target(3): ["y"]})
    second = refs.read(repository, REF)
    assert first is not None
    assert second is not None
    assert dict(notes.beyond(repository, second, first)) == {_target(1): ["b", "c"], _target(3): ["y"]}
    assert dict(notes.beyond(repository, first, second)) == {}
    assert dict(notes.beyond(repository, first, None)) == {_target(1): ["a"], _target(2): ["x"]}
