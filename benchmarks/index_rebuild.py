"""The index made anew from 10,000 notes (5,000 runs with a verdict each), against git listing and printing them.

What `git assay index rebuild` does, without the start of the process: read every record, refuse what is damaged,
check the verdicts' ids, fold the runs, and write the SQLite file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks import recorded
from benchmarks.timing import Options, Ratio, against, process
from gitops.errors import CannotRun
from gitops.git.repository import Repository
from gitops.runs import names, remaking
from gitops.runs.context import Context

LIMIT = 2.0
NOTES = 10_000
FLOOR = "git notes list | git cat-file --batch"


def run(options: Options) -> list[Ratio]:
    """Two figures: as verdicts are without signatures, with the limit, and with one each."""
    runs = max(1, options.size(NOTES) // 2)
    name = f"index rebuild, {runs:,} runs and {runs:,} verdicts"
    return [
        _figure(options, options.scratch / "records.git", name, runs, limit=LIMIT, signed=False),
        _figure(options, options.scratch / "signed.git", f"{name}, signed", runs, limit=None, signed=True),
    ]


def _figure(options: Options, folder: Path, name: str, runs: int, *, limit: float | None, signed: bool) -> Ratio:
    repository = recorded.opened(folder)
    recorded.fill(repository, runs, signed=signed)
    floor = (FLOOR, process(["sh", "-c", _printing()], repository.git_dir))
    return against(name, floor, rebuilding(repository, runs), options, limit=limit, size=2 * runs)


def rebuilding(repository: Repository, runs: int) -> Callable[[], None]:
    """The function behind the command as a side; a run or verdict that gets lost on the way is no measurement."""

    def rebuild() -> None:
        made = remaking.remake(Context(repository))
        if made.left_out or (made.runs, made.verdicts) != (runs, runs):
            raise CannotRun(f"{made.runs} runs and {made.verdicts} verdicts of {runs} came back", "git fsck")

    return rebuild


def _printing() -> str:
    listed = "git notes --ref={} list | cut -d' ' -f1 | git cat-file --batch"
    return " && ".join(listed.format(ref) for ref in (names.RUNS, names.VERDICTS))
