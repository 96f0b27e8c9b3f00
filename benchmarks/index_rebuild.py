"""The index made anew from the notes of 10,000 runs, against git listing and printing the same notes.

What `git assay index rebuild` does, without the start of the process: read every record, refuse what is damaged,
check the verdicts' ids, fold the runs, and write the SQLite file.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import recorded
from benchmarks.timing import Options, Ratio, against, process
from gitops.errors import CannotRun
from gitops.git.repository import Repository
from gitops.runs import mirror, names, store
from gitops.runs.context import Context

LIMIT = 2.0
RUNS = 10_000
FLOOR = "git notes list | git cat-file --batch"


def run(options: Options) -> list[Ratio]:
    """One figure."""
    runs = options.size(RUNS)
    repository = recorded.opened(options.scratch / "records.git")
    recorded.fill(repository, runs)
    floor = (FLOOR, process(["sh", "-c", _printing()], repository.git_dir))
    return [against("index rebuild", floor, rebuilding(repository, runs), options, limit=LIMIT, size=runs)]


def rebuilding(repository: Repository, runs: int) -> Callable[[], None]:
    """The function behind the command as a side; a run or verdict that gets lost on the way is no measurement."""

    def rebuild() -> None:
        context = Context(repository)
        found, verdicts = store.everything(context)
        left_out = mirror.rebuild(context, found, verdicts)
        if left_out or (len(found), len(verdicts)) != (runs, runs):
            raise CannotRun(f"{len(found)} runs and {len(verdicts)} verdicts of {runs} came back", "git fsck")

    return rebuild


def _printing() -> str:
    listed = "git notes --ref={} list | cut -d' ' -f1 | git cat-file --batch"
    return " && ".join(listed.format(ref) for ref in (names.RUNS, names.VERDICTS))
