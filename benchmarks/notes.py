"""10,000 notes written in one commit, against as many `git notes add`, each of which makes a commit of its own.

The floor is a loop of at most 200 `git notes add` in the same round, multiplied up to the full count: git takes
longer the more notes there are, so the true floor is higher than the one extrapolated.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from benchmarks import recorded
from benchmarks.timing import Options, Ratio
from gitops.git import notes, refs
from gitops.git.repository import Repository

LIMIT = 0.02
NOTES = 10_000
LOOP = 200
OURS, THEIRS = "refs/notes/assay/bench", "refs/notes/bench"


def run(options: Options) -> list[Ratio]:
    """One figure; a round starts from empty refs, ours and git's in turn."""
    count, loop = options.size(NOTES), min(LOOP, options.size(NOTES))
    repository = recorded.opened(options.scratch / "notes.git")
    targets = _targets(repository.git_dir, loop)
    lines = {recorded.object_id("target", n): [_line(n)] for n in range(count)}
    ours, floor = [], []
    for number in range(options.rounds + 1):
        order = (_ours, _theirs) if number % 2 else (_theirs, _ours)
        seconds = {side: side(repository, lines, targets) for side in order}
        if number:  # the first warms up
            ours.append(seconds[_ours])
            floor.append(seconds[_theirs] / loop * count)
    label = f"git notes add ({loop} in a loop, times {count / loop:g})"
    return [Ratio("notes.append", label, LIMIT, count, tuple(ours), tuple(floor))]


def _ours(repository: Repository, lines: dict[str, list[str]], targets: list[str]) -> float:
    _forget(repository, OURS)
    start = time.perf_counter()
    notes.append(repository, OURS, lines, "many notes", recorded.WHO, recorded.WHEN)
    return time.perf_counter() - start


def _theirs(repository: Repository, lines: dict[str, list[str]], targets: list[str]) -> float:
    _forget(repository, THEIRS)
    who = ("-c", f"user.name={recorded.WHO.name}", "-c", f"user.email={recorded.WHO.email}")
    start = time.perf_counter()
    for number, target in enumerate(targets):
        command = ["git", *who, "notes", f"--ref={THEIRS}", "add", "-m", _line(number), target]
        subprocess.run(command, cwd=repository.git_dir, check=True, capture_output=True)
    return time.perf_counter() - start


def _forget(repository: Repository, ref: str) -> None:
    if (old := refs.read(repository, ref)) is not None:
        refs.delete(repository, ref, old)


def _targets(folder: Path, count: int) -> list[str]:
    """Blobs to put git's notes on: unlike ours, it wants the object to be there."""
    names = []
    for number in range(count):
        (folder / f"target-{number}").write_text(f"{number}\n")
        names.append(f"target-{number}\n")
    command = ["git", "hash-object", "-w", "--stdin-paths"]
    made = subprocess.run(command, cwd=folder, input="".join(names), text=True, check=True, capture_output=True)
    return made.stdout.split()


def _line(number: int) -> str:
    return f'{{"summary":"note {number}","id":"{recorded.object_id("note", number)}","kind":"bench"}}'
